"""One worker process as its parent sees it: jobs in, replies out, killed when it is too slow."""

import contextlib
import os
import pickle
import queue
import subprocess
import sys
import tempfile
import threading
import time
from mmap import mmap
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from .heartbeat import HEARTBEAT_BYTES, NOBODY, Heartbeat, HeartbeatState
from .timed_agents import timeout_reason

GRACE_SECONDS = 0.5
"""A move that is a little late is judged by its worker, which measures the time exactly."""


class Stopped(NamedTuple):
    """A process that has ended: what it was doing, and why it ended."""

    last: HeartbeatState
    reason: str


class Worker:
    """One process, its heartbeat and the thread that reads its replies.

    Args:
        inbox: where its replies go, as (worker, message); None when it has ended.
    """

    def __init__(self, inbox: "Inbox") -> None:
        handle, name = tempfile.mkstemp(prefix="uno-arena-")
        self._file = Path(name)
        os.truncate(handle, HEARTBEAT_BYTES)
        self._memory = mmap(handle, HEARTBEAT_BYTES)
        os.close(handle)
        self.heartbeat = Heartbeat(self._memory)
        self._process = subprocess.Popen(  # noqa: S603 - our own module
            [sys.executable, "-m", "uno_arena.play.worker_main", name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=_environment(),
        )
        self._beat = 0
        self._since = time.monotonic()
        self._late = 0.0
        self._job_began = 0
        threading.Thread(target=self._read, args=(inbox,), daemon=True).start()

    def _read(self, inbox: "Inbox") -> None:
        stream = self._process.stdout
        # A stream that is closed in the middle of a read raises ValueError.
        with contextlib.suppress(EOFError, OSError, ValueError, pickle.UnpicklingError):
            while stream:
                inbox.put((self, pickle.load(stream)))  # noqa: S301 - our own child writes it
        inbox.put((self, None))

    def send(self, job: object) -> None:
        """Give it something to do."""
        self._job_began = self.heartbeat.read().beat
        # If it has ended, its reader says so.
        with contextlib.suppress(OSError):
            if self._process.stdin:
                pickle.dump(job, self._process.stdin, pickle.HIGHEST_PROTOCOL)
                self._process.stdin.flush()

    def stop_if_late(self) -> None:
        """End the process if what it is doing takes longer than allowed."""
        state, now = self.heartbeat.read(), time.monotonic()
        if state.beat != self._beat:
            self._beat, self._since = state.beat, now
        elif state.time_limit and now - self._since > state.time_limit + GRACE_SECONDS:
            self._late = state.time_limit
            self._process.kill()

    def stopped(self) -> Stopped:
        """What an ended process was doing, and why it ended."""
        code = self._process.wait()
        last = self.heartbeat.read()
        if last.beat <= self._job_began:
            # What is written there belongs to an earlier job.
            last = last._replace(who=NOBODY)
        if self._late:
            return Stopped(last, timeout_reason(self._late))
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        return Stopped(last, f"ended its process ({how})")

    def close(self) -> None:
        """End the process and remove its file."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream:
                with contextlib.suppress(OSError):
                    stream.close()
        self._memory.close()
        self._file.unlink(missing_ok=True)


Inbox: TypeAlias = "queue.SimpleQueue[tuple[Worker, Any]]"


def _environment() -> dict[str, str]:
    """Environment of a worker: the same modules, and one thread, so that sums are reproducible."""
    paths = os.pathsep.join(path or os.getcwd() for path in sys.path)
    alone = {"OMP_NUM_THREADS": "1", "OMP_WAIT_POLICY": "passive"}
    return {**alone, **os.environ, "PYTHONPATH": paths}
