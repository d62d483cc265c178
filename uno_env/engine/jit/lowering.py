"""Lowering of kernels to LLVM: Numba's own, with choices of ours.

- Indices of the engine's kernels are unsigned. One that may be negative costs a comparison and a
  selection at every access, a tenth of a step. Literal negative indices keep their meaning.
- The result buffer of a call is not zeroed first. Numba zeroes it even where an inlined call is not
  made: a dozen stores a step that nobody reads.
- Kernels marked `never_inline`, `shared` or `cold` get LLVM's attributes for it. Left to itself
  LLVM copies the end of a round into every step: ten times the code, twice the time to compile,
  slower steps.
- Symbols are those of `names`.

The first two choices are for modules of the engine alone; kernels of other packages keep Python's
meaning of `a[-1]` even when our decorator compiles them.
"""

from typing import Any

import numba
from llvmlite import ir
from numba.core import callconv
from numba.core.compiler_machinery import register_pass
from numba.core.cpu import CPUContext
from numba.core.lowering import Lower
from numba.core.typed_passes import NativeLowering

from .names import Ref

ENGINE = "uno_env.engine."
NEVER_INLINE = ("noinline",)
COLD = ("noinline", "cold")
"""LLVM also takes branches that lead to a cold function for unlikely."""

types: Any = numba.types  # Numba's stubs lack half of what they hold
_attributes: dict[tuple[str, str], tuple[str, ...]] = {}


def set_attributes(function: Any, attributes: tuple[str, ...]) -> None:
    """Register the LLVM attributes of a function before it is compiled."""
    _attributes[function.__module__, function.__qualname__] = attributes


@register_pass(mutates_CFG=True, analysis_only=False)
class KernelLowering(NativeLowering):
    """The pass that translates a typed kernel to LLVM."""

    _name = "uno_env_kernel_lowering"

    @property
    def lowering_class(self) -> type[Lower]:
        return KernelLower


class KernelLower(Lower):
    """Translates one kernel."""

    def emit_environment_object(self) -> None:
        """Declare what Python's side of the kernel needs; other kernels only if they use it."""
        if self.context.has_wrapper:
            super().emit_environment_object()

    def lower_getitem(self, resty: Any, expr: Any, value: Any, index: Any, signature: Any) -> Any:
        signature = self._with_unsigned_index(index, signature)
        return super().lower_getitem(resty, expr, value, index, signature)

    def lower_setitem(self, target: Any, index: Any, value: Any, signature: Any) -> Any:
        signature = self._with_unsigned_index(index, signature)
        return super().lower_setitem(target, index, value, signature)

    def _with_unsigned_index(self, index: Any, signature: Any) -> Any:
        array, kind, *rest = signature.args
        if not isinstance(array, types.Buffer) or not _is_engine(self.fndesc):
            return signature
        if _may_be_negative_literal(self.typeof(index.name)):
            return signature
        return signature.replace(args=(array, _unsigned(kind), *rest))


class KernelContext(CPUContext):
    """The target context of one kernel: how functions are named, declared and called."""

    ref: Ref
    has_wrapper: bool

    @classmethod
    def of(cls, context: Any, ref: Ref, has_wrapper: bool) -> "KernelContext":
        """A shallow copy, as `subtarget` makes one: tables of known functions stay shared."""
        copy = cls.__new__(cls)
        vars(copy).update(vars(context), ref=ref, has_wrapper=has_wrapper)
        return copy

    @property
    def call_conv(self) -> Any:
        return KernelCallConv(self) if _is_engine(self.fndesc) else super().call_conv

    def mangler(self, name: str, types: Any, *, abi_tags: Any = (), uid: Any = None) -> str:
        # Numba's helpers are compiled in the context of the kernel that uses them.
        own = self.ref.mangle(name)
        return own or super().mangler(name, types, abi_tags=abi_tags, uid=uid)

    def declare_function(self, module: Any, fndesc: Any) -> Any:
        declared = super().declare_function(module, fndesc)
        for attribute in _attributes.get((fndesc.modname, fndesc.qualname), ()):
            declared.attributes.add(attribute)
        return declared


class KernelCallConv(callconv.CPUCallConv):
    """Numba's calling convention, without zeroing the result buffer before a call."""

    def call_function(
        self, builder: Any, callee: Any, resty: Any, argtys: Any, args: Any, attrs: Any = None
    ) -> Any:
        if attrs:
            return super().call_function(builder, callee, resty, argtys, args, attrs)
        with builder.goto_entry_block():
            result = builder.alloca(self.get_return_type(resty).pointee)
            error = builder.alloca(ir.PointerType(callconv.excinfo_t))
        arguments = self._get_arg_packer(argtys).as_arguments(builder, args)
        code = builder.call(callee, [result, error, *arguments])
        status = self._get_return_status(builder, code, builder.load(error))
        value = self.context.get_returned_value(builder, resty, builder.load(result))
        return status, value


def _is_engine(fndesc: Any) -> bool:
    """Whether a function descriptor is that of a kernel of ours, not of a helper of Numba's."""
    return str(getattr(fndesc, "modname", "")).startswith(ENGINE)


def _may_be_negative_literal(index: Any) -> bool:
    """Whether an index holds a negative literal, or what we do not know."""
    if isinstance(index, types.BaseTuple):
        return any(_may_be_negative_literal(part) for part in index)
    if isinstance(index, types.IntegerLiteral):
        return bool(index.literal_value < 0)
    return not isinstance(index, (types.Integer, types.SliceType))


def _unsigned(index: Any) -> Any:
    """The type of an index with unsigned integers."""
    if isinstance(index, types.BaseTuple):
        return types.BaseTuple.from_types(tuple(_unsigned(part) for part in index))
    if isinstance(index, types.Integer) and index.signed:
        return types.uintp
    return index
