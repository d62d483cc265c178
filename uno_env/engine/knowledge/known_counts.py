"""What seats know of other hands, counted: eight numbers for each observer and hand.

They go into the observation as they are. Adding up the known cards of `memory.py` each time would
take longer than all the rest of it, so the counts are kept up with every card.
"""

import numpy as np
import numpy.typing as npt

from ...actions import MAX_SEATS
from ...cards import NUM_FACES
from ..jit import always_inline, cold, jit
from ..state import NOTES_EACH, SMALL_TABLE, SPARE_NOTES
from ..tables import COLOR_OF, DRAW_VALUE, KIND_OF

OBSERVERS = np.int64(0xFFFF)
ONE = np.int64(1)

STAY = np.int64(0x9876543210)
"""Where each seat's hand goes, four bits a seat: every hand stays."""


def _notes() -> npt.NDArray[np.int64]:
    notes = np.zeros((NUM_FACES, 8), np.uint8)
    for face in range(NUM_FACES):
        kind = KIND_OF[face]
        notes[face, COLOR_OF[face]] = 1
        notes[face, 5] = DRAW_VALUE[kind] > 0
        notes[face, 6] = kind in (0, 7)
        notes[face, 7] = 1
    return notes.view(np.int64)[:, 0].copy()


NOTE = _notes()
"""What one known card adds to the eight counts an observer keeps of a hand, as one word."""


@always_inline
def notes_of(observer):
    """Where the notes of a seat begin, one word for each hand."""
    return NOTES_EACH * np.int64(observer)


@always_inline
def note_cards(s, holder, note, observers):
    """Add to what some seats have noted of a hand; nobody takes notes of its own."""
    observers &= ~(ONE << np.int64(holder))
    if s.num_players <= SMALL_TABLE:
        for seat in range(SMALL_TABLE):
            s.notes[notes_of(seat) + holder] += note & -((observers >> seat) & 1)
    else:
        for seat in range(MAX_SEATS):
            s.notes[notes_of(seat) + holder] += note & -((observers >> seat) & 1)


@cold
def clear_notes(s):
    """Nobody has noted anything."""
    for i in range(SPARE_NOTES):
        s.notes[i] = 0


@cold
def recount_notes(s):
    """The notes as they follow from the known cards."""
    clear_notes(s)
    for i in range(s.n_known):
        entry = np.int64(s.known[i])
        note_cards(s, entry >> 24, NOTE[(entry >> 16) & 255], entry & OBSERVERS)


@jit
def send(to, seat, goal):
    """The journey `to`, but for this seat, whose hand goes to `goal`."""
    place = 4 * np.int64(seat)
    return (to & ~(np.int64(15) << place)) | (np.int64(goal) << place)


@jit
def sent(to, seat):
    """The seat that gets the hand of this one."""
    return (to >> (4 * np.int64(seat))) & 15


@jit
def move_notes(s, to):
    """Notes follow the hands. None are kept of one's own: who gives a hand away learns it anew."""
    for seat in range(s.num_players):
        first = notes_of(seat)
        for holder in range(s.num_players):
            s.notes[SPARE_NOTES + sent(to, holder)] = s.notes[first + holder]
        s.notes[SPARE_NOTES + seat] = 0
        for holder in range(s.num_players):
            s.notes[first + holder] = s.notes[SPARE_NOTES + holder]
