"""Bit operations and the random numbers of games, compiled and as plain Python with equal results.

All randomness of a game is a function of its seed and of counters kept in the state: the deck of
round r comes from (seed, r), its k-th reshuffle from (seed, r, k). No generator state is carried.
The generator is splitmix64 (Steele, Lea and Flood, 2014); this file owns it for every package.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ..jit import IS_COMPILED, always_inline

_MASK = (1 << 64) - 1


def splitmix64_words(x: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """One splitmix64 step for each word of an array; `splitmix64` is the same for one word."""
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def key_words(seeds: npt.NDArray[np.uint64], a: int, b: int) -> npt.NDArray[np.uint64]:
    """The key (seed, a, b) for each seed of an array; `key` is the same for one seed."""
    x = splitmix64_words(splitmix64_words(seeds) ^ np.uint64(a))
    return splitmix64_words(x ^ np.uint64(b))


if not IS_COMPILED:

    def popcount(word: Any) -> int:
        """Number of set bits of a 64-bit word."""
        return (int(word) & _MASK).bit_count()

    def lowest_bit(word: Any) -> int:
        """Index of the lowest set bit; 64 for an empty word."""
        word = int(word) & _MASK
        return (word & -word).bit_length() - 1 if word else 64

    def highest_bit(word: Any) -> int:
        """Index of the highest set bit; -1 for an empty word."""
        return (int(word) & _MASK).bit_length() - 1

    def nth_set_bit(word: Any, n: int) -> int:
        """Index of the n-th set bit, counted from 0 at the lowest; there must be more than n."""
        rest = int(word) & _MASK
        for _ in range(int(n)):
            rest &= rest - 1
        return lowest_bit(rest)

    def expand_bits(word: Any, words: Any, at: int) -> None:
        """Write the 64 bits of a word as bytes 0 and 1 into the eight words from `at` on."""
        bits = np.array([int(word) & _MASK], "<u8").view(np.uint8)
        words[at : at + 8] = np.unpackbits(bits, bitorder="little").view(np.uint64)

    def expand_last_bits(word: Any, words: Any, at: int) -> None:
        """Write the lowest 16 bits of a word as bytes 0 and 1 into the two words from `at` on."""
        bits = np.array([int(word) & 0xFFFF], "<u2").view(np.uint8)
        words[at : at + 2] = np.unpackbits(bits, bitorder="little").view(np.uint64)

    def splitmix64(x: Any) -> Any:
        """One splitmix64 step: a well-spread 64-bit hash of x, and the next state after it."""
        # As an array of one: the overflow of a NumPy scalar is a warning.
        return splitmix64_words(np.array([int(x) & _MASK], np.uint64))[0]

    def below(x: Any, n: int) -> int:
        """A number in 0..n-1 from the upper half of a random word."""
        return ((int(x) >> 32) * int(n)) >> 32

    def lower_half(x: Any) -> Any:
        """The lower 32 bits of a word moved to the upper half, for `below`."""
        return np.uint64((int(x) << 32) & _MASK)

    def key(seed: Any, a: int, b: int) -> Any:
        """The state of the generator for (seed, a, b)."""
        return key_words(np.array([int(seed) & _MASK], np.uint64), int(a), int(b))[0]

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

    def _expand(count: int) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            row = context.make_array(signature.args[1])(context, builder, args[1])
            start = builder.gep(row.data, [args[2]])
            low = builder.trunc(args[0], ir.IntType(count)) if count < 64 else args[0]
            bits = builder.bitcast(low, ir.VectorType(ir.IntType(1), count))
            spread = builder.zext(bits, ir.VectorType(ir.IntType(8), count))
            builder.store(spread, builder.bitcast(start, spread.type.as_pointer()), align=8)
            return context.get_dummy_value()

        return codegen

    @intrinsic
    def expand_bits(typingctx: Any, word: Any, words: Any, at: Any) -> Any:
        """Write the 64 bits of a word as bytes 0 and 1 into the eight words from `at` on."""
        return types.none(types.int64, words, types.int64), _expand(64)

    @intrinsic
    def expand_last_bits(typingctx: Any, word: Any, words: Any, at: Any) -> Any:
        """Write the lowest 16 bits of a word as bytes 0 and 1 into the two words from `at` on."""
        return types.none(types.int64, words, types.int64), _expand(16)

    @always_inline
    def popcount(word):  # type: ignore[misc]
        return _ctpop(np.int64(word))  # type: ignore[call-arg]

    @always_inline
    def lowest_bit(word):  # type: ignore[misc]
        return _cttz(np.int64(word))  # type: ignore[call-arg]

    @always_inline
    def highest_bit(word):  # type: ignore[misc]
        return 63 - _ctlz(np.int64(word))  # type: ignore[call-arg]

    @intrinsic
    def nth_set_bit(typingctx: Any, word: Any, n: Any) -> Any:
        """Index of the n-th set bit, counted from 0 at the lowest; there must be more than n."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            # Without a loop where the processor can: its length is unpredictable.
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
        return lowest_bit(word)

    _splitmix64: Any = always_inline(splitmix64_words)

    @always_inline
    def splitmix64(x):
        return _splitmix64(np.uint64(x))

    @always_inline
    def below(x, n):  # type: ignore[misc]
        return np.int64(((np.uint64(x) >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))

    @always_inline
    def lower_half(x):
        return np.uint64(x) << np.uint64(32)

    @always_inline
    def key(seed, a, b):  # type: ignore[misc]
        return splitmix64(splitmix64(splitmix64(np.uint64(seed)) ^ np.uint64(a)) ^ np.uint64(b))
