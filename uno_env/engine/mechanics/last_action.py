"""Public notes: what each seat did last, in its row, and the last actions in order."""

import numpy as np

from ...cards import NUM_FACES
from ...kinds import FIRST_ACTION_KIND, FIRST_WILD_KIND
from ..jit import always_inline
from ..observation.recent import A_DRAW, A_TAKE, note_recent
from ..state import SEAT_DREW, SEAT_LAST_COLOR, SEAT_PLAYED, SEAT_TOOK
from ..tables import COLOR_OF, KIND_OF

# The second word of a seat's public row, byte by byte.
COLOR_NOTE = np.array([1, 1 << 8, 1 << 16, 1 << 24, 0], np.uint64)
CARDS_PLAYED_BYTE = np.uint64(255 << 56)
ONE_CARD_PLAYED = np.uint64(1 << 56)
MAX_BYTE = 255


@always_inline
def _note_last_action(s, seat, color, column, number):
    """The public note of a seat's last action: the colour it was about, and how much of what."""
    # The second word of the row, but for its last byte, is rewritten at once.
    played = s.seats_words[seat, 1] & CARDS_PLAYED_BYTE
    note = np.uint64(number) << np.uint64(8 * (column - SEAT_LAST_COLOR))
    s.seats_words[seat, 1] = played | COLOR_NOTE[color] | note


def _card_note(face: int) -> int:
    kind = int(KIND_OF[face])
    number = 1 if kind < FIRST_ACTION_KIND else (2 if kind < FIRST_WILD_KIND else 3)
    return int(COLOR_NOTE[COLOR_OF[face]]) | number << 8 * (SEAT_PLAYED - SEAT_LAST_COLOR)


CARD_NOTE = np.array([_card_note(face) for face in range(NUM_FACES)], np.uint64)
"""The public note of each card laid."""


@always_inline
def note_card(s, seat, face):
    """The seat's last act was to lay a card, of which there is one more."""
    played = s.seats_words[seat, 1] & CARDS_PLAYED_BYTE
    if played < CARDS_PLAYED_BYTE:
        played += ONE_CARD_PLAYED
    s.seats_words[seat, 1] = played | CARD_NOTE[face]


@always_inline
def note_took(s, seat, count):
    """The seat's last act was to take cards."""
    _note_last_action(s, seat, s.active_color, SEAT_TOOK, min(count, MAX_BYTE))
    note_recent(s, seat, A_TAKE, min(count, MAX_BYTE))


@always_inline
def note_drew(s, seat, count):
    """The seat's last act was a turn draw."""
    _note_last_action(s, seat, s.active_color, SEAT_DREW, min(count, MAX_BYTE))
    note_recent(s, seat, A_DRAW, min(count, MAX_BYTE))


@always_inline
def clear_pending(s):
    """No penalty is owed any more."""
    s.pending_amount = 0
    s.pending_value = 0
    s.pending_source = -1
    s.contestable = 0
