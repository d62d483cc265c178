"""Reaction windows: jump-in and sum, offered only to seats that have such an action."""

import numpy as np

from ..jit import cold, jit, never_inline
from ..knowledge.known_cards import note_played
from ..lowlevel.bits import lowest_bit, popcount
from ..observation.event_log import E_SUM, EVERYBODY, emit_hand
from ..observation.recent import A_SUM, note_recent
from ..state import STAGE_OVER, code
from ..tables import COLOR_OF, P_REACT, ROW
from .piles import push_discard, remove_card
from .places import finish_with_place
from .play_card import set_active
from .playable import can_sum, jumpers
from .scoring import end_round, team_bits
from .seats import ask, next_seat, set_called
from .teams import random_below

RANDOM_RACE = code("race", "random")


@never_inline
def open_window(s, r):
    """IG-63, IG-64, IG-67: poll the seats that can react, the player of the top card last."""
    seats = jumpers(s, r)
    for seat in range(s.num_players):
        seats |= np.int64(can_sum(s, r, seat)) << seat
    s.still_to_ask = seats & s.live
    if s.still_to_ask:
        ask_next_reactor(s, r)
    else:
        s.stage = s.after_window


@cold
def ask_next_reactor(s, r):
    """The next seat of the poll decides; with none left the game goes on."""
    if s.still_to_ask == 0:
        s.stage = s.after_window
        return
    seat = s.top_player
    if r.race == RANDOM_RACE:
        seat = _random_seat(s)
    else:
        for _ in range(s.num_players):
            seat = next_seat(s, seat)
            if (s.still_to_ask >> seat) & 1:
                break
    s.still_to_ask &= ~(1 << seat)
    ask(s, P_REACT, seat)


@jit
def _random_seat(s):
    bits = np.int64(s.still_to_ask)
    for _ in range(random_below(s, popcount(bits))):
        bits &= bits - 1
    return lowest_bit(bits)


@cold
def sum_out(s, r, log, seat):
    """The whole hand is laid, without effects, and ends the round (IG-64, LO-R2)."""
    emit_hand(s, log, E_SUM, seat, s.hand_points[seat], EVERYBODY)
    for face in range(ROW):
        while s.hands[seat, face] > 0:
            remove_card(s, r, seat, face)
            note_played(s, seat, face)
            push_discard(s, face)
            s.top_card = face
            if COLOR_OF[face] < 4:
                set_active(s, COLOR_OF[face])
    s.top_player = seat
    set_called(s, seat, False)
    note_recent(s, seat, A_SUM, 0)
    if r.play_on:
        finish_with_place(s, r, log, seat)
        if s.stage != STAGE_OVER:
            s.hands_changed &= ~(1 << seat)
            ask_next_reactor(s, r)
        return
    end_round(s, r, log, team_bits(s, r, seat))
