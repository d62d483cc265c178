"""Records and rows by their address: one number for all arrays that a kernel of one game takes.

To unpack an array from Python takes longer than a step does: 60 ns, a structured one 110. So one
game passes the address of a frame, which holds the addresses of its arrays; the caller keeps frame
and arrays alive. In plain Python the frame is the tuple of the arrays' first rows.
"""

from typing import Any

import numba
import numpy as np
from numba import types
from numba.extending import intrinsic

from ..jit import IS_COMPILED

if not IS_COMPILED:

    def address(frame: Any, slot: int) -> Any:
        """What a slot of a frame holds."""
        return frame[slot]

    def record_at(dtype: Any) -> Any:
        """A function from an address to the record there."""
        return lambda record: record

    def row_at(words: int) -> Any:
        """A function from an address to the row of so many 64-bit words there."""
        return lambda row: row

else:

    @intrinsic
    def address(typingctx: Any, frame: Any, slot: Any) -> Any:
        """What a slot of a frame holds."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            word = context.get_value_type(types.int64)
            return builder.load(
                builder.gep(builder.inttoptr(args[0], word.as_pointer()), [args[1]])
            )

        return types.int64(types.int64, types.int64), codegen

    def record_at(dtype: Any) -> Any:
        """A function from an address to the record there."""
        record = numba.from_dtype(dtype)

        @intrinsic
        def at(typingctx: Any, where: Any) -> Any:
            def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                return builder.inttoptr(args[0], context.get_value_type(record))

            return record(types.int64), codegen

        return at

    def row_at(words: int) -> Any:
        """A function from an address to the row of so many 64-bit words there."""
        row = types.Array(types.uint64, 1, "C")

        @intrinsic
        def at(typingctx: Any, where: Any) -> Any:
            def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                array = context.make_array(row)(context, builder)
                data = builder.inttoptr(args[0], array.data.type)
                shape = context.get_constant(types.intp, words)
                itemsize = context.get_constant(types.intp, 8)
                populate = numba.np.arrayobj.populate_array
                populate(array, data, [shape], [itemsize], itemsize, meminfo=None)
                return array._getvalue()

            return row(types.int64), codegen

        return at


class Frame:
    """The addresses of arrays, for the kernels of one game.

    Args:
        arrays: those whose first rows the slots hold, in their order.
    """

    def __init__(self, *arrays: np.ndarray[Any, Any]) -> None:
        self._arrays = arrays
        self._slots = np.array([array.ctypes.data for array in arrays], np.int64)
        self.argument: Any = int(self._slots.ctypes.data)
        """What kernels take."""
        if not IS_COMPILED:
            self.argument = tuple(array[0] for array in arrays)
