"""Micro-batching: requests that arrive together are decided in one call of the bot.

No request waits for others: an idle bot is called with whatever has arrived in this turn of the
event loop, and what arrives during the call is the next batch. The bot runs in a thread of its
own, so the loop keeps reading requests meanwhile; it is woken once a batch.
"""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Generic, TypeVar

import numpy as np

from uno_env.actions import NUM_ACTIONS
from uno_env.array_types import Bytes
from uno_env.envs.observation_spec import OBS_SIZE

from ..errors import ApiError

Result = TypeVar("Result")
SHARED_SECONDS = 0.01
"""How long an urgent request may have to wait for a batch of others."""
REMEMBERED_SECONDS = 10.0
"""So long after an urgent request another one is expected."""


class Batcher(Generic[Result]):
    """The request queue of one bot.

    Args:
        decide: a batch of observations and masks to one result each; runs in `thread`.
        thread: an executor with one worker.
        max_batch: largest batch.
        wait: seconds to wait for more requests before an idle bot is called.
        max_waiting: longest queue; further requests are refused as `busy`.
        timeout: seconds after which a call has failed; no other starts until it returns.
        on_batch: called with the size of every batch.
        row_seconds: expected time of one decision in a batch.

    While urgent requests come, the others are decided in batches of at most `SHARED_SECONDS`, and
    never together with urgent ones.
    """

    def __init__(
        self,
        decide: Callable[[Bytes, Bytes], Sequence[Result]],
        thread: ThreadPoolExecutor,
        max_batch: int,
        wait: float,
        max_waiting: int,
        timeout: float,
        on_batch: Callable[[int], None],
        row_seconds: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self._decide, self._thread = decide, thread
        self._max_batch, self._wait, self._max_waiting = max_batch, wait, max_waiting
        self._timeout, self._on_batch, self._row_seconds = timeout, on_batch, row_seconds
        self._shared_until = 0.0
        self._loop = asyncio.get_running_loop()
        self._queue: list[tuple[bytes, bytes, asyncio.Future[Result]]] = []
        self._urgent: list[tuple[bytes, bytes, asyncio.Future[Result]]] = []
        self._running: list[asyncio.Future[Result]] = []
        self._is_scheduled = False
        self._is_hung = False

    def submit(self, obs: bytes, mask: bytes, is_urgent: bool = False) -> "asyncio.Future[Result]":
        """A future of the result of one request; a cancelled one is left out of its batch.

        Args:
            is_urgent: goes ahead of all that are not.
        """
        if self._is_hung:
            raise ApiError("bot_timeout", "the bot hangs", retry_after=self._timeout)
        queue = self._urgent if is_urgent else self._queue
        if len(queue) >= self._max_waiting:
            raise ApiError("busy", "too many decisions are waiting for this bot", retry_after=1)
        if is_urgent:
            self._shared_until = self._loop.time() + REMEMBERED_SECONDS
        future: asyncio.Future[Result] = self._loop.create_future()
        queue.append((obs, mask, future))
        if not self._is_scheduled:
            self._is_scheduled = True
            # After the callbacks of this turn of the loop, which bring the requests that arrived
            # together.
            if self._wait:
                self._loop.call_later(self._wait, self._run_batch)
            else:
                self._loop.call_soon(self._run_batch)
        return future

    def _run_batch(self) -> None:
        """Hand the next batch to the bot."""
        batch = self._next_batch()
        if not batch:
            self._is_scheduled = False
            return
        # Writable, as every environment's arrays are: kernels are compiled for those.
        obs = np.frombuffer(bytearray().join([entry[0] for entry in batch]), np.uint8)
        mask = np.frombuffer(bytearray().join([entry[1] for entry in batch]), np.uint8)
        self._running = [entry[2] for entry in batch]
        self._on_batch(len(batch))
        timer = self._loop.call_later(self._timeout, self._time_out)
        call = self._thread.submit(
            self._decide, obs.reshape(-1, OBS_SIZE), mask.reshape(-1, NUM_ACTIONS)
        )
        call.add_done_callback(
            lambda done: self._loop.call_soon_threadsafe(self._finish, done, timer)
        )

    def _next_batch(self) -> "list[tuple[bytes, bytes, asyncio.Future[Result]]]":
        """The next requests that somebody waits for, the urgent ones first."""
        batch: list[tuple[bytes, bytes, asyncio.Future[Result]]] = []
        for queue, most in ((self._urgent, self._max_batch), (self._queue, self._most_others())):
            taken = 0
            for entry in queue:
                if len(batch) == most:
                    break
                taken += 1
                if not entry[2].done():
                    batch.append(entry)
            del queue[:taken]
            if batch:
                break
        return batch

    def _most_others(self) -> int:
        """How many requests that are not urgent are decided at once."""
        if self._loop.time() > self._shared_until:
            return self._max_batch
        short = int(SHARED_SECONDS / max(self._row_seconds(), 1e-9))
        return min(max(short, 1), self._max_batch)

    def _time_out(self) -> None:
        self._is_hung = True
        futures = [*self._running, *(entry[2] for entry in [*self._urgent, *self._queue])]
        self._urgent.clear()
        self._queue.clear()
        self._running = []
        _fail(futures, "bot_timeout", "the bot took too long")

    def _finish(self, call: "Future[Sequence[Result]]", timer: asyncio.TimerHandle) -> None:
        timer.cancel()
        futures, self._running = self._running, []
        self._is_scheduled = self._is_hung = False
        if self._urgent or self._queue:
            # Before the results are sent, so that the bot computes while they are written.
            self._is_scheduled = True
            self._run_batch()
        error = call.exception()
        if error is not None:
            _fail(futures, "bot_failed", f"the bot failed: {type(error).__name__}")
            return
        # After a timeout no future is left.
        for future, result in zip(futures, call.result(), strict=bool(futures)):
            if not future.done():
                future.set_result(result)


def _fail(futures: "Sequence[asyncio.Future[Result]]", code: str, message: str) -> None:
    for future in futures:
        if not future.done():
            future.set_exception(ApiError(code, message))
