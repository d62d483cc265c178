"""Many games stepped to their end: no game is dealt anew, every action is written down.

Observations are grouped by agent instance, so each agent gets its own as one slice.
"""

import numpy as np

from uno_env.engine.jit import jit, jit_entry
from uno_env.engine.lowlevel.step_order import BLOCK, GROUPS, sort_block
from uno_env.engine.mechanics.legal_actions import is_legal
from uno_env.engine.observation.encode import write_mask, write_observation
from uno_env.engine.step import step

RUNNING, FINISHED, REFUSED = range(3)
"""Status of a game; refused: it stopped at an illegal action."""


@jit_entry("arena step")
def advance(
    games, rules, logs, instances, choice_of, status, refused, rows, actions, pending,
    trace, lengths, counts, starts, words, mask,
):  # fmt: skip
    """Apply the actions for the last observations, then write the next observations.

    Observation k was of game rows[k] and actions[k] is the action for it. New observations are
    ordered by instance: those of instance c are starts[c] to starts[c + 1]. Returns how many there
    are.
    """
    log = logs[0]
    begins = np.empty(GROUPS + 1, np.int64)
    order = np.empty(BLOCK, np.int64)
    for start in range(0, pending, BLOCK):
        end = min(start + BLOCK, pending)
        sort_block(actions, start, end, begins, order)
        for place in range(end - start):
            k = order[place]
            i = rows[k]
            s = games[i]
            action = actions[k]
            if not is_legal(s, action):
                status[i] = REFUSED
                refused[i] = action
                continue
            counts[instances[i, s.actor], s.phase, choice_of[action]] += 1
            trace[i, lengths[i]] = action
            lengths[i] += 1
            step(s, rules[0], log, action)
            if s.finished:
                status[i] = FINISHED
    _group_by_instance(games, instances, status, rows, starts)
    for k in range(starts[-1]):
        s = games[rows[k]]
        write_observation(s, rules[0], s.actor, words[k])
        write_mask(s, mask[k])
    return starts[-1]


@jit
def _group_by_instance(games, instances, status, rows, starts):
    """Order the running games by the instance to act, those of one instance by their number."""
    starts[:] = 0
    for i in range(games.shape[0]):
        if status[i] == RUNNING:
            starts[instances[i, games[i].actor] + 1] += 1
    for instance in range(starts.shape[0] - 1):
        starts[instance + 1] += starts[instance]
    free = starts.copy()
    for i in range(games.shape[0]):
        if status[i] == RUNNING:
            instance = instances[i, games[i].actor]
            rows[free[instance]] = i
            free[instance] += 1
