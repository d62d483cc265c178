"""Report data as plain values: the numbers and intervals of each table configuration.

`uno_arena.report.summary` computes them; terminal, JSON, page and plots all show them, so nothing
is computed twice or in two ways.
"""

from dataclasses import dataclass
from typing import Any, Literal

from ..results import Entrant
from ..stats.intervals import Estimate
from ..stats.usage_stats import Lengths, Usage

Verdict = Literal["better", "worse", "tie"]


@dataclass(frozen=True)
class Pairing:
    """One agent against a table of another: the win rate of the focal agent and its verdict."""

    number: int
    focal: str
    opponent: str
    deals: int
    games: int
    rate: Estimate
    verdict: Verdict
    deals_needed: int | None
    """Deals that would probably separate the two, if these did not."""
    ties: int
    forfeits: int
    variance_reduction: float | None
    stopped_early: bool


@dataclass(frozen=True)
class Standing:
    """One agent over all its games at a table size and rules."""

    agent: str
    cheats: bool
    deals: int
    games: int
    rate: Estimate
    """Its share of wins, to be compared with the chance level of the table."""
    ties: int
    forfeits: int
    elo: Estimate | None
    rank: int | None
    is_tied: bool
    group: int | None
    lead: Estimate | None
    """How much more it won than the agent below it, on the deals both played."""


@dataclass(frozen=True)
class Cell:
    """One cell of the win matrix; `chance` is its value between equal agents."""

    agent: str
    against: str
    rate: Estimate
    chance: float


@dataclass(frozen=True)
class TableSummary:
    """All match-ups that share rules, table size and episode."""

    rules: str
    players: int
    episode: str
    chance: float
    deals: int
    games: int
    ties: int
    variance_reduction: float | None
    pairings: tuple[Pairing, ...]
    standings: tuple[Standing, ...]
    model: str | None
    refusal: str | None
    """Why there is no ranking."""
    is_regularised: bool
    matrix: tuple[Cell, ...]
    by_turn: dict[str, tuple[Estimate, ...]]
    """Win rate of each agent by its place in the first turn order, first to play first."""
    lengths: Lengths
    usage: dict[str, Usage]
    """For each agent, phase and choice: how often."""


@dataclass(frozen=True)
class Forfeit:
    """A game that was given up, and why."""

    game: str
    """Its id, as `uno-arena replay` takes it: match-up, deal and rotation."""
    seat: int
    agent: str
    reason: str


@dataclass(frozen=True)
class AgentUsage:
    """What an agent that counts its requests has used at one table size and rules."""

    agent: str
    rules: str
    players: int
    games: int
    """Games at which it sat."""
    forfeits: int
    total: dict[str, float]
    """As its `usage()` names them: decisions, requests, unusable answers, fallbacks, tokens,
    seconds, cost."""
    per_game: dict[str, float]


@dataclass(frozen=True)
class Summary:
    """A whole tournament."""

    name: str
    seed: int
    code_version: str
    created: str
    config: dict[str, Any]
    is_complete: bool
    is_sequential: bool
    """Whether match-ups could end early; their intervals are then anytime-valid."""
    agents: tuple[Entrant, ...]
    games: int
    tables: tuple[TableSummary, ...]
    forfeits: tuple[Forfeit, ...]
    usage: tuple[AgentUsage, ...] = ()
    """Of the agents that count requests and tokens; not in the JSON report if there are none."""
