"""The one decorator of every kernel, so that options, cache and progress are decided in one place.

    @jit                              a function called by other kernels
    @jit(boundscheck=True)            any option of `numba.njit`
    @always_inline, @never_inline     a function inlined into every caller, or into none
    @shared                           never inlined, compiled apart: entries share one copy
    @cold                             never inlined; the branches to it are unlikely
    inline_copy(kernel)               the same kernel, always inlined
    @jit_entry("batch step")          a function called from Python; its compilation is announced

Other packages may write kernels of their own with it, best in a folder that holds nothing else: an
edit of any file in that folder, or of the engine, compiles them anew.

Decorated functions are dispatchers of Numba: a call from Python pays for nothing of ours. Nothing
is compiled before the first call or `warm_up`, and then only entries and what they call become
machine code (`library`). With `NUMBA_DISABLE_JIT=1` they are plain Python functions.
"""

import time
from collections.abc import Callable, Iterable
from functools import partial
from types import FunctionType
from typing import Any, NamedTuple, TypeVar, cast, overload

import numba
from numba.core import event, types
from numba.core.dispatcher import Dispatcher

from .cache import KernelCache, NumbaCache, abandon
from .folder import cache_folder
from .kernel import EntryKernel, Kernel, plain_type
from .library import Linkage
from .lowering import COLD, NEVER_INLINE, set_attributes
from .names import Identity
from .numba_version import is_custom
from .pipeline import Spec
from .progress import EMIT, Progress
from .store import store_for

Function = TypeVar("Function", bound=Callable[..., Any])

OPTIONS: dict[str, Any] = {
    "nogil": True,
    "fastmath": False,
    "error_model": "numpy",
    # Given to every kernel: without it a kernel inherits the flag of its first caller.
    "forceinline": False,
}

NOPYTHON: dict[str, Any] = {"nopython": True, "no_cfunc_wrapper": True}
INNER: dict[str, Any] = {"no_cfunc_wrapper": True}
"""Kernels need no C wrapper. They keep the Python one: tests and debuggers call them."""

IS_COMPILED = not getattr(numba.config, "DISABLE_JIT", 0)
"""False when kernels run as plain Python, for debugging and as a check of the compiled ones."""

progress = Progress(cache_folder)
"""Follows every compilation of this process."""


@overload
def jit(function: Function, /) -> Function: ...
@overload
def jit(**options: Any) -> Callable[[Function], Function]: ...
def jit(function: Any = None, /, **options: Any) -> Any:
    """Compile a kernel on first use, cached on disk; keywords are those of `numba.njit`."""
    if function is None:
        return lambda function: _decorate(function, options, Linkage.INLINED)
    return _decorate(function, options, Linkage.INLINED)


def always_inline(function: Function) -> Function:
    """Like `jit`, for a kernel on the path of every step: always inlined into its callers."""
    kernel: Function = _decorate(function, {"forceinline": True}, Linkage.INLINED)
    return kernel


def never_inline(function: Function) -> Function:
    """Like `jit`, for a large kernel with many callers: never inlined into them."""
    set_attributes(function, NEVER_INLINE)
    kernel: Function = _decorate(function, {}, Linkage.CALLED)
    return kernel


def shared(function: Function) -> Function:
    """Like `never_inline`, for the largest: machine code of its own, made once for all entries."""
    set_attributes(function, NEVER_INLINE)
    kernel: Function = _decorate(function, {}, Linkage.ROOT)
    return kernel


def inline_copy(kernel: Function) -> Function:
    """A second copy of a kernel, always inlined; the first keeps its own inlining policy."""
    function = getattr(kernel, "py_func", None)
    if function is None:
        return kernel
    twin = FunctionType(function.__code__, function.__globals__)
    twin.__module__, twin.__doc__ = function.__module__, function.__doc__
    twin.__name__ = twin.__qualname__ = f"{function.__name__}_inline_copy"
    return always_inline(cast(Function, twin))


def cold(function: Function) -> Function:
    """Like `jit`, for a kernel that few steps reach: never inlined and expected to be skipped."""
    set_attributes(function, COLD)
    kernel: Function = _decorate(function, {}, Linkage.CALLED)
    return kernel


def jit_entry(name: str, **options: Any) -> Callable[[Function], Function]:
    """Like `jit`, for a kernel that Python calls; `name` is shown while it compiles."""

    def decorate(function: Function) -> Function:
        progress.entries[function] = name
        kernel: Function = _decorate(function, options, Linkage.ROOT)
        return kernel

    return decorate


class WarmUp(NamedTuple):
    """What `warm_up` had to do."""

    compiled: int
    loaded: int
    seconds: float


def warm_up(calls: Iterable[tuple[Callable[..., Any], tuple[Any, ...]]]) -> WarmUp:
    """Make kernels ready for the types of the given arguments, without running them.

    Args:
        calls: pairs of a kernel and the arguments of a call to come; a Numba type may stand for
            a value.
    """
    started = time.perf_counter()
    kernels = [(kernel, args) for kernel, args in calls if isinstance(kernel, Dispatcher)]
    compiled = loaded = 0
    with progress.task(kernel for kernel, _ in kernels):
        for kernel, args in kernels:
            before = _counts(kernel)
            kernel.compile(tuple(_type_of(kernel, value) for value in args))
            after = _counts(kernel)
            compiled += after[0] - before[0]
            loaded += after[1] - before[1]
    return WarmUp(compiled, loaded, time.perf_counter() - started)


def _counts(kernel: Any) -> tuple[int, int]:
    stats = kernel.stats
    return sum(stats.cache_misses.values()), sum(stats.cache_hits.values())


def _type_of(kernel: Any, value: Any) -> Any:
    return value if isinstance(value, types.Type) else kernel.typeof_pyval(value)


def _decorate(function: Any, options: dict[str, Any], linkage: Linkage) -> Any:
    is_entry = function in progress.entries
    wants_cache = options.pop("cache", True)
    options = {**OPTIONS, **options}
    if not IS_COMPILED:
        return function
    identity = Identity(function, options)
    # A function defined anew may differ from the file that the folder is named by.
    store = store_for(function) if wants_cache and not identity.generation else None
    kernel: Any
    if is_custom():
        spec = Spec(identity, linkage, store)
        kernel = (EntryKernel if is_entry else Kernel)(function, {**options, **NOPYTHON}, spec)
    else:
        kernel = numba.njit(**options, **({} if is_entry else INNER))(function)
        kernel.get_call_template = partial(_plain_template, kernel)
    if store is not None:
        cache = KernelCache if is_custom() else NumbaCache
        # What `cache=True` does, with our class.
        kernel._cache = cache(identity, store, is_entry, on_wait=progress.say_waiting)
    if is_entry:
        progress.kernels.append(kernel)
    return kernel


def _plain_template(kernel: Any, args: Any, kws: Any) -> Any:
    """What `Kernel` does, for a dispatcher of Numba's."""
    return Dispatcher.get_call_template(kernel, tuple(map(plain_type, args)), kws)


progress.on_failure = abandon
if IS_COMPILED:
    event.register("numba:compile", progress)
    event.register(EMIT, progress)
