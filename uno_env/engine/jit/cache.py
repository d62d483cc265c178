"""The cache that Numba asks for a function before it compiles, over our store of files.

One process compiles an entry, others wait for its result.
"""

import functools
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba.core import errors, sigutils
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult, compile_result
from numba.core.runtime.nrt import rtsys

from .groups import load_group
from .library import KernelLibrary
from .lock import FileLock
from .names import WHOLE, Identity
from .store import Store

NUMBA = "numba"
"""Kind of the files of Numba's own pipeline."""


class KernelCache(_Cache):
    """The cache of one kernel, compiled by our pipeline.

    Args:
        identity: names the kernel.
        store: where its code is.
        is_entry: whether Python calls it; the folder's lock is held while an entry compiles, and
            other kernels are compiled on behalf of one.
        on_wait: called when another process holds the lock.
    """

    def __init__(
        self, identity: Identity, store: Store, is_entry: bool, on_wait: Callable[[], None]
    ) -> None:
        self.identity = identity
        self.store = store
        self._lock = _lock_of(store.folder) if is_entry else None
        self._holds = 0
        self._on_wait = on_wait

    @property
    def cache_path(self) -> str:
        return str(self.store.folder)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled code, or None: then we compile it, and hold the lock until it is saved."""
        self._prepare(target_context)
        args, _ = sigutils.normalize_signature(sig)
        found = self._load(args, target_context)
        if found is None and self._lock is not None:
            self._lock.acquire(self._on_wait)
            self._holds += 1
            # Another process may have made it while we waited.
            found = self._load(args, target_context)
            if found is not None:
                self.release()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store new code if possible and release the lock."""
        try:
            args, _ = sigutils.normalize_signature(sig)
            self._save(args, data)
        finally:
            self.release()

    def release(self) -> None:
        """Release the lock, if we hold it."""
        if self._lock is not None and self._holds:
            self._holds -= 1
            self._lock.release()

    def enable(self) -> None:
        """Nothing: a kernel without a cache has none."""

    def disable(self) -> None:
        """Nothing: a kernel without a cache has none."""

    def flush(self) -> None:
        """Nothing: what is wrong is replaced."""

    def _prepare(self, target_context: Any) -> None:
        """What machine code needs to be loaded: the runtime it calls.

        Numba would `refresh` its tables of all functions it can compile: 0.3 s of a process that
        compiles nothing. A compiler does so itself.
        """
        rtsys.initialize(target_context)

    def _load(self, args: Any, target_context: Any) -> Any:
        codegen = target_context.codegen()
        ref = self.identity.ref(tuple(args), WHOLE)
        library = KernelLibrary.load(codegen, ref)
        if library is None or not load_group(codegen, ref):
            return None
        lowered = library.lowered
        for initialize in lowered.reload_init:
            initialize()
        return compile_result(
            typing_context=target_context.typing_context,
            target_context=target_context,
            entry_point=target_context.get_executable(library, lowered.fndesc, lowered.environment),
            type_annotation="",
            signature=lowered.signature,
            objectmode=False,
            lifted=(),
            fndesc=lowered.fndesc,
            library=library,
            environment=lowered.environment,
            reload_init=lowered.reload_init,
        )

    def _save(self, args: Any, result: Any) -> None:
        # The pipeline has saved it, with all that it calls.
        if not result.library.is_storable:
            self._say_unstored(result)

    def _say_unstored(self, result: Any) -> None:
        warnings.warn(
            f"{result.fndesc.qualname} is compiled anew in every process: it holds addresses of "
            "this one (ctypes pointers, large global arrays)",
            errors.NumbaWarning,
            stacklevel=2,
        )


class NumbaCache(KernelCache):
    """The cache of one function that Numba's own pipeline compiles."""

    def _prepare(self, target_context: Any) -> None:
        target_context.refresh()

    def _load(self, args: Any, target_context: Any) -> Any:
        payload = self.store.load(self.identity.ref(tuple(args), NUMBA), NUMBA)
        try:
            return payload and CompileResult._rebuild(target_context, *payload)
        except Exception:  # whatever code of a damaged file may raise
            return None

    def _save(self, args: Any, result: Any) -> None:
        if result.library.has_dynamic_globals:
            self._say_unstored(result)
        else:
            ref = self.identity.ref(tuple(args), NUMBA)
            self.store.save(ref, NUMBA, result._reduce())


def abandon(kernel: Any) -> None:
    """The compilation of `kernel` failed: there will be nothing to save."""
    if isinstance(kernel._cache, KernelCache):
        kernel._cache.release()


@functools.cache
def _lock_of(folder: Path) -> FileLock:
    return FileLock(folder / "lock")
