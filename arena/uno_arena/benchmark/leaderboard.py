"""The leaderboard: agents ranked in each task, as a page and in the terminal.

`uno-arena leaderboard --write docs/leaderboard.md` makes the page from the entries that are part of
this package; `--db` adds the benchmark runs of a database, `--entries` takes other files instead.
"""

import argparse
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..report.formatting import CHEATS, percent, points, points_range
from ..stats.intervals import Estimate
from ..store.store import Store
from .leaderboard_entries import (
    SHIPPED,
    LeaderboardEntry,
    TaskResult,
    entries_of,
    merged,
    opponents_digest,
    read_entries,
    write_entry,
)
from .tasks import OPPONENTS, TASKS, Task

if TYPE_CHECKING:
    from rich.console import Console

BASELINE, WEAK_BASELINE = OPPONENTS
COLUMNS = (
    "rank",
    "agent",
    f"won against {BASELINE}",
    f"Elo above {BASELINE}",
    f"won against {WEAK_BASELINE}",
    "games",
)


@dataclass(frozen=True)
class Placement:
    """An agent's place in a task."""

    entry: LeaderboardEntry
    result: TaskResult
    rate: Estimate
    """Against the baseline; the baseline's own is the chance level by definition."""
    rank: int
    is_tied: bool

    @property
    def name(self) -> str:
        """The agent, marked if it cheats."""
        return f"{self.entry.agent}{f' {CHEATS}' if self.entry.cheats else ''}"

    def elo(self, task: Task) -> Estimate:
        """Its Elo difference to the baseline."""
        return elo_above(self.rate, task.chance, self.result.deals * self.result.rotations)


def ranked(task: Task, entries: Sequence[LeaderboardEntry]) -> list[Placement]:
    """Agents that played a task against today's opponents, the best first.

    The rank is one more than the number of agents that are significantly better on the same deals.
    """
    digest = opponents_digest(task.label)
    found = [(entry, entry.tasks[task.label]) for entry in entries if task.label in entry.tasks]
    found = [(entry, result) for entry, result in found if result.opponents == digest]
    placements = []
    for entry, result in found:
        differences = [
            _difference(task, other, theirs, entry, result)
            for other, theirs in found
            if other is not entry
        ]
        rank = 1 + sum(difference.low > 0 for difference in differences)
        is_tied = any(not difference.excludes(0) for difference in differences)
        rate = _against_baseline(task, entry, result)
        placements.append(Placement(entry, result, rate, rank, is_tied))
    return sorted(placements, key=lambda placed: (-placed.rate.value, placed.entry.agent))


def _against_baseline(task: Task, entry: LeaderboardEntry, result: TaskResult) -> Estimate:
    if entry.agent == BASELINE:
        return Estimate(task.chance, task.chance, task.chance)
    return result.rate(BASELINE)


def _difference(
    task: Task,
    first: LeaderboardEntry,
    won: TaskResult,
    second: LeaderboardEntry,
    lost: TaskResult,
) -> Estimate:
    """How much more the first won than the second against the baseline."""
    if BASELINE in (first.agent, second.agent):
        one, two = _against_baseline(task, first, won), _against_baseline(task, second, lost)
        return Estimate(one.value - two.value, one.low - two.high, one.high - two.low)
    return won.above(lost, BASELINE)


def elo_above(rate: Estimate, chance: float, games: int) -> Estimate:
    """A win rate as the Elo difference to the rest of the table.

    An agent that won nothing, or everything, is given half a game the other way.
    """
    least = 0.5 / (games + 1)
    return Estimate(*(_elo(min(max(number, least), 1 - least), chance) for number in rate))


def _elo(rate: float, chance: float) -> float:
    return 400 * math.log10(rate / (1 - rate) * (1 - chance) / chance)


def cells(task: Task, placed: Placement) -> list[str]:
    """The row of a table, in the order of COLUMNS."""
    elo, result = placed.elo(task), placed.result
    is_baseline = placed.entry.agent == BASELINE
    weak = result.rate(WEAK_BASELINE) if WEAK_BASELINE in result.wins else None
    return [
        f"{placed.rank}{'=' if placed.is_tied else ''}",
        placed.name,
        "the baseline" if is_baseline else _with_interval(placed.rate),
        "0" if is_baseline else f"{points(elo.value)} ({points_range(elo)})",
        _with_interval(weak) if weak else "itself",
        f"{result.deals * result.rotations * len(result.wins):,}",
    ]


def _with_interval(rate: Estimate) -> str:
    return f"{percent(rate.value)} ({100 * rate.low:.1f} to {100 * rate.high:.1f})"


def print_task(task: Task, entries: Sequence[LeaderboardEntry], console: "Console") -> None:
    """The ranking of one task, in the terminal."""
    from rich.markup import escape
    from rich.table import Table

    title = f"{task.label}: chance level {percent(task.chance)}"
    table = Table(title=title, title_justify="left", title_style="bold")
    for number, column in enumerate(COLUMNS):
        table.add_column(column, justify="left" if number < 2 else "right")
    for placed in ranked(task, entries):
        table.add_row(*map(escape, cells(task, placed)))
    console.print(table)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `uno-arena leaderboard`."""
    parser.add_argument("--db", help="also take the benchmark runs of this database")
    parser.add_argument("--entries", nargs="+", type=Path, metavar="PATH", help=(
        "files or folders of entries (those that come with the package)"
    ))  # fmt: skip
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the page as Markdown")
    parser.add_argument("--save-entries", type=Path, metavar="DIR", help=(
        "write all entries as files"
    ))  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Print the leaderboard, or write it."""
    from rich.console import Console

    entries = read_entries(options.entries or [SHIPPED])
    if options.db:
        with Store(options.db, must_exist=True) as store:
            entries = merged(entries, entries_of(store))
    if options.save_entries:
        for entry in entries:
            write_entry(entry, options.save_entries / entry.file_name)
    if options.write:
        from .leaderboard_page import page

        options.write.write_text(page(entries), encoding="utf-8")
        return 0
    for task in TASKS.values():
        print_task(task, entries, Console())
    return 0
