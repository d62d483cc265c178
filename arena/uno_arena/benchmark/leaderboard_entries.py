"""Rows of the leaderboard: what one agent won in each task, deal by deal.

A row comes from a database or from a submitted file (`entry_files`). It holds wins rather than
rates, so that intervals are computed here and two rows can be compared on the deals both played.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from uno_env.array_types import Doubles

from ..results import TournamentResults
from ..stats.intervals import Estimate, paired_difference, wilson_interval
from ..store.load import load_results
from ..store.store import Store
from .agent_hash import agent_hash
from .task import Task
from .tasks import ALL_TASKS, task_of

CHECKED_DEALS = {1: 25, 2: 10}
"""Deals that a digest of the opponents is made of, by version of the tasks."""
CHECKED_RULES = 10
"""Rule sets of a digest at most."""
FEW_DEALS = 2
"""Deals of a digest for each of many rule sets, and for a match."""


@dataclass(frozen=True)
class TaskResult:
    """What an agent won in one task, on development deals or on verification deals.

    Args:
        wins: for each opponent and rules text, games won on each deal from the first on; a tie
            counts as the part of the win that each side has.
        opponents: digest of the opponents' play, see `opponents_digest`.
        agent_hash: that the verification deals follow from; empty for development deals.
    """

    wins: dict[str, dict[str, list[float]]]
    rotations: int
    ties: int
    forfeits: int
    opponents: str
    code_version: str
    command: str
    agent_hash: str = ""

    @property
    def deals(self) -> int:
        """Deals of all rules together."""
        return sum(len(wins) for wins in next(iter(self.wins.values())).values())

    @property
    def games(self) -> int:
        """Games against all opponents together."""
        return self.deals * self.rotations * len(self.wins)

    def shares(self, opponent: str) -> Doubles:
        """(deals, 1) part of each deal's games won against an opponent."""
        won = [number for wins in self.wins[opponent].values() for number in wins]
        return np.array(won, float)[:, None] / self.rotations

    def rate(self, opponent: str) -> Estimate:
        """Win rate against an opponent."""
        return wilson_interval(self.shares(opponent))

    def deal_shares(self, opponents: Sequence[str]) -> Doubles:
        """(deals, opponents x rules) part of the games won on each deal.

        An opponent that was not met is the agent itself: there it wins the chance level. All
        opponents and all rules of a task have the same deals, so these are the clusters.
        """
        met = next(iter(self.wins.values()))
        chance = {rules: [1.0] * len(won) for rules, won in met.items()}
        columns = [self.wins.get(name, chance)[rules] for name in opponents for rules in met]
        return np.array(columns, float).T / self.rotations

    def score(self, opponents: Sequence[str]) -> Estimate:
        """Mean win rate over opponents."""
        return wilson_interval(self.deal_shares(opponents))

    def above(self, other: "TaskResult", opponents: Sequence[str]) -> Estimate:
        """Paired difference of scores, on the deals both played."""
        mine, theirs = self.deal_shares(opponents), other.deal_shares(opponents)
        # A quick run played the first of the deals, so the shorter list is a part of the longer.
        both = min(len(mine), len(theirs))
        return paired_difference(mine[:both], theirs[:both])


@dataclass
class LeaderboardEntry:
    """One agent and its results by task label."""

    agent: str
    cheats: bool = False
    fingerprint: str = ""
    about: str = ""
    """Free text of whoever submits it: authors, a link."""
    tasks: dict[str, TaskResult] = field(default_factory=dict)
    """On development deals."""
    verification: dict[str, TaskResult] = field(default_factory=dict)
    """On verification deals."""

    @property
    def file_name(self) -> str:
        """What its file is called by default."""
        letters = (letter if letter.isalnum() else "-" for letter in self.agent)
        return f"{''.join(letters).strip('-')}.json"

    def add(self, label: str, result: TaskResult) -> None:
        """Keep the result with more deals, the newer of equals."""
        results = self.verification if result.agent_hash else self.tasks
        known = results.get(label)
        if (
            known is None
            or known.deals <= result.deals
            or known.opponents != result.opponents
            or known.agent_hash != result.agent_hash
        ):
            results[label] = result


def merged(
    entries: Sequence[LeaderboardEntry], newer: Sequence[LeaderboardEntry]
) -> list[LeaderboardEntry]:
    """Entries by agent; of a task the result with more deals, or of the present opponents."""
    found = {entry.agent: entry for entry in entries}
    for entry in newer:
        known = found.setdefault(entry.agent, entry)
        if known is not entry:
            known.fingerprint = entry.fingerprint
            for results in (entry.tasks, entry.verification):
                for label, result in results.items():
                    known.add(label, result)
    return list(found.values())


@cache
def opponents_digest(label: str) -> str:
    """What the opponents of a task do on its first deals, as a short digest.

    Opponents are code, and code changes. Entries compare only if their opponents played alike, so
    each carries the outcome of a few games of the opponents against each other.
    """
    from ..api import tournament

    task = task_of(label)
    if task is None:
        raise ValueError(f"unknown task {label!r}")
    is_long = len(task.rule_texts) > CHECKED_RULES or task.episode == "match"
    results = tournament(
        task.opponents,
        variant=task.rule_texts[:CHECKED_RULES],
        players=task.players,
        episode=task.episode,
        deals=FEW_DEALS if is_long else CHECKED_DEALS[task.version],
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
    for name in store.names():
        for task in ALL_TASKS.values():
            for quick in (True, False):
                for verification in (False, True):
                    if not name.startswith(task.tournament("", quick, verification)):
                        continue
                    results = load_results(store, name)
                    found = _finished(results, task, quick, verification)
                    if found is not None:
                        agent = results.agents[0]
                        entry = entries.setdefault(
                            agent.name, LeaderboardEntry(agent.name, agent.cheats)
                        )
                        entry.fingerprint = agent.fingerprint
                        entry.add(task.label, found)
    return list(entries.values())


def _finished(
    results: TournamentResults, task: Task, quick: bool, verification: bool
) -> TaskResult | None:
    """The result of a whole run of a task, none if it is something else or not finished."""
    agent = results.agents[0]
    used_hash = agent_hash(agent.spec) if verification and agent.spec else ""
    expected = task.config(agent.name, quick, used_hash).model_dump(mode="json")
    if not results.is_complete or results.config != expected:
        return None
    return result_of(task, results, quick, used_hash)


def result_of(
    task: Task, results: TournamentResults, quick: bool, used_hash: str = ""
) -> TaskResult:
    """What an agent won in a run of a task."""
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
        agent_hash=used_hash,
    )


def _short(number: float) -> float:
    return int(number) if number == int(number) else float(number)
