"""`uno-arena verify ROW`: play a row of the leaderboard again and compare it deal by deal.

The agent's bytes must have the hash of the row, since the verification deals follow from it.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ..store.store import Store
from .agent_hash import agent_hash
from .entry_files import EntryError, read_entries
from .leaderboard_entries import LeaderboardEntry, TaskResult, opponents_digest, result_of
from .task import DEVELOPMENT, VERIFICATION, Task
from .tasks import ALL_TASKS, play_task, tasks_named


class Verdict(NamedTuple):
    """What came of one task of a row."""

    label: str
    deals: str
    """Development or verification."""
    problem: str
    """What differs; empty if nothing does."""
    result: TaskResult


def verdicts(
    entry: LeaderboardEntry, spec: str, tasks: list[Task], workers: int = 0, show: bool = False
) -> Iterator[Verdict]:
    """Play each task of a row again, on the deals it was played on.

    Args:
        entry: the row.
        spec: the agent.
        tasks: those to be played.
        workers: processes that play; 0 plays in this one.
        show: a progress bar.
    """
    found = agent_hash(spec)
    for task in tasks:
        for part, results in ((DEVELOPMENT, entry.tasks), (VERIFICATION, entry.verification)):
            stored = results.get(task.label)
            if stored is None:
                if part == DEVELOPMENT or task.is_verified:
                    missing = TaskResult({}, 0, 0, 0, "", "", "")
                    yield Verdict(task.label, part, "the row has no result", missing)
                continue
            problem = _unlike(task, stored, found)
            if not problem:
                again = _again(entry.agent, spec, task, stored, workers, show)
                problem = _difference(stored, again)
            yield Verdict(task.label, part, problem, stored)


def _unlike(task: Task, stored: TaskResult, found: str) -> str:
    """Why a result cannot be played again here."""
    if stored.agent_hash and stored.agent_hash != found:
        return f"the agent's hash is {found[:12]}, the row's {stored.agent_hash[:12]}"
    if stored.opponents != opponents_digest(task.label):
        return "the row was played against another version of the opponents"
    if stored.deals not in _sizes(task):
        return (
            f"the row has {stored.deals} deals; the task has {' or '.join(map(str, _sizes(task)))}"
        )
    return ""


def _sizes(task: Task) -> list[int]:
    return sorted({task.deals(quick) * len(task.rule_texts) for quick in (True, False)})


def _again(
    name: str, spec: str, task: Task, stored: TaskResult, workers: int, show: bool
) -> TaskResult:
    quick = stored.deals == _sizes(task)[0]
    is_verification = bool(stored.agent_hash)
    with Store(":memory:") as store:
        results = play_task(task, name, store, quick, workers, show, is_verification, spec)
        return result_of(task, results, quick, stored.agent_hash)


def _difference(stored: TaskResult, again: TaskResult) -> str:
    """In how many deals two results differ, in words; empty if in none."""
    different = sum(
        mine != theirs
        for opponent, by_rules in again.wins.items()
        for rules, won in by_rules.items()
        for mine, theirs in zip(won, stored.wins[opponent][rules], strict=True)
    )
    if not different:
        return ""
    met = list(again.wins)
    was, now = (100 * result.score(met).value for result in (stored, again))
    total = again.deals * len(met)
    return f"{different} of {total} deals differ: {was:.2f} % then, {now:.2f} % now"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `uno-arena verify`."""
    parser.add_argument("row", type=Path, help="the file of a row, as bench --entry writes it")
    parser.add_argument(
        "--agent", metavar="SPEC", help="where the agent is (what the row calls it)"
    )
    parser.add_argument("--tasks", default="", help="only these, with commas (all of the row)")
    parser.add_argument("--workers", type=int, default=1, metavar="N", help=(
        "processes that play (1); 0 plays in this one"
    ))  # fmt: skip
    parser.add_argument("--quiet", action="store_true", help="no progress bar")


def run(options: argparse.Namespace) -> int:
    """Play the row again; the exit code is 1 if anything differs."""
    (entry, *others) = read_entries([options.row])
    if others:
        raise EntryError(f"{options.row} holds several rows; name one file")
    labels = set(entry.tasks) | set(entry.verification)
    tasks = [task for task in ALL_TASKS.values() if task.label in labels]
    if options.tasks:
        tasks = tasks_named(options.tasks)
    if not tasks:
        raise EntryError(f"{options.row} has no result of a task that is played today")
    failed = 0
    spec = options.agent or entry.agent
    for verdict in verdicts(entry, spec, tasks, options.workers, not options.quiet):
        failed += bool(verdict.problem)
        deals = f"{verdict.result.deals} {verdict.deals} deals" if verdict.result.wins else ""
        words = f"DIFFERS: {verdict.problem}" if verdict.problem else "equal"
        print(f"{verdict.label}, {deals or verdict.deals}: {words}")
    print(f"{entry.agent}: {'not verified' if failed else 'verified'}")
    return 1 if failed else 0
