"""What seats know of other hands: cards they have seen there.

A known card is one entry `holder << 24 | face << 16 | observers`: the observers know that the
holder has this copy. Counting a seat's bits over the entries of one (holder, face) gives the
number of copies it is sure of, and never more entries exist than copies held. A hidden move
(a gift) makes third parties forget the giver's hand, since they cannot tell what left it.
"""

import numpy as np

from ..jit import always_inline, cold, jit, never_inline
from ..lowlevel.bits import lowest_bit, popcount
from ..lowlevel.branch_hints import unlikely
from ..lowlevel.simd import SIMD_WIDTH, find_holder, find_holder_face
from ..state import KNOWN_CAPACITY
from ..tables import BIT_HI, BIT_LO
from .known_counts import (
    CARD_COUNTS,
    OBSERVERS,
    ONE,
    add_known_counts,
    known_counts_of,
    move_known_counts,
    target_of,
)
from .missing_colors import lower_color_bound


@jit
def _drop_empty(s):
    kept = np.int64(0)
    for i in range(s.n_known):
        entry = s.known_cards[i]
        s.known_cards[kept] = entry
        kept += np.int64(entry & np.uint32(OBSERVERS) != 0)
    s.n_known = kept


@always_inline
def _holder_face(holder, face):
    return (np.int64(holder) << 8) | face


@always_inline
def _next_entry(s, holder_face, start):
    """Index of the next entry of this holder and face from `start` on, else >= `n_known`."""
    first = start & -SIMD_WIDTH
    found = find_holder_face(s.known_cards, first, holder_face) & (-ONE << np.int64(start - first))
    while found == 0 and first + SIMD_WIDTH < s.n_known:
        first += SIMD_WIDTH
        found = find_holder_face(s.known_cards, first, holder_face)
    return first + lowest_bit(found)


@jit
def learn_card(s, holder, face, observers):
    """The observers learn that the holder has one more copy of this face than they knew."""
    if s.n_known < KNOWN_CAPACITY:
        s.known_cards[s.n_known] = np.uint32((_holder_face(holder, face) << 16) | observers)
        s.n_known += 1
        add_known_counts(s, holder, CARD_COUNTS[face], observers)


@cold
def forget_card(s, holder, face, observers):
    """One copy left the hand in plain sight: each of the observers knows one copy less."""
    holder_face = _holder_face(holder, face)
    at = _next_entry(s, holder_face, 0)
    if at < s.n_known:
        _forget_from(s, at, holder, face, observers)


@never_inline
def _forget_from(s, at, holder, face, observers):
    """The same, where `at` is the first entry of such a copy."""
    holder_face = _holder_face(holder, face)
    while at < s.n_known:
        entry = np.int64(s.known_cards[at])
        bits = entry & observers
        observers ^= bits
        add_known_counts(s, holder, -CARD_COUNTS[face], bits)
        s.known_cards[at] = np.uint32(entry ^ bits)
        if (entry ^ bits) & OBSERVERS:
            at += 1
        else:
            s.n_known -= 1
            s.known_cards[at] = s.known_cards[s.n_known]
        at = _next_entry(s, holder_face, at)


@never_inline
def _forget_only(s, at, holder, face):
    """The last copy left the hand, so no more than this one entry told of it."""
    add_known_counts(s, holder, -CARD_COUNTS[face], np.int64(s.known_cards[at]))
    s.n_known -= 1
    s.known_cards[at] = s.known_cards[s.n_known]


@cold
def forget_hand(s, holder, keepers):
    """Everybody but the keepers forgets the hand of this seat."""
    if s.n_known == 0:
        return
    for i in range(s.n_known):
        entry = np.int64(s.known_cards[i])
        if entry >> 24 == holder:
            s.known_cards[i] = np.uint32((entry & ~OBSERVERS) | (entry & keepers))
    _drop_empty(s)
    for seat in range(s.num_players):
        s.known_counts[known_counts_of(seat) + holder] &= -((keepers >> seat) & 1)


