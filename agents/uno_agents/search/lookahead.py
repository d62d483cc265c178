"""Looking ahead from one position: which candidates are simulated how often, and which is best.

Simulations go where they matter: all candidates meet the same worlds, and after each stage the
worse half is dropped (sequential halving). One favourite, the heuristic's choice if no other is
named, is never dropped; another action must lead it by more than chance explains.
"""

import math
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from uno_env.engine.observation.event_log import new_logs
from uno_env.engine.state import STATE, new_records

from .kernels import search as kernel
from .kernels.coefficients import WEIGHTS
from .kernels.rollout import new_desk

CAUTION = 0.5
"""Standard errors by which another action must lead the heuristic's choice."""
GUESSED_SPREAD, GUESSED_WORLDS = 0.05, 4
"""Variance of a lead between two actions before any was simulated, and how much that counts."""
SHORTEST, LONGER, FEW_SIMS, SIMS_PER_MS = 16, 6, 250, 100
"""Length of lines: of the shortest, more for each doubling of so many simulations."""
CHUNK = 16
"""Worlds between two looks at the clock."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What simulation says of one action.

    Attributes:
        action: its id.
        win: the mean worth of its lines: the chance to win.
        sims: lines that were simulated.
        lead: how much better than the heuristic's choice it surely is.
    """

    action: int
    win: float
    sims: int
    lead: float


@dataclass(frozen=True, slots=True)
class Budget:
    """Simulations or milliseconds for one decision; one of the two is set."""

    sims: int | None
    ms: float | None


class Lookahead(threading.local):
    """Records to search in, used again for every decision; each thread has its own."""

    def __init__(self) -> None:
        self._games = new_records(kernel.GAMES, STATE)
        self._logs = new_logs(0)
        self._desk = new_desk()
        self.reset()

    def reset(self) -> None:
        """Count simulations and the decisions made in them from zero."""
        self.sims = self.decisions = 0

    def look(
        self,
        games: Any,
        rules: Any,
        variant: str,
        legal: list[int],
        stream: int,
        budget: Budget,
        knows_all: bool = False,
        favourite: int | None = None,
    ) -> list[Outlook]:
        """An outlook for each legal action of the seat to act in game 0, the best first.

        Args:
            favourite: the action that others must surely lead; the heuristic's choice if None.
        """
        self._games[kernel.ROOT] = games[0]
        seat = int(games["actor"][0])
        word = np.uint64(stream)
        if favourite is None:
            favourite = int(kernel.first_choice(self._games, rules, self._desk, word))
        # A stable sort: the favourite first, if it is among them.
        race = _Race(sorted(legal, key=lambda action: action != favourite))
        most = horizon(int(games["num_players"][0]), budget)
        weights = WEIGHTS["teams" if rules["has_teams"][0] else variant]
        for first, last in race.stages(budget):
            self.sims += (last - first) * len(race.candidates)
            self.decisions += kernel.simulate(
                self._games, rules, self._logs, self._desk, seat, knows_all,
                race.candidates, first, last, word, most, weights, race.tally,
            )  # fmt: skip
        return race.ranking()


def horizon(num_players: int, budget: Budget) -> int:
    """Decisions after which a line is weighed instead of played on.

    A few turns of every seat: weighing is quicker and steadier than playing on to an end that is
    mostly luck. With many simulations luck averages out, and longer lines are the truer ones.
    """
    sims = budget.sims if budget.sims is not None else SIMS_PER_MS * (budget.ms or 0)
    return max(SHORTEST, 4 + 3 * num_players) + int(LONGER * math.log2(max(1, sims / FEW_SIMS)))


class _Race:
    """The candidates still in it, and what has been tallied."""

    def __init__(self, candidates: list[int]) -> None:
        self.candidates = np.array(candidates, np.int64)
        self.tally = np.zeros((kernel.TALLIES, len(candidates)))
        self.worlds = 0
        self._dropped: list[Outlook] = []

    def stages(self, budget: Budget) -> Iterator[tuple[int, int]]:
        """Ranges of worlds to simulate, halving the field after each stage."""
        if budget.sims is not None:
            self._keep(budget.sims)
        stages = max(1, (len(self.candidates) - 1).bit_length())
        started, left = time.perf_counter(), budget.sims or 0
        for stage in range(stages):
            if budget.ms is not None:
                until = started + 1e-3 * budget.ms * (stage + 1) / stages
                while time.perf_counter() < until:
                    yield self._next(CHUNK)
            else:
                worlds = max(1, left // (stages - stage) // len(self.candidates))
                if worlds * len(self.candidates) <= left:
                    left -= worlds * len(self.candidates)
                    yield self._next(worlds)
            if stage < stages - 1:
                self._keep(max(2, (len(self.candidates) + 1) // 2))

    def _next(self, worlds: int) -> tuple[int, int]:
        first = self.worlds
        self.worlds += worlds
        return first, self.worlds

    def _leads(self) -> npt.NDArray[np.float64]:
        """Leads over the favourite, less what chance explains."""
        n = max(self.worlds, 1)
        mean = self.tally[kernel.GAP] / n
        spread = self.tally[kernel.SQUARE] - n * mean**2 + GUESSED_WORLDS * GUESSED_SPREAD
        leads: npt.NDArray[np.float64] = mean - CAUTION * np.sqrt(
            np.maximum(spread, 0) / (n * (n + GUESSED_WORLDS - 1))
        )
        leads[0] = 0.0
        return leads

    def _keep(self, count: int) -> None:
        """Drop all but the favourite and the best others."""
        if count >= len(self.candidates):
            return
        gaps = self.tally[kernel.GAP]
        best = 1 + np.argsort(-gaps[1:], kind="stable")[: count - 1]
        kept = np.concatenate([[0], np.sort(best)])
        leads = self._leads()
        gone = np.setdiff1d(np.arange(len(gaps)), kept)
        self._dropped += [self._outlook(int(i), leads) for i in gone]
        self.candidates = self.candidates[kept]
        self.tally = np.ascontiguousarray(self.tally[:, kept])

    def _outlook(self, index: int, leads: npt.NDArray[np.float64]) -> Outlook:
        mean = self.tally[kernel.SUM, index] / max(self.worlds, 1)
        return Outlook(int(self.candidates[index]), float(mean), self.worlds, float(leads[index]))

    def ranking(self) -> list[Outlook]:
        """All outlooks: those still in the race by their lead, then those dropped."""
        leads = self._leads()
        order = np.argsort(-leads, kind="stable")
        return [self._outlook(int(i), leads) for i in order] + self._dropped[::-1]
