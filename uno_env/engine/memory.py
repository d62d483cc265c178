"""What seats know of other hands: known cards, and colours shown to be missing.

A known card is one entry `holder << 24 | face << 16 | observers`: the observers know that the
holder has this copy. Counting a seat's bits over the entries of one (holder, face) gives the
number of copies it is sure of, and never more entries exist than copies held. A hidden move
(a gift) makes third parties forget the giver's hand, since they cannot tell what left it.

A lack is kept as 1 + the most cards of that colour the seat can hold; 0 when nothing is known.
"""

import numpy as np
import numpy.typing as npt

from ..actions import MAX_SEATS
from ..cards import NUM_FACES
from .bits import lowest, popcount
from .jit import alone, hot, jit, rare
from .lanes import LANES, held, named
from .state import KNOWN, NOTES_EACH, SEAT_LACKS, SMALL_TABLE, SPARE_NOTES
from .tables import BIT_HI, BIT_LO, COLOR_OF, DRAW_VALUE, KIND_OF

LACK_FORGOTTEN = 16
"""A lack this weak says nothing any more; a power of two, see `weaken_lacks`."""

EACH_LACK = np.uint64(0x01010101 << 8 * SEAT_LACKS)
"""A one in each of the four bytes that hold the lacks of a seat, in the first word of its row."""

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


@hot
def notes_of(observer):
    """Where the notes of a seat begin, one word for each hand."""
    return NOTES_EACH * np.int64(observer)


@hot
def _note(s, holder, note, observers):
    """Add to what some seats have noted of a hand; nobody takes notes of its own."""
    observers &= ~(ONE << np.int64(holder))
    if s.num_players <= SMALL_TABLE:
        for seat in range(SMALL_TABLE):
            s.notes[notes_of(seat) + holder] += note & -((observers >> seat) & 1)
    else:
        for seat in range(MAX_SEATS):
            s.notes[notes_of(seat) + holder] += note & -((observers >> seat) & 1)


@rare
def clear_notes(s):
    """Nobody has noted anything."""
    for i in range(SPARE_NOTES):
        s.notes[i] = 0


@rare
def recount_notes(s):
    """The notes as they follow from the known cards."""
    clear_notes(s)
    for i in range(s.n_known):
        entry = np.int64(s.known[i])
        _note(s, entry >> 24, NOTE[(entry >> 16) & 255], entry & OBSERVERS)


@jit
def _drop_empty(s):
    kept = np.int64(0)
    for i in range(s.n_known):
        entry = s.known[i]
        s.known[kept] = entry
        kept += np.int64(entry & np.uint32(OBSERVERS) != 0)
    s.n_known = kept


@hot
def _name_of(holder, face):
    return (np.int64(holder) << 8) | face


@hot
def _next_entry(s, name, start):
    """Where the next entry of this name is, from `start` on; `n_known` or more if none is left."""
    first = start & -LANES
    found = named(s.known, first, name) & (-ONE << np.int64(start - first))
    while found == 0 and first + LANES < s.n_known:
        first += LANES
        found = named(s.known, first, name)
    return first + lowest(found)


@jit
def learn_card(s, holder, face, observers):
    """The observers learn that the holder has one more copy of this face than they knew."""
    if s.n_known < KNOWN:
        s.known[s.n_known] = np.uint32((_name_of(holder, face) << 16) | observers)
        s.n_known += 1
        _note(s, holder, NOTE[face], observers)


@rare
def forget_card(s, holder, face, observers):
    """One copy left the hand in plain sight: each of the observers knows one copy less."""
    name = _name_of(holder, face)
    at = _next_entry(s, name, 0)
    if at < s.n_known:
        _forget_from(s, at, holder, face, observers)


@alone
def _forget_from(s, at, holder, face, observers):
    """The same, where `at` is the first entry that tells of such a copy."""
    name = _name_of(holder, face)
    while at < s.n_known:
        entry = np.int64(s.known[at])
        bits = entry & observers
        observers ^= bits
        _note(s, holder, -NOTE[face], bits)
        s.known[at] = np.uint32(entry ^ bits)
        if (entry ^ bits) & OBSERVERS:
            at += 1
        else:
            s.n_known -= 1
            s.known[at] = s.known[s.n_known]
        at = _next_entry(s, name, at)


@alone
def _forget_only(s, at, holder, face):
    """The last copy left the hand, so no more than this one entry told of it."""
    _note(s, holder, -NOTE[face], np.int64(s.known[at]))
    s.n_known -= 1
    s.known[at] = s.known[s.n_known]


@rare
def forget_hand(s, holder, keepers):
    """Everybody but the keepers forgets the hand of this seat."""
    if s.n_known == 0:
        return
    for i in range(s.n_known):
        entry = np.int64(s.known[i])
        if entry >> 24 == holder:
            s.known[i] = np.uint32((entry & ~OBSERVERS) | (entry & keepers))
    _drop_empty(s)
    for seat in range(s.num_players):
        s.notes[notes_of(seat) + holder] &= -((keepers >> seat) & 1)


