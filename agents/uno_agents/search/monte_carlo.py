"""Flat Monte-Carlo search over determinisations: how often each action is simulated, which is best.

All candidates are simulated in the same worlds, and after each stage the worse half is dropped
(sequential halving, Karnin et al. 2013). The default action, the heuristic's if no other is named,
is never dropped: another action replaces it only if it leads by more than sampling noise.
"""

import math
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from uno_env.array_types import Doubles
from uno_env.engine.observation.event_log import new_logs
from uno_env.engine.state import STATE, new_records

from .interrupt import CHUNK_SIMS, checkpoint, is_interruptible
from .kernels import search as kernel
from .kernels.rollout import new_scratch
from .kernels.value import search_coefficients
from .rollouts import BatchedRollouts, RolloutPolicies

LEAD_ERRORS = 0.5
"""Standard errors by which another action must lead the default action."""
PRIOR_VARIANCE, PRIOR_WORLDS = 0.05, 4
"""Prior variance of a lead between two actions, and the number of worlds it counts for."""
MIN_DEPTH, DEPTH_PER_DOUBLING, BASE_SIMS, SIMS_PER_MS = 16, 6, 250, 100
"""Rollout depth: the least, and what each doubling of `BASE_SIMS` simulations adds."""
CHUNK = 16
"""Worlds simulated between two readings of the clock."""


@dataclass(frozen=True, slots=True)
class ActionValue:
    """The estimated value of one action.

    Attributes:
        action: its id.
        q_value: the mean return of its rollouts: the win probability.
        sims: rollouts behind it.
        lead: lower confidence bound of its lead over the default action.
    """

    action: int
    q_value: float
    sims: int
    lead: float


@dataclass(frozen=True, slots=True)
class Budget:
    """Simulations or milliseconds for one decision; one of the two is set."""

    sims: int | None
    ms: float | None


class MonteCarloSearch(threading.local):
    """The search with its buffers, reused for every decision; each thread has its own.

    Args:
        policies: who plays the rollouts and values their leaves; the heuristic and the linear value
            function if None, which is compiled as a whole.
        depth: decisions after which rollouts are cut; `rollout_depth` if None.
    """

    def __init__(self, policies: RolloutPolicies | None = None, depth: int | None = None) -> None:
        self._depth = depth
        self._rollouts = None if policies is None else BatchedRollouts(policies)
        self._games = new_records(kernel.GAMES, STATE)
        self._logs = new_logs(0)
        self._scratch = new_scratch()
        self.reset_counts()

    def reset_counts(self) -> None:
        """Count simulations and the decisions made in them from zero."""
        self.sims = self.decisions = 0

    def evaluate(
        self,
        games: Any,
        rules: Any,
        variant: str,
        legal: list[int],
        key: int,
        budget: Budget,
        knows_all: bool = False,
        default: int | None = None,
    ) -> list[ActionValue]:
        """The value of each legal action of the seat to act in game 0, the best first.

        Args:
            key: fixes the random numbers.
            default: the action that others must lead; the heuristic's if None.
        """
        self._games[kernel.ROOT] = games[0]
        seat = int(games["actor"][0])
        word = np.uint64(key)
        if default is None:
            default = int(kernel.root_heuristic_action(self._games, rules, self._scratch, word))
        # A stable sort: the default action first, if it is legal.
        halving = _SequentialHalving(sorted(legal, key=lambda action: action != default))
        depth = self._depth
        if depth is None:
            depth = rollout_depth(int(games["num_players"][0]), budget)
        coefficients = search_coefficients(variant, bool(rules["has_teams"][0]))
        if self._rollouts is not None:
            self._rollouts.reset(key)
        simulate = kernel.simulate if self._rollouts is None else self._rollouts.simulate
        for first, last in _chunks(halving, budget):
            self.sims += (last - first) * len(halving.candidates)
            self.decisions += simulate(
                self._games, rules, self._logs, self._scratch, seat, knows_all,
                halving.candidates, first, last, word, depth, coefficients, halving.sums,
            )  # fmt: skip
        return halving.ranking()


def _chunks(halving: "_SequentialHalving", budget: Budget) -> Iterator[tuple[int, int]]:
    """Ranges of worlds, short ones where somebody may stop the search between them.

    Sums are added world by world, so the result does not depend on it.
    """
    if not is_interruptible():
        yield from halving.stages(budget)
        return
    for first, last in halving.stages(budget):
        worlds = max(1, CHUNK_SIMS // len(halving.candidates))
        for start in range(first, last, worlds):
            checkpoint()
            yield start, min(start + worlds, last)


def rollout_depth(num_players: int, budget: Budget) -> int:
    """Decisions after which a rollout is cut and its leaf valued.

    With few simulations a short rollout is better: the value function is quicker than playing on
    and has less variance. With many simulations variance averages out, and longer rollouts have
    less bias.
    """
    sims = budget.sims if budget.sims is not None else SIMS_PER_MS * (budget.ms or 0)
    return max(MIN_DEPTH, 4 + 3 * num_players) + int(
        DEPTH_PER_DOUBLING * math.log2(max(1, sims / BASE_SIMS))
    )


class _SequentialHalving:
    """The candidates left, and the sums of their returns and leads."""

    def __init__(self, candidates: list[int]) -> None:
        self.candidates = np.array(candidates, np.int64)
        self.sums = np.zeros((kernel.NUM_SUMS, len(candidates)))
        self.worlds = 0
        self._dropped: list[ActionValue] = []

    def stages(self, budget: Budget) -> Iterator[tuple[int, int]]:
        """Ranges of worlds to simulate, halving the candidates after each stage."""
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

    def _leads(self) -> Doubles:
        """Lower confidence bounds of the leads over the default action."""
        n = max(self.worlds, 1)
        mean = self.sums[kernel.LEAD_SUM] / n
        squares = self.sums[kernel.LEAD_SQUARES] - n * mean**2 + PRIOR_WORLDS * PRIOR_VARIANCE
        leads: Doubles = mean - LEAD_ERRORS * np.sqrt(
            np.maximum(squares, 0) / (n * (n + PRIOR_WORLDS - 1))
        )
        leads[0] = 0.0
        return leads

    def _keep(self, count: int) -> None:
        """Drop all but the default action and the best others."""
        if count >= len(self.candidates):
            return
        leads_so_far = self.sums[kernel.LEAD_SUM]
        best = 1 + np.argsort(-leads_so_far[1:], kind="stable")[: count - 1]
        kept = np.concatenate([[0], np.sort(best)])
        leads = self._leads()
        gone = np.setdiff1d(np.arange(len(leads_so_far)), kept)
        self._dropped += [self._action_value(int(i), leads) for i in gone]
        self.candidates = self.candidates[kept]
        self.sums = np.ascontiguousarray(self.sums[:, kept])

    def _action_value(self, index: int, leads: Doubles) -> ActionValue:
        mean = self.sums[kernel.RETURN_SUM, index] / max(self.worlds, 1)
        return ActionValue(
            int(self.candidates[index]), float(mean), self.worlds, float(leads[index])
        )

    def ranking(self) -> list[ActionValue]:
        """All values: candidates still in by their lead, then those dropped."""
        leads = self._leads()
        order = np.argsort(-leads, kind="stable")
        return [self._action_value(int(i), leads) for i in order] + self._dropped[::-1]
