"""Reading and writing the compiled code of one function: Numba's cache, safe for many processes.

A damaged cache costs a compilation, never an error; one process compiles an entry, others wait.
The folder is named by a hash of all sources, so their path and modification time do not matter:
all checkouts and environments with the same code share one cache.
"""

import contextlib
import functools
import sys
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba.core.caching import (
    CompileResultCacheImpl,
    FunctionCache,
    IndexDataCacheFile,
    _CacheLocator,
)

from .lock import FileLock


class EngineCache(FunctionCache):
    """The cache of one function.

    Args:
        function: the plain function.
        folder: where compiled code is kept, named by `folder.cache_key`.
        is_entry: whether Python calls it; the folder's lock is held while an entry compiles, and
            helpers are compiled on behalf of one.
        on_wait: called when another process holds the lock.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        folder: Path,
        is_entry: bool,
        on_wait: Callable[[], None],
    ) -> None:
        self._impl_class = functools.partial(_KeyedImpl, folder=folder)  # type: ignore[assignment]
        super().__init__(function)
        self._cache_file = _UniqueDataFiles(
            cache_path=self._cache_path,
            filename_base=self._impl.filename_base,
            source_stamp=self._impl.locator.get_source_stamp(),
        )
        self._lock = _lock_of(folder) if is_entry else None
        self._holds = 0
        self._on_wait = on_wait

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The cached code, or None: then we compile it, and hold the lock until it is saved."""
        found = self._try_load(sig, target_context)
        if found is None and self._lock is not None:
            self._lock.acquire(self._on_wait)
            self._holds += 1
            # Another process may have made it while we waited.
            found = self._try_load(sig, target_context)
            if found is not None:
                self.release()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store new code if possible (a full disk is no reason to fail) and release the lock."""
        try:
            with contextlib.suppress(OSError):
                super().save_overload(sig, data)
        finally:
            self.release()

    def release(self) -> None:
        """Release the lock, if we hold it."""
        if self._lock is not None and self._holds:
            self._holds -= 1
            self._lock.release()

    def _try_load(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # whatever unpickling a damaged file may raise
            with contextlib.suppress(OSError):
                self.flush()
            return None


def abandon(kernel: Any) -> None:
    """The compilation of `kernel` failed: there will be nothing to save."""
    if isinstance(kernel._cache, EngineCache):
        kernel._cache.release()


class _KeyedImpl(CompileResultCacheImpl):
    """How compiled code is stored, in our folder instead of one of Numba's."""

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        self._lineno = function.__code__.co_firstlineno
        self._locator = _KeyedLocator(function, folder)
        self._filename_base = self.get_filename_base(
            function.__qualname__, getattr(sys, "abiflags", "")
        )


class _KeyedLocator(_CacheLocator):
    """One sub-folder for each module; the hash in the folder's name stands for the sources."""

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        self._py_file = function.__code__.co_filename
        self._path = folder / function.__module__
        self._lineno = function.__code__.co_firstlineno

    def get_cache_path(self) -> str:
        return str(self._path)

    def get_source_stamp(self) -> str:
        return ""

    def get_disambiguator(self) -> str:
        return str(self._lineno)


class _UniqueDataFiles(IndexDataCacheFile):
    """Numba numbers data files: two processes could store two signatures under one name."""

    def _data_name(self, number: int) -> str:
        pattern: str = self._data_name_pattern
        return pattern.replace("{number:d}", uuid.uuid4().hex)


@functools.cache
def _lock_of(folder: Path) -> FileLock:
    return FileLock(folder / "lock")
