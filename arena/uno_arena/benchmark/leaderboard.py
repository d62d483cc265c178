"""The leaderboard: agents ranked in each task, as a page and in the terminal.

`uno-arena leaderboard --db arena.db --write docs/leaderboard.md` makes the page from the benchmark
runs of a database and from the rows others have sent as files.
"""

import argparse
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..report.formatting import CHEATS, CHEATS_NOTE, percent, points, points_range
from ..stats.intervals import Estimate
from ..store.store import Store
from .leaderboard_entries import (
    Row,
    TaskResult,
    field_digest,
    merged,
    read_rows,
    rows_of,
    write_row,
)
from .tasks import FIELD, FULL, QUICK, TASKS, Task

if TYPE_CHECKING:
    from rich.console import Console

YARDSTICK, EASIER = FIELD
ROWS = Path(__file__).resolve().parents[3] / "docs" / "leaderboard"
COLUMNS = (
    "rank",
    "agent",
    f"won against {YARDSTICK}",
    f"Elo above {YARDSTICK}",
    f"won against {EASIER}",
    "games",
)


@dataclass(frozen=True)
class Entry:
    """An agent's place in a task."""

    row: Row
    result: TaskResult
    rate: Estimate
    """Against the yardstick; its own is that of equal players by definition."""
    rank: int
    is_tied: bool

    @property
    def name(self) -> str:
        """The agent, marked if it cheats."""
        return f"{self.row.agent}{f' {CHEATS}' if self.row.cheats else ''}"

    def elo(self, task: Task) -> Estimate:
        """Its strength above the yardstick's."""
        return elo_above(self.rate, task.chance, self.result.deals * self.result.rotations)


def ranked(task: Task, rows: Sequence[Row]) -> list[Entry]:
    """Agents that played a task against today's field, the best first.

    The rank is one more than the number of agents that are better beyond doubt on the same deals.
    """
    found = [(row, row.tasks[task.label]) for row in rows if task.label in row.tasks]
    found = [(row, result) for row, result in found if result.field == field_digest(task.label)]
    rates = {row.agent: _against_yardstick(task, row, result) for row, result in found}
    entries = []
    for row, result in found:
        gaps = [
            _gap(task, other, theirs, row, result) for other, theirs in found if other is not row
        ]
        rank = 1 + sum(gap.low > 0 for gap in gaps)
        is_tied = any(not gap.excludes(0) for gap in gaps)
        entries.append(Entry(row, result, rates[row.agent], rank, is_tied))
    return sorted(entries, key=lambda entry: (-entry.rate.value, entry.row.agent))


def _against_yardstick(task: Task, row: Row, result: TaskResult) -> Estimate:
    if row.agent == YARDSTICK:
        return Estimate(task.chance, task.chance, task.chance)
    return result.rate(YARDSTICK)


def _gap(task: Task, first: Row, won: TaskResult, second: Row, lost: TaskResult) -> Estimate:
    """How much more the first won than the second against the yardstick."""
    if YARDSTICK in (first.agent, second.agent):
        one, two = _against_yardstick(task, first, won), _against_yardstick(task, second, lost)
        return Estimate(one.value - two.value, one.low - two.high, one.high - two.low)
    return won.above(lost, YARDSTICK)


def elo_above(rate: Estimate, chance: float, games: int) -> Estimate:
    """A win rate as the Elo difference to the rest of the table.

    Who won nothing, or everything, is taken to have half a game the other way.
    """
    least = 0.5 / (games + 1)
    return Estimate(*(_elo(min(max(number, least), 1 - least), chance) for number in rate))


def _elo(rate: float, chance: float) -> float:
    return 400 * math.log10(rate / (1 - rate) * (1 - chance) / chance)


def _cells(task: Task, entry: Entry) -> list[str]:
    elo = entry.elo(task)
    is_yardstick = entry.row.agent == YARDSTICK
    easier = entry.result.rate(EASIER) if EASIER in entry.result.wins else None
    return [
        f"{entry.rank}{'=' if entry.is_tied else ''}",
        entry.name,
        "the yardstick" if is_yardstick else _with_interval(entry.rate),
        "0" if is_yardstick else f"{points(elo.value)} ({points_range(elo)})",
        _with_interval(easier) if easier else "itself",
        f"{entry.result.deals * entry.result.rotations * len(entry.result.wins):,}",
    ]


def _with_interval(rate: Estimate) -> str:
    return f"{percent(rate.value)} ({100 * rate.low:.1f} to {100 * rate.high:.1f})"


def print_task(task: Task, rows: Sequence[Row], console: "Console") -> None:
    """The places in one task, in the terminal."""
    from rich.markup import escape
    from rich.table import Table

    title = f"{task.label}: equal players win {percent(task.chance)}"
    table = Table(title=title, title_justify="left", title_style="bold")
    for number, column in enumerate(COLUMNS):
        table.add_column(column, justify="left" if number < 2 else "right")
    for entry in ranked(task, rows):
        table.add_row(*map(escape, _cells(task, entry)))
    console.print(table)


