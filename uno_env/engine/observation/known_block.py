"""The known cards of other hands, as they go into the observation.

The nearest seats are told by face; those beyond, at tables of more than four, by colour and by
kind, two kinds to a byte. Each near seat is a slot of the row, the far seats together are one;
slots that tell nothing, and did not before, are left alone.
"""

import numpy as np

from ..jit import always_inline, cold, jit
from ..knowledge.known_cards import known_row, knows
from ..lowlevel.bits import lowest_bit
from ..lowlevel.branch_hints import unlikely
from ..lowlevel.prefetch import FAR, prefetch_knowers
from ..lowlevel.simd import make_copy, make_copy_if
from ..lowlevel.step_order import BLOCK
from ..state import SMALL_TABLE
from ..tables import COLOR_OF, KIND_OF, ROW
from .layout import FAR_COLORS, FAR_ROW, FAR_SEATS, NEAR, NEXT, O_FAR, O_KNOWN, OPPOSITE, PREVIOUS

ROW_WORDS = ROW // 8
MOST_OF_A_KIND = 15
FAR_BYTES = FAR_SEATS * FAR_ROW
NEAR_SLOTS, FAR_SLOT = 7, 8
"""The bits of the slots: those of the near seats in their order, that of the far ones."""
copy_row_if = make_copy_if(ROW_WORDS)
copy_far = make_copy(FAR_BYTES // 8)


@always_inline
def may_know(s, seat):
    """Whether a seat may know cards of another hand."""
    return (s.known_observers >> seat) & 1


@always_inline
def write_known(s, seat, words, slots):
    """Write what a seat knows of other hands into a row in which `slots` tell something.

    Returns the slots that do so now.
    """
    now = _near_slots(s, seat)
    left = now | (slots & NEAR_SLOTS)
    while left:
        which = lowest_bit(left)
        left &= left - 1
        _write_near(s, seat, which, (now >> which) & 1, words)
    if unlikely(s.num_players > SMALL_TABLE):
        now |= _write_far(s, seat, words, slots)
    return now


@always_inline
def write_known_rows(games, chosen, count, actor, words, known_slots, lists, ends):
    """Do the same for `count` chosen rows of a batch.

    Which slots of a row are to be written is unpredictable, so the rows are listed by slot first,
    without a branch for each: `lists` has room for a block of each slot, `ends` says how far it is
    filled.
    """
    for which in range(len(NEAR)):
        ends[which] = which * BLOCK
    for k in range(count):
        prefetch_knowers(games[chosen[min(k + FAR, count - 1)]])
        i = chosen[k]
        s, before = games[i], np.int64(known_slots[i])
        now = _near_slots(s, actor[i])
        for which in range(len(NEAR)):
            lists[ends[which]] = i
            ends[which] += ((now | before) >> which) & 1
        if unlikely(s.num_players > SMALL_TABLE):
            now |= _write_far(s, actor[i], words[i], before)
        known_slots[i] = now
    for which in range(len(NEAR)):
        for k in range(which * BLOCK, ends[which]):
            i = lists[k]
            _write_near(games[i], actor[i], which, (known_slots[i] >> which) & 1, words[i])


@always_inline
def _holder_at(s, seat, places):
    holder = np.int64(seat) + places
    return holder - (s.num_players & -np.int64(holder >= s.num_players))


@always_inline
def _near_slots(s, seat):
    """The slots of the near seats that the seat may know cards of."""
    n = np.int64(s.num_players)
    slots = np.int64(knows(s, seat, _holder_at(s, seat, 1)))
    if n > 2:
        slots |= np.int64(knows(s, seat, _holder_at(s, seat, n - 1))) << PREVIOUS
    if n >= SMALL_TABLE:
        slots |= np.int64(knows(s, seat, _holder_at(s, seat, n >> 1))) << OPPOSITE
    return slots


@always_inline
def _write_near(s, seat, which, is_known, words):
    n = np.int64(s.num_players)
    places = 1 if which == NEXT else (n - 1 if which == PREVIOUS else n >> 1)
    row = known_row(s, seat, _holder_at(s, seat, places))
    at = O_KNOWN // 8 + which * ROW_WORDS
    copy_row_if(s.known_words, row * ROW_WORDS, words, at, np.int64(is_known))


@always_inline
def _write_far(s, seat, words, slots):
    is_known = _count_far(s, seat)
    if is_known or slots & FAR_SLOT:
        copy_far(s.far_known_words, 0, words, O_FAR // 8)
    return FAR_SLOT if is_known else 0


@cold
def _count_far(s, seat):
    """Rows of the seats that are neither next, previous nor opposite, in clockwise order."""
    n = s.num_players
    at = 0
    is_known = False
    for word in range(FAR_BYTES // 8):
        s.far_known_words[word] = 0
    for places in range(2, n - 1):
        if places == n // 2:
            continue
        holder = _holder_at(s, seat, places)
        if knows(s, seat, holder):
            _count_row(s, known_row(s, seat, holder), at)
            is_known = True
        at += FAR_ROW
    return is_known


@jit
def _count_row(s, row, at):
    for face in range(ROW):
        count = np.int64(s.known[row, face])
        if count:
            s.far_known[at + COLOR_OF[face]] += count
            # Two kinds to a byte, four bits each.
            kind = at + FAR_COLORS + (KIND_OF[face] >> 1)
            shift = 4 * (KIND_OF[face] & 1)
            pair = np.int64(s.far_known[kind])
            more = min(count, MOST_OF_A_KIND - ((pair >> shift) & MOST_OF_A_KIND))
            s.far_known[kind] = pair + (more << shift)
