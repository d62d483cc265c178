"""Threads of a batch that step it again and again; see `engine/shifts.py` for how they meet."""

import os
import time
import weakref
from threading import Lock, Thread
from typing import Any

import numpy as np

from ..engine.jit import IS_COMPILED
from ..engine.lowlevel import worker_pool as shifts

PATIENCE = 200_000
"""Looks at the box before a thread goes to sleep: some tenths of a millisecond."""


class _Sleeper:
    """Whether a worker is asleep, and how it is woken."""

    def __init__(self) -> None:
        self.guard, self.bell = Lock(), Lock()
        self.bell.acquire()
        self.is_asleep = False

    def wake(self) -> None:
        """Wake the worker if it sleeps. To be called after a ticket was given."""
        with self.guard:
            if self.is_asleep:
                self.is_asleep = False
                self.bell.release()

    def sleep(self, box: Any, place: int) -> None:
        """Sleep until woken, unless there is work."""
        with self.guard:
            self.is_asleep = bool(box[shifts.GIVEN] == box[place])
            is_asleep = self.is_asleep
        if is_asleep:
            self.bell.acquire()


def _work(box: Any, place: int, patience: int, call: tuple[Any, ...], sleeper: _Sleeper) -> None:
    while not shifts.work(box, place, patience, *call):
        sleeper.sleep(box, place)


class Shifts:
    """The caller's thread and others, each with a part of the games.

    Args:
        step_calls: the arguments of each thread's steps.
        streams: the luck of random choices.
    """

    def __init__(self, step_calls: list[tuple[Any, ...]], streams: Any):
        calls = [(*call, streams) for call in step_calls]
        self._call = calls[0]
        places = [shifts.APART * number for number in range(1, len(calls))]
        self._box = np.zeros(shifts.APART * len(calls), np.int64)
        # Staying awake for work is no use if that takes the core from whoever gives it.
        self._patience = PATIENCE if IS_COMPILED and _cores() >= len(calls) else 0
        self._sleepers = [_Sleeper() for _ in places]
        self._threads = [
            Thread(
                target=_work,
                name=f"uno-vec-{number}",
                args=(self._box, place, self._patience, call, sleeper),
                daemon=True,
            )
            for number, (place, call, sleeper) in enumerate(
                zip(places, calls[1:], self._sleepers, strict=True), start=1
            )
        ]
        self._ticket = 0
        for thread in self._threads:
            thread.start()
        self._end = weakref.finalize(self, _end, self._box, self._sleepers, self._threads)

    def step(self) -> int:
        """One action in each game; the first index whose action was illegal, -1 if none."""
        return self._run(shifts.STEP)

    def choose(self) -> None:
        """A random action for each game."""
        self._run(shifts.CHOOSE)

    def _run(self, kind: int) -> int:
        if not self._end.alive:
            raise RuntimeError("the batch is closed; its threads have ended")
        self._ticket += shifts.KINDS
        ticket = self._ticket + kind
        for sleeper in self._sleepers:
            if sleeper.is_asleep:
                self._wake_all(ticket)
                break
        found = shifts.LATE
        try:
            found = shifts.lead(self._box, ticket, self._patience, *self._call)
        finally:
            # Nobody may still be at work on the arrays when the caller goes on.
            while found == shifts.LATE:
                self._wake_all(ticket)
                if not all(thread.is_alive() for thread in self._threads):
                    raise RuntimeError(
                        "a thread of the batch is gone; after a fork, make the batch in the child"
                    )
                time.sleep(0)
                found = shifts.wait(self._box, ticket, self._patience)
        return int(found)

    def _wake_all(self, ticket: int) -> None:
        shifts.give(self._box, ticket)
        for sleeper in self._sleepers:
            sleeper.wake()

    def close(self) -> None:
        """End the threads."""
        self._end()


def _end(box: Any, sleepers: list[_Sleeper], threads: list[Thread]) -> None:
    # No other ticket has all of these bits, and none comes after it.
    shifts.give(box, -shifts.KINDS + shifts.LEAVE)
    for sleeper in sleepers:
        sleeper.wake()
    for thread in threads:
        thread.join()


def _cores() -> int:
    """Cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
