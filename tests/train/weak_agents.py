"""Agents with a planted weakness, for the tests of `uno-arena best-response`."""

import numpy as np

from uno_env.actions import ACTIONS, action_id
from uno_env.array_types import Bytes, Ints


def _points(action: str) -> int:
    """Points of the card that an action plays; anything else is worth less than any card."""
    what, _, card = action.partition(" ")
    if what != "play":
        return -1
    symbol = card.rpartition("-")[2]
    return 50 if card.startswith("wild") else int(symbol) if symbol.isdigit() else 20


PLAY_POINTS = np.array([_points(action) for action in ACTIONS])


class _Weak:
    """Uniform over the legal actions but those it never takes, if there are others."""

    avoids: tuple[str, ...] = ()

    def __init__(self, seed: int = 0) -> None:
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """With a seed, play as a new agent of that seed."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)

    def act_batch(self, obs: Bytes, mask: Bytes) -> Ints:
        """One action id a row."""
        scores = self._rng.random(mask.shape) + 2.0 * mask
        for text in self.avoids:
            scores[:, action_id(text)] -= 1.5
        scores[mask == 0] = -1
        ids: Ints = scores.argmax(axis=1)
        return ids


class Random(_Weak):
    """No weakness besides playing at random."""


class Silent(_Weak):
    """Never calls UNO."""

    avoids = ("call-uno",)


class Trusting(_Weak):
    """Never challenges a wild draw four."""

    avoids = ("challenge",)


class HighestFirst(_Weak):
    """Always plays the legal card of most points, so wild draw fours first, as bluffs too."""

    def act_batch(self, obs: Bytes, mask: Bytes) -> Ints:
        """The dearest play of each row; where nothing can be played, anything legal."""
        scores = PLAY_POINTS + self._rng.random(mask.shape)
        ids: Ints = np.where(mask > 0, scores, -2).argmax(axis=1)
        return ids
