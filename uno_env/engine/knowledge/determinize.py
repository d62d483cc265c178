"""Determinisation: sample the cards a seat cannot see, keeping all that it knows.

The sample depends only on the seat's knowledge and the random word, never on where the hidden
cards really are: they are first gathered in face order. Missing colours bound the cards of a
colour in a hand; hands with the most such bounds are filled first.
"""

import numpy as np

from ...actions import MAX_SEATS
from ..jit import cold, jit
from ..lowlevel.bits import below, splitmix64
from ..mechanics.legal_actions import find_legal
from ..mechanics.penalties import CHALLENGE_BY_ANYONE
from ..mechanics.piles import add_card, clear_hand, remove_card
from ..mechanics.playable import can_jump_in, can_sum, is_bluff, playable
from ..mechanics.seats import next_seat
from ..mechanics.turns import offers_play
from ..state import PILE_CAPACITY, SEAT_MISSING
from ..tables import (
    BIT_HI,
    BIT_LO,
    COLOR_OF,
    HIDDEN_PHASES,
    KIND_OF,
    MATCH_HI,
    MATCH_LO,
    P_CHALLENGE,
    P_PLAY,
    P_REACT,
    P_TEAM_PLAY,
    ROW,
)
from .known_cards import keep_own_knowledge, known_count

NO_BOUND = 255