@cold
def learn_hand(s, holder, observers):
    """The observers see every card of this hand."""
    lo, hi, counts = np.int64(0), np.int64(0), np.int64(0)
    unknown = np.int64(s.hand_sizes[holder])
    before = np.int64(s.n_known)
    for first in range(0, before, SIMD_WIDTH):
        found = find_holder(s.known_cards, first, holder) & _first_bits(before - first)
        unknown -= popcount(found)
        while found:
            i = first + lowest_bit(found)
            found &= found - 1
            entry = np.int64(s.known_cards[i])
            s.known_cards[i] = np.uint32(entry | observers)
            face = (entry >> 16) & 255
            lo |= BIT_LO[face]
            hi |= BIT_HI[face]
            counts += CARD_COUNTS[face]
    if unknown:
        # Faces without an entry, then further copies of those that have one.
        counts += _learn_faces(s, holder, s.hand_sets[holder, 0] & ~lo, 0, observers)
        counts += _learn_faces(s, holder, s.hand_sets[holder, 1] & ~hi, 64, observers)
        if s.n_known - before < unknown:
            counts += _learn_copies(s, holder, lo, 0, before, observers)
            counts += _learn_copies(s, holder, hi, 64, before, observers)
    for seat in range(s.num_players):
        if (observers >> seat) & 1:
            s.known_counts[known_counts_of(seat) + holder] = counts


@always_inline
def _first_bits(count):
    """The lowest `count` bits of a vector's result; all of them if it has no more."""
    return (ONE << np.int64(min(count, SIMD_WIDTH))) - 1


@always_inline
def _learn_faces(s, holder, faces, first, observers):
    """New entries for some faces of which there are none."""
    counts = np.int64(0)
    n = np.int64(s.n_known)
    while faces:
        bit = np.int64(lowest_bit(faces))
        faces ^= ONE << bit
        face = first + bit
        copies = np.int64(s.hands[holder, face])
        if unlikely(n + copies > KNOWN_CAPACITY):
            break
        entry = np.uint32((_holder_face(holder, face) << 16) | observers)
        s.known_cards[n] = entry
        if unlikely(copies > 1):
            for i in range(n + 1, n + copies):
                s.known_cards[i] = entry
        n += copies
        counts += CARD_COUNTS[face] * copies
    s.n_known = n
    return counts


@cold
def _learn_copies(s, holder, faces, first, before, observers):
    """New entries for copies of some faces beyond those that have entries."""
    counts = np.int64(0)
    while faces:
        bit = np.int64(lowest_bit(faces))
        faces ^= ONE << bit
        face = first + bit
        copies = np.int64(s.hands[holder, face]) - _entries(s, holder, face, before)
        entry = np.uint32((_holder_face(holder, face) << 16) | observers)
        for i in range(s.n_known, min(s.n_known + copies, KNOWN_CAPACITY)):
            s.known_cards[i] = entry
            s.n_known += 1
            counts += CARD_COUNTS[face]
    return counts


@always_inline
def _entries(s, holder, face, before):
    """How many of the first entries are of this face in this hand."""
    holder_face = _holder_face(holder, face)
    count = 0
    for first in range(0, before, SIMD_WIDTH):
        count += popcount(
            find_holder_face(s.known_cards, first, holder_face) & _first_bits(before - first)
        )
    return count


@cold
def move_holders(s, to):
    """Hands were moved: the hand of seat i is now held by seat `target_of(to, i)`."""
    for i in range(s.n_known):
        entry = np.int64(s.known_cards[i])
        s.known_cards[i] = np.uint32((entry & 0xFFFFFF) | (target_of(to, entry >> 24) << 24))
    move_known_counts(s, to)


@always_inline
def _first_entry(s, r, holder_face):
    """Index of the first entry of this holder and face; `n_known` or more if there is none."""
    found = find_holder_face(s.known_cards, 0, holder_face)
    seen = SIMD_WIDTH
    if r.hands_move:
        # Whether a second vector is needed is unpredictable here; always reading it is cheaper.
        found |= find_holder_face(s.known_cards, SIMD_WIDTH, holder_face) << SIMD_WIDTH
        seen = 2 * SIMD_WIDTH
    if unlikely(s.n_known > seen) and found == 0:
        return _next_entry(s, holder_face, seen)
    return lowest_bit(found)


@always_inline
def note_played(s, r, seat, face):
    """A card left the hand face up: adjust what others know and the bound on its colour."""
    at = _first_entry(s, r, _holder_face(seat, face))
    if unlikely(at < s.n_known):
        if s.hands[seat, face]:
            _forget_from(s, at, seat, face, OBSERVERS)
        else:
            _forget_only(s, at, seat, face)
    lower_color_bound(s, seat, face)
