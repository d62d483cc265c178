"""Rows of the leaderboard as JSON files: written, read, and checked."""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .leaderboard_entries import LeaderboardEntry, TaskResult
from .tasks import task_of

FORMAT = "uno-arena-row-2"
READ_FORMATS = ("uno-arena-row-1", FORMAT)
"""Format 1 has no verification deals; else it is the same."""
OPPONENTS_KEY = "field"
"""What the format calls `TaskResult.opponents`."""
SHIPPED = Path(__file__).resolve().parent / "entries"
"""The rows of this project, part of the package; the page in docs is made from them."""
PARTS = ("tasks", "verification")


class EntryError(ValueError):
    """A file that is no row of the leaderboard, or no rows at all."""


def write_entry(entry: LeaderboardEntry, path: str | Path) -> Path:
    """Write a row as JSON; returns where."""
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    results = {
        part: {label: _to_json(result) for label, result in sorted(getattr(entry, part).items())}
        for part in PARTS
    }
    data = {"format": FORMAT, **(vars(entry) | results)}
    target.write_text(_dumped(data) + "\n", encoding="utf-8")
    return target


def _to_json(result: TaskResult) -> dict[str, Any]:
    return {
        OPPONENTS_KEY if key == "opponents" else key: value for key, value in vars(result).items()
    }


def _from_json(data: dict[str, Any]) -> TaskResult:
    return TaskResult(opponents=data.pop(OPPONENTS_KEY), **data)


def _dumped(data: dict[str, Any]) -> str:
    """JSON with a list of wins on one line, so that entries can be read and compared."""
    text = json.dumps(data, indent=1, ensure_ascii=False)
    return re.sub(r"\[[^][{}]*\]", lambda found: "".join(found[0].split()), text)


def read_entries(paths: Iterable[str | Path]) -> list[LeaderboardEntry]:
    """Rows of files, or of all `.json` files of folders; an error if a folder has none."""
    return [_read(file) for path in map(Path, paths) for file in _files(path)]


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    files = sorted(path.glob("*.json"))
    if not files:
        raise EntryError(f"{path} holds no leaderboard entries (.json files)")
    return files


def _read(path: Path) -> LeaderboardEntry:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data.pop("format") not in READ_FORMATS:
            raise EntryError(f"{path} has another format than {' and '.join(READ_FORMATS)}")
        for part in PARTS:
            results = data.get(part, {}).items()
            data[part] = {label: _from_json(result) for label, result in results}
        entry = LeaderboardEntry(**data)
        for part in PARTS:
            for label, result in getattr(entry, part).items():
                _check(label, result, entry.agent, part == "verification")
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise EntryError(f"{path} is no entry of the leaderboard: {error}") from None
    return entry


def _check(label: str, result: TaskResult, agent: str, is_verification: bool) -> None:
    task = task_of(label)
    if task is None:
        raise EntryError(f"unknown task {label!r}")
    if bool(result.agent_hash) != is_verification:
        raise EntryError(f"{label}: verification deals, and only they, come with an agent_hash")
    if result.rotations != round(1 / task.chance) or not result.wins:
        raise EntryError(f"{label}: rotations or wins do not fit the task")
    if set(result.wins) | {agent} != set(task.opponents) | {agent}:
        raise EntryError(f"{label}: opponents are not those of the task, {list(task.opponents)}")
    for by_rules in result.wins.values():
        if set(by_rules) != set(task.rule_texts):
            raise EntryError(f"{label}: rules are not those of the task")
        for wins in by_rules.values():
            if len(wins) < 2 or not all(0 <= number <= result.rotations for number in wins):
                raise EntryError(f"{label}: wins must be numbers from 0 to {result.rotations}")
    if len({len(wins) for by_rules in result.wins.values() for wins in by_rules.values()}) > 1:
        raise EntryError(f"{label}: not all opponents were met on the same deals")
