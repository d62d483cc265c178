"""Kernels: Numba's dispatchers, which give other kernels LLVM code and Python machine code."""

import contextlib
import gc
import importlib
from collections.abc import Iterator
from typing import Any

from numba.core import dispatcher, event, sigutils, types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher
from numba.core.typing.templates import make_concrete_template

from .library import KernelLibrary, find_library
from .names import LOWERED
from .pipeline import LoweredCompiler, Spec, WholeCompiler, specs

_dispatcher: Any = dispatcher  # Numba's stubs lack half of what it holds


class Kernel(CPUDispatcher):
    """A kernel that other kernels call: they get its LLVM code.

    Python may call it too, as tests and debuggers do; then it is compiled like an entry.
    """

    _compiler: Any
    targetctx: Any

    def __init__(self, function: Any, options: dict[str, Any], spec: Spec) -> None:
        specs[function] = spec
        super().__init__(function, {}, options, pipeline_class=WholeCompiler)
        self._lowering = _dispatcher._FunctionCompiler(
            function, self.targetdescr, self.targetoptions, self.locals, LoweredCompiler
        )
        self.lowered: dict[tuple[Any, ...], KernelLibrary] = {}

    def __reduce__(self) -> Any:
        return _by_name, (self.py_func.__module__, self.py_func.__qualname__)

    def compile(self, sig: Any) -> Any:
        """Compile for Python, or load; returns what Python calls."""
        with _collector_paused():
            return super().compile(sig)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Resolve a call from another kernel, for plain 64-bit arguments.

        Numba would compile a kernel anew for every constant it is called with, and for every
        width of integer: that multiplied the compile time by three.
        """
        pysig, args = self._compiler.fold_argument_types(tuple(map(plain_type, args)), kws)
        name = self.py_func.__name__
        signatures = [self.for_callers(tuple(args)).lowered.signature]
        template = make_concrete_template(f"Call({name})", key=name, signatures=signatures)
        return template, pysig, args, {}

    def get_overload(self, sig: Any) -> Any:
        """What stands for the kernel in Numba's table of functions."""
        args, _ = sigutils.normalize_signature(sig)
        return self.for_callers(tuple(args))

    def for_callers(self, args: tuple[Any, ...]) -> KernelLibrary:
        """The code that other kernels link to."""
        library = self.lowered.get(args)
        if library is None:
            with global_compiler_lock, self._compiling_counter:
                library = self._load(args) or self._lower(args)
            fndesc = library.lowered.fndesc
            self.targetctx.insert_user_function(library, fndesc, [library])
            self.lowered[args] = library
        return library

    def _load(self, args: tuple[Any, ...]) -> KernelLibrary | None:
        ref = specs[self.py_func].identity.ref(args, LOWERED)
        return find_library(self.targetctx.codegen(), ref)

    def _lower(self, args: tuple[Any, ...]) -> KernelLibrary:
        details = {"dispatcher": self, "args": args, "return_type": None}
        with event.trigger_event("numba:compile", data=details):
            result: Any = self._lowering.compile(args, None)
        library: KernelLibrary = result.library
        return library


class EntryKernel(Kernel):
    """A kernel that Python calls; other kernels call the same machine code."""

    def for_callers(self, args: tuple[Any, ...]) -> KernelLibrary:
        library = self.lowered.get(args)
        if library is None:
            self.compile(args)
            result: Any = self.overloads[args]
            library = result.library
            self.targetctx.insert_user_function(library, library.lowered.fndesc, [library])
            self.lowered[args] = library
        return library


def plain_type(numba_type: Any) -> Any:
    """The type of an argument between kernels: integers have 64 bits, constants are values."""
    numba_type = types.unliteral(numba_type)
    if isinstance(numba_type, types.Boolean):
        return types.int64
    if isinstance(numba_type, types.Integer) and numba_type != types.uint64:
        return types.int64
    return numba_type


@contextlib.contextmanager
def _collector_paused() -> Iterator[None]:
    """Without the garbage collector, which would look at a growing heap: a tenth of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _by_name(module: str, qualname: str) -> Any:
    return getattr(importlib.import_module(module), qualname)
