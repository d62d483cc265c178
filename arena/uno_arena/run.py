"""Running a tournament: which chunks are missing, who plays them, when a match-up stops."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from uno_env.array_types import Doubles

from .code_version import code_version
from .config import ArenaConfig
from .play.agent_calls import AgentInterface
from .play.chunk import ChunkResult, ChunkSpec
from .play.entrants import AgentLike, make_entrants
from .play.executors import Executor, choose_executor
from .play.matchup import make_matchups, participants, win_shares
from .results import Matchup, TournamentResults
from .stats.sequential import StoppingRule
from .store.load import load_results
from .store.store import Plan, Store


class TournamentProgress(NamedTuple):
    """How far a tournament is, after a chunk."""

    games: int
    """Games played so far."""

    planned: int
    """Games if no match-up ends early from here on."""

    forfeits: int
    matchup: Matchup | None
    """The match-up of that chunk."""

    shares: Doubles | None
    """(deals, rotations) shares of its focal agent so far; None if it is mixed."""


ProgressCallback = Callable[[TournamentProgress], None]


def run_tournament(
    config: ArenaConfig,
    agents: Mapping[str, AgentLike],
    store: Store,
    *,
    name: str | None = None,
    workers: int = 0,
    executor: Executor | None = None,
    any_version: bool = False,
    on_progress: ProgressCallback | None = None,
) -> TournamentResults:
    """Play what is missing of a tournament, and give all its results.

    Args:
        config: what is played.
        agents: specs or objects by name.
        store: where games are kept.
        name: of the tournament in the store; one made from the configuration if left out.
        workers: processes that play; 0 plays in this one.
        executor: plays the chunks instead.
        any_version: resume a tournament that another version of the code began.
        on_progress: called after every chunk.
    """
    with nullcontext(executor) if executor else choose_executor(workers, agents) as chosen:
        interfaces = chosen.check(list(agents.values()), config.start_timeout)
        plan = make_plan(config, agents, interfaces, name or config.identity(agents))
        number = store.open(plan, code_version(), any_version)
        _Run(config, agents, interfaces, plan, store, number, on_progress).play(chosen)
    return load_results(store, number)


def make_plan(
    config: ArenaConfig,
    agents: Mapping[str, AgentLike],
    interfaces: Sequence[AgentInterface],
    name: str,
) -> Plan:
    """Entrants, match-ups and chunks of a tournament."""
    matchups = make_matchups(len(agents), config.table_configs(), config.episode, config.schedule)
    return Plan(
        name,
        config.model_dump(mode="json"),
        config.seed,
        make_entrants(agents, interfaces),
        matchups,
        config.deals,
        tuple(config.chunk_deals(_is_batch(matchup, interfaces)) for matchup in matchups),
    )


def _is_batch(matchup: Matchup, interfaces: Sequence[AgentInterface]) -> bool:
    return all(interfaces[entrant] == "batch" for entrant in participants(matchup, len(interfaces)))


def _concurrent(matchup: Matchup, interfaces: Sequence[AgentInterface]) -> tuple[int, ...]:
    met = dict.fromkeys(participants(matchup, len(interfaces)))
    return tuple(entrant for entrant in met if interfaces[entrant] == "concurrent")


@dataclass
class _MatchupProgress:
    """Chunks of one match-up that are there, and whether it may stop."""

    matchup: Matchup
    chunk_deals: int
    chunks_needed: int
    rule: StoppingRule | None
    finished: set[int] = field(default_factory=set)
    shares: dict[int, Doubles] = field(default_factory=dict)
    """Of the focal agent, by chunk."""

    tested: int = 0
    """Chunks that the stopping rule has seen, always in order."""

    def add(self, chunk: int, shares: Doubles | None) -> None:
        """A chunk is there."""
        self.finished.add(chunk)
        if shares is not None:
            self.shares[chunk] = shares

    def may_stop(self) -> bool:
        """Whether the stopping rule has stopped at some chunk; later ones then no longer count.

        Chunks are tested in their order, not as they come in, so the number of workers makes no
        difference.
        """
        while self.rule is not None and self.tested in self.shares:
            self.tested += 1
            if self.rule.evaluate(self._first(self.tested).mean(axis=1)).verdict != "open":
                self.chunks_needed = self.tested
                self.finished &= set(range(self.tested))
                self.shares = {n: self.shares[n] for n in range(self.tested)}
                self.rule = None
                return True
        return False

    def _first(self, chunks: int) -> Doubles:
        return np.concatenate([self.shares[number] for number in range(chunks)])

    def all_shares(self) -> Doubles | None:
        """Shares of all chunks that are there."""
        if not self.shares:
            return None
        return np.concatenate([self.shares[number] for number in sorted(self.shares)])


class _Run:
    """A tournament while it is played."""

    def __init__(
        self,
        config: ArenaConfig,
        agents: Mapping[str, AgentLike],
        interfaces: Sequence[AgentInterface],
        plan: Plan,
        store: Store,
        number: int,
        on_progress: ProgressCallback | None,
    ) -> None:
        self.config, self.agents, self.interfaces = config, agents, interfaces
        self.plan, self.store, self.number = plan, store, number
        self.on_progress = on_progress
        needed, finished = store.chunks_needed(number), store.finished(number)
        count = len(plan.matchups)
        self.progress = [
            _MatchupProgress(
                matchup,
                chunk_deals,
                needed[matchup.number],
                config.stopping_rule(matchup.sides, count) if matchup.lineup else None,
                finished.get(matchup.number, set()),
            )
            for matchup, chunk_deals in zip(plan.matchups, plan.chunk_deals, strict=True)
        ]
        self.games = self.forfeits = 0
        self._load_finished()

    def _load_finished(self) -> None:
        """Load the chunks that are in the store already."""
        stored = load_results(self.store, self.number)
        for progress, games in zip(self.progress, stored.games, strict=True):
            self.games += games.games
            self.forfeits += int((games.forfeited_by >= 0).sum())
            if not progress.matchup.lineup or not games.games:
                continue
            chunk = games.deal[:: progress.matchup.sides] // progress.chunk_deals
            shares = games.focal_shares()
            progress.shares = {n: shares[chunk == n] for n in progress.finished}
            self._stop_if_decided(progress)

    def play(self, executor: Executor) -> None:
        """Play all that is missing."""
        self._report_progress(None)
        for result in executor.play(self._missing()):
            progress = self.progress[result.matchup]
            if result.number >= progress.chunks_needed:
                continue
            self.store.save(self.number, result, code_version())
            progress.add(result.number, _focal_shares(progress.matchup, result))
            self.games += len(result.winners)
            self.forfeits += len(result.reasons)
            self._stop_if_decided(progress)
            self._report_progress(progress)

    def _stop_if_decided(self, progress: _MatchupProgress) -> None:
        if progress.may_stop():
            self.store.stop(self.number, progress.matchup.number, progress.chunks_needed)

    def _missing(self) -> Iterator[ChunkSpec]:
        """Chunks to play: the first of every match-up, then the second, and so on."""
        for chunk in range(max(progress.chunks_needed for progress in self.progress)):
            for progress in self.progress:
                if chunk < progress.chunks_needed and chunk not in progress.finished:
                    yield self._spec(progress, chunk)

    def _spec(self, progress: _MatchupProgress, chunk: int) -> ChunkSpec:
        first = chunk * progress.chunk_deals
        return ChunkSpec(
            progress.matchup,
            tuple(self.agents.values()),
            tuple(self.agents),
            self.config.seed,
            chunk,
            first,
            min(first + progress.chunk_deals, self.config.deals),
            _is_batch(progress.matchup, self.interfaces),
            self.config.move_timeout,
            self.config.start_timeout,
            concurrent=_concurrent(progress.matchup, self.interfaces),
        )

    def _report_progress(self, progress: _MatchupProgress | None) -> None:
        if self.on_progress:
            planned = sum(
                min(p.chunks_needed * p.chunk_deals, self.config.deals) * p.matchup.sides
                for p in self.progress
            )
            matchup = progress.matchup if progress else None
            shares = progress.all_shares() if progress else None
            self.on_progress(
                TournamentProgress(self.games, planned, self.forfeits, matchup, shares)
            )


def _focal_shares(matchup: Matchup, result: ChunkResult) -> Doubles | None:
    if not matchup.lineup:
        return None
    shares = win_shares(
        result.winners, result.void, result.forfeit_seat, matchup.num_players, matchup.sides
    )
    mine: Doubles = shares[np.arange(len(shares)), result.layout.rotation]
    return mine.reshape(-1, matchup.sides)
