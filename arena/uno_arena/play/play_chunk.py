"""`play_chunk`: a chunk in, its games out, by whichever way its agents can be asked."""

import time

from uno_env.array_types import Bytes

from ..stats.decisions import no_counts
from .agent_calls import Seated
from .batch import Answers, play_batch
from .chunk import ChunkResult, ChunkSpec
from .heartbeat import BATCH, BUILDING, Pulse
from .single import play_rows

BATCH_PATIENCE = 10
"""How many moves' time a batch of questions may take before it is asked move by move instead."""


def play_chunk(spec: ChunkSpec, pulse: Pulse | None = None) -> ChunkResult:
    """Play all games of a chunk in this process."""
    pulse = pulse or Pulse()
    started = time.perf_counter()
    if spec.is_batch:
        return _play_at_once(spec, pulse, started)
    rows = list(play_rows(spec, pulse))
    return ChunkResult.of_rows(spec, rows, time.perf_counter() - started)


def _play_at_once(spec: ChunkSpec, pulse: Pulse, started: float) -> ChunkResult:
    layout, matchup = spec.layout, spec.matchup
    seated: dict[int, Seated] = {}

    def ask(chair: int, obs: Bytes, mask: Bytes) -> Answers:
        entrant = spec.entrant_of(chair)
        limit = spec.move_timeout
        if chair not in seated:
            pulse.asks(BUILDING, entrant, spec.start_timeout)
            seated[chair] = Seated(lambda: spec.make_agent(chair))
            limit = max(limit, spec.start_timeout)
        pulse.asks(BATCH, entrant, BATCH_PATIENCE * limit if spec.move_timeout else 0.0)
        answers = seated[chair].answers(obs, mask)
        pulse.rests()
        return answers

    played = play_batch(
        spec.rules, matchup.num_players, matchup.episode, layout.seed, layout.chair, ask
    )
    counts = no_counts(len(spec.agents))
    for chair, numbers in enumerate(played.counts):
        counts[spec.entrant_of(chair)] += numbers
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
