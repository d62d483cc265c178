"""Micro-batching: questions that arrive together are decided in one call of the bot.

Nothing waits for company: an idle bot is called with whatever has arrived in this turn of the
event loop, and what arrives while it thinks is the next batch. The bot thinks in a thread of its
own, so the loop goes on reading requests meanwhile; it is woken once a batch.
"""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Generic, Protocol, TypeVar

import numpy as np

from uno_env.actions import NUM_ACTIONS
from uno_env.array_types import Bytes
from uno_env.envs.observation_spec import OBS_SIZE

from ..api.errors import ApiError

Answer = TypeVar("Answer")
Told = TypeVar("Told", contravariant=True)


class Asker(Protocol[Told]):
    """Somebody who waits for an answer."""

    @property
    def is_gone(self) -> bool:
        """Whether it no longer wants to know."""

    def decided(self, answer: Told) -> None:
        """Here is the answer."""

    def failed(self, error: ApiError) -> None:
        """There is none."""


class _Awaiting(Generic[Answer]):
    """An asker that is awaited."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.future: asyncio.Future[Answer] = loop.create_future()

    @property
    def is_gone(self) -> bool:
        return self.future.done()

    def decided(self, answer: Answer) -> None:
        self.future.set_result(answer)

    def failed(self, error: ApiError) -> None:
        self.future.set_exception(error)


class Batcher(Generic[Answer]):
    """One bot's queue.

    Args:
        decide: rows of observations and masks to one answer a row; runs in `thread`.
        thread: an executor with one worker.
        max_batch: most rows in a call.
        wait: seconds to wait for more before an idle bot is called.
        max_waiting: questions that may wait; more are refused as `busy`.
        timeout: seconds after which a call has failed; the bot is left alone until it returns.
        on_batch: told the size of every batch.
    """

    def __init__(
        self,
        decide: Callable[[Bytes, Bytes], Sequence[Answer]],
        thread: ThreadPoolExecutor,
        max_batch: int,
        wait: float,
        max_waiting: int,
        timeout: float,
        on_batch: Callable[[int], None],
    ) -> None:
        self._decide, self._thread = decide, thread
        self._max_batch, self._wait, self._max_waiting = max_batch, wait, max_waiting
        self._timeout, self._on_batch = timeout, on_batch
        self._loop = asyncio.get_running_loop()
        self._waiting: list[tuple[bytes, bytes, Asker[Answer]]] = []
        self._running: list[Asker[Answer]] = []
        self._is_called = False
        self._is_stuck = False

    def submit(self, obs: bytes, mask: bytes) -> "asyncio.Future[Answer]":
        """A future of the answer to one question."""
        asker: _Awaiting[Answer] = _Awaiting(self._loop)
        self.ask(obs, mask, asker)
        return asker.future

    def ask(self, obs: bytes, mask: bytes, asker: Asker[Answer]) -> None:
        """Put one question; its asker is told, unless it is refused at once."""
        if self._is_stuck:
            raise ApiError("bot_timeout", "the bot hangs", retry_after=self._timeout)
        if len(self._waiting) >= self._max_waiting:
            raise ApiError("busy", "too many decisions are waiting for this bot", retry_after=1)
        self._waiting.append((obs, mask, asker))
        if not self._is_called:
            self._is_called = True
            # After the callbacks of this turn of the loop, which bring the questions that came
            # together.
            if self._wait:
                self._loop.call_later(self._wait, self._call)
            else:
                self._loop.call_soon(self._call)

    def _call(self) -> None:
        """Hand the next batch to the bot."""
        batch = [entry for entry in self._waiting[: self._max_batch] if not entry[2].is_gone]
        del self._waiting[: self._max_batch]
        if not batch:
            self._is_called = bool(self._waiting)
            if self._waiting:
                self._loop.call_soon(self._call)
            return
        # Writable, as every environment's arrays are: kernels are compiled for those.
        obs = np.frombuffer(bytearray().join([entry[0] for entry in batch]), np.uint8)
        mask = np.frombuffer(bytearray().join([entry[1] for entry in batch]), np.uint8)
        self._running = [entry[2] for entry in batch]
        self._on_batch(len(batch))
        alarm = self._loop.call_later(self._timeout, self._give_up)
        call = self._thread.submit(
            self._decide, obs.reshape(-1, OBS_SIZE), mask.reshape(-1, NUM_ACTIONS)
        )
        call.add_done_callback(
            lambda done: self._loop.call_soon_threadsafe(self._finish, done, alarm)
        )

    def _give_up(self) -> None:
        self._is_stuck = True
        askers = [*self._running, *(entry[2] for entry in self._waiting)]
        self._waiting.clear()
        self._running = []
        _fail(askers, "bot_timeout", "the bot took too long")

    def _finish(self, call: "Future[Sequence[Answer]]", alarm: asyncio.TimerHandle) -> None:
        alarm.cancel()
        askers, self._running = self._running, []
        self._is_called = self._is_stuck = False
        if self._waiting:
            # Before the answers are told, so that the bot thinks while they are written.
            self._is_called = True
            self._call()
        error = call.exception()
        if error is not None:
            _fail(askers, "bot_failed", f"the bot failed: {type(error).__name__}")
            return
        # Nobody is left to be told of a call that was given up.
        for asker, answer in zip(askers, call.result(), strict=bool(askers)):
            if not asker.is_gone:
                asker.decided(answer)


def _fail(askers: Sequence[Asker[Answer]], code: str, message: str) -> None:
    for asker in askers:
        if not asker.is_gone:
            asker.failed(ApiError(code, message))
