"""Several numbers at once: what one vector instruction does, compiled and as plain Python.

Numba has no vectors and finds few by itself, so these are spelled out for the compiler, which
breaks them up again for processors with shorter ones.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from ..jit import IS_COMPILED
from ..state import NUMBERS, offset_of

LANES = 16
"""Entries compared at once, and numbers narrowed at once."""

NAME_SHIFT, HOLDER_SHIFT = 16, 24
"""An entry of `known` without its observers names the holder and the face."""

MOST = 255

# Numbers that go into the observation otherwise than as they are: (x + more) >> places.
_MORE = {"direction": 1}
_PLACES = {"direction": 1, "turns": 2}
MORE = [_MORE.get(name, 0) for name in NUMBERS]
PLACES = [_PLACES.get(name, 0) for name in NUMBERS]

if not IS_COMPILED:

    def mover(count: int) -> Callable[..., None]:
        """A function that copies so many words from one array into a row."""

        def move(source: Any, start: int, row: Any, at: int) -> None:
            row[at : at + count] = source.reshape(-1)[start : start + count]

        return move

    def layer(count: int) -> Callable[..., None]:
        """A function that writes the first words of an array to two places of a row."""

        def lay(source: Any, row: Any, first: int, second: int) -> None:
            words = source.reshape(-1)[:count]
            row[first : first + count] = words
            row[second : second + count] = words

        return lay

    def _finder(places: int) -> Callable[..., Any]:
        def find(entries: Any, first: int, value: int) -> int:
            found = (entries[first : first + LANES] >> places) == value
            return sum(1 << lane for lane, same in enumerate(found.tolist()) if same)

        return find

    def narrow_numbers(s: Any) -> Any:
        """The public numbers of a game as bytes, at most 255, in two words."""
        small = [
            min((int(getattr(s, name)) + more) >> places, MOST)
            for name, more, places in zip(NUMBERS, MORE, PLACES, strict=True)
        ]
        return np.array(small, np.uint8).view(np.int64)

else:
    _I8, _I16, _I32, _I64 = (ir.IntType(bits) for bits in (8, 16, 32, 64))

    def _vector(kind: Any, values: list[int]) -> Any:
        return ir.Constant(ir.VectorType(kind, LANES), [kind(value) for value in values])

    def _place(context: Any, builder: Any, kind: Any, array: Any, index: Any) -> Any:
        data = context.make_array(kind)(context, builder, array).data
        return builder.gep(data, [index])

    def mover(count: int) -> Callable[..., None]:
        """A function that copies so many words from one array into a row."""

        @intrinsic
        def move(typingctx: Any, source: Any, start: Any, row: Any, at: Any) -> Any:
            def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                whole = ir.VectorType(_I64, count).as_pointer()
                from_, to = (
                    builder.bitcast(
                        _place(context, builder, signature.args[k], args[k], args[k + 1]), whole
                    )
                    for k in (0, 2)
                )
                builder.store(builder.load(from_, align=8), to, align=8)
                return context.get_dummy_value()

            return types.none(source, types.int64, row, types.int64), codegen

        kernel: Callable[..., None] = move
        return kernel

    def layer(count: int) -> Callable[..., None]:
        """A function that writes the first words of an array to two places of a row."""

        @intrinsic
        def lay(typingctx: Any, source: Any, row: Any, first: Any, second: Any) -> Any:
            def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                whole = ir.VectorType(_I64, count).as_pointer()
                start = _place(context, builder, signature.args[0], args[0], _I64(0))
                words = builder.load(builder.bitcast(start, whole), align=8)
                for index in args[2:]:
                    to = _place(context, builder, signature.args[1], args[1], index)
                    builder.store(words, builder.bitcast(to, whole), align=8)
                return context.get_dummy_value()

            return types.none(source, row, types.int64, types.int64), codegen

        kernel: Callable[..., None] = lay
        return kernel

    def _finder(places: int) -> Callable[..., Any]:
        @intrinsic
        def find(typingctx: Any, entries: Any, first: Any, value: Any) -> Any:
            def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                kind = ir.VectorType(_I32, LANES)
                start = _place(context, builder, signature.args[0], args[0], args[1])
                row = builder.load(builder.bitcast(start, kind.as_pointer()), align=4)
                values = builder.lshr(row, _vector(_I32, [places] * LANES))
                one = builder.insert_element(
                    ir.Constant(kind, ir.Undefined), builder.trunc(args[2], _I32), _I32(0)
                )
                every = builder.shuffle_vector(one, one, _vector(_I32, [0] * LANES))
                same = builder.icmp_unsigned("==", values, every)
                return builder.zext(builder.bitcast(same, _I16), _I64)

            return types.int64(entries, types.int64, types.int64), codegen

        kernel: Callable[..., Any] = find
        return kernel

    @intrinsic
    def narrow_numbers(typingctx: Any, s: Any) -> Any:
        """The public numbers of a game as bytes, at most 255, in two words."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            offset = _I64(offset_of(NUMBERS[0]))
            start = builder.gep(builder.bitcast(args[0], _I8.as_pointer()), [offset])
            kind = ir.VectorType(_I32, LANES).as_pointer()
            row = builder.load(builder.bitcast(start, kind), align=4)
            row = builder.lshr(builder.add(row, _vector(_I32, MORE)), _vector(_I32, PLACES))
            most = _vector(_I32, [MOST] * LANES)
            row = builder.select(builder.icmp_unsigned("<", row, most), row, most)
            octets = builder.trunc(row, ir.VectorType(_I8, LANES))
            words = builder.bitcast(octets, ir.VectorType(_I64, 2))
            both = [builder.extract_element(words, _I32(k)) for k in (0, 1)]
            return context.make_tuple(builder, signature.return_type, both)

        return types.UniTuple(types.int64, 2)(s), codegen


named = _finder(NAME_SHIFT)
"""Which of the sixteen entries from `first` on bear a name, as bits."""
held = _finder(HOLDER_SHIFT)
"""Which of them tell of cards of a holder."""
