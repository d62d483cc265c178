"""Our compiler pipelines: Numba's own, with our lowering and our libraries.

Numba passes a pipeline to a single dispatcher, so nothing of it reaches other kernels.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from numba.core import errors as numba_errors
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import PassManager
from numba.core.typed_passes import NativeLowering

from .library import KernelLibrary, Linkage
from .lowering import KernelContext, KernelLowering
from .names import LOWERED, WHOLE, Identity
from .store import Store

_errors: Any = numba_errors  # Numba's stubs lack half of what it holds


class Spec(NamedTuple):
    """What a pipeline must know of the function it compiles."""

    identity: Identity
    linkage: Linkage
    store: Store | None


specs: dict[Callable[..., Any], Spec] = {}
"""Filled by the decorators: Numba tells a pipeline the function and nothing else of ours."""


class WholeCompiler(Compiler):
    """Compiles a kernel to machine code that Python can call."""

    form = WHOLE

    def compile_extra(self, func: Callable[..., Any]) -> Any:
        spec = specs[func]
        ref = spec.identity.ref(tuple(self.state.args), self.form)
        is_whole = self.form == WHOLE
        context = KernelContext.of(self.state.targetctx, ref, has_wrapper=is_whole)
        self.state.targetctx = context
        linkage = Linkage.ROOT if is_whole else spec.linkage
        self.state.library = KernelLibrary(context.codegen(), ref, linkage, spec.store)
        result = super().compile_extra(func)
        self.state.library.keep(result)
        return result

    def define_pipelines(self) -> list[Any]:
        return [_Passes.like(manager) for manager in super().define_pipelines()]


class LoweredCompiler(WholeCompiler):
    """Compiles a kernel to LLVM code that other kernels can call."""

    form = LOWERED

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        flags = self.state.flags
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True


class _Passes(PassManager):
    """Numba's passes with our lowering."""

    @classmethod
    def like(cls, manager: Any) -> "_Passes":
        passes = cls(manager.pipeline_name)
        passes.passes = [
            (KernelLowering if step is NativeLowering else step, description)
            for step, description in manager.passes
        ]
        passes.finalize()
        return passes

    def _runPass(self, index: int, pss: Any, internal_state: Any) -> None:
        if self._print_before or self._print_after or self._print_wrap:
            super()._runPass(index, pss, internal_state)
            return
        # Numba's own would describe flags and argument types to listeners: a tenth of the time.
        pss.analysis = self._analysis
        with _errors.new_error_context("Pass {name}", name=pss.name()):
            pss.run_initialization(internal_state)
            pss.run_pass(internal_state)
            pss.run_finalizer(internal_state)
