"""A learner with rollouts on a Ray cluster: `uno-train CONFIG --ray [ADDRESS]`.

The games are cut into `shards`. Each iteration is a `RolloutTask`, one object in the store, and one
Ray task a shard; tasks of one shard follow each other, since they hand on its games. While the
network learns from iteration i, rollouts up to i + `lag` are collected with the weights before it,
never with older ones. The result depends on shards and lag, not on nodes nor on how many are lost.
"""

from collections import deque
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from uno_arena.code_version import code_digest

from ..config import TrainConfig
from ..data_parallel import without_games
from ..losses import Batch, Metrics
from ..ppo import Learner, RolloutCounts
from ..schedule import Stage
from .group import LearnerGroup
from .rollout import (
    CODE,
    Arrays,
    RolloutResult,
    RolloutTask,
    RunInfo,
    as_arrays,
    as_tensors,
    play_shard,
)

CLOSE_SECONDS = 60.0
"""How long a learner that closes waits for rollouts nobody needs any more."""
MAX_LOSSES = 10
"""Times in a row that tasks are submitted again because their input was lost with a node."""


@dataclass(frozen=True)
class PendingTask:
    """A submitted task: references into the object store, by shard."""

    task: RolloutTask
    reference: Any
    batches: list[Any]
    games: list[Any]


class ClusterLearner(Learner):
    """Learns in this process, or with data-parallel learners, from rollouts of the cluster.

    Args:
        config: the run; its `shards` are at least 1.
        ray: Ray, connected (`uno_arena.play.ray_cluster.joined`).
    """

    def __init__(self, config: TrainConfig, ray: Any) -> None:
        is_parallel = config.learners > 1
        # Data-parallel learners have devices of their own.
        device = "cpu" if is_parallel else config.device
        super().__init__(without_games(config).model_copy(update={"device": device}))
        self.config = config
        self._ray = ray
        # Ray redoes a task whose node or process is lost, as often as it takes.
        self._play = ray.remote(num_cpus=1, num_returns=2, max_retries=-1)(play_shard)
        part = {"num_envs": config.num_envs // config.shards, "shards": 0, "threads": 1}
        shard = config.model_copy(update={**part, "device": "cpu"})
        self._info = ray.put(RunInfo(code_digest(CODE), shard.model_dump_json()))
        self._games_before: list[Arrays] = [{} for _ in range(config.shards)]
        """State of each shard's games before the first pending task."""
        self._pending: deque[PendingTask] = deque()
        self._previous: PendingTask | None = None
        """Kept until the next one is done, since its games are the input of that one."""
        self.losses = 0
        self.group = LearnerGroup(ray, config) if is_parallel else None

    def iteration(self, progress: float) -> Metrics:
        """Learn from the next rollout; those after it are collected meanwhile."""
        self.check_weights()
        while len(self._pending) <= self.config.lag:
            self._submit(self._task(progress))
        batch, counts, games = self._gather()
        done = self._pending[0]
        metrics = self.update(batch, counts, progress, done.task.stage)
        self._games_before, self._previous = games, done
        self._pending.popleft()
        return metrics

    def gradient_steps(self, batch: Batch, *how: Any) -> Metrics:
        """By the data-parallel learners, if there are any."""
        if self.group is None:
            return super().gradient_steps(batch, *how)
        return self.group.update(self, batch, how)

    def _task(self, progress: float) -> RolloutTask:
        pool, weights = self.opponent_pool.snapshots.pool, as_arrays(self.network.state_dict())
        is_used = pool and self.config.opponent_pool_share
        snapshot = pool[int(self.rng.integers(len(pool)))] if is_used else {}
        iteration = self.iterations + len(self._pending)
        return RolloutTask(iteration, progress, self.stage(progress), weights, as_arrays(snapshot))

    def _submit(self, task: RolloutTask) -> None:
        inputs: list[Any] = self._pending[-1].games if self._pending else self._stored_games()
        reference = self._ray.put(task)
        batches, games = [], []
        for shard, before in enumerate(inputs):
            batch, after = self._play.remote(self._info, shard, reference, before)
            batches.append(batch)
            games.append(after)
        self._pending.append(PendingTask(task, reference, batches, games))

    def _stored_games(self) -> list[Any]:
        return [self._ray.put(games) for games in self._games_before]

    def _gather(self) -> tuple[Batch, RolloutCounts, list[Arrays]]:
        """The first task's batches as one, in the order of the shards, and their games."""
        with self.timer("waiting"):
            results, games = self._fetch()
        parts = zip(*(result.columns for result in results), strict=True)
        columns = [np.concatenate(column) for column in parts]
        batch = Batch(*(torch.from_numpy(column).to(self.device) for column in columns))
        counts = RolloutCounts(*np.sum([result.counts for result in results], axis=0).tolist())
        copies = [{name: array.copy() for name, array in state.items()} for state in games]
        return batch, counts, copies

    def _fetch(self) -> tuple[list[RolloutResult], list[Arrays]]:
        errors = self._ray.exceptions
        for left in reversed(range(MAX_LOSSES)):
            first = self._pending[0]
            try:
                return self._ray.get(first.batches), self._ray.get(first.games)
            except (errors.ObjectLostError, errors.WorkerCrashedError):
                if not left:
                    raise
                self.losses += 1
                self._submit_again()
        raise AssertionError("the last attempt returns or raises")

    def _submit_again(self) -> None:
        """Submit all pending tasks again, from the games that this process holds."""
        tasks = [pending.task for pending in self._pending]
        self._pending.clear()
        for task in tasks:
            self._submit(task)

    def close(self) -> None:
        """Let all pending tasks end, so that their cores are free."""
        # They are not cancelled: Ray may abort this whole process if a task ends in that moment.
        tasks = [task for pending in self._pending for task in pending.batches]
        if tasks:
            self._ray.wait(tasks, num_returns=len(tasks), timeout=CLOSE_SECONDS, fetch_local=False)
        self._pending.clear()

    def rollout_state(self) -> dict[str, torch.Tensor]:
        """Every shard's games and all pending tasks, which can be submitted again."""
        state: dict[str, torch.Tensor] = {}
        for shard, games in enumerate(self._games_before):
            state |= {f"shard.{shard}.{name}": array for name, array in as_tensors(games).items()}
        for index, pending in enumerate(self._pending):
            task, start = pending.task, f"task.{index}."
            counters = [task.iteration, task.progress, task.stage]
            state[f"{start}counters"] = torch.tensor(counters, dtype=torch.float64)
            for part, arrays in (("weights", task.weights), ("snapshot", task.snapshot)):
                state |= {f"{start}{part}.{n}": t for n, t in as_tensors(arrays).items()}
        return state

    def load_rollout_state(self, state: dict[str, torch.Tensor]) -> None:
        """Go on from what `rollout_state` gave, on however many nodes there are now."""
        self.close()
        self._games_before = [
            as_arrays(_part(f"shard.{shard}.", state)) for shard in range(self.config.shards)
        ]
        index = 0
        while f"task.{index}.counters" in state:
            start = f"task.{index}."
            iteration, progress, stage = state[f"{start}counters"].tolist()
            weights, snapshot = (
                as_arrays(_part(f"{start}{part}.", state)) for part in ("weights", "snapshot")
            )
            self._submit(
                RolloutTask(int(iteration), progress, Stage(int(stage)), weights, snapshot)
            )
            index += 1


def _part(start: str, tensors: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    return {
        name.removeprefix(start): tensor
        for name, tensor in tensors.items()
        if name.startswith(start)
    }
