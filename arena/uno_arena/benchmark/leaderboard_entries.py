"""Entries of the leaderboard: what one agent won in each task, deal by deal, as a JSON file.

An entry comes from a database or from a submitted file. It holds wins rather than rates, so that
intervals are computed here and two entries can be compared on the deals both played.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from uno_env.array_types import Doubles

from ..results import TournamentResults
from ..stats.intervals import Estimate, paired_difference, wilson_interval
from ..store.load import load_results
from ..store.store import Store
from .tasks import ALL_TASKS, OPPONENTS, Task

FORMAT = "uno-arena-row-1"
OPPONENTS_KEY = "field"
"""What the format calls `TaskResult.opponents`."""
SHIPPED = Path(__file__).resolve().parent / "entries"
"""The entries of this project, part of the package; the page in docs is made from them."""
CHECKED_DEALS = 25


class EntryError(ValueError):
    """A file that is no entry of the leaderboard, or no entries at all."""


@dataclass(frozen=True)
class TaskResult:
    """What an agent won in one task.

    Args:
        wins: for each opponent and rules text, games won on each deal from the first on.
        opponents: digest of the opponents' play, see `opponents_digest`.
    """

    wins: dict[str, dict[str, list[float]]]
    rotations: int
    ties: int
    forfeits: int
    opponents: str
    code_version: str
    command: str

    @property
    def deals(self) -> int:
        """Deals of all rules together."""
        return sum(len(wins) for wins in next(iter(self.wins.values())).values())

    def shares(self, opponent: str) -> Doubles:
        """(deals, 1) part of each deal's games won against an opponent."""
        won = [number for wins in self.wins[opponent].values() for number in wins]
        return np.array(won, float)[:, None] / self.rotations

    def rate(self, opponent: str) -> Estimate:
        """Win rate against an opponent."""
        return wilson_interval(self.shares(opponent))

    def above(self, other: "TaskResult", opponent: str) -> Estimate:
        """Paired difference to another result, on the deals both played."""
        mine, theirs = self.wins[opponent], other.wins[opponent]
        # A quick run played the first of the deals, so the shorter list is a part of the longer.
        pairs = [pair for rules in mine for pair in zip(mine[rules], theirs[rules], strict=False)]
        both = np.array(pairs, float) / self.rotations
        return paired_difference(both[:, :1], both[:, 1:])


@dataclass
class LeaderboardEntry:
    """One agent and its results by task label."""

    agent: str
    cheats: bool = False
    fingerprint: str = ""
    about: str = ""
    """Free text of whoever submits it: authors, a link."""
    tasks: dict[str, TaskResult] = field(default_factory=dict)

    @property
    def file_name(self) -> str:
        """What its file is called by default."""
        letters = (letter if letter.isalnum() else "-" for letter in self.agent)
        return f"{''.join(letters).strip('-')}.json"

    def add(self, label: str, result: TaskResult) -> None:
        """Keep the result with more deals, the newer of equals."""
        known = self.tasks.get(label)
        if known is None or known.deals <= result.deals or known.opponents != result.opponents:
            self.tasks[label] = result


def merged(
    entries: Sequence[LeaderboardEntry], newer: Sequence[LeaderboardEntry]
) -> list[LeaderboardEntry]:
    """Entries by agent; of a task the result with more deals, or of the present opponents."""
    found = {entry.agent: entry for entry in entries}
    for entry in newer:
        known = found.setdefault(entry.agent, entry)
        if known is not entry:
            known.fingerprint = entry.fingerprint
            for label, result in entry.tasks.items():
                known.add(label, result)
    return list(found.values())


