"""What the user reads while kernels compile: a bar or lines on stderr, nothing if all is cached.

Numba broadcasts an event only when it really compiles, so a cache hit never gets here.
"""

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from numba.core.dispatcher import Dispatcher
from numba.core.event import Event, Listener

EMIT = "uno_env:emit"
"""The event of a group of kernels that becomes machine code; its data are `name` and `size`."""

NOT_CACHED = "not cached: no folder can be written; set UNO_ENV_CACHE_DIR to one that can"
_LINE_SECONDS, _BAR_SECONDS = 3.0, 0.1
_BAR_WIDTH = 30
_EMIT_WEIGHT, _EMIT_SHARE = 0.15, 0.3
"""Time to make machine code, in units of the time to make LLVM code: of one kernel in one group,
and of all kernels in all the groups they are linked into."""


class Progress(Listener):
    """Follows the compilation of entries, and of the kernels each one calls."""

    def __init__(self, folder: Callable[[], Path | None]) -> None:
        self.entries: dict[Callable[..., Any], str] = {}
        self.kernels: list[Any] = []
        """The kernels of the entries, as far as they are imported."""
        self.on_failure: Callable[[Any], None] = lambda dispatcher: None
        self.listener: Callable[[float], None] | None = None
        """Told how much was done, instead of the user."""
        self._folder = folder
        self._depth = 0
        self._tasks = 0
        self._kernels: list[Any] = []
        self._total = self._done = 0.0
        self._started: float | None = None
        self._spoke = 0.0
        self._has_bar = self._has_greeted = self._has_finished = False

    @contextlib.contextmanager
    def task(self, kernels: Iterable[Any]) -> Iterator[None]:
        """Show the compilation of several entries, of those that need it, as one task."""
        self._tasks += 1
        if self._tasks == 1:
            self._kernels = list(kernels)
        try:
            yield
        finally:
            self._tasks -= 1
            if not self._tasks:
                self._finish()

    def add(self, done: float) -> None:
        """So much was done, here or in another process."""
        self._done += done
        if self.listener is not None:
            self.listener(done)

    def on_start(self, event: Event) -> None:
        """A kernel misses in the cache, or a group becomes machine code."""
        if event.kind == EMIT:
            self._show(f"machine code of {event.data['name']}")
            return
        function = event.data["dispatcher"].py_func
        name = self.entries.get(function)
        if not self._depth and name is None:
            return  # a helper called on its own, as tests do
        if not self._depth:
            self._begin(event.data["dispatcher"])
        self._depth += 1
        self._show(name or function.__name__)

    def on_end(self, event: Event) -> None:
        """That is done, or has failed."""
        if not self._depth:
            return
        if event.kind == EMIT:
            self.add(_EMIT_WEIGHT * event.data["size"])
            return
        self._depth -= 1
        self.add(1)
        dispatcher = event.data["dispatcher"]
        has_failed = tuple(event.data["args"]) not in dispatcher.overloads
        if has_failed and dispatcher.py_func in self.entries:
            self.on_failure(dispatcher)
        if not self._depth and not self._tasks:
            self._finish(has_failed)

    def say_waiting(self) -> None:
        """Another process holds the lock."""
        self._say("waiting for another process that is compiling the engine ...")

    def _expect(self, kernels: Iterable[Any]) -> None:
        rest = [one for one in reached(kernels) if not _is_known(one)]
        self._total, self._done = (1 + _EMIT_SHARE) * len(rest), 0.0

    def _begin(self, kernel: Any) -> None:
        if self._started is None:
            self._expect(self._kernels if self._tasks else [kernel])
            self._started = time.monotonic()
        if not self._has_greeted:
            self._has_greeted = True
            self._say("compiling the engine (once, then cached; less than a minute) ...")

    def _show(self, name: str) -> None:
        now = time.monotonic()
        has_bar = _is_terminal()
        pause = _BAR_SECONDS if has_bar else _LINE_SECONDS
        if self._started is None or now - self._spoke < pause:
            return
        self._spoke = now
        part = min(self._done / self._total, 0.99) if self._total else 0.0
        seconds = now - self._started
        if not has_bar:
            self._say(f"  {part:4.0%}, {seconds:.0f} s, {name}")
            return
        filled = round(part * _BAR_WIDTH)
        bar = "#" * filled + "." * (_BAR_WIDTH - filled)
        self._write(f"\r\x1b[Kuno_env: [{bar}] {part:4.0%} {seconds:3.0f} s  {name[:40]}")
        self._has_bar = True

    def _finish(self, has_failed: bool = False) -> None:
        started, self._started = self._started, None
        if started is None:
            return
        seconds = time.monotonic() - started
        if has_failed:
            self._say(f"failed after {seconds:.1f} s")
        elif self._has_bar or not self._has_finished or seconds >= _LINE_SECONDS:
            self._has_finished = True
            folder = self._folder()
            where = f"cached in {folder}" if folder else NOT_CACHED
            self._say(f"done in {seconds:.1f} s, {where}")

    def _say(self, text: str) -> None:
        self._write(("\r\x1b[K" if self._has_bar else "") + f"uno_env: {text}\n")
        self._has_bar = False

    def _write(self, text: str) -> None:
        if self.listener is not None or os.environ.get("UNO_ENV_QUIET", "0") not in ("", "0"):
            return
        # A closed or missing stderr must not turn a compilation into a failure.
        with contextlib.suppress(OSError, ValueError, AttributeError):
            sys.stderr.write(text)
            sys.stderr.flush()


def reached(kernels: Iterable[Any]) -> set[Any]:
    """The kernels that some kernels call by name, directly or not, and themselves."""
    found: set[Any] = set()
    rest = [kernel for kernel in kernels if isinstance(kernel, Dispatcher)]
    while rest:
        kernel = rest.pop()
        if kernel not in found:
            found.add(kernel)
            function = kernel.py_func
            values = map(function.__globals__.get, function.__code__.co_names)
            rest += [value for value in values if isinstance(value, Dispatcher)]
    return found


def _is_known(kernel: Any) -> bool:
    return bool(kernel.overloads or getattr(kernel, "lowered", None))


def _is_terminal() -> bool:
    with contextlib.suppress(OSError, ValueError, AttributeError):
        return sys.stderr.isatty() and os.environ.get("TERM", "") != "dumb"
    return False
