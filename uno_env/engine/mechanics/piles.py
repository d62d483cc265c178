"""Cards in motion: hands, draw pile, discards, set-aside cards. Nothing here knows a variant."""

import numpy as np

from ..jit import always_inline, cold, jit, never_inline
from ..knowledge.missing_colors import relax_missing_colors
from ..lowlevel.bits import below, key, lower_half, splitmix64
from ..lowlevel.branch_hints import likely, unlikely
from ..observation.event_log import E_DRAW, E_RECYCLE, EVERYBODY, emit
from ..state import MOST_TURNS, SEAT_SIZE
from ..tables import BIT_HI, BIT_LO, ROW
from .seats import set_called, set_live

ONE_CARD = np.uint64(1 << 8 * SEAT_SIZE)
"""Added to the first word of a seat's row: the missing colours in it are soon read as a word, and
loading a word of which a byte has just been stored stalls store forwarding."""


@always_inline
def add_card(s, r, seat, face):
    """Put a card into a hand."""
    s.hands[seat, face] += 1
    s.hand_sets[seat, 0] |= BIT_LO[face]
    s.hand_sets[seat, 1] |= BIT_HI[face]
    s.hand_sizes[seat] += 1
    s.seats_words[seat, 0] += ONE_CARD
    if unlikely(r.sum_out):
        s.hand_points[seat] += r.card_points[face]


@always_inline
def add_cards(s, r, seat, index, stride, count):
    """Put `count` cards of the draw pile into a hand: from `index` down, `stride` apart."""
    lo, hi, points = np.int64(0), np.int64(0), np.int64(0)
    for number in range(count):
        face = np.int64(s.draw_pile[index - number * stride])
        s.hands[seat, face] += 1
        lo |= BIT_LO[face]
        hi |= BIT_HI[face]
        points += r.card_points[face]
    s.hand_sets[seat, 0] |= lo
    s.hand_sets[seat, 1] |= hi
    s.hand_sizes[seat] += count
    s.seats_words[seat, 0] += ONE_CARD * np.uint64(count)
    if unlikely(r.sum_out):
        s.hand_points[seat] += points


@always_inline
def remove_card(s, r, seat, face):
    """Take a card out of a hand."""
    left = np.int64(s.hands[seat, face]) - 1
    s.hands[seat, face] = left
    # Without a branch: whether it was the last copy is unpredictable.
    last = -np.int64(left == 0)
    s.hand_sets[seat, 0] &= ~(BIT_LO[face] & last)
    s.hand_sets[seat, 1] &= ~(BIT_HI[face] & last)
    s.hand_sizes[seat] -= 1
    s.seats_words[seat, 0] -= ONE_CARD
    if unlikely(r.sum_out):
        s.hand_points[seat] -= r.card_points[face]


@jit
def hand_points(s, r, seat):
    """The points of a hand; kept up with every card only where hands may be summed."""
    if r.sum_out:
        return np.int64(s.hand_points[seat])
    # The whole row in 32 bits: vectorised, that beats a loop over the faces held.
    points = np.int32(0)
    for face in range(ROW):
        points = np.int32(points + np.int32(s.hands[seat, face]) * r.card_points[face])
    return np.int64(points)


@always_inline
def push_discard(s, face):
    """Lay a card on the discard pile."""
    s.discard[s.discard_size] = face
    s.discard_size += 1
    s.discard_counts[face] += 1


