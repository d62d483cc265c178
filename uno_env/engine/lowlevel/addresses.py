"""Records, rows and arrays by their address: one number for all arrays that a kernel takes.

To unpack an array from Python takes longer than a step does: 60 ns, a structured one 110. So the
kernels of every step take the address of a frame, which holds the addresses of the arrays; the
caller keeps frame and arrays alive. In plain Python a frame is a tuple of the arrays themselves or,
for one game, of their first rows.
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

    def array_in(example: Any) -> Any:
        """A function from a `BatchFrame` and a slot of it to the array there."""
        return lambda frame, slot: frame[slot]

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

    def array_in(example: Any) -> Any:
        """A function from a `BatchFrame` and a slot of it to the array there.

        Args:
            example: an array of the same type, whose first axis may have another length.
        """
        kind, columns = numba.typeof(example), example.shape[1:]
        steps, size = example.strides, example.itemsize

        @intrinsic
        def at(typingctx: Any, frame: Any, slot: Any) -> Any:
            def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                number = lambda value: context.get_constant(types.intp, value)  # noqa: E731
                word = context.get_value_type(types.int64).as_pointer()
                pair = builder.gep(
                    builder.inttoptr(args[0], word), [builder.mul(args[1], number(2))]
                )
                array = context.make_array(kind)(context, builder)
                data = builder.inttoptr(builder.load(pair), array.data.type)
                rows = builder.load(builder.gep(pair, [number(1)]))
                shape = [rows, *map(number, columns)]
                populate = numba.np.arrayobj.populate_array
                populate(array, data, shape, list(map(number, steps)), number(size), meminfo=None)
                return array._getvalue()

            return kind(types.int64, types.int64), codegen

        return at


class BatchFrame:
    """The addresses and lengths of arrays, for the kernels of a batch.

    Args:
        arrays: what the slots hold, in their order.
    """

    def __init__(self, *arrays: np.ndarray[Any, Any]) -> None:
        self._arrays = arrays
        pairs = [(array.ctypes.data, len(array)) for array in arrays]
        self._slots = np.array(pairs, np.int64)
        self.argument: Any = int(self._slots.ctypes.data) if IS_COMPILED else arrays
        """What kernels take."""


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
