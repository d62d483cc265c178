"""What a core of a Ray cluster is worth: rollouts of two workers beside the local loop.

    python -m benchmarks.scale --rounds 9

Both play the same rounds with the same network, in turn: the loop of `uno-train` in this process,
then as many Ray workers as there are shards, one core each. Only playing is compared, not learning.

A worker's processor time is that of its whole process from the end of one task to the end of the
next, so it holds what Ray spends there on fetching weights and games and on sending batches. What
this process spends on giving out and fetching is added. The loop's own is all that it does. On a
busy machine wall-clock time mainly measures the others, so it is shown but not compared.
"""

import argparse
import os
import statistics
import time
from collections import defaultdict
from typing import Any, NamedTuple

from uno_arena.code_version import code_digest
from uno_arena.play.ray_cluster import joined
from uno_train.config import TrainConfig
from uno_train.ppo import Learner
from uno_train.ray.rollout import (
    CODE,
    Arrays,
    RolloutResult,
    RolloutTask,
    RunInfo,
    as_arrays,
    play_shard,
)
from uno_train.schedule import Stage

TARGET = 0.8
WARM_UP = 2


class Speed(NamedTuple):
    """Decisions a second of one core: by processor time, and by the clock."""

    processor: float
    clock: float


class Timed(NamedTuple):
    """A shard's round, and the processor time of its process since that began."""

    result: RolloutResult
    games: Arrays
    process: int
    processor: float


def timed_shard(site: RunInfo, shard: int, order: RolloutTask, before: Any) -> Timed:
    """Play as a node does."""
    # Sent back like a real one, so that its cost is the real one.
    answer, after = play_shard(site, shard, order, before)
    return Timed(answer, after, os.getpid(), time.process_time())


class Local:
    """The loop in this process."""

    def __init__(self, config: TrainConfig) -> None:
        self._learner = Learner(config)

    def speed(self) -> Speed:
        """Of one round."""
        clock, processor = time.perf_counter(), time.process_time()
        _, counts = self._learner.collect(0.5, Stage.PPO)
        used = time.process_time() - processor, time.perf_counter() - clock
        return Speed(counts.decisions / used[0], counts.decisions / used[1])


class Remote:
    """Workers of a cluster, one shard each."""

    def __init__(self, ray: Any, config: TrainConfig, workers: int) -> None:
        self._ray, self._games = ray, [ray.put({}) for _ in range(workers)]
        self._task = ray.remote(num_cpus=1)(timed_shard)
        self._site = ray.put(RunInfo(code_digest(CODE), config.model_dump_json()))
        self._weights = as_arrays(Learner(config).network.state_dict())
        self._rounds = 0
        self._before: defaultdict[int, float] = defaultdict(float)
        """Processor time of each worker's process at the end of its last task."""

    def speed(self) -> Speed:
        """Of one core, over one round of all."""
        clock, processor = time.perf_counter(), time.process_time()
        order = self._ray.put(RolloutTask(self._rounds, 0.5, Stage.PPO, self._weights, {}))
        tasks = [
            self._task.remote(self._site, shard, order, games)
            for shard, games in enumerate(self._games)
        ]
        answers: list[Timed] = self._ray.get(tasks)
        self._games = [self._ray.put(answer.games) for answer in answers]
        elapsed, here = time.perf_counter() - clock, time.process_time() - processor
        there = 0.0
        for answer in sorted(answers, key=lambda answer: answer.processor):
            there += answer.processor - self._before[answer.process]
            self._before[answer.process] = answer.processor
        self._rounds += 1
        decisions = sum(answer.result.counts.decisions for answer in answers)
        return Speed(decisions / (here + there), decisions / elapsed / len(tasks))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=2, help="of the cluster (2)")
    parser.add_argument("--rounds", type=int, default=9, help="of each (9)")
    parser.add_argument("--games", type=int, default=512, help="of each core (512)")
    options = parser.parse_args()
    config = TrainConfig(
        players=(2,), num_envs=options.games, rollout_steps=64, epochs=1, threads=1
    )
    with joined("local", options.workers) as ray:
        local, remote = Local(config), Remote(ray, config, options.workers)
        for _ in range(WARM_UP):
            local.speed(), remote.speed()
        pairs = [(local.speed(), remote.speed()) for _ in range(options.rounds)]
    load = os.getloadavg()[0]
    print(f"classic, 2 players, {options.games} games a core, network {config.hidden}, "
          f"{options.rounds} rounds of each in turn, load of the machine {load:.1f}")  # fmt: skip
    for name in Speed._fields:
        here = statistics.median(getattr(a, name) for a, _ in pairs)
        there = statistics.median(getattr(b, name) for _, b in pairs)
        print(f"{name:<10} local loop {here:9,.0f}  one of {options.workers} workers {there:9,.0f}"
              " decisions/s a core")  # fmt: skip
    ratios = sorted(b.processor / a.processor for a, b in pairs)
    print(f"ratio by processor time, median of the pairs: {statistics.median(ratios):.1%} "
          f"({ratios[0]:.1%} to {ratios[-1]:.1%}; at least {TARGET:.0%} is wanted)")  # fmt: skip


if __name__ == "__main__":
    main()
