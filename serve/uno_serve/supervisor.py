"""`uno-serve --workers N`: starts the workers, replaces those that die, stops them all.

Every worker listens on the same port (`SO_REUSEPORT`), and the system spreads connections over
those that listen: one that dies takes no connections with it but its own.
"""

import logging
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType

from .config import ServeConfig
from .logs import LogFormat, set_up_logs
from .run import STOP_SECONDS, bind, url_of
from .worker import READY, Task

_log = logging.getLogger("uno_serve.supervisor")
BAD_CONFIG = 2
"""Exit code of a worker that will never start."""
FIRST_PAUSE, LONGEST_PAUSE = 0.2, 10.0
"""Seconds before a worker is started again; more if it dies again and again."""
STABLE_SECONDS = 30.0


class Supervisor:
    """The workers of one machine.

    Args:
        config: all options.
        log_level: as on the command line.
        log_format: as on the command line.
        on_ready: called with the address when all workers are ready.
    """

    def __init__(
        self,
        config: ServeConfig,
        log_level: str,
        log_format: LogFormat,
        on_ready: Callable[[str], None],
    ) -> None:
        set_up_logs(log_level, log_format)
        # Bound but not listening: the port is ours, and no connection waits here.
        self._public = bind(config.host, config.port, is_shared=True)
        self._relay = None
        host_port, secret = None, ""
        if config.serves == "all" and not config.is_shared:
            _log.warning(
                "tables are in SQLite, which serves one process: worker 0 hosts all tables, the "
                "others decide for bots and relay the rest to it"
            )
            self._relay = bind("127.0.0.1", 0, is_shared=True)
            host_port, secret = self._relay.getsockname()[1], secrets.token_urlsafe(32)
        options = config.replace(port=self._public.getsockname()[1], relay_port=0)
        settings = options.model_dump(mode="json", exclude_unset=True)
        self._tasks = [
            Task(settings, number, log_level, log_format, host_port, secret)
            for number in range(config.workers)
        ]
        self._on_ready = on_ready
        self._stop = threading.Event()
        self._ready = threading.Barrier(config.workers + 1)
        self._failed = 0
        self._lock = threading.Lock()
        self._processes: set[subprocess.Popen[str]] = set()

    def run(self) -> int:
        """Serve until a signal comes; the exit code."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._on_signal)
        keepers = [
            threading.Thread(target=self._keep, args=(task,), name=f"worker {task.number}")
            for task in self._tasks
        ]
        for keeper in keepers:
            keeper.start()
        try:
            self._ready.wait()
            self._on_ready(f"{url_of(self._public)}/")
        except threading.BrokenBarrierError:
            self._stop.set()
        self._stop.wait()
        self._stop_workers()
        for keeper in keepers:
            keeper.join()
        return self._failed

    def _on_signal(self, _: int, __: FrameType | None) -> None:
        self._stop.set()
        self._ready.abort()

    def _keep(self, task: Task) -> None:
        """Have one worker run until the end."""
        pause, is_first = FIRST_PAUSE, True
        while not self._stop.is_set():
            started = time.monotonic()
            worker = self._start(task)
            is_ready = _wait_until_ready(worker)
            if is_ready and is_first:
                self._arrive()
                is_first = False
            code = worker.wait()
            with self._lock:
                self._processes.discard(worker)
            if self._stop.is_set():
                return
            if code == BAD_CONFIG and is_first:
                self._give_up(code)
                return
            _log.error("worker %d ended with code %d and is started again", task.number, code)
            is_stable = time.monotonic() - started > STABLE_SECONDS
            pause = FIRST_PAUSE if is_stable else min(LONGEST_PAUSE, 2 * pause)
            self._stop.wait(pause)

    def _arrive(self) -> None:
        try:
            self._ready.wait()
        except threading.BrokenBarrierError:
            return

    def _give_up(self, code: int) -> None:
        self._failed = code
        self._stop.set()
        self._ready.abort()

    def _start(self, task: Task) -> subprocess.Popen[str]:
        # In a session of its own: Ctrl-C reaches the supervisor alone, which stops the workers.
        worker = subprocess.Popen(
            [sys.executable, "-m", "uno_serve.worker"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True, start_new_session=True,
        )  # fmt: skip
        with self._lock:
            self._processes.add(worker)
            if self._stop.is_set():
                worker.terminate()
        if worker.stdin is not None:
            try:
                worker.stdin.write(task.to_json())
                worker.stdin.flush()
            except OSError:
                _log.debug("worker %d did not read its task", task.number)
        return worker

    def _stop_workers(self) -> None:
        """Ask every worker to stop, and insist after a while."""
        with self._lock:
            running = list(self._processes)
        for worker in running:
            worker.terminate()
        end = time.monotonic() + STOP_SECONDS + 5
        for worker in running:
            try:
                worker.wait(max(0.1, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                worker.kill()


def _wait_until_ready(worker: subprocess.Popen[str]) -> bool:
    """Whether a worker says that it is ready, before it ends."""
    assert worker.stdout is not None  # noqa: S101 - it was opened above
    return any(line.startswith(READY) for line in iter(worker.stdout.readline, ""))
