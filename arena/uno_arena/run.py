"""Running a tournament: what is still to be played, who plays it, when a match-up is clear."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from uno_env.array_types import Doubles

from .config import ArenaConfig
from .play.agent_calls import Form
from .play.chunk import ChunkResult, ChunkSpec
from .play.entrants import AgentLike, make_entrants
from .play.executors import Player, choose_player
from .play.matchup import make_matchups, members, win_shares
from .stats.sequential import StoppingRule
from .store.load import load_results
from .store.results import Matchup, TournamentResults
from .store.store import Plan, Store
from .store.version import code_version


class Status(NamedTuple):
    """How far a tournament is, after a chunk."""

    games: int
    """Games played so far."""

    planned: int
    """Games if no match-up ends early from here on."""

    forfeits: int
    matchup: Matchup | None
    """The match-up that went on last."""

    shares: Doubles | None
    """(deals, rotations) shares of its hero so far; None if it has no hero."""


Watch = Callable[[Status], None]


def run_tournament(
    config: ArenaConfig,
    agents: Mapping[str, AgentLike],
    store: Store,
    *,
    name: str | None = None,
    workers: int = 0,
    player: Player | None = None,
    any_version: bool = False,
    watch: Watch | None = None,
) -> TournamentResults:
    """Play what is missing of a tournament, and give all its results.

    Args:
        config: what is played.
        agents: specs or objects by name.
        store: where games are kept.
        name: of the tournament in the store; one made from the configuration if left out.
        workers: processes that play; 0 plays in this one.
        player: plays the chunks instead.
        any_version: go on with a tournament that other code began.
        watch: told of every chunk.
    """
    with nullcontext(player) if player else choose_player(workers, agents) as who:
        forms = who.check(list(agents.values()), config.start_timeout)
        plan = make_plan(config, agents, forms, name or config.identity(agents))
        number = store.open(plan, code_version(), any_version)
        _Run(config, agents, forms, plan, store, number, watch).play(who)
    return load_results(store, number)


def make_plan(
    config: ArenaConfig, agents: Mapping[str, AgentLike], forms: Sequence[Form], name: str
) -> Plan:
    """Entrants, match-ups and chunks of a tournament."""
    matchups = make_matchups(len(agents), config.tables(), config.episode, config.schedule)
    return Plan(
        name,
        config.model_dump(mode="json"),
        config.seed,
        make_entrants(agents, forms),
        matchups,
        config.deals,
        tuple(config.chunk_deals(_is_batch(matchup, forms)) for matchup in matchups),
    )


def _is_batch(matchup: Matchup, forms: Sequence[Form]) -> bool:
    return all(forms[entrant] == "batch" for entrant in members(matchup, len(forms)))


@dataclass
class _Progress:
    """How far one match-up is."""

    matchup: Matchup
    chunk_deals: int
    chunks_needed: int
    rule: StoppingRule | None
    finished: set[int] = field(default_factory=set)
    shares: dict[int, Doubles] = field(default_factory=dict)
    """Of the hero, by chunk."""

    looked: int = 0
    """Chunks that the stopping rule has seen, always in order."""

    def add(self, chunk: int, shares: Doubles | None) -> None:
        """A chunk is there."""
        self.finished.add(chunk)
        if shares is not None:
            self.shares[chunk] = shares

    def is_clear(self) -> bool:
        """Whether some chunk has made the answer clear; later ones then no longer count.

        Chunks are looked at in their order, not as they come in, so the number of workers makes
        no difference.
        """
        while self.rule is not None and self.looked in self.shares:
            self.looked += 1
            if self.rule.look(self._first(self.looked).mean(axis=1)).verdict != "open":
                self.chunks_needed = self.looked
                self.finished &= set(range(self.looked))
                self.shares = {n: self.shares[n] for n in range(self.looked)}
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
        forms: Sequence[Form],
        plan: Plan,
        store: Store,
        number: int,
        watch: Watch | None,
    ) -> None:
        self.config, self.agents, self.forms = config, agents, forms
        self.plan, self.store, self.number = plan, store, number
        self.watch = watch
        needed, finished = store.chunks_needed(number), store.finished(number)
        count = len(plan.matchups)
        self.progress = [
            _Progress(
                matchup,
                chunk_deals,
                needed[matchup.number],
                config.stopping_rule(matchup.sides, count) if matchup.lineup else None,
                finished.get(matchup.number, set()),
            )
            for matchup, chunk_deals in zip(plan.matchups, plan.chunk_deals, strict=True)
        ]
        self.games = self.forfeits = 0
        self._take_stock()

    def _take_stock(self) -> None:
        """What is in the store already."""
        stored = load_results(self.store, self.number)
        for progress, table in zip(self.progress, stored.games, strict=True):
            self.games += table.games
            self.forfeits += int((table.forfeited_by >= 0).sum())
            if not progress.matchup.lineup or not table.games:
                continue
            chunk = table.deal[:: progress.matchup.sides] // progress.chunk_deals
            shares = table.hero_shares()
            progress.shares = {n: shares[chunk == n] for n in progress.finished}
            self._stop_if_clear(progress)

    def play(self, player: Player) -> None:
        """Play all that is missing."""
        self._tell(None)
        for result in player.play(self._missing()):
            progress = self.progress[result.matchup]
            if result.number >= progress.chunks_needed:
                continue
            self.store.save(self.number, result, code_version())
            progress.add(result.number, _hero_shares(progress.matchup, result))
            self.games += len(result.winners)
            self.forfeits += len(result.reasons)
            self._stop_if_clear(progress)
            self._tell(progress)

    def _stop_if_clear(self, progress: _Progress) -> None:
        if progress.is_clear():
            self.store.stop(self.number, progress.matchup.number, progress.chunks_needed)

    def _missing(self) -> Iterator[ChunkSpec]:
        """Chunks to play: the first of every match-up, then the second, and so on."""
        for chunk in range(max(progress.chunks_needed for progress in self.progress)):
            for progress in self.progress:
                if chunk < progress.chunks_needed and chunk not in progress.finished:
                    yield self._spec(progress, chunk)

    def _spec(self, progress: _Progress, chunk: int) -> ChunkSpec:
        first = chunk * progress.chunk_deals
        return ChunkSpec(
            progress.matchup,
            tuple(self.agents.values()),
            tuple(self.agents),
            self.config.seed,
            chunk,
            first,
            min(first + progress.chunk_deals, self.config.deals),
            _is_batch(progress.matchup, self.forms),
            self.config.move_timeout,
            self.config.start_timeout,
        )

    def _tell(self, progress: _Progress | None) -> None:
        if self.watch:
            planned = sum(
                min(p.chunks_needed * p.chunk_deals, self.config.deals) * p.matchup.sides
                for p in self.progress
            )
            matchup = progress.matchup if progress else None
            shares = progress.all_shares() if progress else None
            self.watch(Status(self.games, planned, self.forfeits, matchup, shares))


def _hero_shares(matchup: Matchup, result: ChunkResult) -> Doubles | None:
    if not matchup.lineup:
        return None
    shares = win_shares(
        result.winners, result.void, result.forfeit_seat, matchup.num_players, matchup.sides
    )
    mine: Doubles = shares[np.arange(len(shares)), result.layout.rotation]
    return mine.reshape(-1, matchup.sides)
