"""The leaderboard: agents ranked in each task, as a page and in the terminal.

`uno-arena leaderboard --write docs/leaderboard.md` makes the page from the entries that are part of
this package; `--db` adds the benchmark runs of a database, `--entries` takes other files instead.
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
    SHIPPED,
    LeaderboardEntry,
    TaskResult,
    entries_of,
    merged,
    opponents_digest,
    read_entries,
    write_entry,
)
from .tasks import FULL, OPPONENTS, QUICK, TASKS, Task

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
    found = [(entry, result) for entry, result in found if result.field == digest]
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


def _cells(task: Task, placed: Placement) -> list[str]:
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
        table.add_row(*map(escape, _cells(task, placed)))
    console.print(table)


def page(entries: Sequence[LeaderboardEntry]) -> str:
    """The leaderboard as Markdown."""
    return "\n".join(_lines(entries)) + "\n"


def _lines(entries: Sequence[LeaderboardEntry]) -> Iterator[str]:
    placements = {task: ranked(task, entries) for task in TASKS.values()}
    yield from _introduction()
    yield from _overview(placements)
    for task, placed in placements.items():
        yield from ["", f"## {task.label}", "", _about(task), ""]
        if placed:
            yield from _markdown(COLUMNS, [_cells(task, one) for one in placed], left=2)
        else:
            yield "Nobody has played it yet."
    outdated = sum(
        label in entry.tasks and entry.tasks[label].field != opponents_digest(label)
        for entry in entries
        for label in (task.label for task in TASKS.values())
    )
    if outdated:
        yield f"\n{outdated} results against another version of the opponents are left out."
    if any(entry.cheats for entry in entries):
        yield f"\n{CHEATS_NOTE}."
    yield from _how_to_add()


def _introduction() -> list[str]:
    return [
        "# Leaderboard",
        "",
        "Generated by `uno-arena leaderboard --write docs/leaderboard.md`; do not edit.",
        "",
        f"In every task an agent plays a fixed set of duplicate deals ({FULL:,}, or the first "
        f"{QUICK} of them) against a table of `{BASELINE}` and against a table of "
        f"`{WEAK_BASELINE}`, each deal once from every side. All agents play the same cards, so "
        "they are compared by paired differences over deals. Agents share a rank (`=`) when the "
        "95 % interval of their difference contains 0. 400 Elo points are odds of 10 to 1 against "
        "each of the others.",
    ]


def _overview(placements: dict[Task, list[Placement]]) -> Iterator[str]:
    """Elo above the baseline of every agent in every task, and the mean of those who did all."""
    elos: dict[str, dict[str, Estimate]] = {}
    for task, placed in placements.items():
        for one in placed:
            elos.setdefault(one.name, {})[task.name] = one.elo(task)
    yield from ["", f"## Elo above {BASELINE}", ""]
    lines = []
    for agent, by_task in sorted(elos.items(), key=lambda item: -_mean(item[1])):
        cells = [
            points(by_task[task.name].value) if task.name in by_task else "" for task in placements
        ]
        mean = points(_mean(by_task)) if len(by_task) == len(placements) else ""
        lines.append([agent, f"**{mean}**" if mean else "", *cells])
    yield from _markdown(["agent", "mean", *(task.name for task in placements)], lines, left=1)


def _mean(by_task: dict[str, Estimate]) -> float:
    return sum(elo.value for elo in by_task.values()) / len(by_task)


def _about(task: Task) -> str:
    rules = ", ".join(f"`{text}`" for text in task.rules)
    by_turns = " by turns" if len(task.rules) > 1 else ""
    return f"{task.players} players; {rules}{by_turns}. Chance level {percent(task.chance)}."


def _how_to_add() -> list[str]:
    return [
        "",
        "## Add your agent",
        "",
        "```",
        "uno-arena bench all my_bot.py:MyBot --entry my-bot.json",
        "uno-arena leaderboard --entries my-bot.json",
        "```",
        "",
        "The first command plays all tasks (`--quick` for a tenth of the deals) and writes the "
        "entry: games won on each deal, code version, command. Fill in `about` with the authors "
        "and a link, put the file into `arena/uno_arena/benchmark/entries` and send a pull "
        "request. Rates and intervals are computed from the wins, never taken from the file. An "
        "entry counts while the opponents play as they did then; the file carries a digest of "
        "their games.",
    ]


def _markdown(head: Sequence[str], lines: Sequence[Sequence[str]], left: int) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'|'.join('---' if number < left else '---:' for number in range(len(head)))}|"
    for line in lines:
        yield f"| {' | '.join(cell.replace('|', '&#124;') for cell in line)} |"


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
        options.write.write_text(page(entries), encoding="utf-8")
        return 0
    for task in TASKS.values():
        print_task(task, entries, Console())
    return 0
