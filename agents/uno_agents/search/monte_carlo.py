"""Flat Monte-Carlo search over determinisations: worlds are sampled and every candidate simulated.

All candidates are simulated in the same worlds with the same random numbers, so that their
differences are clearer than their values. `sequential_halving.py` says how often each is simulated
and which is best after all.
"""

import math
import threading
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from uno_env.engine.observation.event_log import new_logs
from uno_env.engine.state import STATE, new_records

from .interrupt import CHUNK_SIMS, checkpoint, is_interruptible
from .kernels import search as kernel
from .kernels.rollout import new_scratch
from .kernels.value import search_coefficients
from .prior import TEAMS_DEPTH, policy_prior
from .rollouts import BatchedRollouts, RolloutPolicies
from .sequential_halving import ActionValue, Budget, SequentialHalving

MIN_DEPTH, DEPTH_PER_DOUBLING, BASE_SIMS, SIMS_PER_MS = 16, 6, 250, 100
"""Rollout depth: the least, and what each doubling of `BASE_SIMS` simulations adds."""


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
        probabilities: Mapping[int, float] | None = None,
    ) -> list[ActionValue]:
        """The value of each legal action of the seat to act in game 0, the best first.

        Args:
            key: fixes the random numbers.
            default: the action that others must lead; the heuristic's if None.
            probabilities: what a policy gives each action: the prior of their values.
        """
        self._games[kernel.ROOT] = games[0]
        seat = int(games["actor"][0])
        word = np.uint64(key)
        if default is None:
            default = int(kernel.root_heuristic_action(self._games, rules, self._scratch, word))
        # A stable sort: the default action first, if it is legal.
        candidates = sorted(legal, key=lambda action: action != default)
        has_teams = bool(rules["has_teams"][0])
        prior = None
        if probabilities is not None:
            prior = policy_prior(candidates, probabilities, has_teams)
        halving = SequentialHalving(candidates, prior)
        depth = self._depth
        if depth is None:
            depth = rollout_depth(int(games["num_players"][0]), budget)
            if prior is not None and has_teams:
                depth = max(depth, TEAMS_DEPTH)
        coefficients = search_coefficients(variant, has_teams)
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


def _chunks(halving: "SequentialHalving", budget: Budget) -> Iterator[tuple[int, int]]:
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
