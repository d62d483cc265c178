"""`play_chunk`: a chunk in, its games out: all games at once, or move by move.

Agents that all have `act_batch` play every game of the chunk at once in compiled code. Otherwise
games are played one after another, and every call of an agent is timed.
"""

import time
from collections import Counter
from collections.abc import Iterator

from uno_env import Game
from uno_env.array_types import Bytes

from ..stats.usage_stats import CHOICE_OF, PHASES, no_counts
from .agent_calls import Fault, GuardedAgent
from .batch import BatchActions, play_batch
from .chunk import ChunkResult, ChunkSpec, GameRow
from .heartbeat import BATCH, BUILDING, NOBODY, Heartbeat

BATCH_TIMEOUT_MOVES = 10
"""Time limit of a batched call, in moves; a slower batch is played move by move instead."""

_PHASE = {phase: number for number, phase in enumerate(PHASES)}


def play_chunk(spec: ChunkSpec, heartbeat: Heartbeat | None = None) -> ChunkResult:
    """Play all games of a chunk in this process."""
    heartbeat = heartbeat or Heartbeat()
    started = time.perf_counter()
    if spec.is_batch:
        return _play_in_batch(spec, heartbeat, started)
    rows = list(play_rows(spec, heartbeat))
    return ChunkResult.of_rows(spec, rows, time.perf_counter() - started)


def _play_in_batch(spec: ChunkSpec, heartbeat: Heartbeat, started: float) -> ChunkResult:
    layout, matchup = spec.layout, spec.matchup
    agents: dict[int, GuardedAgent] = {}

    def act(instance: int, obs: Bytes, mask: Bytes) -> BatchActions:
        entrant = spec.entrant_of(instance)
        limit = spec.move_timeout
        if instance not in agents:
            heartbeat.calling(BUILDING, entrant, spec.start_timeout)
            agents[instance] = GuardedAgent(lambda: spec.make_agent(instance))
            limit = max(limit, spec.start_timeout)
        batch_limit = BATCH_TIMEOUT_MOVES * limit if spec.move_timeout else 0.0
        heartbeat.calling(BATCH, entrant, batch_limit)
        actions = agents[instance].act_batch(obs, mask)
        heartbeat.idle()
        return actions

    played = play_batch(
        spec.rules, matchup.num_players, matchup.episode, layout.seed, layout.instance, act
    )
    counts = no_counts(len(spec.agents))
    for instance, numbers in enumerate(played.counts):
        counts[spec.entrant_of(instance)] += numbers
    return ChunkResult(
        matchup.number,
        spec.number,
        layout,
        played.winners,
        played.points,
        played.void,
        played.at_fault,
        played.faults,
        played.actions,
        counts,
        time.perf_counter() - started,
    )


class TimedAgents:
    """The agent instances of a chunk, each built at its first call and timed at every call."""

    def __init__(self, spec: ChunkSpec, heartbeat: Heartbeat) -> None:
        self._spec, self._heartbeat = spec, heartbeat
        self._agents: dict[int, GuardedAgent] = {}
        self._has_moved: set[int] = set()

    def act(self, instance: int, game: Game, seat: int, number: int) -> int:
        """The action of the seat to act in a game, or `Fault`."""
        agent = self._agent(instance)
        limit = self._time_limit(instance)
        self._heartbeat.calling(number, seat, limit)
        called = time.monotonic()
        action = agent.act(game, seat)
        if limit and time.monotonic() - called > limit:
            raise Fault(timeout_reason(limit))
        return action

    def _agent(self, instance: int) -> GuardedAgent:
        if instance not in self._agents:
            entrant = self._spec.entrant_of(instance)
            self._heartbeat.calling(BUILDING, entrant, self._spec.start_timeout)
            self._agents[instance] = GuardedAgent(lambda: self._spec.make_agent(instance))
        return self._agents[instance]

    def _time_limit(self, instance: int) -> float:
        """Seconds for the next move; the first may take longer, for code that compiles or loads."""
        limit = self._spec.move_timeout
        is_first = instance not in self._has_moved
        self._has_moved.add(instance)
        return max(limit, self._spec.start_timeout) if limit and is_first else limit


def timeout_reason(limit: float) -> str:
    """The reason of a forfeit by time."""
    return f"no answer within {limit:g} s"


def play_rows(spec: ChunkSpec, heartbeat: Heartbeat) -> Iterator[GameRow]:
    """Play the games of a chunk one after another, from `first_game` on."""
    agents = TimedAgents(spec, heartbeat)
    for number in range(spec.first_game, spec.num_games):
        yield _play_game(spec, agents, number, heartbeat)
    heartbeat.idle()


def _play_game(
    spec: ChunkSpec, agents: TimedAgents, number: int, heartbeat: Heartbeat
) -> GameRow:  # fmt: skip
    game = _deal(spec, number)
    instances = spec.layout.instance[number].tolist()
    counts: Counter[tuple[int, int, int]] = Counter()
    heartbeat.start_game()
    while (seat := game.actor) is not None:
        try:
            action = agents.act(instances[seat], game, seat, number)
        except Fault as fault:
            return _row(game, number, counts, seat, str(fault))
        counts[spec.entrant_at(number, seat), _PHASE[game.phase], int(CHOICE_OF[action])] += 1
        game.step(action)
        heartbeat.record_action(action)
    return _row(game, number, counts)


def stopped_row(spec: ChunkSpec, number: int, seat: int, actions: bytes, reason: str) -> GameRow:
    """The row of a game whose agent had to be stopped, from the actions before that."""
    game = _deal(spec, number)
    counts: Counter[tuple[int, int, int]] = Counter()
    for action in actions:
        actor = game.actor
        if actor is None:
            break
        counts[spec.entrant_at(number, actor), _PHASE[game.phase], int(CHOICE_OF[action])] += 1
        game.step(action)
    return _row(game, number, counts, seat, reason)


def _deal(spec: ChunkSpec, number: int) -> Game:
    matchup = spec.matchup
    seed = int(spec.layout.seed[number])
    return Game(spec.rules, matchup.num_players, seed, matchup.episode)


def _row(
    game: Game,
    number: int,
    counts: Counter[tuple[int, int, int]],
    forfeit_seat: int = NOBODY,
    reason: str = "",
) -> GameRow:
    scores = game.scores if game.episode == "match" else game.points
    winners = sum(1 << seat for seat in game.winners)
    actions = bytes(game.record()["actions"])
    return GameRow(
        number, winners, tuple(scores), game.void, forfeit_seat, reason, actions, counts
    )  # fmt: skip
