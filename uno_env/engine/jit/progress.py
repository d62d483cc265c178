"""What the user reads while the engine compiles: lines on stderr, none when everything is cached.

Numba broadcasts an event only when it really compiles, so a cache hit never gets here.
"""

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from numba.core.event import Event, Listener

_REPORT_SECONDS = 3.0


class Progress(Listener):
    """Follows the compilation of entry kernels, and of the functions each one pulls in."""

    def __init__(self, folder: Callable[[], Path | None]) -> None:
        self.entries: dict[Callable[..., Any], str] = {}
        self.on_failure: Callable[[Any], None] = lambda dispatcher: None
        self._folder = folder
        self._has_greeted = False
        self._depth = 0
        self._name = ""
        self._functions = 0
        self._position = ""
        self._started = self._spoke = 0.0
        self._batch_seconds: float | None = None

    @contextlib.contextmanager
    def batch(self) -> Iterator[None]:
        """Report several entries as one task."""
        self._batch_seconds = 0.0
        try:
            yield
        finally:
            seconds, self._batch_seconds, self._position = self._batch_seconds, None, ""
            if seconds:
                self._say_done(seconds)

    def at(self, number: int, total: int) -> None:
        """Where in the batch we are."""
        self._position = f"[{number}/{total}] "

    def on_start(self, event: Event) -> None:
        """A function misses in the cache: an entry, or something below one."""
        function = event.data["dispatcher"].py_func
        if self._depth:
            self._functions += 1
            self._report(function.__name__)
        elif function in self.entries:
            self._begin(self.entries[function])
        else:
            return  # a helper called on its own, as tests do
        self._depth += 1

    def on_end(self, event: Event) -> None:
        """A function is compiled, or has failed to."""
        if not self._depth:
            return
        self._depth -= 1
        dispatcher = event.data["dispatcher"]
        has_failed = tuple(event.data["args"]) not in dispatcher.overloads
        if has_failed and dispatcher.py_func in self.entries:
            self.on_failure(dispatcher)
        elif not self._depth:
            self._finish()

    def say_waiting(self) -> None:
        """Another process holds the lock."""
        self._say("waiting for another process that is compiling the engine ...")

    def _begin(self, name: str) -> None:
        if not self._has_greeted:
            self._say("compiling the engine (once, then cached; up to a minute) ...")
            self._has_greeted = True
        self._name, self._functions = name, 1
        self._started = self._spoke = time.monotonic()
        self._say(f"  {self._position}{name} ...")

    def _report(self, function: str) -> None:
        now = time.monotonic()
        if now - self._spoke >= _REPORT_SECONDS:
            self._spoke = now
            elapsed = f"{now - self._started:.0f} s"
            self._say(f"  {self._name}: {self._functions} functions, {elapsed}, now {function}")

    def _finish(self) -> None:
        seconds = time.monotonic() - self._started
        if self._batch_seconds is None:
            self._say_done(seconds)
        else:
            self._batch_seconds += seconds

    def _say_done(self, seconds: float) -> None:
        folder = self._folder()
        where = f"cached in {folder}" if folder else "not cached: found no folder to write to"
        self._say(f"done in {seconds:.1f} s, {where}")

    def _say(self, text: str) -> None:
        if os.environ.get("UNO_ENV_QUIET", "0") not in ("", "0"):
            return
        # A closed or missing stderr must not turn a compilation into a failure.
        with contextlib.suppress(OSError, ValueError, AttributeError):
            sys.stderr.write(f"uno_env: {text}\n")
            sys.stderr.flush()
