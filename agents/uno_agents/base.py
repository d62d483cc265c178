"""The agent protocol: `act` for one decision, `act_batch` for many, `reset` for seeding.

One of `act` and `act_batch` is enough. `act` gets the view of one seat; `act_batch` gets rows of
encoded observations and masks, which is how thousands of games are played at once. Agents that draw
random numbers take their seed by `reset(seed)`.
"""

from typing import Any, Protocol, runtime_checkable

from uno_env.array_types import Bytes, Ints
from uno_env.game import Game
from uno_env.state_io.view import View


class AgentError(ValueError):
    """A spec string, a file or an extra that does not give an agent; says what would."""


@runtime_checkable
class Agent(Protocol):
    """Anything that chooses one of the legal actions."""

    def act(self, view: View, legal: list[str], /) -> str:
        """The chosen action, one of the texts in `legal`."""


@runtime_checkable
class BatchAgent(Protocol):
    """An agent that answers many games in one call."""

    def act_batch(self, obs: Bytes, mask: Bytes, /) -> Ints:
        """One legal action id for each row of observations (B, 1280) and masks (B, 208)."""


@runtime_checkable
class SeededAgent(Protocol):
    """An agent whose random numbers follow from a seed; optional.

    Environments, arena and training call `uno_env.envs.opponents.reset_agent(agent, seed)` before
    games that must be reproducible. Agents without this method count as unseeded: harmless
    for deterministic ones, not reproducible for others.
    """

    def reset(self, seed: int | None = None, /) -> None:
        """With a seed, behave like a new agent of that seed; with None, keep the generator."""


@runtime_checkable
class CheatingAgent(Protocol):
    """An agent that is shown the whole game, every hidden card included.

    It is not a fair opponent, and every report marks it.
    """

    cheats: bool
    """Always True."""

    def act_game(self, game: Game, /) -> str:
        """The chosen action, one of `game.legal()`; the game is left as it is."""


def batch_form(agent: Any) -> BatchAgent:
    """The agent itself if it can play batches, else an error that names it."""
    if not isinstance(agent, BatchAgent):
        raise AgentError(f"agent {agent!r} has no act_batch(obs, mask), which is needed here")
    return agent
