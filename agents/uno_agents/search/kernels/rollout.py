"""Rollouts: the heuristic plays every seat on, each seeing its own observation and nothing else."""

from typing import Any

import numpy as np

from uno_env.actions import MAX_SEATS
from uno_env.engine.jit import always_inline, jit, jit_entry
from uno_env.engine.lowlevel.bits import below, splitmix64
from uno_env.engine.observation.encode import update_observation, write_mask, write_observation
from uno_env.engine.observation.known_block import may_know, write_known
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
            ("num_players", np.int64),
            ("known_slots", np.int64),
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
"""Scratch buffers: a seat's observation and mask, as words and as bytes; features and values.

`num_players` is that of the game the observation was written for one step before, 0 where it
must be written as a whole: kernels set it to 0 before they turn to another game.
"""


def new_scratch() -> np.ndarray[Any, Any]:
    """An array of one scratch record."""
    return new_records(1, SCRATCH)


@jit
def heuristic_action(s, r, scratch, x):
    """The heuristic's action for the seat to act."""
    # Slices have the type of a batch's rows, so the heuristic is not compiled a second time.
    _observe(s, r, scratch, scratch.obs_words[:])
    write_mask(s, scratch.mask_words[:])
    return choose(scratch.obs[:], scratch.mask[:], x)


@always_inline
def _observe(s, r, scratch, words):
    """Write what has changed since the last decision of the game, or all of it."""
    if scratch.num_players != s.num_players:
        scratch.known_slots = write_observation(s, r, s.actor, words)
    else:
        update_observation(s, s.actor, words)
        slots = scratch.known_slots
        if may_know(s, s.actor) or slots:
            scratch.known_slots = write_known(s, s.actor, words, slots)
    scratch.num_players = s.num_players


@jit
def rollout(s, r, log, scratch, x, depth):
    """Play to the end of the game, or to the first turn that begins after `depth` decisions.

    Returns how many decisions were made.
    """
    made = 0
    scratch.num_players = 0
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
        scratch[0].num_players = 0
        first = taken
        while not s.finished:
            x = splitmix64(x)
            if s.phase == P_PLAY and taken < features.shape[0] and below(x, every) == 0:
                write_features(s, r, features[taken])
                taken += 1
            step(s, r, logs[0], heuristic_action(s, r, scratch[0], x))
        for i in range(first, taken):
            winners[i] = s.winners