@jit
def clear_hand(s, seat):
    """Empty a hand without moving its cards anywhere."""
    for word in range(ROW // 8):
        s.hands_words[seat, word] = 0
    s.hand_sets[seat, 0] = 0
    s.hand_sets[seat, 1] = 0
    s.hand_sizes[seat] = 0
    s.seats[seat, SEAT_SIZE] = 0
    s.hand_points[seat] = 0


@cold
def shuffle_pile(s, number):
    """Fisher-Yates on the draw pile, from the key (seed, round, number)."""
    x = key(s.seed, s.round_no, number)
    for i in range(s.draw_pile_size - 1, 0, -1):
        x = _swap_into_index(s, i, x)


@cold
def shuffle_pair(s, t):
    """The same for two new piles of one size, interleaved to hide the latency of the generator."""
    x = key(s.seed, s.round_no, 0)
    y = key(t.seed, t.round_no, 0)
    for i in range(s.draw_pile_size - 1, 0, -1):
        x = _swap_into_index(s, i, x)
        y = _swap_into_index(t, i, y)


@always_inline
def _swap_into_index(s, i, x):
    """Swap a random one of the cards up to index i into it; returns the generator's state."""
    # One word serves two cards: its upper half, then its lower.
    if i & 1:
        x = splitmix64(x)
        j = below(x, i + 1)
    else:
        j = below(lower_half(x), i + 1)
    face = s.draw_pile[i]
    s.draw_pile[i] = s.draw_pile[j]
    s.draw_pile[j] = face
    return x


@cold
def recycle(s, log):
    """CV-04: all discards but the top card, and what was set aside, become the new draw pile."""
    s.discard_counts[s.top_card] -= 1
    n = s.draw_pile_size
    for face in range(ROW):
        for _ in range(np.int64(s.discard_counts[face]) + np.int64(s.set_aside[face])):
            s.draw_pile[n] = face
            n += 1
        s.discard_counts[face] = 0
        s.set_aside[face] = 0
    s.draw_pile_size = n
    s.discard[0] = s.top_card
    s.discard_size = 1
    s.discard_counts[s.top_card] = 1
    s.set_aside_size = 0
    s.reshuffles += 1
    s.recycled = min(s.reshuffles, MOST_TURNS)
    shuffle_pile(s, s.reshuffles)
    emit(s, log, E_RECYCLE, -1, n, EVERYBODY)


@always_inline
def nothing_to_draw(s):
    """CV-05: nothing can be drawn, not even after recycling."""
    return unlikely(s.draw_pile_size == 0) and s.discard_size <= 1 and s.set_aside_size == 0


@always_inline
def pop_card(s, log):
    """The next card of the draw pile, recycling when it is empty; -1 when nothing is left."""
    if unlikely(s.draw_pile_size == 0):
        if nothing_to_draw(s):
            return -1
        recycle(s, log)
    s.draw_pile_size -= 1
    return np.int64(s.draw_pile[s.draw_pile_size])


@always_inline
def note_gain(s, seat, count):
    """A hand grew by unseen cards: calls lapse, a seat that was out is back."""
    s.hands_changed |= 1 << seat
    if unlikely(is_out(s, seat)):
        s.out_seats &= ~(1 << seat)
        set_live(s, seat, True)
    if unlikely((s.uno_called >> seat) & 1):
        set_called(s, seat, False)
    relax_missing_colors(s, seat, count)


@always_inline
def is_out(s, seat):
    """Teams: whether the seat has shed its cards and waits."""
    return (s.out_seats >> seat) & 1


@always_inline
def draw_card(s, r, log, seat):
    """Draw one card, to be followed by `note_drawn`; its face, or -1 when nothing is left."""
    face = pop_card(s, log)
    if likely(face >= 0):
        add_card(s, r, seat, face)
        emit(s, log, E_DRAW, seat, face, 1 << seat)
        s.newest_card = face
    return face


@always_inline
def note_drawn(s, seat, count):
    """So many cards were drawn in one go."""
    note_gain(s, seat, count)
    s.seats_drew |= 1 << seat
    s.passes = 0


@never_inline
def draw_cards(s, r, log, seat, count, limit):
    """CV-03: draw up to `count` cards; a hand that reaches `limit` (if not 0) stops there.

    Returns how many were drawn.
    """
    if limit:
        count = min(count, max(limit - s.hand_sizes[seat], 0))
    drawn = 0
    if likely(s.draw_pile_size >= count) and likely(not log.active):
        s.draw_pile_size -= count
        add_cards(s, r, seat, s.draw_pile_size + count - 1, 1, count)
        drawn = count
        s.newest_card = s.draw_pile[s.draw_pile_size] if count else s.newest_card
    while drawn < count and draw_card(s, r, log, seat) >= 0:
        drawn += 1
    if drawn:
        note_drawn(s, seat, drawn)
    return drawn
