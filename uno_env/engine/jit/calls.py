"""Calls between kernels without clearing the room for their results first.

Numba writes zeros over that room before every call, and for calls in inlined kernels even where
the call is not made: a dozen stores a step that nobody reads.
"""

from typing import Any

from llvmlite import ir
from numba.core import callconv

ENGINE = "uno_env.engine."


def call_without_clearing() -> None:
    """From now on compile calls within the engine's kernels this way."""
    usual = callconv.CPUCallConv.call_function

    def call(
        self: Any, builder: Any, callee: Any, result: Any, kinds: Any, args: Any, attrs: Any = None
    ) -> Any:
        function = getattr(self.context, "fndesc", None)
        if attrs or not str(getattr(function, "modname", "")).startswith(ENGINE):
            return usual(self, builder, callee, result, kinds, args, attrs)
        with builder.goto_entry_block():
            room = builder.alloca(self.get_return_type(result).pointee)
            error = builder.alloca(ir.PointerType(callconv.excinfo_t))
        plain = self._get_arg_packer(kinds).as_arguments(builder, args)
        code = builder.call(callee, [room, error, *plain])
        status = self._get_return_status(builder, code, builder.load(error))
        value = self.context.get_returned_value(builder, result, builder.load(room))
        return status, value

    callconv.CPUCallConv.call_function = call  # type: ignore[method-assign]
