"""Who comes next, against going from seat to seat."""

import numba
import numpy as np
import pytest

from uno_env.engine.mechanics import seats
from uno_env.engine.state import STATE, new_records


@numba.njit
def next_seat(games, seat):
    return seats.next_seat(games[0], seat)


def walked(live: int, players: int, seat: int, direction: int) -> int:
    """The next seat in play, one step at a time."""
    seat = (seat + direction) % players
    while not (live >> seat) & 1:
        seat = (seat + direction) % players
    return seat


@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.parametrize("players", range(2, 11))
def test_the_next_seat_is_the_first_in_play_in_the_direction_of_play(players, direction):
    games = new_records(1, STATE)
    games["num_players"] = players
    games["direction"] = direction
    # All tables of up to six seats, of larger ones every seventh.
    for live in range(1, 1 << players, 1 if players <= 6 else 7):
        games["live"] = live
        found = [next_seat(games, seat) for seat in range(players)]
        assert found == [walked(live, players, seat, direction) for seat in range(players)]


def test_a_call_is_one_byte_of_the_public_row():
    games = new_records(1, STATE)
    games["seats"][0, 3] = 255
    row = games["seats"][0, 3].copy()
    note = numba.njit(lambda games, yes: seats.set_called(games[0], 3, yes))
    for yes in (1, 0, 1):
        note(games, yes)
        row[seats.SEAT_CALLED] = yes
        assert np.array_equal(games["seats"][0, 3], row)
        assert games["uno_called"][0] == yes << 3