@cold
def determinize(s, r, seat, x):
    """Replace every card hidden from `seat` by a random one consistent with what it knows."""
    pool = np.empty(PILE_CAPACITY, np.int64)
    n = _gather_hidden(s, seat, pool)
    for i in range(n - 1, 0, -1):
        x = splitmix64(x)
        j = below(x, i + 1)
        pool[i], pool[j] = pool[j], pool[i]
    keep_own_knowledge(s, seat)
    n = _fill_hands(s, r, seat, pool, n)
    for word in range(ROW // 8):
        s.set_aside_words[word] = 0
    for _ in range(s.set_aside_size):
        n -= 1
        s.set_aside[pool[n]] += 1
    s.draw_pile_size = n
    for i in range(n):
        s.draw_pile[i] = pool[i]
    x = splitmix64(x)
    s.seed = x
    s.random_draws = 0
    s.newest_card = -1
    _resample_secrets(s, r, seat, x)
    if s.phase == P_TEAM_PLAY and s.actor != seat:
        _give_partner_a_match(s, r, seat, s.actor)
    find_legal(s, r)


@jit
def _gather_hidden(s, seat, pool):
    counts = np.zeros(ROW, np.int64)
    for other in range(s.num_players):
        if other != seat:
            for face in range(ROW):
                hidden = np.int64(s.hands[other, face]) - known_count(s, seat, other, face)
                counts[face] += hidden
    for i in range(s.draw_pile_size):
        counts[s.draw_pile[i]] += 1
    n = 0
    for face in range(ROW):
        for _ in range(counts[face] + s.set_aside[face]):
            pool[n] = face
            n += 1
    return n


@jit
def _count_bounds(s, seat):
    total = 0
    for color in range(4):
        if s.seats[seat, SEAT_MISSING + color]:
            total += 1
    return total


@jit
def _fill_hands(s, r, seat, pool, n):
    sizes = s.hand_sizes.copy()
    for other in range(s.num_players):
        if other != seat:
            clear_hand(s, other)
            _deal_known_cards(s, r, seat, other)
    for bounds in range(4, -1, -1):
        for other in range(s.num_players):
            if other != seat and _count_bounds(s, other) == bounds:
                n = _fill_hand(s, r, other, sizes[other], pool, n)
    return n


@jit
def _deal_known_cards(s, r, seat, other):
    if s.has_known:
        for face in range(ROW):
            for _ in range(known_count(s, seat, other, face)):
                add_card(s, r, other, face)


@jit
def _fill_hand(s, r, seat, size, pool, n):
    capacity = np.full(5, NO_BOUND)
    for color in range(4):
        bound = np.int64(s.seats[seat, SEAT_MISSING + color])
        if bound:
            capacity[color] = bound - 1
    for face in range(ROW):
        capacity[COLOR_OF[face]] -= np.int64(s.hands[seat, face])
    while s.hand_sizes[seat] < size:
        # From the end of the pool, the first card the bounds allow; any card if none is left.
        at = n - 1
        for i in range(n - 1, -1, -1):
            if capacity[COLOR_OF[pool[i]]] > 0:
                at = i
                break
        face = pool[at]
        pool[at] = pool[n - 1]
        n -= 1
        capacity[COLOR_OF[face]] -= 1
        add_card(s, r, seat, face)
    return n


@jit
def _give_partner_a_match(s, r, observer, seat):
    """A partner asked to follow a Team Play can: swap in a matching card if it was dealt none."""
    lo, hi = playable(s, r, seat)
    if lo | hi:
        return
    kind = KIND_OF[s.top_card]
    for i in range(s.draw_pile_size):
        face = np.int64(s.draw_pile[i])
        if (MATCH_LO[s.active_color, kind] & BIT_LO[face]) | (
            MATCH_HI[s.active_color, kind] & BIT_HI[face]
        ):
            s.draw_pile[i] = _unknown_card(s, r, observer, seat)
            add_card(s, r, seat, face)
            return


@jit
def _unknown_card(s, r, observer, seat):
    """Take a card out of this hand that the observer does not know to be there."""
    for face in range(ROW):
        if s.hands[seat, face] > known_count(s, observer, seat, face):
            remove_card(s, r, seat, face)
            return face
    return 0


@jit
def _random_card(s, seat, x):
    pick = np.int64(below(x, s.hand_sizes[seat]))
    for face in range(ROW):
        pick -= np.int64(s.hands[seat, face])
        if pick < 0:
            return face
    return -1


@jit
def _resample_secrets(s, r, seat, x):
    """Secrets that follow from hidden cards: verdicts, hidden choices, who is still to be asked."""
    if s.pending_source >= 0 and s.pending_source != seat:
        accused = s.pending_source
        s.was_bluff = is_bluff(
            r,
            s.hand_sets[accused, 0],
            s.hand_sets[accused, 1],
            s.color_before,
            s.kind_before,
            s.penalty_before,
        )
    for other in range(s.num_players):
        if other != seat and s.chosen_cards[other] >= 0:
            x = splitmix64(x)
            s.chosen_cards[other] = _random_card(s, other, x)
    if s.drawn_card >= 0 and s.turn != seat:
        x = splitmix64(x)
        s.drawn_card = _random_card(s, s.turn, x)
        if not offers_play(s, r, s.turn, s.drawn_card):
            s.drawn_card = -1
    if seat != s.actor and (HIDDEN_PHASES >> np.int64(s.phase)) & 1:
        s.phase = P_PLAY
        s.actor = s.turn
        s.drawn_card = -1
    if s.phase == P_REACT:
        _restore_poll(s, r)
    elif s.phase == P_CHALLENGE and r.challenge == CHALLENGE_BY_ANYONE:
        _restore_challenge_poll(s)


@jit
def _restore_challenge_poll(s):
    """Those asked after the seat that is asked now; the target, asked first, asks them all."""
    s.still_to_ask = 0
    other = next_seat(s, s.actor)
    while s.actor != s.turn and other != s.turn:
        if other != s.pending_source:
            s.still_to_ask |= 1 << other
        other = next_seat(s, other)


@jit
def _restore_poll(s, r):
    s.still_to_ask = 0
    other = s.actor
    for _ in range(MAX_SEATS):
        if other == s.top_player:
            break
        other = next_seat(s, other)
        if can_jump_in(s, r, other) or can_sum(s, r, other):
            s.still_to_ask |= 1 << other
