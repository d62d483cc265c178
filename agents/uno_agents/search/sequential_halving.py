"""Sequential halving: which actions are simulated in how many worlds, and which is best after all.

After each stage the worse half of the candidates is dropped (Karnin et al. 2013). The default
action is never dropped: without a prior another action replaces it only if it leads by more than
sampling noise; with one (`prior.py`) by what simulations and prior say together.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from uno_env.array_types import Doubles

from .kernels import search as kernel
from .prior import Prior

LEAD_ERRORS = 0.5
"""Standard errors by which another action must lead the default action."""
LEAD_VARIANCE, VARIANCE_WORLDS = 0.05, 4
"""A first guess of the variance of a lead between two actions, and the worlds it counts for."""
CHUNK = 16
"""Worlds simulated between two readings of the clock."""


@dataclass(frozen=True, slots=True)
class ActionValue:
    """The estimated value of one action.

    Attributes:
        action: its id.
        q_value: the mean return of its rollouts: the win probability.
        sims: rollouts behind it.
        lead: its lead over the default action: a lower confidence bound, or a posterior mean.
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


class SequentialHalving:
    """The candidates left, and the sums of their returns and leads.

    Args:
        candidates: action ids, the default action first.
        prior: what a policy believes of their leads over the default action.
    """

    def __init__(self, candidates: list[int], prior: Prior | None = None) -> None:
        self.candidates = np.array(candidates, np.int64)
        self._prior = prior
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
        """Leads over the default action: posterior means, or lower confidence bounds."""
        if self._prior is not None:
            return self._posterior(self._prior)
        n = max(self.worlds, 1)
        mean = self.sums[kernel.LEAD_SUM] / n
        squares = self.sums[kernel.LEAD_SQUARES] - n * mean**2 + VARIANCE_WORLDS * LEAD_VARIANCE
        leads: Doubles = mean - LEAD_ERRORS * np.sqrt(
            np.maximum(squares, 0) / (n * (n + VARIANCE_WORLDS - 1))
        )
        leads[0] = 0.0
        return leads

    def _posterior(self, prior: Prior) -> Doubles:
        """Mean leads if the prior counts like its worlds."""
        leads: Doubles = (self.sums[kernel.LEAD_SUM] + prior.worlds * prior.leads) / (
            self.worlds + prior.worlds
        )
        return leads

    def _keep(self, count: int) -> None:
        """Drop all but the default action and the best others."""
        if count >= len(self.candidates):
            return
        leads = self._leads()
        order = self.sums[kernel.LEAD_SUM] if self._prior is None else leads
        best = 1 + np.argsort(-order[1:], kind="stable")[: count - 1]
        kept = np.concatenate([[0], np.sort(best)])
        gone = np.setdiff1d(np.arange(len(order)), kept)
        self._dropped += [self._action_value(int(i), leads) for i in gone]
        self.candidates = self.candidates[kept]
        self.sums = np.ascontiguousarray(self.sums[:, kept])
        if self._prior is not None:
            self._prior = self._prior._replace(leads=self._prior.leads[kept])

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
