"""Whole hands on the move: seven swap, UNO-card swap, zero pass; and cards given to a partner."""

import numpy as np

from ..jit import cold, jit
from ..knowledge.known_cards import (
    forget_card,
    forget_hand,
    forget_own_hands,
    learn_card,
    learn_hand,
    swap_known_hands,
)
from ..knowledge.missing_colors import EACH_COLOR_BYTE
from ..observation.event_log import E_GIVE, E_PASS_HANDS, E_SWAP, emit
from ..observation.recent import A_GIVE, A_SWAP, note_recent
from ..state import SEAT_SIZE
from ..tables import ROW
from .piles import add_card, note_gain, remove_card
from .seats import next_seat, set_called

OF_THE_HAND = EACH_COLOR_BYTE * np.uint64(255) | np.uint64(255 << 8 * SEAT_SIZE)
"""What of the first word of a seat's row goes with the hand: its size and missing colours."""


@jit
def _swap_rows(s, a, b):
    for word in range(ROW // 8):
        row = s.hands_words[a, word]
        s.hands_words[a, word] = s.hands_words[b, word]
        s.hands_words[b, word] = row
    lo, hi, size, points = s.hand_sets[a, 0], s.hand_sets[a, 1], s.hand_sizes[a], s.hand_points[a]
    s.hand_sets[a, 0], s.hand_sets[a, 1], s.hand_sizes[a], s.hand_points[a] = (
        s.hand_sets[b, 0],
        s.hand_sets[b, 1],
        s.hand_sizes[b],
        s.hand_points[b],
    )
    s.hand_sets[b, 0], s.hand_sets[b, 1], s.hand_sizes[b], s.hand_points[b] = lo, hi, size, points
    row_a, row_b = s.seats_words[a, 0], s.seats_words[b, 0]
    s.seats_words[a, 0] = (row_a & ~OF_THE_HAND) | (row_b & OF_THE_HAND)
    s.seats_words[b, 0] = (row_b & ~OF_THE_HAND) | (row_a & OF_THE_HAND)
    swap_known_hands(s, a, b)


@jit
def _note_new_hand(s, seat):
    # Calls do not travel with hands (CV-07).
    s.hands_changed |= 1 << seat
    set_called(s, seat, False)


@cold
def swap_hands(s, log, a, b):
    """Two seats exchange hands; each knows the hand it gave away."""
    _swap_rows(s, a, b)
    forget_own_hands(s)
    learn_hand(s, a, 1 << b)
    learn_hand(s, b, 1 << a)
    _note_new_hand(s, a)
    _note_new_hand(s, b)
    note_recent(s, a, A_SWAP, 0)
    note_recent(s, b, A_SWAP, 0)
    emit(s, log, E_SWAP, a, b, (1 << a) | (1 << b))


@cold
def pass_hands_on(s, log):
    """NM-28: every hand moves to the following seat; each knows what it passed on."""
    first = s.card_player if (s.live >> s.card_player) & 1 else next_seat(s, s.card_player)
    # Swapping along the circle carries the first hand forward and all others with it.
    seat = first
    for _ in range(s.n_live - 1):
        seat = next_seat(s, seat)
        _swap_rows(s, first, seat)
    forget_own_hands(s)
    seat = first
    for _ in range(s.n_live):
        giver = seat
        seat = next_seat(s, seat)
        learn_hand(s, seat, 1 << giver)
        _note_new_hand(s, seat)
    emit(s, log, E_PASS_HANDS, s.card_player, 0, 0)


@cold
def give_card(s, r, log, giver, receiver, face):
    """A hidden gift: the two know the card, the others only that one card moved."""
    two = (1 << giver) | (1 << receiver)
    forget_card(s, giver, face, two)
    forget_hand(s, giver, two)
    remove_card(s, r, giver, face)
    add_card(s, r, receiver, face)
    learn_card(s, receiver, face, 1 << giver)
    s.hands_changed |= 1 << giver
    set_called(s, giver, False)
    note_gain(s, receiver, 1)
    note_recent(s, giver, A_GIVE, 1)
    emit(s, log, E_GIVE, giver, face, two | (np.int64(receiver) << 16))


@cold
def exchange_cards(s, r, log, a, b):
    """Two partners exchange the cards they chose, both at once."""
    card_a, card_b = s.chosen_cards[a], s.chosen_cards[b]
    give_card(s, r, log, a, b, card_a)
    give_card(s, r, log, b, a, card_b)
    s.chosen_cards[a] = -1
    s.chosen_cards[b] = -1
