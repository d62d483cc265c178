"""What seats know of other hands: cards they have seen there.

A known card is one entry `holder << 24 | face << 16 | observers`: the observers know that the
holder has this copy. Counting a seat's bits over the entries of one (holder, face) gives the
number of copies it is sure of, and never more entries exist than copies held. A hidden move
(a gift) makes third parties forget the giver's hand, since they cannot tell what left it.
"""

import numpy as np

from ..jit import always_inline, cold, jit, never_inline
from ..lowlevel.bits import lowest, popcount
from ..lowlevel.branch_hints import unlikely
from ..lowlevel.simd import LANES, held, named
from ..state import KNOWN
from ..tables import BIT_HI, BIT_LO
from .known_counts import NOTE, OBSERVERS, ONE, move_notes, note_cards, notes_of, sent
from .missing_colors import note_card_less


@jit
def _drop_empty(s):
    kept = np.int64(0)
    for i in range(s.n_known):
        entry = s.known[i]
        s.known[kept] = entry
        kept += np.int64(entry & np.uint32(OBSERVERS) != 0)
    s.n_known = kept


@always_inline
def _name_of(holder, face):
    return (np.int64(holder) << 8) | face


@always_inline
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
        note_cards(s, holder, NOTE[face], observers)


@cold
def forget_card(s, holder, face, observers):
    """One copy left the hand in plain sight: each of the observers knows one copy less."""
    name = _name_of(holder, face)
    at = _next_entry(s, name, 0)
    if at < s.n_known:
        _forget_from(s, at, holder, face, observers)


@never_inline
def _forget_from(s, at, holder, face, observers):
    """The same, where `at` is the first entry that tells of such a copy."""
    name = _name_of(holder, face)
    while at < s.n_known:
        entry = np.int64(s.known[at])
        bits = entry & observers
        observers ^= bits
        note_cards(s, holder, -NOTE[face], bits)
        s.known[at] = np.uint32(entry ^ bits)
        if (entry ^ bits) & OBSERVERS:
            at += 1
        else:
            s.n_known -= 1
            s.known[at] = s.known[s.n_known]
        at = _next_entry(s, name, at)


@never_inline
def _forget_only(s, at, holder, face):
    """The last copy left the hand, so no more than this one entry told of it."""
    note_cards(s, holder, -NOTE[face], np.int64(s.known[at]))
    s.n_known -= 1
    s.known[at] = s.known[s.n_known]


@cold
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


@cold
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
        note += _learn_faces(s, holder, s.sets[holder, 0] & ~lo, 0, observers)
        note += _learn_faces(s, holder, s.sets[holder, 1] & ~hi, 64, observers)
        if s.n_known - before < unknown:
            note += _learn_copies(s, holder, lo, 0, before, observers)
            note += _learn_copies(s, holder, hi, 64, before, observers)
    for seat in range(s.num_players):
        if (observers >> seat) & 1:
            s.notes[notes_of(seat) + holder] = note


@always_inline
def _lanes_below(count):
    """The first lanes as bits; all of them if there are no more than that."""
    return (ONE << np.int64(min(count, LANES))) - 1


@always_inline
def _learn_faces(s, holder, faces, first, observers):
    """New entries for some faces of which there are none."""
    note = np.int64(0)
    n = np.int64(s.n_known)
    while faces:
        bit = np.int64(lowest(faces))
        faces ^= ONE << bit
        face = first + bit
        copies = np.int64(s.hands[holder, face])
        if unlikely(n + copies > KNOWN):
            break
        entry = np.uint32((_name_of(holder, face) << 16) | observers)
        s.known[n] = entry
        if unlikely(copies > 1):
            for i in range(n + 1, n + copies):
                s.known[i] = entry
        n += copies
        note += NOTE[face] * copies
    s.n_known = n
    return note


@cold
def _learn_copies(s, holder, faces, first, before, observers):
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


@always_inline
def _entries(s, holder, face, before):
    """How many of the first entries tell of this face in this hand."""
    name = _name_of(holder, face)
    count = 0
    for first in range(0, before, LANES):
        count += popcount(named(s.known, first, name) & _lanes_below(before - first))
    return count


@cold
def move_holders(s, to):
    """Hands changed places: the hand of seat i is now held by seat `sent(to, i)`."""
    for i in range(s.n_known):
        entry = np.int64(s.known[i])
        s.known[i] = np.uint32((entry & 0xFFFFFF) | (sent(to, entry >> 24) << 24))
    move_notes(s, to)


@always_inline
def _first_entry(s, r, name):
    """Where the first entry of this name is; `n_known` or more if there is none."""
    found = named(s.known, 0, name)
    seen = LANES
    if r.hands_move:
        # Whether a second vector is needed is a coin toss here, so it is always looked at.
        found |= named(s.known, LANES, name) << LANES
        seen = 2 * LANES
    if unlikely(s.n_known > seen) and found == 0:
        return _next_entry(s, name, seen)
    return lowest(found)


@always_inline
def note_played(s, r, seat, face):
    """A card left the hand face up: adjust what others know and the bound on its colour."""
    at = _first_entry(s, r, _name_of(seat, face))
    if unlikely(at < s.n_known):
        if s.hands[seat, face]:
            _forget_from(s, at, seat, face, OBSERVERS)
        else:
            _forget_only(s, at, seat, face)
    note_card_less(s, seat, face)
