"""Colours that seats have shown to be missing from their hands.

A lack is kept as 1 + the most cards of that colour the seat can hold; 0 when nothing is known.
"""

import numpy as np

from ..jit import always_inline
from ..state import SEAT_LACKS
from ..tables import COLOR_OF

LACK_FORGOTTEN = 16
"""A lack this weak says nothing any more; a power of two, see `weaken_lacks`."""

EACH_LACK = np.uint64(0x01010101 << 8 * SEAT_LACKS)
"""A one in each of the four bytes that hold the lacks of a seat, in the first word of its row."""


@always_inline
def note_lack(s, seat, color):
    """Everybody saw that this seat has no card of the colour."""
    if color < 4:
        # The whole word, see `ONE_CARD`.
        place = np.uint64(8 * (SEAT_LACKS + color))
        row = s.seats_words[seat, 0] & ~(np.uint64(255) << place)
        s.seats_words[seat, 0] = row | (np.uint64(1) << place)


@always_inline
def weaken_lacks(s, seat, gained):
    """The seat got unseen cards, so a missing colour is less certain."""
    row = s.seats_words[seat, 0]
    lacks = row & (EACH_LACK * np.uint64(2 * LACK_FORGOTTEN - 1))
    if lacks == 0:
        return
    # Four bytes at once, all below the one bit that a sum can reach.
    known = ((lacks + EACH_LACK * np.uint64(127)) >> np.uint64(7)) & EACH_LACK
    lacks += known * np.uint64(min(gained, LACK_FORGOTTEN))
    weak = ((lacks >> np.uint64(4)) | (lacks >> np.uint64(5))) & EACH_LACK
    lacks &= ~(weak * np.uint64(255))
    s.seats_words[seat, 0] = (row & ~(EACH_LACK * np.uint64(255))) | lacks


@always_inline
def note_card_less(s, seat, face):
    """A card left the hand face up, so it can hold one less of its colour."""
    color = COLOR_OF[face]
    if color < 4:
        s.seats[seat, SEAT_LACKS + color] -= s.seats[seat, SEAT_LACKS + color] > 1
