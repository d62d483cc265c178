"""Agents of a level: a base agent that decides among the actions which its slips leave it."""

from typing import Any

import numpy as np

from uno_env.actions import action_id
from uno_env.array_types import Bytes, Ints
from uno_env.envs.opponents import reset_agent
from uno_env.state_io.encode_view import chosen_text, encode_batch_of_one
from uno_env.state_io.view import View

from ..advice import Advice, advise
from ..base import Agent, BatchAgent
from .slips import SlipRates, seen_actions


class LevelAgent:
    """A player of some level, asked one view at a time.

    Args:
        name: its spec.
        base: decides among the actions that it sees.
        rates: how often each slip happens.
        seed: of the generator of the slips.
    """

    def __init__(self, name: str, base: Agent, rates: SlipRates, seed: int = 0) -> None:
        self.name, self.base, self.rates = name, base, rates
        self.budget = getattr(base, "budget", None)
        """That of a search, for servers that plan their work by it."""
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """With a seed, slip and decide as a new agent of that seed."""
        if seed is not None:
            self._rng = np.random.default_rng([seed, 1])
            reset_agent(self.base, seed)

    def act(self, view: View, legal: list[str]) -> str:
        """The base agent's choice among the actions that are seen."""
        left = self._seen(view, legal)
        return self._one_of(left, self.base.act(view, left))

    def advise(self, view: View, legal: list[str]) -> Advice:
        """The same with what the base agent says of it; what is not seen has probability zero."""
        left = self._seen(view, legal)
        found = advise(self.base, view, left)
        shares = found.probabilities
        if shares is not None:
            shares = {text: shares.get(text, 0.0) for text in legal}
        return Advice(self._one_of(left, found.action), shares, found.win_estimate)

    def _seen(self, view: View, legal: list[str]) -> list[str]:
        obs, mask = encode_batch_of_one(view, legal)
        seen = seen_actions(obs, mask, self.rates, self._rng)
        return [text for text in legal if seen[0, action_id(text)]]

    def _one_of(self, left: list[str], chosen: str) -> str:
        return chosen if chosen in left else left[int(self._rng.integers(len(left)))]

    def __repr__(self) -> str:
        return f"<agent {self.name}>"


class BatchLevelAgent(LevelAgent):
    """The same with a base agent that plays batches."""

    base: Any

    def act(self, view: View, legal: list[str]) -> str:
        """One action for a view."""
        return chosen_text(int(self.act_batch(*encode_batch_of_one(view, legal))[0]), legal)

    def act_batch(self, obs: Bytes, mask: Bytes) -> Ints:
        """One action id a row."""
        seen = seen_actions(obs, mask, self.rates, self._rng)
        ids: Ints = np.array(self.base.act_batch(obs, seen), np.int64)
        # The heuristic calls, catches and names colours whatever the mask says.
        rows = np.flatnonzero(seen[np.arange(len(ids)), ids] == 0)
        if len(rows):
            draws = self._rng.random((len(rows), seen.shape[1]))
            ids[rows] = (draws + seen[rows]).argmax(axis=1)
        return ids


def make_level_agent(name: str, base: Agent, rates: SlipRates, seed: int = 0) -> LevelAgent:
    """The agent of a level, which plays batches if its base does."""
    kind = BatchLevelAgent if isinstance(base, BatchAgent) else LevelAgent
    return kind(name, base, rates, seed)
