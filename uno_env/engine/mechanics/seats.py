"""Who comes next: seats in play, partners, relative seats."""

import numpy as np

from ..jit import always_inline, cold
from ..lowlevel.bits import highest_bit, lowest_bit
from ..lowlevel.branch_hints import likely, unlikely
from ..state import MOST_TURNS, SEAT_CALLED, SEAT_IN_PLAY, STAGE_TURN, STAGE_TURN_CATCH, code
from ..tables import P_PLAY

OPPONENTS_ONLY = code("next_for_effects", "opponent")
TWO_INITIAL = code("two_player_by", "initial")
UNTIL_OWN_TURN = code("uno_catch_window", "until_own_turn")

ONE = np.int64(1)
CALL = np.uint64(1 << 8 * SEAT_CALLED)
"""A call in the first word of a seat's row; a word, see `ONE_CARD` in `piles.py`."""


@always_inline
def adjacent_seat(s, seat):
    """The seat after `seat` in the direction of play, whether in play or not."""
    seat += s.direction
    seat = 0 if seat >= s.num_players else seat
    return seat if seat >= 0 else np.int64(s.num_players) - 1


@always_inline
def next_seat(s, seat):
    """First seat after `seat` in the direction of play that is still in play."""
    seat = adjacent_seat(s, seat)
    return seat if likely((s.live >> seat) & 1) else _next_in_play(s, seat)


@cold
def _next_in_play(s, seat):
    """The first seat in play after one that is not."""
    # As bits, twice around: the length of a loop from seat to seat would be unpredictable.
    players = np.int64(s.num_players)
    ring = np.int64(s.live) | (np.int64(s.live) << players)
    ahead = seat + lowest_bit(ring >> seat)
    behind = highest_bit(ring & ((ONE << (seat + players)) - 1))
    found = ahead if s.direction > 0 else behind
    return found - players if found >= players else found


@always_inline
def partner_of(s, seat):
    """The seat opposite."""
    other = seat + s.num_players // 2
    return other if other < s.num_players else other - s.num_players


@always_inline
def effect_target(s, r, seat):
    """Whom a draw or skip card of this seat hits."""
    target = next_seat(s, seat)
    if unlikely(r.has_teams) and r.next_for_effects == OPPONENTS_ONLY:
        return next_seat(s, target) if target == partner_of(s, seat) else target
    return target


@always_inline
def plays_as_two(s, r):
    """Whether the two-player rules apply now."""
    if r.two_player_by == TWO_INITIAL:
        return s.num_players == 2
    return s.n_live == 2


@always_inline
def seat_at(s, actor, places):
    """Seat that many places clockwise from the actor."""
    seat = actor + places
    return seat if seat < s.num_players else seat - s.num_players


@always_inline
def set_live(s, seat, alive):
    """Put a seat in or out of play."""
    bit = 1 << seat
    if alive and not s.live & bit:
        s.live |= bit
        s.n_live += 1
    elif not alive and s.live & bit:
        s.live &= ~bit
        s.n_live -= 1
    s.seats[seat, SEAT_IN_PLAY] = alive


@always_inline
def is_called(s, seat):
    """Whether the seat has called UNO for its present single card."""
    return (s.uno_called >> seat) & 1


@always_inline
def set_called(s, seat, yes):
    """Note or forget a UNO call."""
    if yes:
        s.uno_called |= 1 << seat
    else:
        s.uno_called &= ~(1 << seat)
    row = s.seats_words[seat, 0] & ~(CALL * np.uint64(255))
    s.seats_words[seat, 0] = row | (CALL * np.uint64(yes))


@always_inline
def ask(s, phase, seat):
    """The seat is to decide now."""
    s.phase = phase
    s.actor = seat


@always_inline
def give_turn(s, r, seat):
    """The turn goes to this seat, which plays or draws."""
    s.turn = seat
    s.drawn_card = -1
    s.turns += s.turns < MOST_TURNS
    s.stage = STAGE_TURN
    if unlikely(r.uno_catch_window == UNTIL_OWN_TURN) and s.silent_seats:
        _open_turn_catch(s, seat)
        return
    ask(s, P_PLAY, seat)


@cold
def _open_turn_catch(s, seat):
    """HR-13: before its turn the seat may catch those that have stayed silent until now."""
    s.silent_seats &= ~(1 << seat)
    s.still_to_ask = s.silent_seats
    s.stage = STAGE_TURN_CATCH
    s.actor = -1
