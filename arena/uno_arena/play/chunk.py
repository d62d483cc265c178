"""Chunks: the unit of work. A range of deals of one match-up, every rotation of each.

A `ChunkSpec` can be pickled and says all that its games depend on, so it gives the same
`ChunkResult` in this process, in another, on another machine, now or after an interruption.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np

from uno_env import Rules
from uno_env.array_types import Bools, Ints, Words

from ..results import Matchup
from ..stats.usage_stats import no_counts
from .agent_calls import Fault
from .entrants import AgentLike, build_agent
from .matchup import (
    arena_rules,
    deal_seeds,
    lineups,
    matchup_key,
    occurrences,
    participants,
    rotated,
    seat_lineups,
)


class Layout(NamedTuple):
    """Who sits where in each game of a chunk, one row a game."""

    deal: Ints
    rotation: Ints
    seed: Words
    entrant: Ints
    """(G, sides)."""

    instance: Ints
    """(G, players) which instance of an agent plays each seat."""


@dataclass(frozen=True)
class ChunkSpec:
    """What to play."""

    matchup: Matchup
    agents: tuple[AgentLike, ...]
    """All entrants of the tournament; specs, if the chunk is to leave this process."""

    names: tuple[str, ...]
    seed: int
    """Of the tournament."""

    number: int
    """Of the chunk within its match-up."""

    first_deal: int
    last_deal: int
    is_batch: bool
    """Whether all games are played at once, by agents that all have `act_batch`."""

    move_timeout: float = 0.0
    start_timeout: float = 0.0
    first_game: int = 0
    """Where to resume after a game whose agent had to be stopped."""

    disqualified: dict[int, str] = field(default_factory=dict)
    """Entrants that forfeit every game of this chunk, and why."""

    concurrent: tuple[int, ...] = ()
    """Entrants of this match-up that decide for several games at once."""

    is_one_by_one: bool = False
    """Whether their games are played one after another all the same."""

    @property
    def num_games(self) -> int:
        """Games of the whole chunk."""
        return (self.last_deal - self.first_deal) * self.matchup.sides

    @cached_property
    def rules(self) -> Rules:
        """The rules as played."""
        return arena_rules(Rules.from_text(self.matchup.rules))

    @cached_property
    def layout(self) -> Layout:
        """Who sits where.

        In batches an agent has one instance for all its seats. Called move by move, every seat has
        an instance of its own, so that none remembers what another has seen.
        """
        matchup, sides = self.matchup, self.matchup.sides
        deals = self.last_deal - self.first_deal
        span = (self.first_deal, self.last_deal)
        by_side = lineups(matchup, len(self.agents), self.seed, *span)
        by_seat = seat_lineups(by_side, matchup.num_players)
        slots = np.zeros(len(self.agents), np.int64)
        slots[list(self.participants)] = np.arange(len(self.participants))
        instances = slots[by_seat]
        if not self.is_batch:
            instances = instances * matchup.num_players + occurrences(by_seat)
        return Layout(
            np.repeat(np.arange(*span), sides),
            np.tile(np.arange(sides), deals),
            np.repeat(deal_seeds(self.seed, *span), sides),
            rotated(by_side, sides),
            rotated(instances, sides),
        )

    @cached_property
    def participants(self) -> tuple[int, ...]:
        """The entrants that take part."""
        return participants(self.matchup, len(self.agents))

    def entrant_of(self, instance: int) -> int:
        """The entrant that an instance belongs to."""
        slot = instance if self.is_batch else instance // self.matchup.num_players
        return self.participants[slot]

    def entrant_at(self, game: int, seat: int) -> int:
        """The entrant that plays a seat of a game."""
        return int(self.layout.entrant[game, seat % self.matchup.sides])

    def make_agent(self, instance: int) -> object:
        """Build an instance; its seed depends on the match-up, the chunk and the instance."""
        return self.build(self.entrant_of(instance), self._agent_seed(instance, self.first_game))

    def build(self, entrant: int, seed: int) -> object:
        """Build an agent of an entrant, unless it is disqualified."""
        if entrant in self.disqualified:
            raise Fault(self.disqualified[entrant])
        return build_agent(self.agents[entrant], seed)

    def game_seed(self, instance: int, game: int) -> int:
        """The seed of an instance that plays one game only, wherever and whenever it does."""
        return self._agent_seed(instance, 0, game)

    def _agent_seed(self, *numbers: int) -> int:
        key = matchup_key(self.matchup, self.names)
        words = np.random.SeedSequence([self.seed, key, self.number, *numbers])
        return int(words.generate_state(1, np.uint64)[0] >> np.uint64(1))


class GameRow(NamedTuple):
    """How one game went."""

    game: int
    """Its number within the chunk."""

    winners: int
    points: tuple[int, ...]
    void: bool
    forfeit_seat: int
    reason: str
    actions: bytes
    counts: Counter[tuple[int, int, int]]
    """How often (entrant, phase, choice) was chosen."""


ChunkUsage: TypeAlias = dict[int, dict[str, float]]
"""By entrant, the sums of what its agents' `usage()` counts, for those that have it."""


def add_usage(total: ChunkUsage, more: ChunkUsage) -> ChunkUsage:
    """Sums of two counts."""
    summed = {entrant: dict(counts) for entrant, counts in total.items()}
    for entrant, counts in more.items():
        mine = summed.setdefault(entrant, {})
        for key, number in counts.items():
            mine[key] = mine.get(key, 0) + number
    return summed


@dataclass(frozen=True, eq=False)
class ChunkResult:
    """How the games of a chunk went, one row each; see `uno_arena.results.MatchupGames`."""

    matchup: int
    number: int
    layout: Layout
    winners: Ints
    points: Ints
    void: Bools
    forfeit_seat: Ints
    reasons: dict[int, str]
    actions: list[bytes]
    counts: Ints
    seconds: float
    usage: ChunkUsage = field(default_factory=dict)

    @classmethod
    def of_rows(
        cls, spec: ChunkSpec, rows: Sequence[GameRow], seconds: float, usage: ChunkUsage
    ) -> "ChunkResult":
        """From games played one by one."""
        counts = no_counts(len(spec.agents))
        for row in rows:
            for place, number in row.counts.items():
                counts[place] += number
        return cls(
            spec.matchup.number,
            spec.number,
            spec.layout,
            np.array([row.winners for row in rows], np.int64),
            np.array([row.points for row in rows], np.int64),
            np.array([row.void for row in rows], np.bool_),
            np.array([row.forfeit_seat for row in rows], np.int64),
            {row.game: row.reason for row in rows if row.forfeit_seat >= 0},
            [row.actions for row in rows],
            counts,
            seconds,
            usage,
        )
