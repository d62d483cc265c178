"""What `uno-env warm-up` compiles of the arena."""

import numpy as np

from uno_env import Rules
from uno_env.array_types import Bytes
from uno_env.first_use import Use

from .batch import BatchActions, play_batch


def _first_legal(instance: int, obs: Bytes, mask: Bytes) -> BatchActions:
    return BatchActions(mask.argmax(axis=1), {})


def _use_arena() -> None:
    rules, seeds = Rules.preset("classic"), np.ones(1, np.uint64)
    play_batch(rules, 2, "round", seeds, np.array([[0, 1]]), _first_legal)


USES = (Use("arena", _use_arena, "uno_arena.play.kernels.batch", waits=True),)
