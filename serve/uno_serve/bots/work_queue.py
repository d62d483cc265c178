"""The queue of decisions that take milliseconds: who is served first, and stopping the rest.

Decisions of hosted tables go first, in threads of their own; a search for anybody else pauses
between chunks of simulations while one of them runs. Among equals the client that has asked for
the least is served first (start-time fair queueing). A decision that nobody waits for any more is
dropped, or stopped at its next chunk.
"""

import asyncio
import functools
import heapq
import itertools
import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from enum import IntEnum
from typing import Any, Generic, TypeVar

from uno_agents.search.interrupt import Interrupted, interruptible

from ..errors import ApiError

Result = TypeVar("Result")
BACKGROUND_NICE = 10
"""How much lower the scheduling priority is of the threads that serve everybody but tables."""
MAX_CLIENTS = 10_000
PATIENCE = 6
"""Time limits that a decision may wait for its turn."""


class Priority(IntEnum):
    """Who waits for a decision, the most urgent first."""

    TABLE = 0
    """A hosted table with people."""
    ADVICE = 1
    """A person at a table who has asked for advice."""
    ANONYMOUS = 2
    """`/v1/act`, batches, and tables where only bots play."""


class _Job(Generic[Result]):
    """One decision, from its submission to its result."""

    def __init__(self, function: Callable[[], Result], priority: Priority) -> None:
        self.function, self.priority = function, priority
        self.is_cancelled = False
        loop = self.loop = asyncio.get_running_loop()
        self.started: asyncio.Future[None] = loop.create_future()
        self.result: asyncio.Future[Result] = loop.create_future()

    def tell(self, function: Callable[..., object], *arguments: Any) -> None:
        """Call a function in the event loop, which may have been closed."""
        with suppress(RuntimeError):
            self.loop.call_soon_threadsafe(function, *arguments)


_Entry = tuple[Priority, float, int, _Job[Any]]
"""A job in a queue: its priority, its start in virtual time, its number."""


