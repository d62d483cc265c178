"""Copies of games: only the part of a record that is in use."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ..jit import IS_COMPILED, always_inline
from ..state import offset_of
from ..tables import ROW

KNOWN = offset_of("known")
"""Where the rows of known cards begin, the last part of a record."""

if not IS_COMPILED:

    def copy_bytes(to: Any, source: Any, count: int) -> None:
        """Copy the first bytes of a record over those of another."""
        for name in source.dtype.names:
            to[name] = source[name]

else:

    @intrinsic
    def copy_bytes(typingctx: Any, to: Any, source: Any, count: Any) -> Any:
        """Copy the first bytes of a record over those of another."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            octets = ir.IntType(8).as_pointer()
            start, end = (builder.bitcast(record, octets) for record in args[:2])
            cgutils.raw_memcpy(builder, start, end, args[2], itemsize=1, align=8)
            return context.get_dummy_value()

        return types.none(to, source, types.int64), codegen


@always_inline
def copy_game(to, source):
    """Make one record the same game as another."""
    # Without `has_known` no row is in use.
    rows = source.num_players * source.num_players if source.has_known else 0
    copy_bytes(to, source, KNOWN + rows * ROW)
