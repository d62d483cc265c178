"""SIMD operations: what one vector instruction does, compiled and as plain Python.

Numba has no vector types and LLVM vectorises few of these loops by itself, so they are written as
LLVM vectors; the compiler splits them for processors with narrower registers.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from ..jit import IS_COMPILED
from ..state import NUMBERS, offset_of

SIMD_WIDTH = 16
"""Numbers narrowed to bytes at once."""

MAX_BYTE = 255

# Numbers that are transformed for the observation: (x + addend) >> shift.
_ADDEND = {"direction": 1}
_SHIFT = {"direction": 1, "turns": 2}
ADDENDS = [_ADDEND.get(name, 0) for name in NUMBERS]
SHIFTS = [_SHIFT.get(name, 0) for name in NUMBERS]

if not IS_COMPILED:

    def make_copy(count: int) -> Callable[..., None]:
        """A function that copies `count` words from an array into a row."""

        def copy(source: Any, start: int, row: Any, at: int) -> None:
            row[at : at + count] = source.reshape(-1)[start : start + count]

        return copy

    def make_copy_if(count: int) -> Callable[..., None]:
        """A function that copies `count` words into a row if a flag is 1, else zeros."""

        def copy_if(source: Any, start: int, row: Any, at: int, flag: int) -> None:
            row[at : at + count] = source.reshape(-1)[start : start + count] if flag else 0

        return copy_if

    def make_copy_twice(count: int) -> Callable[..., None]:
        """A function that copies the first `count` words of an array to two indices of a row."""

        def copy_twice(source: Any, row: Any, first: int, second: int) -> None:
            words = source.reshape(-1)[:count]
            row[first : first + count] = words
            row[second : second + count] = words

        return copy_twice

    def narrow_numbers(s: Any) -> Any:
        """The public numbers of a game as bytes, at most 255, in two words."""
        small = [
            min((int(getattr(s, name)) + addend) >> shift, MAX_BYTE)
            for name, addend, shift in zip(NUMBERS, ADDENDS, SHIFTS, strict=True)
        ]
        return np.array(small, np.uint8).view(np.int64)

else:
    _I8, _I16, _I32, _I64 = (ir.IntType(bits) for bits in (8, 16, 32, 64))

    def _vector(kind: Any, values: list[int]) -> Any:
        return ir.Constant(ir.VectorType(kind, SIMD_WIDTH), [kind(value) for value in values])

    def _pointer(context: Any, builder: Any, kind: Any, array: Any, index: Any) -> Any:
        data = context.make_array(kind)(context, builder, array).data
        return builder.gep(data, [index])

    def make_copy(count: int) -> Callable[..., None]:
        """A function that copies `count` words from an array into a row."""

        @intrinsic
        def copy(typingctx: Any, source: Any, start: Any, row: Any, at: Any) -> Any:
            def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                whole = ir.VectorType(_I64, count).as_pointer()
                from_, to = (
                    builder.bitcast(
                        _pointer(context, builder, signature.args[k], args[k], args[k + 1]), whole
                    )
                    for k in (0, 2)
                )
                builder.store(builder.load(from_, align=8), to, align=8)
                return context.get_dummy_value()

            return types.none(source, types.int64, row, types.int64), codegen

        kernel: Callable[..., None] = copy
        return kernel

    def make_copy_if(count: int) -> Callable[..., None]:
        """A function that copies `count` words into a row if a flag is 1, else zeros."""

        @intrinsic
        def copy_if(typingctx: Any, source: Any, start: Any, row: Any, at: Any, flag: Any) -> Any:
            def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                kind = ir.VectorType(_I64, count)
                from_, to = (
                    builder.bitcast(
                        _pointer(context, builder, signature.args[k], args[k], args[k + 1]),
                        kind.as_pointer(),
                    )
                    for k in (0, 2)
                )
                # Without a branch: the flag as a mask of every word.
                mask = builder.neg(args[4])
                one = builder.insert_element(ir.Constant(kind, ir.Undefined), mask, _I32(0))
                lanes = ir.Constant(ir.VectorType(_I32, count), [_I32(0)] * count)
                masks = builder.shuffle_vector(one, ir.Constant(kind, ir.Undefined), lanes)
                words = builder.and_(builder.load(from_, align=8), masks)
                builder.store(words, to, align=8)
                return context.get_dummy_value()

            return types.none(source, types.int64, row, types.int64, types.int64), codegen

        kernel: Callable[..., None] = copy_if
        return kernel

    def make_copy_twice(count: int) -> Callable[..., None]:
        """A function that copies the first `count` words of an array to two indices of a row."""

        @intrinsic
        def copy_twice(typingctx: Any, source: Any, row: Any, first: Any, second: Any) -> Any:
            def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                whole = ir.VectorType(_I64, count).as_pointer()
                start = _pointer(context, builder, signature.args[0], args[0], _I64(0))
                words = builder.load(builder.bitcast(start, whole), align=8)
                for index in args[2:]:
                    to = _pointer(context, builder, signature.args[1], args[1], index)
                    builder.store(words, builder.bitcast(to, whole), align=8)
                return context.get_dummy_value()

            return types.none(source, row, types.int64, types.int64), codegen

        kernel: Callable[..., None] = copy_twice
        return kernel

    @intrinsic
    def narrow_numbers(typingctx: Any, s: Any) -> Any:
        """The public numbers of a game as bytes, at most 255, in two words."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            offset = _I64(offset_of(NUMBERS[0]))
            start = builder.gep(builder.bitcast(args[0], _I8.as_pointer()), [offset])
            kind = ir.VectorType(_I16, SIMD_WIDTH).as_pointer()
            row = builder.load(builder.bitcast(start, kind), align=2)
            row = builder.lshr(builder.add(row, _vector(_I16, ADDENDS)), _vector(_I16, SHIFTS))
            most = _vector(_I16, [MAX_BYTE] * SIMD_WIDTH)
            row = builder.select(builder.icmp_unsigned("<", row, most), row, most)
            narrow = builder.trunc(row, ir.VectorType(_I8, SIMD_WIDTH))
            words = builder.bitcast(narrow, ir.VectorType(_I64, 2))
            both = [builder.extract_element(words, _I32(k)) for k in (0, 1)]
            return context.make_tuple(builder, signature.return_type, both)

        return types.UniTuple(types.int64, 2)(s), codegen
