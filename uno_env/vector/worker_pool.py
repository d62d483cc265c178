"""WorkerPool: the threads that share the work of a batch.

Steps and random choices run without Python in between: workers spin for a moment on the newest
task (`engine/lowlevel/worker_pool.py`) before they go to sleep. Any other kernel is handed over by
locks. Kernels release the interpreter's lock, so slices are worked on at the same time.
"""

import os
import time
import weakref
from collections.abc import Callable
from itertools import pairwise
from threading import Lock, Thread
from typing import Any

import numpy as np

from ..engine.jit import IS_COMPILED
from ..engine.lowlevel import worker_pool as kernels

MAX_SPINS = 200_000
"""Looks at the newest task before a thread goes to sleep: some tenths of a millisecond."""

Call = tuple[Callable[..., Any], tuple[Any, ...]]


class _Worker:
    """One thread: asleep, spinning on tasks, or running a call.

    A step of a thousand games takes a tenth of a millisecond, of which the queue and the futures
    of an executor would be a good part; hence bare locks.
    """

    def __init__(self, number: int, slots: Any, max_spins: int, step_call: tuple[Any, ...]):
        self._guard, self._bell, self._done = Lock(), Lock(), Lock()
        self._bell.acquire()
        self._done.acquire()
        self._slots, self._slot = slots, kernels.SLOT_STRIDE * number
        self._max_spins, self._step_call = max_spins, step_call
        self._call: Call | None = None
        self._result: Any = None
        self._error: BaseException | None = None
        self._is_stopped = False
        self.is_asleep = False
        self.thread = Thread(target=self._serve, name=f"uno-vec-{number}", daemon=True)
        self.thread.start()

    def wake(self) -> None:
        """Wake the worker if it sleeps. To be called after a task was published."""
        with self._guard:
            if self.is_asleep:
                self.is_asleep = False
                self._bell.release()

    def begin(self, call: Call) -> None:
        """Hand over a call; `wait` must follow."""
        with self._guard:
            self._call = call
        self.wake()

    def wait(self) -> None:
        """Until the call has returned or raised."""
        self._done.acquire()

    def result(self) -> Any:
        """What the call returned or raised."""
        if self._error is not None:
            raise self._error
        return self._result

    def stop(self) -> None:
        """End the thread. To be called after the stop task was published."""
        self._is_stopped = True
        self.wake()
        self.thread.join()

    def _serve(self) -> None:
        while True:
            self._sleep_until_needed()
            if self._is_stopped:
                return
            if self._call is not None:
                self._run(self._call)
            elif self._step_call and self._has_task():
                kernels.work(self._slots, self._slot, self._max_spins, *self._step_call)

    def _sleep_until_needed(self) -> None:
        with self._guard:
            is_needed = self._is_stopped or self._call is not None or self._has_task()
            self.is_asleep = not is_needed
        if not is_needed:
            self._bell.acquire()

    def _has_task(self) -> bool:
        return bool(self._slots[kernels.TASK] != self._slots[self._slot])

    def _run(self, call: Call) -> None:
        kernel, arguments = call
        self._call = self._result = self._error = None
        try:
            self._result = kernel(*arguments)
        except BaseException as error:  # belongs to the caller of `result`
            self._error = error
        self._done.release()


class WorkerPool:
    """The caller's thread and others, each with a slice of the games.

    Args:
        threads: how many, the caller's included; with one, none is made.
        max_threads: the most that make sense, one a game.
    """

    def __init__(self, threads: Any, max_threads: int) -> None:
        whole = isinstance(threads, (int, np.integer)) and not isinstance(threads, bool)
        if not whole or not 1 <= threads <= max_threads:
            raise ValueError(
                f"threads is {threads!r}; an integer from 1 to {max_threads} is needed"
            )
        self.count = int(threads)
        self._slots = np.zeros(kernels.SLOT_STRIDE * self.count, np.int64)
        # Spinning is no use if it takes the core from the thread that publishes tasks.
        self._max_spins = MAX_SPINS if IS_COMPILED and _cores() >= self.count else 0
        self._step_calls: list[tuple[Any, ...]] = []
        self._task = 0
        self._workers: list[_Worker] = []
        self._end = weakref.finalize(self, _end, self._slots, self._workers)

    def slices(self, size: int) -> list[tuple[int, int]]:
        """Where each thread's slice of so many games begins and ends."""
        bounds = [size * k // self.count for k in range(self.count + 1)]
        return list(pairwise(bounds))

    def prepare_steps(self, step_calls: list[tuple[Any, ...]], rngs: Any) -> None:
        """Set each thread's arguments of `step` and `choose`, which never change.

        Args:
            step_calls: the arguments of `step_batch`.
            rngs: the generators of random actions, one a game.
        """
        self._step_calls = [(*call, rngs) for call in step_calls]

    def step(self) -> int:
        """One action in each game; the first index whose action was illegal, -1 if none."""
        return self._run_task(kernels.STEP)

    def choose(self) -> None:
        """A random action for each game."""
        self._run_task(kernels.CHOOSE)

    def run(self, kernel: Callable[..., Any], calls: list[tuple[Any, ...]]) -> list[Any]:
        """Call a kernel with each thread's arguments; the caller's thread takes the first."""
        if self.count == 1:
            return [kernel(*calls[0])]
        workers = self._ready_workers()
        self._check_alive()
        for worker, call in zip(workers, calls[1:], strict=True):
            worker.begin((kernel, call))
        try:
            own = kernel(*calls[0])
        finally:
            # No worker may still use the arrays when the caller goes on.
            for worker in workers:
                worker.wait()
        return [own, *(worker.result() for worker in workers)]

    def _ready_workers(self) -> list[_Worker]:
        if not self._end.alive:
            raise RuntimeError("the batch is closed; its threads have ended")
        if not self._workers:
            calls = self._step_calls or [()] * self.count
            self._workers += [
                _Worker(number, self._slots, self._max_spins, calls[number])
                for number in range(1, self.count)
            ]
        return self._workers

    def _check_alive(self) -> None:
        if not all(worker.thread.is_alive() for worker in self._workers):
            raise RuntimeError(
                "a thread of the batch is gone; after a fork, make the batch in the child"
            )

    def _run_task(self, kind: int) -> int:
        workers = self._ready_workers()
        self._task += kernels.TASK_KINDS
        task = self._task + kind
        if any(worker.is_asleep for worker in workers):
            self._wake_all(task)
        found = kernels.TIMED_OUT
        try:
            found = kernels.run_task(self._slots, task, self._max_spins, *self._step_calls[0])
        finally:
            # No worker may still use the arrays when the caller goes on.
            while found == kernels.TIMED_OUT:
                self._wake_all(task)
                self._check_alive()
                time.sleep(0)
                found = kernels.wait(self._slots, task, self._max_spins)
        return int(found)

    def _wake_all(self, task: int) -> None:
        kernels.publish(self._slots, task)
        for worker in self._workers:
            worker.wake()

    def close(self) -> None:
        """End the threads."""
        self._end()


def _end(slots: Any, workers: list[_Worker]) -> None:
    if workers:
        # The last task: no other has all of these bits.
        kernels.publish(slots, -kernels.TASK_KINDS + kernels.STOP)
    while workers:
        workers.pop().stop()


def first_illegal(found: list[int]) -> int:
    """The least index that some thread found, -1 if none did."""
    if len(found) == 1:
        return found[0]
    return min((index for index in found if index >= 0), default=-1)


def _cores() -> int:
    """Cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
