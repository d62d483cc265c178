"""Search as a teacher: action values of every legal action, for many positions of a batch at once.

    teacher = SearchTeacher(rule_sets, sims=64, threads=2)
    q_values = teacher.q_values(v, rows, key=7)      # (rows, 208)

Search distillation trains a network on these values (expert iteration, Anthony et al. 2017). The
search agent answers one view with many simulations; the teacher spends few on each of thousands of
positions a second, and the network averages the noise out.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from uno_env import Rules
from uno_env.actions import NUM_ACTIONS
from uno_env.array_types import Floats, Ints
from uno_env.engine.observation.event_log import new_logs
from uno_env.engine.state import STATE, new_records
from uno_env.vector.vec import UnoVec
from uno_env.vector.worker_pool import WorkerPool

from .kernels.rollout import new_scratch
from .kernels.search import GAMES, NUM_SUMS, RETURN_SUM, ROOT
from .kernels.teacher import MIN_WORLDS, SCRATCH_GAMES, evaluate_actions
from .kernels.value import search_coefficients
from .prior import SPREAD, TEAMS_SPREAD
from .rollouts import BatchedRollouts, RolloutPolicies

BASE_DEPTH = 10
"""Decisions of a rollout, and one more for each seat. From there on the leaf value has hardly any
bias left, while the variance of a rollout and its cost go on growing; see docs/training.md."""


class SearchTeacher:
    """Simulates each legal action of positions in deals that fit what the seat to act knows.

    Args:
        rule_sets: those of the batches to come, in their order.
        sims: simulations for each position.
        threads: how many share the work; results do not depend on it.
        depth: decisions of a rollout; 0: ten, and one for each seat.
    """

    def __init__(
        self, rule_sets: Sequence[Rules], sims: int, threads: int = 1, depth: int = 0
    ) -> None:
        teams = [rules.team_mode == "pairs" for rules in rule_sets]
        self._coefficients = np.array(
            [search_coefficients(r.variant, t) for r, t in zip(rule_sets, teams, strict=True)]
        )
        self._spread = np.where(teams, TEAMS_SPREAD, SPREAD).astype(np.float32)
        self._sims, self._depth = sims, depth
        self._rollouts: BatchedRollouts | None = None
        self._games = new_records(GAMES, STATE)
        self._workers = WorkerPool(threads, threads)
        self._buffers = [
            (new_records(SCRATCH_GAMES, STATE), new_logs(0), new_scratch()) for _ in range(threads)
        ]

    def set_policies(self, policies: RolloutPolicies) -> None:
        """Have these play the rollouts and value their leaves from now on, on one thread."""
        self._rollouts = BatchedRollouts(policies)

    def q_values(self, v: UnoVec, rows: Ints, key: int) -> Floats:
        """Action values (rows, 208) of these games' legal actions, zero elsewhere.

        A value is the win probability in units of the usual difference between actions.

        Args:
            key: fixes the random numbers; the same key and positions give the same values.
        """
        q_values = np.zeros((len(rows), NUM_ACTIONS), np.float32)
        if self._rollouts is None:
            self._simulate_compiled(v, rows, key, q_values)
        else:
            for i, row in enumerate(rows):
                self._simulate_batched(self._rollouts, v, int(row), key + i, q_values[i])
        q_values /= self._spread[v.engine_arrays.games["rule"][rows], None]
        return q_values

    def _depths(self, num_players: Any) -> Ints:
        """Decisions of a rollout at tables of these sizes."""
        sizes = np.asarray(num_players, np.int64)
        return np.full_like(sizes, self._depth) if self._depth else BASE_DEPTH + sizes

    def _simulate_compiled(self, v: UnoVec, rows: Ints, key: int, q_values: Floats) -> None:
        """Rollouts by the heuristic."""
        positions = (v.engine_arrays.games, v.engine_arrays.rules, self._coefficients, rows)
        depths = self._depths(v.engine_arrays.games["num_players"][rows])
        calls = [
            (*positions, *part, *buffers, self._sims, depths, np.uint64(key), q_values)
            for part, buffers in zip(self._workers.slices(len(rows)), self._buffers, strict=True)
        ]
        self._workers.run(evaluate_actions, calls)

    def _simulate_batched(
        self, rollouts: BatchedRollouts, v: UnoVec, row: int, key: int, q_values: Floats
    ) -> None:
        """Rollouts of one position by the policies; all its simulations are played together."""
        arrays = v.engine_arrays
        self._games[ROOT] = arrays.games[row]
        # A round is simulated, never the rest of a match.
        self._games["match"][ROOT] = 0
        root = self._games[ROOT]
        legal = np.flatnonzero(v.mask[row])
        worlds = max(MIN_WORLDS, self._sims // len(legal))
        depth = int(self._depths(root["num_players"]))
        sums = np.zeros((NUM_SUMS, len(legal)))
        word = np.uint64(np.random.SeedSequence(key).generate_state(1, np.uint64)[0])
        _, logs, scratch = self._buffers[0]
        rollouts.reset(int(word))
        rollouts.simulate(
            self._games, arrays.rules, logs, scratch, int(root["actor"]), False, legal, 0, worlds,
            word, depth, self._coefficients[root["rule"]], sums,
        )  # fmt: skip
        q_values[legal] = sums[RETURN_SUM] / worlds
