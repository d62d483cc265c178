"""Branch hints: conditions that nearly always, or hardly ever, hold.

Without them LLVM takes both outcomes for equally likely, and a step takes some 40 % more jumps.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ..jit import IS_COMPILED

if not IS_COMPILED:

    def likely(test: Any) -> Any:
        """The condition, which nearly always holds."""
        return test

    def unlikely(test: Any) -> Any:
        """The condition, which hardly ever holds."""
        return test

else:

    def _expecting(expected: int) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            answer = context.is_true(builder, signature.args[0], args[0])
            kind = ir.FunctionType(cgutils.bool_t, [cgutils.bool_t] * 2)
            expect = cgutils.get_or_insert_function(builder.module, kind, "llvm.expect.i1")
            return builder.call(expect, [answer, ir.Constant(cgutils.bool_t, expected)])

        return codegen

    @intrinsic
    def likely(typingctx: Any, test: Any) -> Any:
        """The condition, which nearly always holds."""
        return types.boolean(types.unliteral(test)), _expecting(1)

    @intrinsic
    def unlikely(typingctx: Any, test: Any) -> Any:
        """The condition, which hardly ever holds."""
        return types.boolean(types.unliteral(test)), _expecting(0)
