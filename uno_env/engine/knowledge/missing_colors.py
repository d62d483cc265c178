"""Missing colours: those that a seat has shown, by its play, not to hold or to hold few of.

Kept as a bound: 1 + the most cards of that colour the seat can hold, 0 when nothing is known.
"""

import numpy as np

from ..jit import always_inline
from ..state import SEAT_MISSING
from ..tables import COLOR_OF

BOUND_FORGOTTEN = 16
"""A bound this large is dropped; a power of two, see `relax_missing_colors`."""

EACH_COLOR_BYTE = np.uint64(0x01010101 << 8 * SEAT_MISSING)
"""A one in each of the four bytes that hold the bounds of a seat, in the first word of its row."""


@always_inline
def note_missing_color(s, seat, color):
    """Everybody saw that this seat has no card of the colour."""
    if color < 4:
        # The whole word, see `ONE_CARD`.
        shift = np.uint64(8 * (SEAT_MISSING + color))
        row = s.seats_words[seat, 0] & ~(np.uint64(255) << shift)
        s.seats_words[seat, 0] = row | (np.uint64(1) << shift)


@always_inline
def relax_missing_colors(s, seat, gained):
    """The seat got unseen cards, so it may hold that many more of each colour."""
    row = s.seats_words[seat, 0]
    bounds = row & (EACH_COLOR_BYTE * np.uint64(2 * BOUND_FORGOTTEN - 1))
    if bounds == 0:
        return
    # Four bytes at once, all below the one bit that a sum can reach.
    known = ((bounds + EACH_COLOR_BYTE * np.uint64(127)) >> np.uint64(7)) & EACH_COLOR_BYTE
    bounds += known * np.uint64(min(gained, BOUND_FORGOTTEN))
    too_large = ((bounds >> np.uint64(4)) | (bounds >> np.uint64(5))) & EACH_COLOR_BYTE
    bounds &= ~(too_large * np.uint64(255))
    s.seats_words[seat, 0] = (row & ~(EACH_COLOR_BYTE * np.uint64(255))) | bounds


@always_inline
def lower_color_bound(s, seat, face):
    """A card left the hand face up, so it can hold one less of its colour."""
    color = COLOR_OF[face]
    if color < 4:
        s.seats[seat, SEAT_MISSING + color] -= s.seats[seat, SEAT_MISSING + color] > 1
