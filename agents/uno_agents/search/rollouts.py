"""Rollouts by any batch agent: all running worlds ask it at once, a value network may end them.

The compiled search plays a rollout from its first decision to the last before it turns to the next
one, which only the heuristic can do. Here the rollouts of a chunk go on side by side, so that a
network decides in all of them by one forward pass.
"""

import copy
from typing import Any, NamedTuple

import numpy as np

from uno_env.array_types import Bools, Bytes, Doubles, Floats, Ints
from uno_env.engine.observation.layout import MASK_WORDS, OBS_WORDS
from uno_env.engine.state import STATE, new_records
from uno_env.envs.opponents import reset_agent

from ..advice import PolicyValueAgent
from ..base import AgentError, BatchAgent
from .interrupt import CHUNK_SIMS, checkpoint
from .kernels import batched as kernel
from .kernels.search import LEAD_SQUARES, LEAD_SUM, RETURN_SUM, ROOT


class RolloutPolicies(NamedTuple):
    """Who plays a rollout, and who values its leaf.

    Attributes:
        own: plays the seat that searches and, in Teams, its partner.
        opponents: plays all other seats; may be the same agent.
        value: values leaves at the first own decision after the cut; None for the linear value
            function of all hands.
    """

    own: BatchAgent
    opponents: BatchAgent
    value: PolicyValueAgent | None = None


class BatchedRollouts:
    """Simulates like `kernels.search.simulate`, with policies of any kind.

    Results do not depend on who interrupts: a chunk always has the same simulations.
    """

    def __init__(self, policies: RolloutPolicies) -> None:
        # Copies, whose generators are this thread's own; weights are shared.
        own = copy.copy(policies.own)
        same = policies.opponents is policies.own
        opponents = own if same else copy.copy(policies.opponents)
        self._policies = RolloutPolicies(own, opponents, policies.value)
        self._leaves = new_records(0, STATE)

    def reset(self, seed: int) -> None:
        """Have the policies draw as new agents of this seed."""
        reset_agent(self._policies.own, seed)
        if self._policies.opponents is not self._policies.own:
            reset_agent(self._policies.opponents, seed + 1)

    def simulate(
        self, games: Any, rules: Any, logs: Any, scratch: Any, seat: int, knows_all: bool,
        candidates: Ints, first: int, last: int, key: Any, depth: int, coefficients: Doubles,
        sums: Doubles,
    ) -> int:  # fmt: skip
        """Simulate each candidate in each of the worlds; returns the decisions made."""
        worlds = max(1, CHUNK_SIMS // len(candidates))
        self._reserve(worlds * len(candidates))
        is_match = int(games["match"][ROOT])
        # Networks know the round alone; leaves of a match are valued by the totals they leave.
        by_value = self._policies.value is not None and not is_match
        decisions = 0
        for start in range(first, last, worlds):
            end = min(start + worlds, last)
            count = (end - start) * len(candidates)
            kernel.start_rollouts(
                games, rules, logs, scratch, seat, knows_all, candidates, start, end, key, depth,
                by_value, self._leaves, self._made, self._status,
            )  # fmt: skip
            self._play(rules, logs, count, seat, depth, by_value)
            kernel.write_returns(
                self._leaves, rules, scratch, count, seat, is_match, coefficients, self._returns
            )
            self._value_leaves(rules, count, seat)
            _add(sums, self._returns[:count].reshape(-1, len(candidates)))
            decisions += count + int(self._made[:count].sum())
        return decisions

    def _reserve(self, count: int) -> None:
        """Buffers for so many simulations."""
        if len(self._leaves) >= count:
            return
        self._leaves = new_records(count, STATE)
        self._made, self._status = np.zeros(count, np.int64), np.zeros(count, np.int64)
        self._returns = np.zeros(count)
        self._is_own = np.zeros(count, np.bool_)
        self._obs = np.zeros((count, OBS_WORDS), np.uint64)
        self._mask = np.zeros((count, MASK_WORDS), np.uint64)

    def _play(
        self, rules: Any, logs: Any, count: int, seat: int, depth: int, by_value: bool
    ) -> None:
        """Play the first `count` leaves until each has ended or is cut."""
        while len(rows := self._rows(kernel.ASKED, count)):
            checkpoint()
            obs, mask, is_own = self._observe(rules, rows, seat)
            actions = self._decide(obs, mask, is_own)
            if not mask[np.arange(len(rows)), actions].all():
                raise AgentError("an agent that plays rollouts chose an action that is not legal")
            kernel.step_asked(
                self._leaves, rules, logs, rows, actions, seat, depth, by_value, self._made,
                self._status,
            )  # fmt: skip

    def _rows(self, status: int, count: int) -> Ints:
        return np.flatnonzero(self._status[:count] == status)

    def _observe(self, rules: Any, rows: Ints, seat: int) -> tuple[Bytes, Bytes, Bools]:
        """Observations and masks of the seats to act in these leaves, and which are ours."""
        kernel.observe_asked(self._leaves, rules, rows, seat, self._obs, self._mask, self._is_own)
        count = len(rows)
        return (
            self._obs[:count].view(np.uint8),
            self._mask[:count].view(np.uint8),
            self._is_own[:count],
        )

    def _decide(self, obs: Bytes, mask: Bytes, is_own: Bools) -> Ints:
        own, opponents, _ = self._policies
        if own is opponents:
            return np.asarray(own.act_batch(obs, mask), np.int64)
        actions = np.empty(len(obs), np.int64)
        for agent, rows in ((own, np.flatnonzero(is_own)), (opponents, np.flatnonzero(~is_own))):
            if len(rows):
                actions[rows] = agent.act_batch(obs[rows], mask[rows])
        return actions

    def _value_leaves(self, rules: Any, count: int, seat: int) -> None:
        """The value network's win probability, where rollouts were cut for it."""
        rows = self._rows(kernel.VALUED, count)
        value = self._policies.value
        if value is None or not len(rows):
            return
        obs, mask, _ = self._observe(rules, rows, seat)
        _, values = value.probabilities_batch(obs, mask)
        leaf = self._leaves[rows[0]]
        players = int(leaf["num_players"])
        sides = players // 2 if rules["has_teams"][leaf["rule"]] else players
        self._returns[rows] = win_probabilities(values, sides)


def win_probabilities(values: Floats, sides: int) -> Doubles:
    """The win probabilities that expected rewards stand for; see `advice.win_estimate`."""
    return np.clip((values.astype(np.float64) * (sides - 1) + 1) / sides, 0.0, 1.0)


def _add(sums: Doubles, returns: Doubles) -> None:
    """Add returns (worlds, candidates) to the sums of a search."""
    leads = returns - returns[:, :1]
    sums[RETURN_SUM] += returns.sum(axis=0)
    sums[LEAD_SUM] += leads.sum(axis=0)
    sums[LEAD_SQUARES] += (leads**2).sum(axis=0)
