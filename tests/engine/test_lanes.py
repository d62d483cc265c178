"""What is done to several numbers at once agrees with doing it one by one, compiled or not."""

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from uno_env.engine.knowledge import missing_colors as lacks
from uno_env.engine.lowlevel import simd as lanes
from uno_env.engine.state import NUMBERS, SEAT_LACKS, STATE, new_records

move_five = lanes.mover(5)
lay_four = lanes.layer(4)


@numba.njit
def moved(source, start, row, at):
    move_five(source, start, row, at)


@numba.njit
def laid(source, row, first, second):
    lay_four(source, row, first, second)


@numba.njit
def found(entries, first, name, holder):
    return lanes.named(entries, first, name), lanes.held(entries, first, holder)


@numba.njit
def narrowed(games):
    return lanes.narrow_numbers(games[0])


@numba.njit
def weakened(games, seat, gained):
    lacks.weaken_lacks(games[0], seat, gained)


@numba.njit
def noted(games, seat, color):
    lacks.note_lack(games[0], seat, color)


def test_moved_words_are_those_of_the_source_and_no_more():
    source = np.arange(40, dtype=np.uint64).reshape(10, 4)
    row = np.full(12, 99, np.uint64)
    moved(source, 6, row, 3)
    assert row.tolist() == [99] * 3 + [6, 7, 8, 9, 10] + [99] * 4


def test_the_second_place_is_written_last():
    source = np.arange(10, dtype=np.uint64)
    row = np.full(9, 99, np.uint64)
    laid(source, row, 0, 2)
    assert row.tolist() == [0, 1, 0, 1, 2, 3, 99, 99, 99]


def test_entries_are_found_by_name_and_by_holder():
    entries = np.array(
        [(holder << 24) | (face << 16) | 0x3FF for holder in range(8) for face in (3, 113, 3, 5)],
        np.uint32,
    )
    assert found(entries, 0, (2 << 8) | 3, 1) == (0b0101 << 8, 0b1111 << 4)
    assert found(entries, 16, (4 << 8) | 113, 7) == (0b10, 0b1111 << 12)
    assert found(entries, 16, (9 << 8) | 3, 9) == (0, 0)


@pytest.mark.parametrize("direction", [1, -1])
def test_numbers_of_the_table_become_bytes_of_at_most_255(direction):
    game = new_records(1, STATE)
    for k, name in enumerate(NUMBERS):
        game[name] = 100 * k
    game["direction"] = direction
    octets = np.array(narrowed(game), np.int64).view(np.uint8)
    for k, name in enumerate(NUMBERS):
        plain = {"direction": direction > 0, "turns": 100 * k >> 2}.get(name, 100 * k)
        assert octets[k] == min(plain, 255), name


@settings(max_examples=300)
@given(st.lists(st.integers(0, 15), min_size=4, max_size=4), st.integers(1, 60))
def test_lacks_weaken_one_by_one(before, gained):
    game = new_records(1, STATE)
    game["seats"][0, 2] = 200
    game["seats"][0, 2, SEAT_LACKS : SEAT_LACKS + 4] = before
    weakened(game, 2, gained)
    after = [
        lack + gained if lack and lack + gained < lacks.LACK_FORGOTTEN else 0 for lack in before
    ]
    row = game["seats"][0, 2].tolist()
    assert row == [200] * SEAT_LACKS + after + [200] * (len(row) - SEAT_LACKS - 4)


def test_a_lack_is_noted_in_its_own_byte_and_none_without_a_colour():
    game = new_records(1, STATE)
    game["seats"][0, 1] = 9
    noted(game, 1, 4)
    assert set(game["seats"][0, 1].tolist()) == {9}
    noted(game, 1, 2)
    row = game["seats"][0, 1].tolist()
    assert row[SEAT_LACKS + 2] == 1
    assert row.count(9) == len(row) - 1
