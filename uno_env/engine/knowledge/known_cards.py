"""What seats know of other hands: cards they have seen there, by face.

`known` has a row of counts for each observer and holder: the copies of each face that the observer
is sure the holder has, never more than it does have. A row goes into the observation as it is.
Seats learn a hand they have given away or were shown, and lose track of a hand that gives a card
away unseen.

Most rows are empty most of the time, so they are read and written only where they are in use:
`knowers` has, for each hand, the seats whose row of it is, and `known_sets` the faces of the hand
that somebody may know of. `known_holders` and `known_observers`, in the first lines of a game, are
the hands and the seats that this is about at all. A row that is not in use may hold anything. Who
may know something changes by what everybody sees, never by which cards were seen.
"""

import numpy as np

from ...actions import MAX_SEATS
from ..jit import always_inline, cold, jit
from ..lowlevel.bits import lowest_bit
from ..tables import BIT_HI, BIT_LO, ROW
from .missing_colors import lower_color_bound

OBSERVERS = np.int64((1 << MAX_SEATS) - 1)
"""Every seat, as bits."""
ONE = np.int64(1)
ROW_WORDS = ROW // 8


@always_inline
def known_row(s, observer, holder):
    """Index of what an observer knows of a hand."""
    return np.int64(observer) * np.int64(s.num_players) + np.int64(holder)


@always_inline
def knows(s, observer, holder):
    """Whether an observer may know cards of a hand."""
    return (s.knowers[holder] >> observer) & 1


@jit
def _note_who_knows(s):
    """Sum up `knowers`."""
    holders, observers = np.int64(0), np.int64(0)
    for seat in range(s.num_players):
        observers |= np.int64(s.knowers[seat])
        holders |= np.int64(s.knowers[seat] != 0) << seat
    s.known_holders = holders
    s.known_observers = observers


@always_inline
def known_count(s, observer, holder, face):
    """Copies of a face that an observer knows in a hand."""
    if knows(s, observer, holder):
        return np.int64(s.known[known_row(s, observer, holder), face])
    return np.int64(0)


@jit
def _clear_row(s, row):
    for word in range(ROW_WORDS):
        s.known_words[row, word] = 0


@jit
def _begin_to_know(s, holder, observers):
    """From now on the rows of these observers are in use; those that were not are empty."""
    if s.knowers[holder] == 0:
        s.known_sets[holder, 0] = 0
        s.known_sets[holder, 1] = 0
    s.has_known = 1
    newcomers = observers & ~np.int64(s.knowers[holder])
    s.knowers[holder] |= newcomers
    while newcomers:
        seat = lowest_bit(newcomers)
        newcomers &= newcomers - 1
        _clear_row(s, known_row(s, seat, holder))
    _note_who_knows(s)


@always_inline
def _others(s, holder, observers):
    return observers & ((ONE << np.int64(s.num_players)) - 1) & ~(ONE << np.int64(holder))


@jit
def learn_card(s, holder, face, observers):
    """The observers learn that the holder has one more copy of this face than they knew."""
    observers = _others(s, holder, observers)
    _begin_to_know(s, holder, observers)
    s.known_sets[holder, 0] |= BIT_LO[face]
    s.known_sets[holder, 1] |= BIT_HI[face]
    while observers:
        seat = lowest_bit(observers)
        observers &= observers - 1
        s.known[known_row(s, seat, holder), face] += 1


@cold
def learn_hand(s, holder, observers):
    """The observers see every card of this hand."""
    observers = _others(s, holder, observers)
    _begin_to_know(s, holder, observers)
    s.known_sets[holder, 0] |= s.hand_sets[holder, 0]
    s.known_sets[holder, 1] |= s.hand_sets[holder, 1]
    while observers:
        row = known_row(s, lowest_bit(observers), holder)
        observers &= observers - 1
        for word in range(ROW_WORDS):
            s.known_words[row, word] = s.hands_words[holder, word]


@cold
def forget_card(s, holder, face, observers):
    """One copy left the hand in plain sight: each of the observers knows one copy less."""
    observers &= np.int64(s.knowers[holder])
    while observers:
        row = known_row(s, lowest_bit(observers), holder)
        observers &= observers - 1
        count = np.int64(s.known[row, face])
        s.known[row, face] = count - np.int64(count > 0)


@cold
def forget_hand(s, holder, keepers):
    """Everybody but the keepers forgets the hand of this seat."""
    s.knowers[holder] &= keepers
    _note_who_knows(s)


@cold
def swap_known_hands(s, a, b):
    """Two hands changed places: what seats know goes with them."""
    if not s.has_known:
        return
    for word in range(2):
        faces = s.known_sets[a, word]
        s.known_sets[a, word] = s.known_sets[b, word]
        s.known_sets[b, word] = faces
    seats = np.int64(s.knowers[a] | s.knowers[b])
    knowers = s.knowers[a]
    s.knowers[a] = s.knowers[b]
    s.knowers[b] = knowers
    while seats:
        seat = lowest_bit(seats)
        seats &= seats - 1
        row_a, row_b = known_row(s, seat, a), known_row(s, seat, b)
        for word in range(ROW_WORDS):
            kept = s.known_words[row_a, word]
            s.known_words[row_a, word] = s.known_words[row_b, word]
            s.known_words[row_b, word] = kept


@cold
def forget_own_hands(s):
    """After hands have moved: nobody needs a row for its own."""
    for seat in range(s.num_players):
        s.knowers[seat] &= ~(1 << seat)
    _note_who_knows(s)


@cold
def keep_own_knowledge(s, observer):
    """Forget what the other seats know."""
    for holder in range(s.num_players):
        s.knowers[holder] &= 1 << observer
    _note_who_knows(s)


@always_inline
def forget_everything(s):
    """Nobody knows a card of another hand."""
    if s.has_known:
        for seat in range(MAX_SEATS):
            s.knowers[seat] = 0
    s.has_known = 0
    s.known_holders = 0
    s.known_observers = 0


@always_inline
def note_played(s, seat, face):
    """A card left the hand face up: adjust what others know and the bound on its colour."""
    if (s.known_holders >> seat) & 1:
        if (s.known_sets[seat, 0] & BIT_LO[face]) | (s.known_sets[seat, 1] & BIT_HI[face]):
            forget_card(s, seat, face, OBSERVERS)
    lower_color_bound(s, seat, face)