class WorkQueue:
    """Threads that make decisions in order of urgency.

    Args:
        name: of the threads.
        threads: how many serve everybody; as many again serve tables alone, if `reserves`.
        max_waiting: decisions that may wait besides those of tables.
        reserves: keep threads for tables.
    """

    def __init__(
        self, name: str, threads: int = 1, max_waiting: int = 512, reserves: bool = True
    ) -> None:
        self._name, self._threads, self._reserves = name, threads, reserves
        self._max_waiting = max_waiting
        self._changed = threading.Condition()
        self._tables: list[_Entry] = []
        self._others: list[_Entry] = []
        self._running: list[_Job[Any]] = []
        self._numbers = itertools.count()
        self._charged: dict[str, float] = {}
        self._virtual_time = 0.0
        self._is_closed = False
        self._has_started = False

    @property
    def waiting(self) -> int:
        """Decisions that wait or are being made."""
        return len(self._tables) + len(self._others) + len(self._running)

    async def run(
        self,
        function: Callable[[], Result],
        timeout: float,
        priority: Priority = Priority.ANONYMOUS,
        client: str = "",
        work: float = 0.0,
    ) -> Result:
        """The result of a function, in a thread.

        Args:
            timeout: seconds; for a table from now on, for others from the start of the decision.
            client: among equal priorities the one with the least work is served first.
            work: expected seconds.

        Raises:
            ApiError: `busy` or `bot_timeout`.
        """
        job: _Job[Result] = _Job(function, priority)
        self._submit(job, client, work)
        try:
            if priority is Priority.TABLE:
                async with asyncio.timeout(timeout):
                    return await job.result
            async with asyncio.timeout(PATIENCE * timeout):
                await job.started
            async with asyncio.timeout(timeout):
                return await job.result
        except TimeoutError:
            raise ApiError("bot_timeout", "the bot took too long") from None
        finally:
            self._cancel(job)

    def _submit(self, job: _Job[Any], client: str, work: float) -> None:
        with self._changed:
            if job.priority is not Priority.TABLE and self.waiting >= self._max_waiting:
                message = "too many decisions are waiting for this bot"
                raise ApiError("busy", message, retry_after=1)
            start = max(self._virtual_time, self._charged.get(client, 0.0))
            self._charged[client] = start + work
            queue = self._tables if job.priority is Priority.TABLE else self._others
            heapq.heappush(queue, (job.priority, start, next(self._numbers), job))
            self._start_threads()
            self._changed.notify_all()

    def _cancel(self, job: _Job[Any]) -> None:
        """Nobody waits for a job any more: drop it, or stop it at its next chunk."""
        if job.result.done() and not job.result.cancelled():
            return
        with self._changed:
            job.is_cancelled = True
            job.result.cancel()
            for queue in (self._tables, self._others):
                kept = [entry for entry in queue if entry[3] is not job]
                if len(kept) < len(queue):
                    queue[:] = kept
                    heapq.heapify(queue)
            self._changed.notify_all()

    def close(self) -> None:
        """Stop every thread at its next chunk."""
        with self._changed:
            self._is_closed = True
            for job in self._running:
                job.is_cancelled = True
            self._changed.notify_all()

    # In the threads.

    def _start_threads(self) -> None:
        if self._has_started:
            return
        self._has_started = True
        lanes = [False] * self._threads + [True] * (self._threads if self._reserves else 0)
        for is_reserved in lanes:
            threading.Thread(
                target=self._serve, args=(is_reserved,), name=self._name, daemon=True
            ).start()

    def _serve(self, is_reserved: bool) -> None:
        """Make decisions one after another, in a reserved thread those of tables alone."""
        queues = [self._tables] if is_reserved else [self._others]
        if not self._reserves:
            queues = [self._tables, self._others]
        elif not is_reserved:
            _lower_thread_priority()
        while (job := self._next(queues)) is not None:
            job.tell(_resolve, job.started, None)
            try:
                with interruptible(functools.partial(self._checkpoint, job)):
                    result = job.function()
            except Interrupted:
                job.tell(job.result.cancel)
            except BaseException as error:  # whatever a bot raises is its caller's to handle
                job.tell(_fail, job.result, error)
            else:
                job.tell(_resolve, job.result, result)
            with self._changed:
                self._running.remove(job)
                self._changed.notify_all()

    def _next(self, queues: list[list[_Entry]]) -> _Job[Any] | None:
        with self._changed:
            while not self._is_closed:
                for queue in queues:
                    if queue:
                        return self._pop(queue)
                self._changed.wait()
        return None

    def _pop(self, queue: list[_Entry]) -> _Job[Any]:
        _, start, _, job = heapq.heappop(queue)
        now = self._virtual_time = max(self._virtual_time, start)
        if len(self._charged) > MAX_CLIENTS:
            # Whoever has had its share counts as new.
            self._charged = {client: at for client, at in self._charged.items() if at > now}
        self._running.append(job)
        return job

    def _checkpoint(self, job: _Job[Any]) -> None:
        """Between chunks of a search: stop if nobody waits, pause while a table is waiting."""
        if job.priority is not Priority.TABLE and self._reserves:
            with self._changed:
                while not job.is_cancelled and self._table_waits():
                    self._changed.wait()
        if job.is_cancelled:
            raise Interrupted

    def _table_waits(self) -> bool:
        return bool(self._tables) or any(job.priority is Priority.TABLE for job in self._running)


def usable_cores() -> int:
    """Cores this process may run on."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS and Windows
        return os.cpu_count() or 1


def _lower_thread_priority() -> None:
    """Let the event loop and the tables go first when cores are short."""
    if sys.platform == "linux":  # elsewhere it is set for the whole process, or not at all
        with suppress(OSError):
            thread = threading.get_native_id()
            lower = os.getpriority(os.PRIO_PROCESS, thread) + BACKGROUND_NICE
            os.setpriority(os.PRIO_PROCESS, thread, lower)


def _resolve(future: "asyncio.Future[Any]", value: Any) -> None:
    if not future.done():
        future.set_result(value)


def _fail(future: "asyncio.Future[Any]", error: BaseException) -> None:
    if not future.done():
        future.set_exception(error)
