"""How numbers read in every report: percentages with intervals, ratings, notes, the command."""

import math
import shlex
from collections.abc import Iterator

from ..config import ArenaConfig
from ..stats.intervals import Estimate
from .report_data import AgentUsage, Pairing, Standing, Summary, TableSummary

CHEATS = "†"
MINUS = "\u2212"
CHEATS_NOTE = f"{CHEATS} sees the hidden cards: no rival"
ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
ELO_NOTE = "400 points are odds of 10 to 1; the mean is 0"
CHOICE_COLORS = {
    "number": "#4c78a8",
    "action": "#f2a33a",
    "wild": "#8d5fa8",
    "draw": "#8b949e",
    "keep": "#b9c0c7",
    "pass": "#cfd4d9",
    "take": "#6b747d",
    "accept": "#6fb3ab",
    "challenge": "#d9534f",
    "color": "#5aa469",
    "target": "#c9736b",
    "swap": "#2f8f9d",
    "no-swap": "#c4b8a5",
    "call-uno": "#3f9c57",
    "stay-silent": "#c98f8f",
    "catch": "#e0703c",
    "ignore": "#bfb5a8",
    "jump-in": "#e3c93d",
    "sum": "#d77fb0",
}
"""One colour for each kind of choice, the same on the page and in the plots."""


def percent(value: float) -> str:
    """A share as a percentage with one decimal."""
    return f"{100 * value:.1f} %"


def percent_range(estimate: Estimate) -> str:
    """The interval of a share."""
    return f"{100 * estimate.low:.1f} to {100 * estimate.high:.1f} %"


def plus_minus(estimate: Estimate) -> str:
    """A share in percent and half the width of its interval, where space is short."""
    half = 50 * (estimate.high - estimate.low)
    return f"{100 * estimate.value:.1f} ± {half:.1f}"


def points(value: float) -> str:
    """A rating, signed because only differences mean something."""
    return f"{round(value):+}".replace("-", MINUS) if round(value) else "0"


def points_range(estimate: Estimate) -> str:
    """The interval of a rating."""
    return f"{points(estimate.low)} to {points(estimate.high)}"


def lead_text(lead: Estimate | None) -> str:
    """By how much an agent won more than the one below it, on the same deals."""
    if lead is None:
        return ""
    value, low, high = (f"{100 * number:+.1f}".replace("-", MINUS) for number in lead)
    return f"{value} ({low} to {high})"


def rank_text(standing: Standing) -> str:
    """The rank, marked when it is shared."""
    return f"{standing.rank}{'=' if standing.is_tied else ''}" if standing.rank else ""


def verdict_text(pairing: Pairing) -> str:
    """The verdict of a match-up, and how many deals a clear one may need."""
    if pairing.verdict != "tie":
        return pairing.verdict + (", stopped early" if pairing.stopped_early else "")
    return f"tie (may need {_rounded(pairing.deals_needed or 0):,} deals)"


def title_of(table: TableSummary) -> str:
    """Which game was played."""
    return f"{table.rules} · {table.players} players · one {table.episode} a game"


def size_of(table: TableSummary) -> str:
    """How much was played."""
    return f"{table.deals:,} deals, {table.games:,} games; chance level {percent(table.chance)}"


def notes_of(summary: Summary, table: TableSummary) -> Iterator[str]:
    """Notes needed to read the numbers."""
    yield variance_reduction_text(table.variance_reduction)
    yield f"Ties: {table.ties:,} of {table.games:,} games." if table.ties else "No game was tied."
    if summary.is_sequential:
        yield (
            "Match-ups could stop early, so their intervals are anytime-valid; the intervals of "
            "ratings are for a fixed sample."
        )
    if table.is_regularised:
        yield (
            "Some agent won or lost every game, so each side was given half a pseudo-win: the "
            "rating itself is regularised, its interval comes from the likelihood."
        )
    if len({standing.group for standing in table.standings}) > 1:
        yield "Some agents never met, not even through others: their ratings do not compare."
    if any(standing.cheats for standing in table.standings):
        yield f"{CHEATS_NOTE}."


def variance_reduction_text(ratio: float | None) -> str:
    """By how much duplicate deals narrowed the intervals."""
    if ratio is None:
        return "Duplicate deals: too few differ to measure the variance reduction."
    narrower = 100 * (1 - 1 / math.sqrt(ratio))
    how = f"{narrower:.0f} % narrower" if narrower >= 0 else f"{-narrower:.0f} % wider"
    return f"Duplicate deals: variance reduction {ratio:.2f}, intervals are {how}."


def length_text(table: TableSummary) -> str:
    """How long games were."""
    low, _, median, _, high = table.lengths.quantiles
    return (
        f"A game takes {table.lengths.mean:.1f} decisions on average, {median:.0f} at the median, "
        f"{low:.0f} to {high:.0f} in 90 % of games, {table.lengths.longest:,} at most."
    )


USAGE_COLUMNS = (
    "agent", "table", "games", "decisions", "requests", "unusable (all)", "fallbacks (all)",
    "forfeits (all)", "tokens in", "tokens out", "seconds", "cost", "cost (all)",
)  # fmt: skip
"""Per game, except those that are counted over all games."""


def usage_cells(usage: AgentUsage) -> list[str]:
    """The row of an agent that counts its requests, in the order of USAGE_COLUMNS."""
    total, mean = usage.total, usage.per_game
    return [
        usage.agent,
        f"{usage.rules}, {usage.players}",
        f"{usage.games:,}",
        *(f"{mean.get(key, 0):,.1f}" for key in ("decisions", "requests")),
        *(f"{total.get(key, 0):,.0f}" for key in ("unusable", "fallbacks")),
        f"{usage.forfeits:,}",
        *(f"{mean.get(key, 0):,.0f}" for key in ("prompt_tokens", "completion_tokens")),
        f"{mean.get('seconds', 0):,.1f}",
        f"{mean.get('cost', 0):,.4f}",
        f"{total.get('cost', 0):,.2f}",
    ]


def reproduce_command(summary: Summary) -> str:
    """The command that plays the same tournament again."""
    config = summary.config
    words = ["uno-arena", *(agent.spec or agent.name for agent in summary.agents)]
    for key, field in ArenaConfig.model_fields.items():
        value = config.get(key)
        value = list(value) if isinstance(value, (list, tuple)) else value
        default = list(field.default) if isinstance(field.default, tuple) else field.default
        if key == "agents" or value is None or value == default:
            continue
        flag = f"--{key.replace('_', '-')}"
        if isinstance(value, list):
            words += [flag, *map(str, value)]
        else:
            words += [flag] if value is True else [flag, str(value)]
    return shlex.join(words)


def _rounded(number: int) -> int:
    """Two leading digits: an estimate of an estimate deserves no more."""
    if number < 100:
        return number
    scale = int(10 ** (len(str(number)) - 2))
    return -(-number // scale) * scale


def ink_on(color: str) -> str:
    """Black or white, whichever reads better on a colour `#rrggbb`."""
    red, green, blue = (int(color[at : at + 2], 16) for at in (1, 3, 5))
    return "#14171b" if 0.3 * red + 0.59 * green + 0.11 * blue > 115 else "#ffffff"
