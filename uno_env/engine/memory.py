"""What seats know of other hands: known cards, and colours shown to be missing.

A known card is one entry `holder << 24 | face << 16 | observers`: the observers know that the
holder has this copy. Counting a seat's bits over the entries of one (holder, face) gives the
number of copies it is sure of, and never more entries exist than copies held. A hidden move
(a gift) makes third parties forget the giver's hand, since they cannot tell what left it.

A lack is kept as 1 + the most cards of that colour the seat can hold; 0 when nothing is known.
"""

import numpy as np

from .bits import popcount
from .jit import jit
from .state import KNOWN, SEAT_LACKS
from .tables import COLOR_OF

LACK_FORGOTTEN = 16
"""A lack this weak says nothing any more."""

OBSERVERS = 0xFFFF


@jit
def _drop_empty(s):
    kept = 0
    for i in range(s.n_known):
        entry = s.known[i]
        if entry & np.uint32(OBSERVERS):
            s.known[kept] = entry
            kept += 1
    s.n_known = kept


@jit
def learn_card(s, holder, face, observers):
    """The observers learn that the holder has one more copy of this face than they knew."""
    if s.n_known < KNOWN:
        s.known[s.n_known] = np.uint32((holder << 24) | (face << 16) | observers)
        s.n_known += 1


@jit
def forget_card(s, holder, face, observers):
    """One copy left the hand in plain sight: each of the observers knows one copy less."""
    if s.n_known == 0:
        return
    name = (holder << 8) | face
    todo = observers
    changed = False
    for i in range(s.n_known):
        entry = np.int64(s.known[i])
        if entry >> 16 == name:
            bits = entry & todo
            if bits:
                s.known[i] = np.uint32(entry & ~bits)
                todo &= ~bits
                changed = True
    if changed:
        _drop_empty(s)


@jit
def forget_hand(s, holder, keepers):
    """Everybody but the keepers forgets the hand of this seat."""
    if s.n_known == 0:
        return
    for i in range(s.n_known):
        entry = np.int64(s.known[i])
        if entry >> 24 == holder:
            s.known[i] = np.uint32((entry & ~OBSERVERS) | (entry & keepers))
    _drop_empty(s)


@jit
def learn_hand(s, holder, observers):
    """The observers see every card of this hand."""
    seen = np.zeros(128, np.uint8)
    for i in range(s.n_known):
        entry = np.int64(s.known[i])
        if entry >> 24 == holder:
            s.known[i] = np.uint32(entry | observers)
            seen[(entry >> 16) & 255] += 1
    for face in range(114):
        for _ in range(np.int64(s.hands[holder, face]) - np.int64(seen[face])):
            learn_card(s, holder, face, observers)


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
def move_holders(s, to):
    """Hands changed places: the hand of seat i is now held by seat to[i]."""
    for i in range(s.n_known):
        entry = np.int64(s.known[i])
        s.known[i] = np.uint32((entry & 0xFFFFFF) | (np.int64(to[entry >> 24]) << 24))


@jit
def note_lack(s, seat, color):
    """Everybody saw that this seat has no card of the colour."""
    if color < 4:
        s.seats[seat, SEAT_LACKS + color] = 1


@jit
def weaken_lacks(s, seat, gained):
    """The seat got unseen cards, so a missing colour is less certain."""
    for color in range(4):
        lack = np.int64(s.seats[seat, SEAT_LACKS + color])
        weaker = lack + gained if lack else 0
        s.seats[seat, SEAT_LACKS + color] = weaker if weaker < LACK_FORGOTTEN else 0


@jit
def note_played(s, seat, face):
    """A card left the hand face up: adjust what others know and the bound on its colour."""
    forget_card(s, seat, face, OBSERVERS)
    color = COLOR_OF[face]
    if color < 4:
        lack = np.int64(s.seats[seat, SEAT_LACKS + color])
        s.seats[seat, SEAT_LACKS + color] = lack - 1 if lack > 1 else lack


@jit
def observers_of(entry):
    """How many seats know an entry."""
    return popcount(np.int64(entry) & OBSERVERS)
