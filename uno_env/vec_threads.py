"""Threads of a batch: each runs the same kernel on its own slice of the games."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np


class Threads:
    """A fixed number of threads; one means the caller's own, and no pool is made.

    Kernels release the interpreter's lock, so slices are worked on at the same time.
    """

    def __init__(self, threads: Any, num_envs: int) -> None:
        whole = isinstance(threads, (int, np.integer)) and not isinstance(threads, bool)
        if not whole or not 1 <= threads <= num_envs:
            raise ValueError(f"threads is {threads!r}; an integer from 1 to {num_envs} is needed")
        self.count = int(threads)
        self._pool: ThreadPoolExecutor | None = None
        if self.count > 1:
            self._pool = ThreadPoolExecutor(self.count - 1, thread_name_prefix="uno-vec")

    def slices(self, size: int) -> list[tuple[int, int]]:
        """Where each thread's part of so many games begins and ends."""
        bounds = [size * k // self.count for k in range(self.count + 1)]
        return list(pairwise(bounds))

    def run(self, kernel: Callable[..., Any], calls: list[tuple[Any, ...]]) -> list[Any]:
        """Call a kernel with each thread's arguments; the caller's thread takes the first."""
        if self._pool is None:
            return [kernel(*calls[0])]
        futures = [self._pool.submit(kernel, *call) for call in calls[1:]]
        mine = kernel(*calls[0])
        return [mine, *(future.result() for future in futures)]

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()


def first_illegal(found: list[int]) -> int:
    """The least index that some thread found, -1 if none did."""
    if len(found) == 1:
        return found[0]
    return min((index for index in found if index >= 0), default=-1)
