"""Who plays the other seats of a single-learner batch: the compiled random player, or agents that
are asked once for all the games that wait for them.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from ..actions import MAX_SEATS
from ..array_types import Bytes
from ..engine.single_agent import OUTSIDE, RANDOM, YOU
from ..envs.opponents import resolve

Actor = Callable[[Bytes, Bytes], npt.ArrayLike]


class BatchAgent(Protocol):
    """An agent in its batch form."""

    def act_batch(self, obs: Bytes, mask: Bytes, /) -> npt.ArrayLike:
        """Action ids for rows of observations and masks."""


Opponent = str | Actor | BatchAgent


class Asked(NamedTuple):
    """An opponent that is asked: the agent, and its batch form."""

    agent: Any
    act: Actor


def seat_opponents(opponents: Any, most: int) -> tuple[npt.NDArray[np.int64], list[Asked]]:
    """Who sits at each place clockwise of the learner, and the opponents to be asked."""
    named = list(opponents) if isinstance(opponents, (list, tuple)) else [opponents]
    if not 1 <= len(named) < most:
        raise ValueError(
            f"opponents has {len(named)} entries; allowed: 1 to {most - 1}, assigned round-robin"
        )
    outside: list[Asked] = []
    codes = []
    for entry in named:
        if isinstance(entry, str) and entry == "random":
            codes.append(RANDOM)
        else:
            codes.append(OUTSIDE + len(outside))
            outside.append(_batch_form(entry))
    players = [YOU, *(codes[place % len(codes)] for place in range(MAX_SEATS - 1))]
    return np.array(players, np.int64), outside


def _batch_form(entry: Any) -> Asked:
    agent = resolve(entry) if isinstance(entry, str) else entry
    act = getattr(agent, "act_batch", agent)
    if not callable(act) or (isinstance(entry, str) and act is agent):
        raise ValueError(
            f"opponents has {entry!r}; allowed: 'random', the spec string of an agent with "
            "act_batch(obs, mask), such an agent, or such a function"
        )
    return Asked(agent, act)
