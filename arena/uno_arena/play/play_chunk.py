"""`play_chunk`: a chunk in, its games out: all games at once, or move by move.

Agents that all have `act_batch` play every game of the chunk at once in compiled code. Otherwise
games are played one after another, or in threads if an agent decides for several games at once,
and every call of an agent is timed.
"""

import time
from collections.abc import Iterator

from uno_env.array_types import Bytes

from ..stats.usage_stats import no_counts
from .agent_calls import GuardedAgent
from .batch import BatchActions, play_batch
from .chunk import ChunkResult, ChunkSpec, GameRow
from .concurrent_games import play_concurrently
from .heartbeat import BATCH, BUILDING, Heartbeat
from .one_game import play_game
from .timed_agents import AgentPool, GameAgents, TimedAgents

BATCH_TIMEOUT_MOVES = 10
"""Time limit of a batched call, in moves; a slower batch is played move by move instead."""


def play_chunk(spec: ChunkSpec, heartbeat: Heartbeat | None = None) -> ChunkResult:
    """Play all games of a chunk in this process."""
    heartbeat = heartbeat or Heartbeat()
    started = time.perf_counter()
    if spec.is_batch:
        return _play_in_batch(spec, heartbeat, started)
    agents = chunk_agents(spec, heartbeat)
    rows = list(play_rows(spec, heartbeat, agents))
    return ChunkResult.of_rows(spec, rows, time.perf_counter() - started, agents.usage())


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


def chunk_agents(spec: ChunkSpec, heartbeat: Heartbeat) -> TimedAgents | AgentPool:
    """The agents of a chunk that is played move by move."""
    return AgentPool(spec, heartbeat) if spec.concurrent else TimedAgents(spec, heartbeat)


def play_rows(
    spec: ChunkSpec, heartbeat: Heartbeat, agents: TimedAgents | AgentPool
) -> Iterator[GameRow]:
    """Play the games of a chunk from `first_game` on; rows come in their order."""
    if isinstance(agents, TimedAgents):
        for number in range(spec.first_game, spec.num_games):
            yield play_game(spec, agents, number, heartbeat)
    elif agents.games_at_once > 1:
        yield from play_concurrently(agents, heartbeat)
    else:
        for number in range(spec.first_game, spec.num_games):
            game_agents = GameAgents(agents, number, heartbeat)
            yield play_game(spec, game_agents, number, heartbeat)
            game_agents.close()
    heartbeat.idle()
