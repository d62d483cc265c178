"""Opponents: whoever plays the other seats of the Gymnasium environment, as one kind of function.

A spec string is resolved by the package that registers the entry point group `uno_env.agents`
(its value is a callable `resolve(spec) -> agent`), so `uno_env` imports no agent itself.
"""

import inspect
from collections.abc import Callable, Sequence
from importlib.metadata import entry_points
from typing import Any

import numpy as np

from ..engine import batch
from ..game import IllegalAction
from .session import GameSession

GROUP = "uno_env.agents"


def reset_agent(agent: Any, seed: int) -> bool:
    """Seed an agent by its `reset(seed)`; False if it has none, so that its play is unseeded.

    The method is part of the agent protocol (`uno_agents.base.SeededAgent`) and optional. A `reset`
    without a parameter `seed` belongs to something else and is not called.
    """
    reset = getattr(agent, "reset", None)
    if not callable(reset):
        return False
    try:
        if "seed" not in inspect.signature(reset).parameters:
            return False
    except (TypeError, ValueError):
        return False
    reset(seed)
    return True


def opponent_seed(seed: int, number: int) -> int:
    """The seed of an opponent, from the environment's seed and the opponent's number."""
    words = np.random.SeedSequence([seed, number]).generate_state(1, np.uint64)
    return int(words[0] >> np.uint64(1))


class RandomOpponent:
    """Uniform over the legal actions, compiled; the spec `random`."""

    needs_events = False
    name = "random"

    def __init__(self) -> None:
        self._stream = np.zeros(1, np.uint64)
        self._action = np.zeros(1, np.int64)

    def reset(self, seed: int) -> None:
        """Start its own stream of random numbers."""
        self._stream[0] = seed

    def __call__(self, session: GameSession) -> int:
        games = session.game.engine_arrays.games
        batch.random_actions(games, 0, 1, self._stream, self._action)
        return int(self._action[0])


class ViewOpponent:
    """An agent that is given a view and the legal actions as texts, and answers a text or an id."""

    needs_events = True

    def __init__(
        self, agent: Any, act: Callable[[dict[str, Any], list[str]], str | int], name: str
    ) -> None:
        self.agent, self.act, self.name = agent, act, name

    def __call__(self, session: GameSession) -> int:
        game = session.game
        answer = self.act(game.view(session.actor), game.legal())
        try:
            number = game.action_number(answer)
        except ValueError as error:
            raise IllegalAction(f"opponent {self.name}: {error}") from None
        if number < 0:
            raise IllegalAction(f"opponent {self.name} chose {answer!r}, which is no action here")
        return number


class EncodedOpponent:
    """An agent that only knows `act_batch(obs, mask) -> ids`: a batch of one."""

    needs_events = False

    def __init__(self, agent: Any, act_batch: Callable[[Any, Any], Any], name: str) -> None:
        self.agent, self.act_batch, self.name = agent, act_batch, name

    def __call__(self, session: GameSession) -> int:
        return int(self.act_batch(session.obs[None].copy(), session.mask[None].astype(np.uint8))[0])


Opponent = RandomOpponent | ViewOpponent | EncodedOpponent


def seat_opponents(opponents: Any, num_players: int) -> list[Opponent]:
    """One opponent for each other seat, clockwise from the learner; a single one plays them all."""
    if isinstance(opponents, str) or not isinstance(opponents, Sequence):
        opponents = [opponents]
    if len(opponents) == 1:
        opponents = list(opponents) * (num_players - 1)
    if len(opponents) != num_players - 1:
        raise ValueError(
            f"opponents has {len(opponents)} entries; allowed: 1 (for all seats) or "
            f"{num_players - 1} (num_players={num_players} less the learner)"
        )
    return [_opponent(entry) for entry in opponents]


def _opponent(entry: Any) -> Opponent:
    if entry == "random":
        return RandomOpponent()
    name = entry if isinstance(entry, str) else getattr(entry, "__name__", type(entry).__name__)
    agent = resolve(entry) if isinstance(entry, str) else entry
    # Encoded first: what it needs lies ready, while a view has to be built and read again.
    if callable(getattr(agent, "act_batch", None)):
        return EncodedOpponent(agent, agent.act_batch, name)
    if callable(getattr(agent, "act", None)):
        return ViewOpponent(agent, agent.act, name)
    if callable(agent):
        return ViewOpponent(agent, agent, name)
    raise ValueError(
        f"opponents has {entry!r}; allowed: an agent spec string, a function (view, legal) -> "
        "action, or an object with act(view, legal)"
    )


def resolve(spec: str) -> Any:
    """The agent that a spec string names."""
    found = entry_points(group=GROUP)
    if not found:
        raise ValueError(
            f"opponents has {spec!r}; without a package that registers {GROUP!r} only 'random' "
            "and your own functions or objects are known"
        )
    return next(iter(found)).load()(spec)
