"""How numbers read in every report: percentages with intervals, ratings, notes, the command."""

import math
import shlex
from collections.abc import Iterator

from ..config import ArenaConfig
from ..stats.intervals import Estimate
from .report_data import Pairing, Standing, Summary, TableSummary

CHEATS = "†"
MINUS = "\u2212"
CHEATS_NOTE = f"{CHEATS} sees the hidden cards: a ceiling, no rival"
ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
ELO_NOTE = "400 points are odds of 10 to 1; the mean is 0"


def percent(value: float) -> str:
    """A share as a percentage with one decimal."""
    return f"{100 * value:.1f} %"


def percent_range(estimate: Estimate) -> str:
    """The interval of a share."""
    return f"{100 * estimate.low:.1f} to {100 * estimate.high:.1f} %"


def plus_minus(estimate: Estimate) -> str:
    """A share in percent and half the width of its interval, where room is short."""
    half = 50 * (estimate.high - estimate.low)
    return f"{100 * estimate.value:.1f} ± {half:.1f}"


def points(value: float) -> str:
    """A rating, signed because only differences mean something."""
    return f"{round(value):+}".replace("-", MINUS) if round(value) else "0"


def points_range(estimate: Estimate) -> str:
    """The interval of a rating."""
    return f"{points(estimate.low)} to {points(estimate.high)}"


def lead_words(lead: Estimate | None) -> str:
    """By how much an agent won more than the one below it, on the same deals."""
    if lead is None:
        return ""
    value, low, high = (f"{100 * number:+.1f}".replace("-", MINUS) for number in lead)
    return f"{value} ({low} to {high})"


def rank_words(standing: Standing) -> str:
    """The rank, marked when it is shared."""
    return f"{standing.rank}{'=' if standing.is_tied else ''}" if standing.rank else ""


def verdict_words(pairing: Pairing) -> str:
    """What a match-up says, and how far it is from saying more."""
    if pairing.verdict != "level":
        return pairing.verdict + (", stopped early" if pairing.stopped_early else "")
    return f"tie (may need {_rounded(pairing.deals_needed or 0):,} deals)"


def title_of(table: TableSummary) -> str:
    """Which game was played."""
    return f"{table.rules} · {table.players} players · one {table.episode} a game"


def size_of(table: TableSummary) -> str:
    """How much was played."""
    return (
        f"{table.deals:,} deals, {table.games:,} games; "
        f"equal players win {percent(table.chance)} each"
    )


def notes_of(summary: Summary, table: TableSummary) -> Iterator[str]:
    """What one must know to read the numbers."""
    yield worth_words(table.duplicate_worth)
    yield f"Ties: {table.ties:,} of {table.games:,} games." if table.ties else "No game was tied."
    if summary.is_sequential:
        yield (
            "Match-ups could end as soon as their answer was clear, so their intervals are those "
            "that hold at any time; the intervals of ratings are ordinary ones."
        )
    if table.is_regularised:
        yield (
            "Somebody won or lost every game, so each side was given half a win more: the gap is "
            "a guess, its interval is not."
        )
    if len({standing.group for standing in table.standings}) > 1:
        yield "Some agents never met, not even through others: their ratings do not compare."
    if any(standing.cheats for standing in table.standings):
        yield f"{CHEATS_NOTE}."


def worth_words(worth: float | None) -> str:
    """What duplicate deals did for the interval."""
    if worth is None:
        return "Duplicate deals: too alike to measure what they are worth."
    narrower = 100 * (1 - 1 / math.sqrt(worth))
    how = f"{narrower:.0f} % narrower" if narrower >= 0 else f"{-narrower:.0f} % wider"
    return (
        f"Duplicate deals: one game is worth {worth:.2f} plainly dealt ones, intervals are {how}."
    )


def length_words(table: TableSummary) -> str:
    """How long games were."""
    low, _, median, _, high = table.lengths.quantiles
    return (
        f"A game takes {table.lengths.mean:.1f} decisions on average, {median:.0f} in the middle, "
        f"{low:.0f} to {high:.0f} nine times in ten, {table.lengths.longest:,} at most."
    )


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
