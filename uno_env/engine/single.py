"""The kernel of one game stepped from Python: act, then show the next actor, in a single call.

A call costs more than the game itself, so the environments make one per step.
"""

from .jit import jit_entry
from .observation.encode import write_mask, write_observation
from .step import ILLEGAL, try_step

REFUSED = -2


@jit_entry("step and observation")
def step_and_observe(games, rules, logs, words, mask, action):
    """One action in game 0, then the observation and mask of who acts next, into row 0.

    Returns the next actor, -1 when over, or REFUSED for an illegal action, which changes nothing
    unless faults are played.
    """
    s = games[0]
    r = rules[s.rule]
    if s.finished:
        return -1
    if try_step(s, r, logs[0], action) == ILLEGAL:
        return REFUSED
    actor = s.actor
    if actor >= 0:
        write_observation(s, r, actor, words[0])
        write_mask(s, mask[0])
    return actor
