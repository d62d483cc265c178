"""What a core of a Ray cluster is worth: rollouts of two workers beside the local loop.

    python -m benchmarks.scale --rounds 5

One round of games is played by the loop in this process and by as many workers as there are
shards, in turn, all with the same games and network; only playing is compared, not learning. Every
worker has one core. Processor time counts beside the clock, because on a busy machine the clock of
either tells mostly about the others.
"""

import argparse
import statistics
import time
from typing import Any, NamedTuple

from arena.ray_cluster import code_digest, joined
from train.config import TrainConfig
from train.ppo import Learner, Stage
from train.ray_learner import ClusterLearner
from train.ray_rollout import CODE, Order, Site, as_arrays, play_shard

TARGET = 0.8
WARM_UP = 2


class Speed(NamedTuple):
    """Decisions a second of one core: by its own processor time, and by the clock."""

    processor: float
    clock: float


def timed_shard(site: Site, shard: int, order: Order, before: Any) -> tuple[int, float, Any]:
    """A shard's round, with the processor time that its process took for it."""
    start = time.process_time()
    answer, after = play_shard(site, shard, order, before)
    # Sent back like a real one, so that its cost is the real one.
    return answer.played.decisions, time.process_time() - start, (answer, after)


class Local:
    """The loop in this process."""

    def __init__(self, config: TrainConfig) -> None:
        self._learner = Learner(config)

    def speed(self) -> Speed:
        """Of one round."""
        clock, processor = time.perf_counter(), time.process_time()
        _, played = self._learner.play(0.5, Stage.PLAY)
        used = time.process_time() - processor, time.perf_counter() - clock
        return Speed(played.decisions / used[0], played.decisions / used[1])


class Remote:
    """Workers of a cluster, one shard each."""

    def __init__(self, ray: Any, config: TrainConfig, workers: int) -> None:
        self._ray, self._games = ray, [ray.put({}) for _ in range(workers)]
        self._task = ray.remote(num_cpus=1)(timed_shard)
        self._site = ray.put(Site(code_digest(CODE), config.model_dump_json()))
        self._weights = as_arrays(Learner(config).network.state_dict())
        self._rounds = 0

    def speed(self) -> Speed:
        """Of one core, over one round of all."""
        clock, processor = time.perf_counter(), time.process_time()
        order = self._ray.put(Order(self._rounds, 0.5, False, self._weights, {}))
        tasks = [
            self._task.remote(self._site, shard, order, games)
            for shard, games in enumerate(self._games)
        ]
        answers = self._ray.get(tasks)
        elapsed = time.perf_counter() - clock
        # What giving out and fetching took here is a cost of the cluster too.
        processor = time.process_time() - processor + sum(used for _, used, _ in answers)
        self._games = [self._ray.put(after) for _, _, (_, after) in answers]
        self._rounds += 1
        decisions = sum(count for count, _, _ in answers)
        return Speed(decisions / processor, decisions / elapsed / len(tasks))


class Learning(NamedTuple):
    """What a decision costs whoever learns from it."""

    decisions_per_second: float
    """Of one core, by processor time, each decision learned from once."""

    bytes_per_decision: float


def learning(config: TrainConfig) -> Learning:
    """Measure one core that only learns, over a few rounds."""
    learner, speeds = Learner(config), []
    for _ in range(WARM_UP + 3):
        lesson, played = learner.play(0.5, Stage.PLAY)
        start = time.process_time()
        learner.learn(lesson, played, 0.5, Stage.PLAY)
        speeds.append(played.decisions / (time.process_time() - start))
    size = sum(column.nbytes for column in lesson) / len(lesson.action)
    return Learning(statistics.median(speeds[WARM_UP:]), size)


def whole_run(ray: Any, config: TrainConfig, shards: int, rounds: int) -> tuple[float, float]:
    """Decisions a second of games and learning together, and the share of waiting for games."""
    part = {"shards": shards, "num_envs": config.num_envs * shards}
    learner = ClusterLearner(config.model_copy(update=part), ray)
    for _ in range(WARM_UP):
        learner.round(0.5)
    learner.clock.seconds.clear()
    before, start = learner.decisions, time.perf_counter()
    for _ in range(rounds):
        learner.round(0.5)
    elapsed = time.perf_counter() - start
    learner.close()
    return (learner.decisions - before) / elapsed, learner.clock.seconds["waiting"] / elapsed


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=2, help="of the cluster (2)")
    parser.add_argument("--rounds", type=int, default=5, help="of each (5)")
    parser.add_argument("--games", type=int, default=512, help="of each core (512)")
    options = parser.parse_args()
    config = TrainConfig(num_players=(2,), num_envs=options.games, steps=64, epochs=1, threads=1)
    with joined("local", options.workers) as ray:
        local, remote = Local(config), Remote(ray, config, options.workers)
        for _ in range(WARM_UP):
            local.speed(), remote.speed()
        pairs = [(local.speed(), remote.speed()) for _ in range(options.rounds)]
        runs = {n: whole_run(ray, config, n, options.rounds) for n in range(1, options.workers + 1)}
    size = sum(array.nbytes for array in as_arrays(Learner(config).network.state_dict()).values())
    print(f"classic, 2 players, {options.games} games a core, {options.rounds} rounds each")
    print(f"weights of one order: {size / 1e6:.2f} MB")
    for name in Speed._fields:
        here = statistics.median(getattr(a, name) for a, _ in pairs)
        there = statistics.median(getattr(b, name) for _, b in pairs)
        print(f"{name:<10} local {here:9,.0f}  worker {there:9,.0f} decisions/s a core  "
              f"{there / here:6.1%}")  # fmt: skip
    ratio = statistics.median(b.processor / a.processor for a, b in pairs)
    print(f"median ratio by processor time {ratio:.1%} (at least {TARGET:.0%} is wanted)")
    learner = learning(config)
    print(f"learner {learner.decisions_per_second:,.0f} decisions/s a core by processor time, "
          f"{learner.bytes_per_decision:.0f} bytes a decision")  # fmt: skip
    for workers, (speed, waiting) in runs.items():
        print(f"whole run, {workers} workers and the learner: {speed:,.0f} decisions/s by the "
              f"clock, {waiting:.0%} of it waiting for games")  # fmt: skip


if __name__ == "__main__":
    main()
