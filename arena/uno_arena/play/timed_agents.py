"""The agent instances of a chunk that is played move by move, timed at every call."""

import threading
import time
from typing import Any

from uno_env import Game
from uno_env.envs.opponents import reset_agent

from .agent_calls import Fault, GuardedAgent
from .chunk import ChunkSpec, ChunkUsage, add_usage
from .heartbeat import BUILDING, Heartbeat


def timeout_reason(limit: float) -> str:
    """The reason of a forfeit by time."""
    return f"no answer within {limit:g} s"


class TimedAgents:
    """The agent instances of a chunk, each built at its first call and timed at every call."""

    def __init__(self, spec: ChunkSpec, heartbeat: Heartbeat) -> None:
        self._spec, self._heartbeat = spec, heartbeat
        self._agents: dict[int, GuardedAgent] = {}
        self._has_moved: set[int] = set()

    def act(self, instance: int, game: Game, seat: int, number: int) -> int:
        """The action of the seat to act in a game, or `Fault`."""
        agent = self._agent(instance)
        key = self._limit_key(instance)
        limit = self._time_limit(key)
        self._heartbeat.calling(number, seat, limit)
        called = time.monotonic()
        try:
            action = agent.act(game, seat)
        finally:
            self._has_moved.add(key)
        if limit and time.monotonic() - called > limit:
            raise Fault(timeout_reason(limit))
        return action

    def usage(self) -> ChunkUsage:
        """What the agents have counted so far."""
        total: ChunkUsage = {}
        for instance, agent in self._agents.items():
            total = add_usage(total, _usage_of(self._spec.entrant_of(instance), agent.agent))
        return total

    def _agent(self, instance: int) -> GuardedAgent:
        if instance not in self._agents:
            entrant = self._spec.entrant_of(instance)
            self._heartbeat.calling(BUILDING, entrant, self._spec.start_timeout)
            self._agents[instance] = self._build(instance)
        return self._agents[instance]

    def _build(self, instance: int) -> GuardedAgent:
        return GuardedAgent(lambda: self._spec.make_agent(instance))

    def _limit_key(self, instance: int) -> int:
        """Whose first move may take longer."""
        return instance

    def _time_limit(self, key: int) -> float:
        """Seconds for the next move; the first may take longer, for code that compiles or loads."""
        limit, is_first = self._spec.move_timeout, key not in self._has_moved
        return max(limit, self._spec.start_timeout) if limit and is_first else limit


class AgentPool:
    """The agents of a chunk in which somebody decides for several games at once.

    A concurrent entrant has one agent for all games. Of the others every game has instances of its
    own, seeded by the game, so that no result depends on which games are played at the same time.

    Args:
        heartbeat: where it is stated that an agent is being built.
    """

    def __init__(self, spec: ChunkSpec, heartbeat: Heartbeat) -> None:
        self.spec = spec
        self.has_moved: set[int] = set()
        self._guard = threading.Lock()
        self._free: dict[int, list[GuardedAgent]] = {}
        self._built: list[tuple[int, Any]] = []
        self._shared: dict[int, GuardedAgent] = {}
        for entrant in spec.concurrent:
            heartbeat.calling(BUILDING, entrant, spec.start_timeout)
            self._shared[entrant] = self._new(entrant, spec.game_seed(entrant, 0))
        heartbeat.idle()

    @property
    def games_at_once(self) -> int:
        """How many games may be played at the same time."""
        # An object that is not concurrent is the same one in every game.
        others = set(self.spec.participants) - set(self.spec.concurrent)
        if self.spec.is_one_by_one or any(not self._is_spec(entrant) for entrant in others):
            return 1
        agents = [agent.agent for agent in self._shared.values() if not agent.broken]
        return max(1, min((agent.concurrency for agent in agents), default=1))

    def take(self, instance: int, number: int) -> GuardedAgent:
        """The agent of a seat for one game."""
        entrant, seed = self.spec.entrant_of(instance), self.spec.game_seed(instance, number)
        if entrant in self._shared:
            return self._shared[entrant].for_game(seed)
        with self._guard:
            free = self._free.get(entrant, [])
            agent = free.pop() if free else None
        return agent if agent and _is_reseeded(agent, seed) else self._new(entrant, seed)

    def give_back(self, instance: int, agent: GuardedAgent) -> None:
        """A game is over; its agents can be seeded for another."""
        entrant = self.spec.entrant_of(instance)
        if entrant not in self._shared and self._is_spec(entrant) and not agent.broken:
            with self._guard:
                self._free.setdefault(entrant, []).append(agent)

    def usage(self) -> ChunkUsage:
        """What the agents have counted so far."""
        total: ChunkUsage = {}
        with self._guard:
            built = list(self._built)
        for entrant, agent in built:
            total = add_usage(total, _usage_of(entrant, agent))
        return total

    def _is_spec(self, entrant: int) -> bool:
        return isinstance(self.spec.agents[entrant], str)

    def _new(self, entrant: int, seed: int) -> GuardedAgent:
        agent = GuardedAgent(lambda: self.spec.build(entrant, seed))
        with self._guard:
            if all(agent.agent is not other for _, other in self._built):
                self._built.append((entrant, agent.agent))
        return agent


class GameAgents(TimedAgents):
    """The agents of one game of a chunk, taken from its pool."""

    def __init__(self, pool: AgentPool, number: int, heartbeat: Heartbeat) -> None:
        super().__init__(pool.spec, heartbeat)
        self._pool, self._number = pool, number
        self._has_moved = pool.has_moved

    def close(self) -> None:
        """The game is over."""
        for instance, agent in self._agents.items():
            self._pool.give_back(instance, agent)

    def _build(self, instance: int) -> GuardedAgent:
        return self._pool.take(instance, self._number)

    def _limit_key(self, instance: int) -> int:
        return self._spec.entrant_of(instance)


def _is_reseeded(agent: GuardedAgent, seed: int) -> bool:
    """Whether the agent now plays as a new one of that seed."""
    try:
        return reset_agent(agent.agent, seed)
    except Exception:  # it is built anew instead
        return False


def _usage_of(entrant: int, agent: Any) -> ChunkUsage:
    """What an agent counts; nothing if it has no `usage()`, or a broken one."""
    usage = getattr(agent, "usage", None)
    if not callable(usage):
        return {}
    try:
        return {entrant: {str(key): float(number) for key, number in dict(usage()).items()}}
    except Exception:  # counting must not spoil a game
        return {}
