"""Advice for people: an action, the probabilities of all actions and the win probability.

Coaches and servers show it. An agent that knows its policy or its value has a method `advise`; the
function `advise` works for any agent, with None for what the agent does not provide.
"""

from typing import NamedTuple, Protocol, runtime_checkable

from uno_env.array_types import Bytes, Floats
from uno_env.rules import Rules
from uno_env.state_io.view import View

from .base import Agent


class Advice(NamedTuple):
    """An agent's assessment of a decision.

    Attributes:
        action: the action it takes, one of the legal ones.
        probabilities: of each legal action, adding up to 1; None if it does not say.
        win_estimate: win probability of the seat (or its team); None if it does not say.
    """

    action: str
    probabilities: dict[str, float] | None = None
    win_estimate: float | None = None


@runtime_checkable
class AdvisingAgent(Protocol):
    """An agent that provides more than its action."""

    def advise(self, view: View, legal: list[str], /) -> Advice:
        """The action with its assessment."""


@runtime_checkable
class PolicyValueAgent(Protocol):
    """An agent that knows its probabilities and values for many games in one call."""

    def probabilities_batch(self, obs: Bytes, mask: Bytes, /) -> tuple[Floats, Floats]:
        """Probabilities (B, 208), zero where illegal, and expected returns (B,)."""


def advise(agent: Agent, view: View, legal: list[str]) -> Advice:
    """The advice of any agent: its own, or its action alone."""
    if isinstance(agent, AdvisingAgent):
        return agent.advise(view, legal)
    return Advice(agent.act(view, legal))


def win_estimate(value: float, view: View) -> float:
    """The win probability that corresponds to an expected return.

    The winner's return is 1 and the losers share -1 equally, so with s sides at the table a win
    probability p has the expected return p - (1 - p) / (s - 1).
    """
    sides = _sides(view)
    return min(1.0, max(0.0, (value * (sides - 1) + 1) / sides))


def _sides(view: View) -> int:
    rules = Rules.from_dict({"variant": view["variant"], **view.get("rules", {})})
    players = int(view["num_players"])
    return players // 2 if rules.team_mode == "pairs" else players
