"""Bit counting and seeded random numbers, compiled and as plain Python with equal results.

All randomness of a game is a function of its seed and of counters kept in the state: the deck of
round r comes from (seed, r), its k-th reshuffle from (seed, r, k). No generator state is carried.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ..jit import IS_COMPILED, always_inline

_MASK = (1 << 64) - 1


def _py_mix(x: int) -> int:
    x = (int(x) + 0x9E3779B97F4A7C15) & _MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
    return x ^ (x >> 31)


if not IS_COMPILED:

    def popcount(word: Any) -> int:
        """Number of set bits of a 64-bit word."""
        return (int(word) & _MASK).bit_count()

    def lowest(word: Any) -> int:
        """Index of the lowest set bit; 64 for an empty word."""
        word = int(word) & _MASK
        return (word & -word).bit_length() - 1 if word else 64

    def highest(word: Any) -> int:
        """Index of the highest set bit; -1 for an empty word."""
        return (int(word) & _MASK).bit_length() - 1

    def nth_set(word: Any, n: int) -> int:
        """Index of the n-th set bit, counted from 0 at the lowest; there must be more than n."""
        rest = int(word) & _MASK
        for _ in range(int(n)):
            rest &= rest - 1
        return lowest(rest)

    def spell(word: Any, words: Any, at: int) -> None:
        """Write the 64 bits of a word as bytes 0 and 1 into the eight words from `at` on."""
        bits = np.array([int(word) & _MASK], "<u8").view(np.uint8)
        words[at : at + 8] = np.unpackbits(bits, bitorder="little").view(np.uint64)

    def mix(x: Any) -> Any:
        """One splitmix64 step: a well-spread 64-bit hash of x."""
        return np.uint64(_py_mix(x))

    def below(x: Any, n: int) -> int:
        """A number in 0..n-1 from a random word."""
        return ((int(x) >> 32) * int(n)) >> 32

    def lower_half(x: Any) -> Any:
        """The lower 32 bits of a word, as the upper ones."""
        return np.uint64((int(x) << 32) & _MASK)

    def key(seed: Any, a: int, b: int) -> Any:
        """Start of the random stream named (seed, a, b)."""
        return np.uint64(_py_mix(_py_mix(_py_mix(seed) ^ (int(a) & _MASK)) ^ (int(b) & _MASK)))

else:
    # Same names, same results; untyped, so mypy sees other signatures and gives up on them.

    @intrinsic
    def _ctpop(typingctx: Any, word: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return types.int64(types.int64), codegen

    @intrinsic
    def _cttz(typingctx: Any, word: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], ir.Constant(cgutils.bool_t, 0))

        return types.int64(types.int64), codegen

    @intrinsic
    def _ctlz(typingctx: Any, word: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctlz(args[0], ir.Constant(cgutils.bool_t, 0))

        return types.int64(types.int64), codegen

    @intrinsic
    def spell(typingctx: Any, word: Any, words: Any, at: Any) -> Any:
        """Write the 64 bits of a word as bytes 0 and 1 into the eight words from `at` on."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            row = context.make_array(signature.args[1])(context, builder, args[1])
            start = builder.gep(row.data, [args[2]])
            bits = builder.bitcast(args[0], ir.VectorType(ir.IntType(1), 64))
            octets = builder.zext(bits, ir.VectorType(ir.IntType(8), 64))
            place = builder.bitcast(start, octets.type.as_pointer())
            builder.store(octets, place, align=8)
            return context.get_dummy_value()

        return types.none(types.int64, words, types.int64), codegen

    @always_inline
    def popcount(word):  # type: ignore[misc]
        return _ctpop(np.int64(word))  # type: ignore[call-arg]

    @always_inline
    def lowest(word):  # type: ignore[misc]
        return _cttz(np.int64(word))  # type: ignore[call-arg]

    @always_inline
    def highest(word):  # type: ignore[misc]
        return 63 - _ctlz(np.int64(word))  # type: ignore[call-arg]

    @intrinsic
    def nth_set(typingctx: Any, word: Any, n: Any) -> Any:
        """Index of the n-th set bit, counted from 0 at the lowest; there must be more than n."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            # Without a loop where the processor can: its length is nothing one could guess.
            if "+bmi2" not in context.codegen().magic_tuple()[2]:
                return context.compile_internal(builder, _nth_by_loop, signature, args)
            one = builder.shl(ir.Constant(args[0].type, 1), args[1])
            kind = ir.FunctionType(args[0].type, [args[0].type] * 2)
            deposit = cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.bmi.pdep.64")
            return builder.cttz(
                builder.call(deposit, [one, args[0]]), ir.Constant(cgutils.bool_t, 1)
            )

        return types.int64(types.int64, types.int64), codegen

    def _nth_by_loop(word: Any, n: Any) -> Any:
        for _ in range(n):
            word &= word - 1
        return lowest(word)

    @always_inline
    def mix(x):
        x = np.uint64(x) + np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return x ^ (x >> np.uint64(31))

    @always_inline
    def below(x, n):  # type: ignore[misc]
        return np.int64(((np.uint64(x) >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))

    @always_inline
    def lower_half(x):
        return np.uint64(x) << np.uint64(32)

    @always_inline
    def key(seed, a, b):  # type: ignore[misc]
        return mix(mix(mix(np.uint64(seed)) ^ np.uint64(a)) ^ np.uint64(b))