@rare
def learn_hand(s, holder, observers):
    """The observers see every card of this hand."""
    lo, hi, note = np.int64(0), np.int64(0), np.int64(0)
    unknown = np.int64(s.sizes[holder])
    before = np.int64(s.n_known)
    for first in range(0, before, LANES):
        found = held(s.known, first, holder) & _lanes_below(before - first)
        unknown -= popcount(found)
        while found:
            i = first + lowest(found)
            found &= found - 1
            entry = np.int64(s.known[i])
            s.known[i] = np.uint32(entry | observers)
            face = (entry >> 16) & 255
            lo |= BIT_LO[face]
            hi |= BIT_HI[face]
            note += NOTE[face]
    if unknown:
        # Faces that no entry tells of, then further copies of those that some do.
        note += _learn_faces(s, holder, s.sets[holder, 0] & ~lo, 0, 0, observers)
        note += _learn_faces(s, holder, s.sets[holder, 1] & ~hi, 64, 0, observers)
        if s.n_known - before < unknown:
            note += _learn_faces(s, holder, lo, 0, before, observers)
            note += _learn_faces(s, holder, hi, 64, before, observers)
    for seat in range(s.num_players):
        if (observers >> seat) & 1:
            s.notes[notes_of(seat) + holder] = note


@hot
def _lanes_below(count):
    """The first lanes as bits; all of them if there are no more than that."""
    return (ONE << np.int64(min(count, LANES))) - 1


@jit
def _learn_faces(s, holder, faces, first, before, observers):
    """New entries for the copies of some faces that the entries so far do not tell of."""
    note = np.int64(0)
    while faces:
        bit = np.int64(lowest(faces))
        faces ^= ONE << bit
        face = first + bit
        copies = np.int64(s.hands[holder, face]) - _entries(s, holder, face, before)
        entry = np.uint32((_name_of(holder, face) << 16) | observers)
        for i in range(s.n_known, min(s.n_known + copies, KNOWN)):
            s.known[i] = entry
            s.n_known += 1
            note += NOTE[face]
    return note


@hot
def _entries(s, holder, face, before):
    """How many of the first entries tell of this face in this hand."""
    name = _name_of(holder, face)
    count = 0
    for first in range(0, before, LANES):
        count += popcount(named(s.known, first, name) & _lanes_below(before - first))
    return count


@jit
def known_count(s, observer, holder):
    """How many cards of that hand the observer knows."""
    count = 0
    for i in range(s.n_known):
        entry = np.int64(s.known[i])
        if entry >> 24 == holder and (entry >> observer) & 1:
            count += 1
    return count


@jit
def send(to, seat, goal):
    """The journey `to`, but for this seat, whose hand goes to `goal`."""
    place = 4 * np.int64(seat)
    return (to & ~(np.int64(15) << place)) | (np.int64(goal) << place)


@jit
def sent(to, seat):
    """The seat that gets the hand of this one."""
    return (to >> (4 * np.int64(seat))) & 15


@rare
def move_holders(s, to):
    """Hands changed places: the hand of seat i is now held by seat `sent(to, i)`."""
    for i in range(s.n_known):
        entry = np.int64(s.known[i])
        s.known[i] = np.uint32((entry & 0xFFFFFF) | (sent(to, entry >> 24) << 24))
    _move_notes(s, to)


@jit
def _move_notes(s, to):
    """Notes follow the hands. None are kept of one's own: who gives a hand away learns it anew."""
    for seat in range(s.num_players):
        first = notes_of(seat)
        for holder in range(s.num_players):
            s.notes[SPARE_NOTES + sent(to, holder)] = s.notes[first + holder]
        s.notes[SPARE_NOTES + seat] = 0
        for holder in range(s.num_players):
            s.notes[first + holder] = s.notes[SPARE_NOTES + holder]


@hot
def note_lack(s, seat, color):
    """Everybody saw that this seat has no card of the colour."""
    if color < 4:
        s.seats[seat, SEAT_LACKS + color] = 1


@hot
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


@hot
def note_played(s, seat, face):
    """A card left the hand face up: adjust what others know and the bound on its colour."""
    at = _next_entry(s, _name_of(seat, face), 0)
    if at < s.n_known:
        if s.hands[seat, face]:
            _forget_from(s, at, seat, face, OBSERVERS)
        else:
            _forget_only(s, at, seat, face)
    color = COLOR_OF[face]
    if color < 4:
        s.seats[seat, SEAT_LACKS + color] -= s.seats[seat, SEAT_LACKS + color] > 1


@jit
def observers_of(entry):
    """How many seats know an entry."""
    return popcount(np.int64(entry) & OBSERVERS)
