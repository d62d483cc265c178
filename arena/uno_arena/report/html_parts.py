"""Pieces of the HTML page: tracks with intervals, the win matrix, bars, tables.

Charts are boxes placed in percent rather than pictures, so that text keeps its size on a phone.
"""

from collections.abc import Iterable, Sequence
from html import escape

from ..stats.intervals import Estimate
from ..stats.usage_stats import Lengths, Usage
from .formatting import (
    CHOICE_COLORS,
    ORDINALS,
    ink_on,
    percent,
    percent_range,
    points,
    points_range,
)
from .report_data import TableSummary

MIN_LABELLED_SHARE = 0.09


class Scale:
    """Numbers to places on a track, in percent, with a few round numbers to label it."""

    def __init__(self, estimates: Iterable[Estimate], *others: float) -> None:
        numbers = [number for estimate in estimates for number in estimate] + list(others)
        low, high = min(numbers), max(numbers)
        margin = 0.05 * (high - low) or 1.0
        self.low, self.high = low - margin, high + margin

    def at(self, number: float) -> str:
        """Place of a number."""
        return f"{100 * (number - self.low) / (self.high - self.low):.2f}%"

    def width(self, estimate: Estimate) -> str:
        """Width of an interval."""
        return f"{100 * (estimate.high - estimate.low) / (self.high - self.low):.2f}%"

    def ticks(self, count: int = 6) -> list[float]:
        """Round numbers inside the scale."""
        rough = (self.high - self.low) / count
        power = 10.0 ** (len(str(int(rough))) - 1) if rough >= 1 else _power_below(rough)
        step = next(power * k for k in (1, 2, 5, 10) if power * k >= rough)
        first = -(-self.low // step)
        return [step * (first + k) for k in range(int((self.high - first * step) // step) + 1)]


def _power_below(number: float) -> float:
    power = 1.0
    while power > number:
        power /= 10
    return power


def track(estimate: Estimate, scale: Scale, reference: float) -> str:
    """An interval with its estimate, and a dashed line at the chance level."""
    return (
        f'<div class="track"><u style="left:{scale.at(reference)}"></u>'
        f'<i style="left:{scale.at(estimate.low)};width:{scale.width(estimate)}"></i>'
        f'<b style="left:{scale.at(estimate.value)}"></b></div>'
    )


def row(name: str, chart: str, value: str) -> str:
    """A named line of a chart."""
    number = f'<div class="value">{value}</div>'
    return f'<div class="row"><div class="name">{name}</div>{chart}{number}</div>'


def axis(scale: Scale, words: Sequence[tuple[float, str]]) -> str:
    """Labels under the tracks."""
    labels = "".join(f'<span style="left:{scale.at(at)}">{text}</span>' for at, text in words)
    return f'<div class="row"><div></div><div class="axis">{labels}</div><div></div></div>'


def rating_rows(table: TableSummary) -> str:
    """Ratings with their intervals, the best first."""
    rated = [(standing, standing.elo) for standing in table.standings if standing.elo]
    scale = Scale((elo for _, elo in rated), 0.0)
    rows = [
        row(
            f"{standing.rank}{'=' if standing.is_tied else '.'} {escape(standing.agent)}"
            f"{' †' if standing.cheats else ''}",
            track(elo, scale, 0.0),
            f"{points(elo.value)} <small>{points_range(elo)}</small>",
        )
        for standing, elo in rated
    ]
    rows.append(axis(scale, [(tick, points(tick)) for tick in scale.ticks()]))
    return f'<div class="rows">{"".join(rows)}</div>'


def turn_rows(table: TableSummary) -> str:
    """Win rates by place in the first turn order."""
    everything = [rate for rates in table.by_turn.values() for rate in rates]
    scale = Scale(everything, table.chance)
    parts = []
    for agent, rates in table.by_turn.items():
        rows = "".join(
            row(f"plays {ORDINALS[place]}", track(rate, scale, table.chance), _rate_value(rate))
            for place, rate in enumerate(rates)
        )
        parts.append(f'<p class="group">{escape(agent)}</p><div class="rows">{rows}</div>')
    parts.append(axis(scale, [(tick, f"{100 * tick:.0f} %") for tick in scale.ticks()]))
    return "".join(parts)


def _rate_value(rate: Estimate) -> str:
    return f"{percent(rate.value)} <small>{percent_range(rate)}</small>"


def matrix(table: TableSummary) -> str:
    """The win matrix, the greener the better for the row."""
    names = [standing.agent for standing in table.standings]
    cells = {(cell.agent, cell.against): cell for cell in table.matrix}
    most = max((abs(c.rate.value - c.chance) for c in cells.values()), default=0) or 1.0
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    lines = [f"<tr><td></td>{head}</tr>"]
    for agent in names:
        line = [f"<th class=left>{escape(agent)}</th>"]
        for against in names:
            cell = cells.get((agent, against))
            if cell is None:
                line.append("<td></td>")
                continue
            above = cell.rate.value - cell.chance
            color = "--good" if above > 0 else "--bad"
            part = round(36 * abs(above) / most)
            line.append(
                f'<td style="background:color-mix(in srgb,var({color}) {part}%,var(--card))">'
                f"{percent(cell.rate.value)}<small>{percent_range(cell.rate)}</small></td>"
            )
        lines.append(f"<tr>{''.join(line)}</tr>")
    return _scrolling(f'<table class="matrix">{"".join(lines)}</table>')


def histogram(lengths: Lengths) -> str:
    """Bars of games by length."""
    most, bars = max(lengths.counts), len(lengths.counts)
    rects = "".join(
        f'<rect x="{number + 0.06:.2f}" width=".88" y="{100 - 100 * count / most:.2f}" '
        f'height="{100 * count / most:.2f}"/>'
        for number, count in enumerate(lengths.counts)
    )
    end = lengths.width * (bars - 1)
    labels = [(0, "0"), (end / 2, f"{end / 2:.0f}"), (end, f"{end}+")]
    spans = "".join(
        f'<span style="left:{100 * at / end:.1f}%">{text}</span>' for at, text in labels
    )
    return (
        f'<svg class="histogram" viewBox="0 0 {bars} 100" preserveAspectRatio="none" role="img" '
        f'aria-label="histogram of game lengths">{rects}</svg><div class="axis wide">{spans}</div>'
    )


def usage_bars(usage: dict[str, Usage], phase: str) -> str:
    """What each agent chose in one phase, as parts of a whole."""
    used = {choice: None for by_phase in usage.values() for choice in by_phase.get(phase, {})}
    order = [choice for choice in CHOICE_COLORS if choice in used]
    legend = "".join(
        f'<span><i style="background:{CHOICE_COLORS[choice]}"></i>{choice}</span>'
        for choice in order
    )
    rows = []
    for agent, by_phase in usage.items():
        counts = by_phase.get(phase)
        if counts:
            total = sum(counts.values())
            bars = "".join(_bar(choice, counts.get(choice, 0) / total) for choice in order)
            rows.append(
                row(escape(agent), f'<div class="bars">{bars}</div>', f"<small>{total:,}</small>")
            )
    return f'<div class="legend">{legend}</div><div class="rows">{"".join(rows)}</div>'


def _bar(choice: str, part: float) -> str:
    """One choice's part of a bar, labelled where there is room."""
    color = CHOICE_COLORS[choice]
    label = f"{100 * part:.0f} %" if part >= MIN_LABELLED_SHARE else ""
    return (
        f'<i style="width:{100 * part:.2f}%;background:{color};color:{ink_on(color)}" '
        f'title="{choice} {percent(part)}">{label}</i>'
    )


def html_table(head: Sequence[str], lines: Iterable[Sequence[str]], style: str = "") -> str:
    """A table of ready-made cells."""
    top = "".join(f"<th>{cell}</th>" for cell in head)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in line)}</tr>" for line in lines)
    return _scrolling(f'<table class="{style}"><tr>{top}</tr>{body}</table>')


def _scrolling(table: str) -> str:
    """A table that scrolls by itself on a narrow screen, by keyboard too."""
    return f'<div class="scroll" tabindex="0">{table}</div>'