def page(rows: Sequence[Row]) -> str:
    """The leaderboard as Markdown."""
    return "\n".join(_lines(rows)) + "\n"


def _lines(rows: Sequence[Row]) -> Iterator[str]:
    places = {task: ranked(task, rows) for task in TASKS.values()}
    yield from _introduction()
    yield from _overview(places)
    for task, entries in places.items():
        yield from ["", f"## {task.label}", "", _about(task), ""]
        if entries:
            yield from _markdown(COLUMNS, [_cells(task, entry) for entry in entries], left=2)
        else:
            yield "Nobody has played it yet."
    outdated = sum(
        label in row.tasks and row.tasks[label].field != field_digest(label)
        for row in rows
        for label in (task.label for task in TASKS.values())
    )
    if outdated:
        yield f"\n{outdated} results against another version of the field are left out."
    if any(row.cheats for row in rows):
        yield f"\n{CHEATS_NOTE}."
    yield from _how_to_add()


def _introduction() -> list[str]:
    return [
        "# Leaderboard",
        "",
        "Made by `uno-arena leaderboard --write docs/leaderboard.md`; do not edit.",
        "",
        f"In every task an agent plays a fixed set of deals ({FULL:,}, or the first {QUICK} of "
        f"them) against a table of `{YARDSTICK}` and against a table of `{EASIER}`, each deal once "
        "from every side. All agents play the same cards, so they are compared deal by deal. "
        "Agents share a rank (`=`) when 95 % intervals of their difference do not tell them apart. "
        "400 Elo points are odds of 10 to 1 against each of the others.",
    ]


def _overview(places: dict[Task, list[Entry]]) -> Iterator[str]:
    """Elo above the yardstick of every agent in every task, and the mean of those who did all."""
    elos: dict[str, dict[str, Estimate]] = {}
    for task, entries in places.items():
        for entry in entries:
            elos.setdefault(entry.name, {})[task.name] = entry.elo(task)
    yield from ["", f"## Elo above {YARDSTICK}", ""]
    lines = []
    for agent, by_task in sorted(elos.items(), key=lambda item: -_mean(item[1])):
        cells = [
            points(by_task[task.name].value) if task.name in by_task else "" for task in places
        ]
        mean = points(_mean(by_task)) if len(by_task) == len(places) else ""
        lines.append([agent, f"**{mean}**" if mean else "", *cells])
    yield from _markdown(["agent", "mean", *(task.name for task in places)], lines, left=1)


def _mean(by_task: dict[str, Estimate]) -> float:
    return sum(elo.value for elo in by_task.values()) / len(by_task)


def _about(task: Task) -> str:
    rules = ", ".join(f"`{text}`" for text in task.rules)
    by_turns = " by turns" if len(task.rules) > 1 else ""
    return f"{task.players} players; {rules}{by_turns}. Equal players win {percent(task.chance)}."


def _how_to_add() -> list[str]:
    return [
        "",
        "## Add your agent",
        "",
        "```",
        "uno-arena bench all my_bot.py:MyBot --row docs/leaderboard/my-bot.json",
        "uno-arena leaderboard --write docs/leaderboard.md",
        "```",
        "",
        "The first command plays all tasks (`--quick` for a tenth of the deals) and writes the "
        "row: games won on each deal, code version, command. Fill in `about` with who made it and "
        "where it is found, and send the file. Rates and intervals are computed from the wins, "
        "never taken from the file. A row counts while the field plays as it did then; the file "
        "carries a digest of that.",
    ]


def _markdown(head: Sequence[str], lines: Sequence[Sequence[str]], left: int) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'|'.join('---' if number < left else '---:' for number in range(len(head)))}|"
    for line in lines:
        yield f"| {' | '.join(cell.replace('|', '&#124;') for cell in line)} |"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `uno-arena leaderboard`."""
    parser.add_argument("--db", help="database with benchmark runs")
    parser.add_argument("--rows", nargs="+", type=Path, metavar="PATH", help=(
        "files or folders of rows (docs/leaderboard of a checkout)"
    ))  # fmt: skip
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the page as Markdown")
    parser.add_argument("--save-rows", type=Path, metavar="DIR", help=(
        "write the rows of the database as files"
    ))  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Print the leaderboard, or write it."""
    from rich.console import Console

    paths = options.rows if options.rows is not None else [ROWS] if ROWS.is_dir() else []
    rows = read_rows(paths)
    if options.db:
        with Store(options.db, must_exist=True) as store:
            rows = merged(rows, rows_of(store))
    if options.save_rows:
        for row in rows:
            write_row(row, options.save_rows / row.file_name)
    if options.write:
        options.write.write_text(page(rows), encoding="utf-8")
        return 0
    for task in TASKS.values():
        print_task(task, rows, Console())
    return 0
