"""The two simplest baselines: `random`, uniform over what is legal, and `greedy`.

Both draw from a generator of their own, so the same seed and the same questions give the same
answers. Neither looks at anything but the legal actions.
"""

import numpy as np

from uno_env.actions import (
    ACTIONS,
    CHALLENGE,
    DRAW,
    IGNORE,
    KEEP,
    NUM_ACTIONS,
    PASS,
    STAY_SILENT,
    TAKE,
    action_id,
)
from uno_env.array_types import Bytes, Floats, Ints
from uno_env.state_io.view import View

FIRST, LATER, LAST = 3, 2, 1


def _greedy_ranks() -> Bytes:
    """How greedy ranks each action; whatever ranks highest among the legal ones is played."""
    ranks = np.full(NUM_ACTIONS, FIRST, np.uint8)
    ranks[[DRAW, KEEP, PASS, TAKE, STAY_SILENT, IGNORE]] = LATER
    # A challenge costs six cards when it is wrong, so greedy would rather take the penalty.
    ranks[CHALLENGE] = LAST
    return ranks


class RankedAgent:
    """Uniform over the legal actions of the highest rank.

    Args:
        ranks: a number from 1 to 255 for each action of the table.
        seed: of its own generator.
    """

    def __init__(self, name: str, ranks: Bytes, seed: int = 0) -> None:
        self.name = name
        self._ranks = ranks
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """With a seed, choose as a new agent of that seed."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)

    def act(self, view: View, legal: list[str]) -> str:
        """A random one of the best ranked legal actions."""
        ranks = self._ranks[[action_id(text) for text in legal]]
        best = np.flatnonzero(ranks == ranks.max())
        return legal[int(self._rng.choice(best))]

    def act_batch(self, obs: Bytes, mask: Bytes) -> Ints:
        """The same for rows of masks."""
        ranks = mask * self._ranks
        best = ranks == ranks.max(axis=1, keepdims=True)
        draws: Floats = self._rng.random(mask.shape, np.float32)
        # Draws lie below 1, so adding 1 lifts every candidate above all others.
        ids: Ints = (draws + best).argmax(axis=1)
        return ids

    def __repr__(self) -> str:
        return f"<agent {self.name}>"


class RandomAgent(RankedAgent):
    """Uniform over the legal actions."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__("random", np.ones(len(ACTIONS), np.uint8), seed)


class GreedyAgent(RankedAgent):
    """A random playable card; never draws, keeps, passes or takes when it can play.

    It always calls UNO, always catches, jumps in whenever it may and never challenges. Colours,
    swaps and cards to give are random.
    """

    def __init__(self, seed: int = 0) -> None:
        super().__init__("greedy", _greedy_ranks(), seed)
