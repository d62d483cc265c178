"""Does the model of docs/scale.md foretell whole runs? Predictions, measurements and errors.

    python -m benchmarks.scale_model --rounds 8

The model knows a run by four costs of one core: playing a decision, learning from it once, and what
Ray adds to either. The first two are measured in this process without Ray, for each width of the
network; what Ray adds is measured once, at the first width with one worker. Everything else
is foretold: decisions/s = min(workers / playing, 1 / (epochs x learning)).

Then the runs are made: a learner and its workers. Each task and each round of learning leaves its
processor time, and they are laid on a time line as if every process had a core of its own, with
the waiting that lag and shards force upon them. So other users of the machine hardly matter, but
whatever the model has left out does: more epochs or wider layers that cost other than their share,
rounds that wait for the slower shard, and the work of the learner's process besides learning.
"""

import argparse
import itertools
import os
import statistics
import sys
import time
from collections import defaultdict
from typing import Any, NamedTuple

import numpy as np
from uno_arena.play.ray_cluster import joined
from uno_train.config import TrainConfig
from uno_train.ppo import Learner
from uno_train.ray.learner import ClusterLearner
from uno_train.ray.rollout import Arrays, RolloutResult, RolloutTask, RunInfo, play_shard
from uno_train.schedule import Stage

WARM_UP = 2
WIDTHS = (256, 128, 512)
"""What Ray adds is taken from the first."""


class Costs(NamedTuple):
    """Seconds of a core for one decision."""

    playing: float
    learning: float


class Run(NamedTuple):
    """A configuration to foretell."""

    width: int
    workers: int
    epochs: int


def config_of(run: Run, games: int) -> TrainConfig:
    """The run, with so many games a worker."""
    return TrainConfig(
        players=(2,), num_envs=games * run.workers, shards=run.workers, rollout_steps=64, threads=1,
        hidden=(run.width, run.width), epochs=run.epochs, lag=1,
    )  # fmt: skip


class Alone:
    """One core without Ray, one epoch."""

    def __init__(self, width: int, games: int) -> None:
        run = config_of(Run(width, 1, 1), games)
        self._learner = Learner(run.model_copy(update={"shards": 0}))

    def costs(self) -> Costs:
        """Of one round."""
        start = time.process_time()
        batch, counts = self._learner.collect(0.5, Stage.PPO)
        between = time.process_time()
        self._learner.update(batch, counts, 0.5, Stage.PPO)
        end = time.process_time()
        return Costs((between - start) / counts.decisions, (end - between) / counts.decisions)


def timed_shard(
    site: RunInfo, shard: int, order: RolloutTask, before: Any
) -> tuple[RolloutResult, Arrays]:
    """Play as a node does; the processor time of its process travels with the games."""
    answer, after = play_shard(site, shard, order, before)
    after["processor"] = np.array([os.getpid(), time.process_time()])
    return answer, after


class Measured(NamedTuple):
    """What a whole run came to."""

    costs: Costs
    speed: float
    """Decisions a second on the time line, every process on a core of its own."""

    clock: float
    """The same as it was, on a machine that others use too."""


def measure(ray: Any, run: Run, games: int, rounds: int) -> Measured:
    """Make a run; what its processes spent."""
    learner = ClusterLearner(config_of(run, games), ray)
    learner._play = ray.remote(num_cpus=1, num_returns=2, max_retries=-1)(timed_shard)
    ends: list[list[tuple[float, float]]] = []
    learning, clock = [], []
    for _ in range(WARM_UP + rounds):
        start, before = time.perf_counter(), time.process_time()
        learner.iteration(0.5)
        learning.append(time.process_time() - before)
        clock.append(time.perf_counter() - start)
        ends.append([tuple(part["processor"]) for part in learner._games_before])
    learner.close()
    playing = spent(ends)[WARM_UP:]
    learning, decisions = learning[WARM_UP:], 64 * games * run.workers
    costs = Costs(
        statistics.median(itertools.chain(*playing)) * run.workers / decisions,
        statistics.median(learning) / decisions,
    )
    elapsed = sum(clock[WARM_UP:]) / rounds
    return Measured(costs, decisions / time_line(playing, learning, lag=1), decisions / elapsed)


