"""The last public actions in order: who laid which card, drew, took, challenged or swapped.

They are kept as three words with a byte for each of the last eight actions, the newest lowest:
the seat, what it did, and how many cards or which colour. They are part of every observation, so
they are kept up in batches too, unlike the events of `event_log.py`.
"""

import numpy as np

from ...cards import NUM_FACES
from ..jit import always_inline

RECENT = 8
"""Actions that are remembered."""
RECENT_FIELDS = ("seat", "act", "number")

ACTS = ("draw", "take", "pass", "challenge-wrong", "challenge-right", "swap", "give", "catch",
        "sum")  # fmt: skip
"""What else than laying a card is remembered; a card laid is 1 + its face."""
(
    A_DRAW,
    A_TAKE,
    A_PASS,
    A_CHALLENGE_WRONG,
    A_CHALLENGE_RIGHT,
    A_SWAP,
    A_GIVE,
    A_CATCH,
    A_SUM,
) = range(1 + NUM_FACES, 1 + NUM_FACES + len(ACTS))

_BYTE = np.uint64(8)
_ONES = np.uint64(0x0101010101010101)
_LOW = np.uint64(0x7F7F7F7F7F7F7F7F)
_SEVEN = np.uint64(7)
_NEWEST = np.uint64(255)


@always_inline
def note_recent(s, seat, act, number):
    """A seat did something that everybody saw."""
    s.recent_seats = (s.recent_seats << _BYTE) | np.uint64(seat + 1)
    s.recent_acts = (s.recent_acts << _BYTE) | np.uint64(act)
    s.recent_counts = (s.recent_counts << _BYTE) | np.uint64(number)


@always_inline
def note_named_color(s, color):
    """Complete the newest action, if it is a card laid: the colour named for it, from one."""
    if s.recent_acts & _NEWEST <= np.uint64(NUM_FACES):
        s.recent_counts = (s.recent_counts & ~_NEWEST) | np.uint64(color + 1)


@always_inline
def relative_recent_seats(s, seat):
    """The seats of the last actions relative to an observer, counted from one; zero for none."""
    x = s.recent_seats
    # Eight bytes at once: which are set, each moved on by n - seat, and n less where that is
    # beyond the table.
    is_set = ((x + _LOW) >> _SEVEN) & _ONES
    players = np.uint64(s.num_players)
    places = x - is_set + is_set * (players - np.uint64(seat))
    beyond = ((places + _ONES * (np.uint64(128) - players)) >> _SEVEN) & _ONES
    return places - beyond * players + is_set


@always_inline
def clear_recent(s):
    """Nothing has happened in this round."""
    s.recent_seats = np.uint64(0)
    s.recent_acts = np.uint64(0)
    s.recent_counts = np.uint64(0)
