"""The leaderboard: agents ranked in each task, as a page and in the terminal.

`uno-arena leaderboard --write docs/leaderboard.md` makes the page from the rows that are part of
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
from .entry_files import SHIPPED, read_entries, write_entry
from .leaderboard_entries import (
    LeaderboardEntry,
    TaskResult,
    entries_of,
    merged,
    opponents_digest,
)
from .task import Task
from .tasks import TASKS

if TYPE_CHECKING:
    from rich.console import Console

SHOWN = ("heuristic", "greedy")
"""Members of the field with a column of their own."""
COLUMNS = (
    "rank",
    "agent",
    "score",
    "Elo above the field",
    "score on verification deals",
    *(f"against {name}" for name in SHOWN),
    "ties",
    "games",
)
LOWER = "▼"
"""Marks a score on verification deals that is clearly below the one on development deals."""


@dataclass(frozen=True)
class Placement:
    """An agent's place in a task."""

    entry: LeaderboardEntry
    result: TaskResult
    score: Estimate
    """Mean win rate over the field, on development deals."""
    verified: Estimate | None
    """The same on its verification deals, if it played them."""
    rank: int
    is_tied: bool

    @property
    def name(self) -> str:
        """The agent, marked if it cheats."""
        return f"{self.entry.agent}{f' {CHEATS}' if self.entry.cheats else ''}"

    @property
    def is_lower(self) -> bool:
        """Whether it is clearly worse on deals it could not be tuned to."""
        return self.verified is not None and self.verified.high < self.score.low

    def elo(self, task: Task) -> Estimate:
        """Its Elo difference to the field."""
        return elo_above(self.score, task.chance, self.result.games)


def ranked(task: Task, entries: Sequence[LeaderboardEntry]) -> list[Placement]:
    """Agents that played a task against today's opponents, the best first.

    The rank is one more than the number of agents that are significantly better on the same
    (development) deals.
    """
    found = [(entry, entry.tasks[task.label]) for entry in entries if task.label in entry.tasks]
    if not found:
        return []
    digest = opponents_digest(task.label)
    found = [(entry, result) for entry, result in found if result.opponents == digest]
    placements = []
    for entry, result in found:
        differences = [
            theirs.above(result, task.opponents) for other, theirs in found if other is not entry
        ]
        rank = 1 + sum(difference.low > 0 for difference in differences)
        is_tied = any(not difference.excludes(0) for difference in differences)
        score = result.score(task.opponents)
        verified = _verified(task, entry, digest)
        placements.append(Placement(entry, result, score, verified, rank, is_tied))
    return sorted(placements, key=lambda placed: (-placed.score.value, placed.entry.agent))


def _verified(task: Task, entry: LeaderboardEntry, digest: str) -> Estimate | None:
    result = entry.verification.get(task.label)
    if result is None or result.opponents != digest:
        return None
    return result.score(task.opponents)


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
    mark = f" {LOWER}" if placed.is_lower else ""
    return [
        f"{placed.rank}{'=' if placed.is_tied else ''}",
        placed.name,
        _with_interval(placed.score),
        f"{points(elo.value)} ({points_range(elo)})",
        f"{_with_interval(placed.verified)}{mark}" if placed.verified else "",
        *(percent(result.rate(name).value) if name in result.wins else "itself" for name in SHOWN),
        f"{result.ties:,}",
        f"{result.games:,}",
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