def spent(ends: list[list[tuple[float, float]]]) -> list[list[float]]:
    """Each task's processor time: since the end of the task that its process had before."""
    before: defaultdict[float, float] = defaultdict(float)
    table = []
    for row in ends:
        table.append([0.0] * len(row))
        # A process may have had two shards of a round; the earlier end is the earlier task.
        for shard, (process, end) in sorted(enumerate(row), key=lambda item: item[1][1]):
            table[-1][shard] = end - before[process]
            before[process] = end
    return table


def time_line(playing: list[list[float]], learning: list[float], lag: int) -> float:
    """Seconds a round once all are busy, if every shard and the learner have a core each."""
    shards = np.zeros(len(playing[0]))
    learned: list[float] = []
    for number, costs in enumerate(playing):
        weights = learned[number - lag - 1] if number > lag else 0.0
        shards = np.maximum(shards, weights) + costs
        free = learned[-1] if learned else 0.0
        learned.append(max(float(shards.max()), free) + learning[number])
    # The first round has nobody to overlap with.
    return (learned[-1] - learned[0]) / (len(learned) - 1)


def foretell(run: Run, alone: Costs, added: Costs) -> float:
    """The model: decisions a second."""
    playing = alone.playing + added.playing
    learning = run.epochs * alone.learning + added.learning
    return min(run.workers / playing, 1 / learning)


def middle(costs: list[Costs]) -> Costs:
    """The median of each cost."""
    return Costs(*(statistics.median(column) for column in zip(*costs, strict=True)))


def main() -> None:
    """Measure, foretell and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=8, help="of each run (8)")
    parser.add_argument("--repeats", type=int, default=3, help="of all runs, in turn (3)")
    parser.add_argument("--games", type=int, default=512, help="of each worker (512)")
    options = parser.parse_args()
    runs = [Run(*kind) for kind in itertools.product(WIDTHS, (1, 2), (1, 2))]
    alone: dict[int, list[Costs]] = {width: [] for width in WIDTHS}
    found: dict[Run, list[Measured]] = {run: [] for run in runs}
    with joined("local", max(run.workers for run in runs)) as ray:
        loops = {width: Alone(width, options.games) for width in WIDTHS}
        for loop in loops.values():
            loop.costs()
        for _, run in itertools.product(range(options.repeats), runs):
            # Beside each run, so that both have the machine in the same state.
            alone[run.width] += [loops[run.width].costs() for _ in range(options.rounds // 2)]
            found[run].append(measure(ray, run, options.games, options.rounds))
            print(run, middle(alone[run.width]), found[run][-1], file=sys.stderr, flush=True)
    report(runs, {width: middle(costs) for width, costs in alone.items()}, found)
    print(f"{options.repeats} times {options.rounds} rounds of each, medians; load "
          f"{os.getloadavg()[0]:.1f}")  # fmt: skip


def report(runs: list[Run], alone: dict[int, Costs], found: dict[Run, list[Measured]]) -> None:
    """The table."""
    for width, costs in alone.items():
        print(f"network {width}: playing {costs.playing * 1e6:.1f} us, learning "
              f"{costs.learning * 1e6:.1f} us a decision, without Ray")  # fmt: skip
    first = middle([each.costs for each in found[runs[0]]])
    added = Costs(
        *(with_ray - bare for with_ray, bare in zip(first, alone[WIDTHS[0]], strict=True))
    )
    print(f"Ray adds {added.playing * 1e6:.1f} us to playing, {added.learning * 1e6:.1f} us to "
          "learning")  # fmt: skip
    print("| network | workers | epochs | foretold | measured (spread) | error | by the clock |")
    print("|---|---|---|---|---|---|---|")
    for run in runs:
        speeds = sorted(each.speed for each in found[run])
        speed, clock = statistics.median(speeds), statistics.median(e.clock for e in found[run])
        guess = foretell(run, alone[run.width], added)
        print(f"| {run.width} | {run.workers} | {run.epochs} | {guess:,.0f} | {speed:,.0f} "
              f"({speeds[0]:,.0f} to {speeds[-1]:,.0f}) | {guess / speed - 1:+.0%} | {clock:,.0f} |"
        )  # fmt: skip


if __name__ == "__main__":
    main()
