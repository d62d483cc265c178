"""Known counts: how many known cards of eight kinds each observer counts in each other hand.

They enter the observation as they are. Counting the entries of `known_cards.py` for every
observation would take longer than writing all the rest, so they are updated with every card.
"""

import numpy as np
import numpy.typing as npt

from ...actions import MAX_SEATS
from ...cards import NUM_FACES
from ..jit import always_inline, cold, jit
from ..state import KNOWN_COUNTS_SCRATCH, KNOWN_COUNTS_STRIDE, SMALL_TABLE
from ..tables import COLOR_OF, DRAW_VALUE, KIND_OF

OBSERVERS = np.int64(0xFFFF)
ONE = np.int64(1)

HANDS_STAY = np.int64(0x9876543210)
"""A permutation of hands, the target of each in four bits: here every hand stays."""


def _card_counts() -> npt.NDArray[np.int64]:
    counts = np.zeros((NUM_FACES, 8), np.uint8)
    for face in range(NUM_FACES):
        kind = KIND_OF[face]
        counts[face, COLOR_OF[face]] = 1
        counts[face, 5] = DRAW_VALUE[kind] > 0
        counts[face, 6] = kind in (0, 7)
        counts[face, 7] = 1
    return counts.view(np.int64)[:, 0].copy()


CARD_COUNTS = _card_counts()
"""What one known card adds to the eight counts an observer keeps of a hand, as one word."""


@always_inline
def known_counts_of(observer):
    """Index of the first count of an observer; there is one word for each hand."""
    return KNOWN_COUNTS_STRIDE * np.int64(observer)


@always_inline
def add_known_counts(s, holder, counts, observers):
    """Add to what some observers count in a hand; none counts its own."""
    observers &= ~(ONE << np.int64(holder))
    if s.num_players <= SMALL_TABLE:
        for seat in range(SMALL_TABLE):
            s.known_counts[known_counts_of(seat) + holder] += counts & -((observers >> seat) & 1)
    else:
        for seat in range(MAX_SEATS):
            s.known_counts[known_counts_of(seat) + holder] += counts & -((observers >> seat) & 1)


@cold
def clear_known_counts(s):
    """Nobody knows a card of another hand."""
    for i in range(KNOWN_COUNTS_SCRATCH):
        s.known_counts[i] = 0


@cold
def recount_known_cards(s):
    """The counts as they follow from the known cards."""
    clear_known_counts(s)
    for i in range(s.n_known):
        entry = np.int64(s.known_cards[i])
        add_known_counts(s, entry >> 24, CARD_COUNTS[(entry >> 16) & 255], entry & OBSERVERS)


@jit
def with_target(to, seat, target):
    """The permutation of hands `to`, changed so that the hand of this seat goes to `target`."""
    shift = 4 * np.int64(seat)
    return (to & ~(np.int64(15) << shift)) | (np.int64(target) << shift)


@jit
def target_of(to, seat):
    """The seat that gets the hand of this one."""
    return (to >> (4 * np.int64(seat))) & 15


@jit
def move_known_counts(s, to):
    """Counts follow the hands; those of one's own are cleared, and `learn_hand` sets the others."""
    for seat in range(s.num_players):
        first = known_counts_of(seat)
        for holder in range(s.num_players):
            s.known_counts[KNOWN_COUNTS_SCRATCH + target_of(to, holder)] = s.known_counts[
                first + holder
            ]
        s.known_counts[KNOWN_COUNTS_SCRATCH + seat] = 0
        for holder in range(s.num_players):
            s.known_counts[first + holder] = s.known_counts[KNOWN_COUNTS_SCRATCH + holder]
