"""SIMD operations agree with doing the same one by one, compiled or not."""

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from uno_env.engine.knowledge import missing_colors
from uno_env.engine.lowlevel import simd
from uno_env.engine.lowlevel.scratch import make_scratch
from uno_env.engine.state import NUMBERS, SEAT_MISSING, STATE, new_records

copy_five = simd.make_copy(5)
copy_four_twice = simd.make_copy_twice(4)


@numba.njit
def copied(source, start, row, at):
    copy_five(source, start, row, at)


@numba.njit
def copied_twice(source, row, first, second):
    copy_four_twice(source, row, first, second)


@numba.njit
def narrowed(games):
    return simd.narrow_numbers(games[0])


@numba.njit
def relaxed(games, seat, gained):
    missing_colors.relax_missing_colors(games[0], seat, gained)


@numba.njit
def noted(games, seat, color):
    missing_colors.note_missing_color(games[0], seat, color)


def test_copied_words_are_those_of_the_source_and_no_more():
    source = np.arange(40, dtype=np.uint64).reshape(10, 4)
    row = np.full(12, 99, np.uint64)
    copied(source, 6, row, 3)
    assert row.tolist() == [99] * 3 + [6, 7, 8, 9, 10] + [99] * 4


def test_the_second_copy_is_written_last():
    source = np.arange(10, dtype=np.uint64)
    row = np.full(9, 99, np.uint64)
    copied_twice(source, row, 0, 2)
    assert row.tolist() == [0, 1, 0, 1, 2, 3, 99, 99, 99]


@pytest.mark.parametrize("direction", [1, -1])
def test_numbers_of_the_table_become_bytes_of_at_most_255(direction):
    game = new_records(1, STATE)
    for k, name in enumerate(NUMBERS):
        game[name] = 100 * k
    game["direction"] = direction
    narrow = np.array(narrowed(game), np.int64).view(np.uint8)
    for k, name in enumerate(NUMBERS):
        plain = {"direction": direction > 0, "turns": 100 * k >> 2}.get(name, 100 * k)
        assert narrow[k] == min(plain, 255), name


@settings(max_examples=300)
@given(st.lists(st.integers(0, 15), min_size=4, max_size=4), st.integers(1, 60))
def test_bounds_of_missing_colours_are_relaxed_one_by_one(before, gained):
    game = new_records(1, STATE)
    game["seats"][0, 2] = 200
    game["seats"][0, 2, SEAT_MISSING : SEAT_MISSING + 4] = before
    relaxed(game, 2, gained)
    after = [
        bound + gained if bound and bound + gained < missing_colors.BOUND_FORGOTTEN else 0
        for bound in before
    ]
    row = game["seats"][0, 2].tolist()
    assert row == [200] * SEAT_MISSING + after + [200] * (len(row) - SEAT_MISSING - 4)


def test_a_missing_colour_is_noted_in_its_own_byte_and_none_without_a_colour():
    game = new_records(1, STATE)
    game["seats"][0, 1] = 9
    noted(game, 1, 4)
    assert set(game["seats"][0, 1].tolist()) == {9}
    noted(game, 1, 2)
    row = game["seats"][0, 1].tolist()
    assert row[SEAT_MISSING + 2] == 1
    assert row.count(9) == len(row) - 1


def test_scratch_arrays_of_one_kernel_are_apart():
    new_numbers, new_others = make_scratch(5), make_scratch(3)

    @numba.njit
    def fill():
        numbers, others = new_numbers(), new_others()
        for i in range(len(numbers)):
            numbers[i] = i
        for i in range(len(others)):
            others[i] = 100
        total = 0
        for number in numbers:
            total += number
        for other in others:
            total += other
        return total

    assert fill() == sum(range(5)) + 3 * 100
