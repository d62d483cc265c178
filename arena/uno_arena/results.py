"""Results of a tournament: entrants, match-ups and every game as columns of numbers.

A *side* is who wins or loses together: a seat, or a team of two in Teams. Side s of a table with S
sides holds seat s, and in Teams also seat s + S. A *place* is a position in a line-up; in rotation
r place p sits on side (p + r) modulo S, so over all rotations of a deal everybody gets all cards.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from uno_env.array_types import Bools, Doubles, Ints
from uno_env.game import Episode


@dataclass(frozen=True, slots=True)
class Entrant:
    """One agent of a tournament."""

    name: str
    """What reports call it: its spec, or the name of an object; unique in the tournament."""

    spec: str = ""
    """The spec string that builds it, empty for an object."""

    cheats: bool = False
    """Whether it is shown the hidden cards; every report marks it."""

    fingerprint: str = ""
    """SHA-256 of the files its spec names, empty if it names none."""


@dataclass(frozen=True, slots=True)
class Matchup:
    """Who meets whom in which game."""

    number: int
    """Its place in the tournament, from 0."""

    lineup: tuple[int, ...]
    """Entrant at each place, the focal agent first; empty in a mixed match-up, where seats are
    drawn anew for each deal."""

    rules: str
    """Rules text of the game as asked for."""

    num_players: int
    episode: Episode
    sides: int

    @property
    def focal(self) -> int | None:
        """The focal agent: the entrant on one side against a table of another; None if mixed."""
        return self.lineup[0] if self.lineup else None

    @property
    def opponent(self) -> int | None:
        """The entrant on all other sides, None in a mixed match-up."""
        return self.lineup[1] if self.lineup else None

    @property
    def chance(self) -> float:
        """The chance level 1/n: the share of wins of a side that is as good as all others."""
        return 1 / self.sides

    @property
    def table_key(self) -> tuple[str, int, Episode]:
        """What is played: rules, table size, episode. Seeds of agents depend on its text."""
        return self.rules, self.num_players, self.episode


@dataclass(frozen=True, slots=True, eq=False)
class MatchupGames:
    """The games of one match-up, one row each, sorted by deal and rotation.

    Every deal is there with all its rotations: row i is rotation i modulo S of a deal.
    """

    deal: Ints
    """(G,) number of the deal."""

    rotation: Ints
    """(G,) 0 to S - 1; the focal agent sits on side `rotation`."""

    seed: Ints
    """(G,) seed of the cards, the same for all rotations of a deal."""

    entrant: Ints
    """(G, S) who sat on each side."""

    share: Doubles
    """(G, S) share of the win of each side: winners share 1; a void game is a tie of all; whoever
    forfeits gets 0 and the others share."""

    winners: Ints
    """(G,) bits of the winning seats, 0 if void or forfeited."""

    points: Ints
    """(G, players) per seat: card points of the round, or totals of the match."""

    void: Bools
    """(G,) ended without a winner."""

    forfeited_by: Ints
    """(G,) the entrant that forfeited, -1 if nobody did."""

    forfeit_seat: Ints
    """(G,) the seat at which it sat, -1 if nobody forfeited."""

    decisions: Ints
    """(G,) actions of the game."""

    reasons: dict[int, str]
    """Why a game was forfeited, by row."""

    @property
    def games(self) -> int:
        """How many games there are."""
        return len(self.deal)

    @property
    def sides(self) -> int:
        """How many sides there are, and so rotations."""
        return int(self.share.shape[1])

    @property
    def deals(self) -> int:
        """How many deals there are."""
        return self.games // self.sides

    @property
    def tied(self) -> Bools:
        """(G,) whether several sides share the win of a game that nobody forfeited."""
        shared = (self.share > 0).sum(axis=1) > 1
        tied: Bools = shared & (self.forfeited_by < 0)
        return tied

    def focal_shares(self) -> Doubles:
        """(deals, rotations) shares of the focal agent, which sits on side r in rotation r."""
        mine: Doubles = self.share[np.arange(self.games), self.rotation]
        return mine.reshape(self.deals, self.sides)

    def shares_of(self, entrant: int) -> Doubles:
        """(deals, rotations) mean share of an entrant over the sides it took; NaN where none."""
        sat = self.entrant == entrant
        sides = sat.sum(axis=1)
        total = (self.share * sat).sum(axis=1)
        mean = np.full(self.games, np.nan)
        np.divide(total, sides, out=mean, where=sides > 0)
        return mean.reshape(self.deals, self.sides)


@dataclass(frozen=True, slots=True, eq=False)
class TournamentResults:
    """All that is known of a tournament."""

    name: str
    config: dict[str, Any]
    """The full configuration, JSON-ready."""

    seed: int
    code_version: str
    created: str
    """When it was started, ISO 8601 in UTC."""

    agents: tuple[Entrant, ...]
    matchups: tuple[Matchup, ...]
    games: tuple[MatchupGames, ...]
    """The games of each match-up, in the same order."""

    decisions: tuple[Ints, ...]
    """For each match-up (agents, phases, choices): how often each entrant chose what; see
    `uno_arena.stats.usage_stats` for the names."""

    is_complete: bool
    """Whether nothing is left to play."""

    seconds: float
    """Time spent playing, summed over workers."""

    stopped_early: tuple[bool, ...] = field(default=())
    """For each match-up, whether it was stopped before its last deal."""

    usage: tuple[dict[int, dict[str, float]], ...] = field(default=())
    """For each match-up and entrant that counts them: requests, tokens, seconds, cost and so on."""

    @property
    def total_games(self) -> int:
        """Games of all match-ups together."""
        return sum(table.games for table in self.games)
