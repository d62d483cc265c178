"""Worker processes that play chunks, and what happens when an agent hangs or kills one.

The current game is forfeited by the agent that was being called; a new process continues with the
next game. Nothing of what was finished before is lost or played again.
"""

import contextlib
import queue
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from types import TracebackType
from typing import Any, Self

from uno_agents.base import AgentError

from .agent_calls import AgentInterface
from .chunk import ChunkResult, ChunkSpec, ChunkUsage, GameRow, add_usage
from .entrants import AgentLike, CheckJob
from .heartbeat import BATCH, BUILDING, CONCURRENT, NOBODY
from .one_game import stopped_row
from .worker_process import Inbox, Stopped, Worker

POLL_SECONDS = 0.05
MAX_STOPS = 3
"""After so many stopped processes an agent forfeits the rest of the chunk."""
MAX_DEATHS = 3
"""Processes that may end while no agent is called before it is taken for an error of ours."""


class WorkerError(RuntimeError):
    """Worker processes end although no agent is being called."""


class _Job:
    """A chunk on its way through one or more processes."""

    def __init__(self, spec: ChunkSpec) -> None:
        self.whole = spec
        self.spec = spec
        self.rows: list[GameRow] = []
        self._usage: ChunkUsage = {}
        self._usage_before: ChunkUsage = {}
        self.result: ChunkResult | None = None
        self._started = time.perf_counter()
        self._stops: Counter[int] = Counter()
        self._deaths = 0

    def take(self, message: Any) -> None:
        """A reply of the process: a game, all games at once, usage so far, or the time it took."""
        if isinstance(message, GameRow):
            self.rows.append(message)
        elif isinstance(message, dict):
            self._usage = message
        elif isinstance(message, ChunkResult):
            self.result = message
        else:
            self._finish()

    def _finish(self) -> None:
        seconds = time.perf_counter() - self._started
        usage = add_usage(self._usage_before, self._usage)
        self.result = ChunkResult.of_rows(self.spec, self.rows, seconds, usage)

    def resume(self, stopped: Stopped) -> None:
        """Decide what the next process is to do."""
        last, spec = stopped.last, self.spec
        self._usage_before, self._usage = add_usage(self._usage_before, self._usage), {}
        if last.who == NOBODY:
            self._deaths += 1
            if self._deaths == MAX_DEATHS:
                raise WorkerError(f"a worker {stopped.reason} while no agent was called")
            next_game = len(self.rows)
        elif last.game == BUILDING:
            self._disqualify(last.who, f"cannot be built: {stopped.reason}")
            next_game = len(self.rows)
        elif last.game == BATCH:
            # Which of the games was to blame shows when they are played one by one.
            self.spec = replace(spec, is_batch=False)
            return
        elif last.game == CONCURRENT:
            self.spec = replace(spec, is_one_by_one=True)
            next_game = len(self.rows)
        else:
            self.rows.append(
                stopped_row(spec, last.game, last.who, last.actions, stopped.reason)
            )  # fmt: skip
            self._count_stop(spec.entrant_at(last.game, last.who), stopped.reason)
            next_game = last.game + 1
        self.spec = replace(self.spec, first_game=0 if spec.is_batch else next_game)
        if not self.spec.is_batch and next_game == spec.num_games:
            self._finish()

    def _count_stop(self, entrant: int, reason: str) -> None:
        self._stops[entrant] += 1
        if self._stops[entrant] == MAX_STOPS:
            self._disqualify(entrant, f"stopped {MAX_STOPS} times before in this chunk: {reason}")

    def _disqualify(self, entrant: int, reason: str) -> None:
        self.spec = replace(self.spec, disqualified={**self.spec.disqualified, entrant: reason})


class WorkerPool:
    """A number of worker processes; use it in a `with` block.

    Args:
        size: how many.
    """

    def __init__(self, size: int) -> None:
        self._inbox: Inbox = queue.SimpleQueue()
        self._idle = [Worker(self._inbox) for _ in range(size)]
        self._busy: dict[Worker, _Job] = {}
        self._idle_deaths = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for worker in [*self._idle, *self._busy]:
            worker.close()

    def check(self, agents: Sequence[AgentLike], time_limit: float) -> list[AgentInterface]:
        """The interface of each agent; an error for one that cannot be built in time."""
        return [
            self._checked(CheckJob(number, agent, time_limit))
            for number, agent in enumerate(agents)
        ]

    def _checked(self, job: CheckJob) -> AgentInterface:
        worker = self._idle[0]
        worker.send(job)
        while True:
            sender, reply = self._next()
            if sender is not worker:
                self._replace(sender)
            elif reply is None:
                reason = worker.stopped().reason
                worker.close()
                self._idle[0] = Worker(self._inbox)
                raise AgentError(f"agent {job.agent!r} cannot be built: {reason}")
            elif isinstance(reply, AgentError):
                raise reply
            else:
                interface: AgentInterface = reply
                return interface

    def play(self, specs: Iterator[ChunkSpec]) -> Iterator[ChunkResult]:
        """Play chunks, several at a time; results come as they are finished.

        Specs are taken one by one when a worker is free, so that what is still to be played may
        depend on results.
        """
        while True:
            while self._idle and (spec := next(specs, None)) is not None:
                self._give(_Job(spec))
            if not self._busy:
                return
            worker, message = self._next()
            job = self._busy.pop(worker, None)
            if job is None:
                self._replace(worker)
                continue
            if message is None:
                job.resume(worker.stopped())
                worker.close()
                worker = Worker(self._inbox)
            else:
                job.take(message)
            if job.result is not None:
                self._idle.append(worker)
                yield job.result
            elif message is None:
                self._idle.append(worker)
                self._give(job)
            else:
                self._busy[worker] = job

    def _give(self, job: _Job) -> None:
        worker = self._idle.pop()
        self._busy[worker] = job
        worker.send(job.spec)

    def _replace(self, worker: Worker) -> None:
        """A process ended although it had nothing to do."""
        self._idle_deaths += 1
        if self._idle_deaths == MAX_DEATHS:
            raise WorkerError(f"worker processes end by themselves: {worker.stopped().reason}")
        worker.close()
        self._idle[self._idle.index(worker)] = Worker(self._inbox)

    def _next(self) -> tuple[Worker, Any]:
        """The next reply of any worker; those that take too long are stopped meanwhile."""
        while True:
            for worker in [*self._idle, *self._busy]:
                worker.stop_if_late()
            with contextlib.suppress(queue.Empty):
                return self._inbox.get(timeout=POLL_SECONDS)
