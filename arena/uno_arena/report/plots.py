"""The report as PNG plots: ratings, win matrix, turn order, game length, decisions."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from uno_env.array_types import Doubles

from ..results import TournamentResults
from ..stats.intervals import Estimate
from ..stats.usage_stats import real_choices
from .formatting import CHEATS, CHOICE_COLORS, ORDINALS, ink_on, rank_text, title_of
from .report_data import TableSummary
from .summary import summarise

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, SOFT, BAND = "#2a5fb0", "#8a929b", "#a9c3ea"
AGENT_COLORS = (
    "#2a5fb0 #d1632b #3f9c57 #8d5fa8 #b28a00 #c2373c #2f8f9d #6b747d #d77fb0 #5d7a1f".split()
)


def write_plots(results: TournamentResults, folder: str | Path) -> list[Path]:
    """Write every plot of a tournament; returns the files."""
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    written = []
    for table in summarise(results).tables:
        stem = re.sub(r"[^a-z0-9]+", "-", f"{table.rules}-{table.players}".lower()).strip("-")
        for name, figure in _figures(table):
            path = target / f"{stem[:80]}-{name}.png"
            # No software version or date inside, so that the same games give the same bytes.
            figure.savefig(path, metadata={"Software": None})
            written.append(path)
    return written


def _figures(table: TableSummary) -> Iterator[tuple[str, "Figure"]]:
    if not table.refusal:
        yield "ratings", _ratings(table)
    if table.matrix:
        yield "matrix", _matrix(table)
    if table.by_turn:
        yield "turns", _turns(table)
    yield "lengths", _lengths(table)
    if real_choices(table.usage):
        yield "decisions", _decisions(table)


def _figure(
    table: TableSummary, title: str, width: float, height: float
) -> tuple["Figure", "Axes"]:
    # A figure of its own needs no window system and leaves matplotlib's global state alone.
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), dpi=150, layout="constrained")
    axes = figure.subplots()
    axes.set_title(f"{title}\n", loc="left", fontweight="bold")
    axes.text(0, 1.02, title_of(table), transform=axes.transAxes, color=SOFT, fontsize="small")
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _around(estimates: list[Estimate], scale: float = 1.0) -> list[list[float]]:
    """Distances to the ends of intervals, as error bars want them."""
    return [
        [scale * (e.value - e.low) for e in estimates],
        [scale * (e.high - e.value) for e in estimates],
    ]


def _ratings(table: TableSummary) -> "Figure":
    rated = [(standing, standing.elo) for standing in table.standings if standing.elo]
    figure, axes = _figure(table, f"Ratings ({table.model})", 7, 1.6 + 0.42 * len(rated))
    elos = [elo for _, elo in rated]
    rows = range(len(rated))
    axes.axvline(0, color=SOFT, linewidth=1, linestyle="--")
    axes.errorbar(
        [elo.value for elo in elos], rows, xerr=_around(elos), fmt="o", color=INK, ecolor=BAND,
        elinewidth=7, markersize=5,
    )  # fmt: skip
    for row, elo in zip(rows, elos, strict=True):
        words = f"{elo.value:+.0f} ({elo.low:+.0f} to {elo.high:+.0f})"
        axes.annotate(words, (elo.value, row), (0, 9), textcoords="offset points", ha="center",
                      fontsize="small")  # fmt: skip
    names = [f"{s.agent}{f' {CHEATS}' if s.cheats else ''}  {rank_text(s)}" for s, _ in rated]
    axes.set_yticks(rows, names)
    axes.set_ylim(len(rated) - 0.5, -0.8)
    axes.margins(x=0.12)
    axes.set_xlabel("rating with 95 % interval; 400 points are odds of 10 to 1")
    return figure


def _matrix(table: TableSummary) -> "Figure":
    from matplotlib.colors import LinearSegmentedColormap

    names = [standing.agent for standing in table.standings]
    rates: Doubles = np.full((len(names), len(names)), np.nan)
    above = rates.copy()
    cells = {(names.index(c.agent), names.index(c.against)): c for c in table.matrix}
    for at, cell in cells.items():
        rates[at], above[at] = 100 * cell.rate.value, 100 * (cell.rate.value - cell.chance)
    size = 2.2 + 1.05 * len(names)
    figure, axes = _figure(table, "Won by row against column, %", size + 1, 0.8 + 0.8 * size)
    most = max(float(np.nanmax(np.abs(above))), 1e-9)
    colors = LinearSegmentedColormap.from_list("losing to winning", ["#e08a8d", "#fff", "#7cc3a0"])
    axes.imshow(above, cmap=colors, vmin=-most, vmax=most, aspect="auto")
    for (row, column), cell in cells.items():
        half = 50 * (cell.rate.high - cell.rate.low)
        axes.text(column, row - 0.1, f"{rates[row, column]:.1f}", ha="center", va="center")
        axes.text(column, row + 0.22, f"± {half:.1f}", ha="center", va="center", fontsize="x-small")
    axes.set_xticks(range(len(names)), names, rotation=20, ha="right")
    axes.set_yticks(range(len(names)), names)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    return figure


def _turns(table: TableSummary) -> "Figure":
    places = len(next(iter(table.by_turn.values())))
    figure, axes = _figure(table, "Won by place in the first turn order", 3 + 1.1 * places, 4)
    agents = len(table.by_turn)
    for number, (agent, rates) in enumerate(table.by_turn.items()):
        shift = (number - (agents - 1) / 2) * 0.5 / agents
        axes.errorbar(
            [place + shift for place in range(places)], [100 * rate.value for rate in rates],
            yerr=_around(list(rates), 100), fmt="o", capsize=3, label=agent,
            color=AGENT_COLORS[number % len(AGENT_COLORS)],
        )  # fmt: skip
    axes.axhline(100 * table.chance, color=SOFT, linewidth=1, linestyle="--", label="chance level")
    axes.set_xticks(range(places), [f"plays {word}" for word in ORDINALS[:places]])
    axes.set_ylabel("games won, %")
    axes.legend(fontsize="small", frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    return figure


def _lengths(table: TableSummary) -> "Figure":
    lengths = table.lengths
    figure, axes = _figure(table, "Length of a game", 7, 3.4)
    starts = [lengths.width * number for number in range(len(lengths.counts))]
    parts = [100 * count / sum(lengths.counts) for count in lengths.counts]
    axes.bar(starts, parts, width=0.9 * lengths.width, align="edge", color=INK)
    axes.axvline(lengths.quantiles[2], color=AGENT_COLORS[1], linewidth=1.5,
                 label=f"median {lengths.quantiles[2]:.0f}")  # fmt: skip
    axes.set_xlabel(f"decisions; the last bar holds all longer games, up to {lengths.longest:,}")
    axes.set_ylabel("games, %")
    axes.legend(frameon=False)
    return figure


def _decisions(table: TableSummary) -> "Figure":
    """One band of bars a phase, one bar an agent."""
    rows: list[tuple[str, str, dict[str, int]]] = [
        (phase, agent, by_phase[phase])
        for phase in real_choices(table.usage)
        for agent, by_phase in table.usage.items()
        if phase in by_phase
    ]
    figure, axes = _figure(table, "How decisions are used", 8.5, 1.6 + 0.3 * len(rows))
    heights, names, height, before = [], [], 0.0, ""
    for phase, agent, _ in rows:
        height += 1.0 if phase == before else 1.7
        heights.append(height)
        names.append(agent)
        if phase != before:
            axes.text(0, height - 0.55, phase, fontweight="bold", fontsize="small", va="bottom")
        before = phase
    _stacked(axes, rows, heights)
    axes.set_yticks(heights, names, fontsize="small")
    axes.set_ylim(height + 0.8, 0.4)
    axes.set_xlim(0, 100)
    axes.set_xlabel("decisions of the phase, %")
    axes.legend(fontsize="small", frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    return figure


def _stacked(axes: Any, rows: list[tuple[str, str, dict[str, int]]], heights: list[float]) -> None:
    left = [0.0] * len(rows)
    for choice, color in CHOICE_COLORS.items():
        parts = [100 * counts.get(choice, 0) / sum(counts.values()) for _, _, counts in rows]
        if not any(parts):
            continue
        axes.barh(heights, parts, left=left, height=0.85, color=color, label=choice)
        for height, start, part in zip(heights, left, parts, strict=True):
            if part >= 6:
                axes.text(start + part / 2, height, f"{part:.0f}", ha="center", va="center",
                          fontsize="x-small", color=ink_on(color))  # fmt: skip
        left = [start + part for start, part in zip(left, parts, strict=True)]
