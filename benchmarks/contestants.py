"""What `benchmarks.engine` measures: each function returns a workload that times itself."""

import random
import statistics
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import rlcard

import uno_env
from uno_env.engine import batch
from uno_env.engine.observation.event_log import new_logs
from uno_env.engine.rules_record import rules_table
from uno_env.engine.state import STATE, new_records

BATCH = 256
MIDDLE_BATCH, LARGE_BATCH = 512, 1024
PLAYERS = 4
LAP = 0.25
"""Seconds of each workload in a round."""

TOGETHER = 128
"""Games of one call of a rollout: they are played one after the other."""
UNLIMITED = 1 << 40


class Lap(NamedTuple):
    """One measured stretch."""

    done: int
    cpu: float
    wall: float


def timed(work: Callable[[], int]) -> Lap:
    """Run a workload once."""
    cpu = time.process_time()
    wall = time.perf_counter()
    done = work()
    # The wall clock first: the other one takes long while a second thread is awake.
    wall = time.perf_counter() - wall
    return Lap(done, time.process_time() - cpu, wall)


def repeated(work: Callable[[], int], prepare: Callable[[], object] = int) -> Callable[[], Lap]:
    """Run a workload again and again for a while; `prepare` runs outside the measured time.

    Reading the CPU clock takes about a hundredth of a batch step, so the time of an empty workload
    is subtracted.
    """

    def run() -> Lap:
        nothing = [timed(int) for _ in range(1000)]
        cpu = statistics.median(lap.cpu for lap in nothing)
        wall = statistics.median(lap.wall for lap in nothing)
        laps = []
        rest = LAP
        while rest > 0:
            prepare()
            laps.append(timed(work))
            rest -= laps[-1].wall
        return Lap(
            sum(lap.done for lap in laps),
            sum(lap.cpu - cpu for lap in laps),
            sum(lap.wall - wall for lap in laps),
        )

    return run


def rlcard_steps() -> Callable[[], Lap]:
    """RLCard's environment as its users step it, with two players, the table it offers."""
    env = rlcard.make("uno", config={"seed": 0})
    choose = random.Random(0).choice  # noqa: S311 (random play, not a secret)
    state = env.reset()[0]

    def work() -> int:
        nonlocal state
        for _ in range(500):
            state = env.step(choose(list(state["legal_actions"])))[0]
            if env.is_over():
                state = env.reset()[0]
        return 500

    return repeated(work)


def batch_steps(
    variant: str, *, is_choice_timed: bool, threads: int = 1, games: int = BATCH
) -> Callable[[], Lap]:
    """A batch stepped with random legal actions, chosen within the measured time or before it."""
    v = uno_env.vec(variant, games, PLAYERS, seed=1, threads=threads)
    v.reset()
    actions = v.random_actions()

    def step() -> int:
        v.step(actions)
        return games

    def choose_and_step() -> int:
        for _ in range(20):
            v.step(v.random_actions())
        return 20 * games

    return repeated(choose_and_step) if is_choice_timed else repeated(step, v.random_actions)


def rollouts(variant: str) -> Callable[[], Lap]:
    """Whole random games without observations, their deals included."""
    engine = (
        new_records(TOGETHER, STATE),
        rules_table([uno_env.Rules.preset(variant)]),
        new_logs(0),
    )
    rule, players = np.zeros(TOGETHER, np.int64), np.full(TOGETHER, PLAYERS, np.int64)
    seeds = np.arange(TOGETHER, dtype=np.uint64)
    rngs = seeds + np.uint64(1 << 32)

    def work() -> int:
        batch.deal_batch(*engine, 0, TOGETHER, rule, players, seeds, 0)
        seeds[:] += np.uint64(TOGETHER)
        return int(batch.rollout_batch(*engine, 0, TOGETHER, rngs, UNLIMITED))

    return repeated(work)


def clones() -> Callable[[], Lap]:
    """One game copied over a batch."""
    v = uno_env.vec("classic", BATCH, PLAYERS, seed=2)
    v.reset()

    def work() -> int:
        batch.clone_games(v.engine_arrays.games, 0, 1, BATCH)
        return BATCH - 1

    return repeated(work)