@cache
def opponents_digest(label: str) -> str:
    """What the opponents of a task do on its first deals, as a short digest.

    Opponents are code, and code changes. Entries compare only if their opponents played alike, so
    each carries the outcome of a few games of the opponents against each other.
    """
    from ..api import tournament

    task = ALL_TASKS[label.partition("@")[0]]
    results = tournament(
        OPPONENTS,
        variant=task.rules,
        players=task.players,
        deals=CHECKED_DEALS,
        seed=task.seed,
        schedule="first",
    )
    digest = hashlib.sha256()
    for games in results.games:
        digest.update(games.winners.astype("<i8").tobytes())
        digest.update(games.decisions.astype("<i8").tobytes())
    return digest.hexdigest()[:12]


def entries_of(store: Store) -> list[LeaderboardEntry]:
    """The entries of all benchmark runs in a database."""
    entries: dict[str, LeaderboardEntry] = {}
    for task in ALL_TASKS.values():
        for quick in (True, False):
            for name in store.names():
                results = _finished(store, name, task, quick)
                if results is not None:
                    agent = results.agents[0]
                    entry = entries.setdefault(
                        agent.name, LeaderboardEntry(agent.name, agent.cheats)
                    )
                    entry.fingerprint = agent.fingerprint
                    entry.add(task.label, _result(task, results, quick))
    return list(entries.values())


def _finished(store: Store, name: str, task: Task, quick: bool) -> TournamentResults | None:
    """A whole run of a task, none if it is something else or not finished."""
    start = task.tournament("", quick)
    if not name.startswith(start):
        return None
    results = load_results(store, name)
    expected = task.config(results.agents[0].name, quick).model_dump(mode="json")
    return results if results.is_complete and results.config == expected else None


def _result(task: Task, results: TournamentResults, quick: bool) -> TaskResult:
    wins: dict[str, dict[str, list[float]]] = {}
    for matchup, games in zip(results.matchups, results.games, strict=True):
        opponent = results.agents[matchup.lineup[1]].name
        won = games.focal_shares().sum(axis=1).round(4)
        wins.setdefault(opponent, {})[matchup.rules] = [_short(number) for number in won]
    return TaskResult(
        wins=wins,
        rotations=results.matchups[0].sides,
        ties=sum(int(games.tied.sum()) for games in results.games),
        forfeits=sum(int((games.forfeited_by == 0).sum()) for games in results.games),
        opponents=opponents_digest(task.label),
        code_version=results.code_version,
        command=task.command(results.agents[0].name, quick),
    )


def _short(number: float) -> float:
    return int(number) if number == int(number) else float(number)


def write_entry(entry: LeaderboardEntry, path: str | Path) -> Path:
    """Write an entry as JSON; returns where."""
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    tasks = {label: _to_json(result) for label, result in sorted(entry.tasks.items())}
    data = {"format": FORMAT, **(vars(entry) | {"tasks": tasks})}
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
    """Entries of files, or of all `.json` files of folders; an error if a folder has none."""
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
        if data.pop("format") != FORMAT:
            raise EntryError(f"{path} has another format than {FORMAT}")
        data["tasks"] = {label: _from_json(result) for label, result in data["tasks"].items()}
        entry = LeaderboardEntry(**data)
        for label, result in entry.tasks.items():
            _check(label, result)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise EntryError(f"{path} is no entry of the leaderboard: {error}") from None
    return entry


def _check(label: str, result: TaskResult) -> None:
    task = ALL_TASKS.get(label.partition("@")[0])
    if task is None or task.label != label:
        raise EntryError(f"unknown task {label!r}")
    if result.rotations != round(1 / task.chance) or not result.wins:
        raise EntryError(f"{label}: rotations or wins do not fit the task")
    for opponent, by_rules in result.wins.items():
        if opponent not in OPPONENTS or set(by_rules) != set(task.rules):
            raise EntryError(f"{label}: wins against {opponent!r} are not those of the task")
        for wins in by_rules.values():
            if len(wins) < 2 or not all(0 <= number <= result.rotations for number in wins):
                raise EntryError(f"{label}: wins must be numbers from 0 to {result.rotations}")
