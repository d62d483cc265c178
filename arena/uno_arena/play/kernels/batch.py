"""Many games stepped to their end: no game is dealt anew, every action is written down.

Rows of observations are laid out by chair, so each agent gets its questions as one slice.
"""

import numpy as np

from uno_env.engine.jit import jit, jit_entry
from uno_env.engine.lowlevel.step_order import BLOCK, GROUPS, sort_block
from uno_env.engine.mechanics.legal_actions import is_legal
from uno_env.engine.observation.encode import write_mask, write_observation
from uno_env.engine.step import step

RUNNING, FINISHED, REFUSED = range(3)
"""How a game stands; refused: it stopped at an action that was not legal."""


@jit_entry("arena step")
def advance(
    games, rules, logs, chairs, choice_of, status, refused, rows, actions, asked,
    trace, lengths, counts, starts, words, mask,
):  # fmt: skip
    """Take the answers to the questions asked last, then write the next questions.

    Question k was about game rows[k] and answered by actions[k]. New questions are ordered by
    chair: those of chair c are starts[c] to starts[c + 1]. Returns how many there are.
    """
    log = logs[0]
    begins = np.empty(GROUPS + 1, np.int64)
    order = np.empty(BLOCK, np.int64)
    for start in range(0, asked, BLOCK):
        end = min(start + BLOCK, asked)
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
            counts[chairs[i, s.actor], s.phase, choice_of[action]] += 1
            trace[i, lengths[i]] = action
            lengths[i] += 1
            step(s, rules[0], log, action)
            if s.finished:
                status[i] = FINISHED
    _line_up(games, chairs, status, rows, starts)
    for k in range(starts[-1]):
        s = games[rows[k]]
        write_observation(s, rules[0], s.actor, words[k])
        write_mask(s, mask[k])
    return starts[-1]


@jit
def _line_up(games, chairs, status, rows, starts):
    """Order the running games by who is to be asked, those of one chair by their number."""
    starts[:] = 0
    for i in range(games.shape[0]):
        if status[i] == RUNNING:
            starts[chairs[i, games[i].actor] + 1] += 1
    for chair in range(starts.shape[0] - 1):
        starts[chair + 1] += starts[chair]
    free = starts.copy()
    for i in range(games.shape[0]):
        if status[i] == RUNNING:
            chair = chairs[i, games[i].actor]
            rows[free[chair]] = i
            free[chair] += 1
