"""The threads of a batch; `engine/lowlevel/worker_pool.py` says how they meet."""

import os
import time
import weakref
from threading import Lock, Thread
from typing import Any

import numpy as np

from ..engine.jit import IS_COMPILED
from ..engine.lowlevel import worker_pool as kernels

MAX_SPINS = 200_000
"""Looks at the newest task before a thread goes to sleep: some tenths of a millisecond."""


class _Sleeper:
    """Whether a worker is asleep, and how it is woken."""

    def __init__(self) -> None:
        self.guard, self.bell = Lock(), Lock()
        self.bell.acquire()
        self.is_asleep = False

    def wake(self) -> None:
        """Wake the worker if it sleeps. To be called after a task was published."""
        with self.guard:
            if self.is_asleep:
                self.is_asleep = False
                self.bell.release()

    def sleep(self, slots: Any, slot: int) -> None:
        """Sleep until woken, unless there is a task."""
        with self.guard:
            self.is_asleep = bool(slots[kernels.TASK] == slots[slot])
            is_asleep = self.is_asleep
        if is_asleep:
            self.bell.acquire()


def _work(slots: Any, slot: int, max_spins: int, call: tuple[Any, ...], sleeper: _Sleeper) -> None:
    while not kernels.work(slots, slot, max_spins, *call):
        sleeper.sleep(slots, slot)


class WorkerPool:
    """The caller's thread and others, each with a slice of the games.

    Args:
        step_calls: the arguments of each thread's steps.
        rngs: the generators of random actions, one a game.
    """

    def __init__(self, step_calls: list[tuple[Any, ...]], rngs: Any):
        calls = [(*call, rngs) for call in step_calls]
        self._call = calls[0]
        indices = [kernels.SLOT_STRIDE * number for number in range(1, len(calls))]
        self._slots = np.zeros(kernels.SLOT_STRIDE * len(calls), np.int64)
        # Spinning is no use if it takes the core from the thread that publishes tasks.
        self._max_spins = MAX_SPINS if IS_COMPILED and _cores() >= len(calls) else 0
        self._sleepers = [_Sleeper() for _ in indices]
        self._threads = [
            Thread(
                target=_work,
                name=f"uno-vec-{number}",
                args=(self._slots, slot, self._max_spins, call, sleeper),
                daemon=True,
            )
            for number, (slot, call, sleeper) in enumerate(
                zip(indices, calls[1:], self._sleepers, strict=True), start=1
            )
        ]
        self._task = 0
        for thread in self._threads:
            thread.start()
        self._end = weakref.finalize(self, _end, self._slots, self._sleepers, self._threads)

    def step(self) -> int:
        """One action in each game; the first index whose action was illegal, -1 if none."""
        return self._run(kernels.STEP)

    def choose(self) -> None:
        """A random action for each game."""
        self._run(kernels.CHOOSE)

    def _run(self, kind: int) -> int:
        if not self._end.alive:
            raise RuntimeError("the batch is closed; its threads have ended")
        self._task += kernels.TASK_KINDS
        task = self._task + kind
        for sleeper in self._sleepers:
            if sleeper.is_asleep:
                self._wake_all(task)
                break
        found = kernels.TIMED_OUT
        try:
            found = kernels.run_task(self._slots, task, self._max_spins, *self._call)
        finally:
            # No worker may still use the arrays when the caller goes on.
            while found == kernels.TIMED_OUT:
                self._wake_all(task)
                if not all(thread.is_alive() for thread in self._threads):
                    raise RuntimeError(
                        "a thread of the batch is gone; after a fork, make the batch in the child"
                    )
                time.sleep(0)
                found = kernels.wait(self._slots, task, self._max_spins)
        return int(found)

    def _wake_all(self, task: int) -> None:
        kernels.publish(self._slots, task)
        for sleeper in self._sleepers:
            sleeper.wake()

    def close(self) -> None:
        """End the threads."""
        self._end()


def _end(slots: Any, sleepers: list[_Sleeper], threads: list[Thread]) -> None:
    # The last task: no other has all of these bits.
    kernels.publish(slots, -kernels.TASK_KINDS + kernels.STOP)
    for sleeper in sleepers:
        sleeper.wake()
    for thread in threads:
        thread.join()


def _cores() -> int:
    """Cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
