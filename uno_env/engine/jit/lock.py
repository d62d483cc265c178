"""A file lock held while compiling: one process compiles, the others wait for its result.

Sixteen workers started on a cold cache would otherwise each compile the whole engine.
"""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

_POLL_SECONDS = 0.1


class FileLock:
    """An advisory lock between processes, re-entrant within one; the system frees it if we die.

    It only saves work: where it cannot be had (network folders, a stuck holder) we do without it.
    """

    def __init__(self, path: Path, timeout: float = 180.0) -> None:
        self._path = path
        self._timeout = timeout
        self._depth = 0
        self._descriptor: int | None = None

    def acquire(self, on_wait: Callable[[], None]) -> None:
        """Take the lock, or give up after `timeout` seconds; `on_wait` is called once."""
        self._depth += 1
        if self._depth > 1:
            return
        try:
            self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError:
            return
        deadline = time.monotonic() + self._timeout
        waiting = False
        while not _try_lock(self._descriptor):
            if not waiting:
                on_wait()
            waiting = True
            if time.monotonic() > deadline:
                return
            time.sleep(_POLL_SECONDS)

    def release(self) -> None:
        """Undo one `acquire`; the last one frees the lock."""
        self._depth -= 1
        if self._depth == 0 and self._descriptor is not None:
            os.close(self._descriptor)  # closing the file frees the lock
            self._descriptor = None


def _try_lock(descriptor: int) -> bool:
    """Whether we may go on: the lock is ours, or this file system has no locks."""
    if sys.platform == "win32":
        import msvcrt

        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
    import fcntl

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True
