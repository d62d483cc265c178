"""Rollouts: the heuristic plays every seat on, each seeing its own observation and nothing else."""

from typing import Any

import numpy as np

from uno_env.actions import MAX_SEATS
from uno_env.engine.jit import jit, jit_entry
from uno_env.engine.lowlevel.bits import below, splitmix64
from uno_env.engine.observation.encode import write_mask, write_observation
from uno_env.engine.observation.layout import MASK_BYTES, MASK_WORDS, OBS_SIZE, OBS_WORDS
from uno_env.engine.state import new_records
from uno_env.engine.step import new_game, step
from uno_env.engine.tables import P_PLAY

from ...heuristic.kernels.policy import choose
from .value import NUM_FEATURES, write_features


def _scratch_dtype() -> np.dtype[Any]:
    plain = np.dtype(
        [
            ("obs_words", np.uint64, (OBS_WORDS,)),
            ("mask_words", np.uint64, (MASK_WORDS,)),
            ("features", np.float64, (MAX_SEATS, NUM_FEATURES)),
            ("win_probabilities", np.float64, (MAX_SEATS,)),
            ("totals", np.float64, (MAX_SEATS,)),
        ]
    )
    fields = {name: (plain[name], field[1]) for name, field in (plain.fields or {}).items()}
    fields["obs"] = (np.dtype((np.uint8, (OBS_SIZE,))), fields["obs_words"][1])
    fields["mask"] = (np.dtype((np.uint8, (MASK_BYTES,))), fields["mask_words"][1])
    return np.dtype(
        {
            "names": list(fields),
            "formats": [dtype for dtype, _ in fields.values()],
            "offsets": [offset for _, offset in fields.values()],
        }
    )


SCRATCH = _scratch_dtype()
"""Scratch buffers: a seat's observation and mask, as words and as bytes; features and values."""


def new_scratch() -> np.ndarray[Any, Any]:
    """An array of one scratch record."""
    return new_records(1, SCRATCH)


@jit
def heuristic_action(s, r, scratch, x):
    """The heuristic's action for the seat to act."""
    write_observation(s, r, s.actor, scratch.obs_words)
    write_mask(s, scratch.mask_words)
    return choose(scratch.obs, scratch.mask, x)


@jit
def rollout(s, r, log, scratch, x, depth):
    """Play to the end of the game, or to the first turn that begins after `depth` decisions.

    Returns how many decisions were made.
    """
    made = 0
    while not s.finished and (made < depth or s.phase != P_PLAY):
        x = splitmix64(x)
        step(s, r, log, heuristic_action(s, r, scratch, x))
        made += 1
    return made


@jit_entry("positions with winners")
def collect_positions(games, rules, logs, scratch, num_players, key, every, features, winners):
    """Fill rows of features and winners from rounds among heuristics, one turn in `every`.

    `python -m benchmarks.search_fit` fits the coefficients of the value function to them.
    """
    s = games[0]
    r = rules[0]
    x = key
    taken = 0
    while taken < features.shape[0]:
        x = splitmix64(x)
        new_game(s, r, logs[0], 0, num_players, x, 0)
        first = taken
        while not s.finished:
            x = splitmix64(x)
            if s.phase == P_PLAY and taken < features.shape[0] and below(x, every) == 0:
                write_features(s, r, features[taken])
                taken += 1
            step(s, r, logs[0], heuristic_action(s, r, scratch[0], x))
        for i in range(first, taken):
            winners[i] = s.winners
