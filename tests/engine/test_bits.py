"""The engine's own machine operations agree with the plain definition, compiled or not."""

import numba
import numpy as np
import pytest

from uno_env.engine.jit import jit
from uno_env.engine.lowlevel import bits
from uno_env.engine.lowlevel.branch_hints import likely, unlikely

WORDS = (1, 1 << 63, (1 << 64) - 1, 0x8000000000000001, 0x00FF00F00F123456, 0x5555555555555555)


def signed(word: int) -> np.int64:
    """The word as the engine keeps it."""
    return np.array([word], np.uint64).view(np.int64)[0]


@numba.njit
def nth_set_bit(word, n):
    return bits.nth_set_bit(word, n)


@numba.njit
def highest_bit(word):
    return bits.highest_bit(word)


@numba.njit
def hinted(test):
    return (1 if likely(test) else 2), (1 if unlikely(test) else 2)


@numba.njit
def expand_bits(word, words, at):
    bits.expand_bits(word, words, at)


@jit(cache=False)
def element(array, index):
    return array[index]


@pytest.mark.parametrize("word", WORDS)
def test_nth_set_counts_from_the_lowest_bit(word):
    indices = [i for i in range(64) if (word >> i) & 1]
    assert [nth_set_bit(signed(word), n) for n in range(len(indices))] == indices


@pytest.mark.parametrize("word", (0, *WORDS))
def test_highest_bit_is_the_index_of_the_last_bit(word):
    assert highest_bit(signed(word)) == word.bit_length() - 1


@pytest.mark.parametrize("test", [True, False, 0, 1, 2, -1, 1 << 32])
def test_branch_hints_do_not_change_the_answer(test):
    assert hinted(test) == ((1, 1) if test else (2, 2))


@pytest.mark.parametrize("word", (0, *WORDS))
def test_spell_writes_one_byte_a_bit_and_nothing_else(word):
    words = np.full(12, 7, np.uint64)
    expand_bits(signed(word), words, 3)
    assert words[3:11].view(np.uint8).tolist() == [(word >> i) & 1 for i in range(64)]
    assert words[:3].tolist() == [7] * 3
    assert words[11:].tolist() == [7]


def test_kernels_outside_the_engine_may_count_from_the_end():
    assert element(np.arange(5), -1) == 4
