"""Rollouts: the heuristic plays every seat on, each seeing its own observation and nothing else."""

from typing import Any

import numpy as np

from uno_env.actions import MAX_SEATS
from uno_env.engine.jit import jit
from uno_env.engine.lowlevel.bits import splitmix64
from uno_env.engine.observation.encode import (
    MASK_BYTES,
    MASK_WORDS,
    OBS_SIZE,
    OBS_WORDS,
    write_mask,
    write_observation,
)
from uno_env.engine.state import new_records
from uno_env.engine.step import step
from uno_env.engine.tables import P_PLAY

from ...heuristic.kernels.policy import choose
from .value import TRAITS


def _desk_dtype() -> np.dtype[Any]:
    rows = np.dtype(
        [
            ("obs_words", np.uint64, (OBS_WORDS,)),
            ("mask_words", np.uint64, (MASK_WORDS,)),
            ("traits", np.float64, (MAX_SEATS, TRAITS)),
            ("chances", np.float64, (MAX_SEATS,)),
            ("totals", np.float64, (MAX_SEATS,)),
        ]
    )
    fields = {name: (rows[name], place[1]) for name, place in (rows.fields or {}).items()}
    fields["obs"] = (np.dtype((np.uint8, (OBS_SIZE,))), fields["obs_words"][1])
    fields["mask"] = (np.dtype((np.uint8, (MASK_BYTES,))), fields["mask_words"][1])
    return np.dtype(
        {
            "names": list(fields),
            "formats": [kind for kind, _ in fields.values()],
            "offsets": [at for _, at in fields.values()],
        }
    )


DESK = _desk_dtype()
"""Room to work in: a seat's observation and mask, as words and as bytes; what positions weigh."""


def new_desk() -> np.ndarray[Any, Any]:
    """An array of one desk."""
    return new_records(1, DESK)


@jit
def ask(s, r, desk, x):
    """What the heuristic does in the place of the seat to act."""
    write_observation(s, r, s.actor, desk.obs_words)
    write_mask(s, desk.mask_words)
    return choose(desk.obs, desk.mask, x)


@jit
def play_on(s, r, log, desk, x, most):
    """Play to the end of the game, or to the first turn that begins after `most` decisions.

    Returns how many decisions were made.
    """
    made = 0
    while not s.finished and (made < most or s.phase != P_PLAY):
        x = splitmix64(x)
        step(s, r, log, ask(s, r, desk, x))
        made += 1
    return made
