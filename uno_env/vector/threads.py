"""Threads of a batch: each runs the same kernel on its own slice of the games."""

import weakref
from collections.abc import Callable
from itertools import pairwise
from threading import Lock, Thread
from typing import Any

import numpy as np


class _Worker:
    """A thread that waits for calls of kernels.

    Two locks hand the work over and back. A step of a thousand games takes a tenth of a
    millisecond, of which the queue and the futures of a pool would be a good part.
    """

    def __init__(self, number: int) -> None:
        self._given, self._done = Lock(), Lock()
        self._given.acquire()
        self._done.acquire()
        self._job: tuple[Callable[..., Any], tuple[Any, ...]] | None = None
        self._found: Any = None
        self._error: BaseException | None = None
        self._thread = Thread(target=self._serve, name=f"uno-vec-{number}", daemon=True)
        self._thread.start()

    def begin(self, kernel: Callable[..., Any], call: tuple[Any, ...]) -> None:
        """Let the thread call a kernel; `wait` must follow."""
        self._job = kernel, call
        self._given.release()

    def wait(self) -> None:
        """Until the kernel has returned or raised."""
        self._done.acquire()

    def result(self) -> Any:
        """What the kernel returned or raised."""
        if self._error is not None:
            raise self._error
        return self._found

    def end(self) -> None:
        """End the thread."""
        self._job = None
        self._given.release()
        self._thread.join()

    def _serve(self) -> None:
        while True:
            self._given.acquire()
            if self._job is None:
                return
            kernel, call = self._job
            self._found = self._error = None
            try:
                self._found = kernel(*call)
            except BaseException as error:  # belongs to the caller of `result`
                self._error = error
            self._done.release()


def _end_all(workers: list[_Worker]) -> None:
    while workers:
        workers.pop().end()


class Threads:
    """A fixed number of threads; one means the caller's own, and none is made.

    Kernels release the interpreter's lock, so slices are worked on at the same time.
    """

    def __init__(self, threads: Any, num_envs: int) -> None:
        whole = isinstance(threads, (int, np.integer)) and not isinstance(threads, bool)
        if not whole or not 1 <= threads <= num_envs:
            raise ValueError(f"threads is {threads!r}; an integer from 1 to {num_envs} is needed")
        self.count = int(threads)
        self._workers: list[_Worker] = []
        self._end = weakref.finalize(self, _end_all, self._workers)

    def slices(self, size: int) -> list[tuple[int, int]]:
        """Where each thread's part of so many games begins and ends."""
        bounds = [size * k // self.count for k in range(self.count + 1)]
        return list(pairwise(bounds))

    def run(self, kernel: Callable[..., Any], calls: list[tuple[Any, ...]]) -> list[Any]:
        """Call a kernel with each thread's arguments; the caller's thread takes the first."""
        if self.count == 1:
            return [kernel(*calls[0])]
        if not self._end.alive:
            raise RuntimeError("the batch is closed; its threads have ended")
        # Made when first needed: many a batch only ever steps, which has threads of its own.
        if not self._workers:
            self._workers += [_Worker(number) for number in range(1, self.count)]
        for worker, call in zip(self._workers, calls[1:], strict=True):
            worker.begin(kernel, call)
        try:
            mine = kernel(*calls[0])
        finally:
            # Nobody may still be at work on the arrays when the caller goes on.
            for worker in self._workers:
                worker.wait()
        return [mine, *(worker.result() for worker in self._workers)]

    def close(self) -> None:
        """End the threads."""
        self._end()


def first_illegal(found: list[int]) -> int:
    """The least index that some thread found, -1 if none did."""
    if len(found) == 1:
        return found[0]
    return min((index for index in found if index >= 0), default=-1)
