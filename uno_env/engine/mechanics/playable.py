"""Which cards of a hand may be laid: in turn, on a penalty, as a jump-in or as a sum."""

import numpy as np

from ...kinds import FIRST_ACTION_KIND, NUMBERS
from ..jit import always_inline, cold, jit, never_inline
from ..lowlevel.branch_hints import unlikely
from ..state import (
    HONEST_ALWAYS,
    HONEST_COLOR,
    SUM_NONE,
    SUM_NUMBERS,
    WILDS_COUNT_ALL,
    WILDS_COUNT_HYPER,
    code,
)
from ..tables import (
    BIT_HI,
    BIT_LO,
    COLOR_HI,
    COLOR_LO,
    FACE_WILD4,
    HYPER_HI,
    JOKER_HI,
    KIND_HI,
    KIND_LO,
    KIND_OF,
    MATCH_HI,
    MATCH_LO,
    NUMBER_HI,
    NUMBER_LO,
    WILD4_HI,
    WILD_HI,
)

PROVEN_BY_COLOR = code("plus4_stack_proof", "color_below")
JUMP_NUMBERS_ONLY = code("jump_in_cards", "numbers")
JUMP_BY_NUMBER, JUMP_BY_SYMBOL = 1, 2
"""Bits of `jump_in_match`: equal numbers, equal symbols of action cards may jump in."""


@always_inline
def is_bluff(r, lo, hi, active, top_kind, pend_value):
    """CV-10: whether a wild draw four played from this remaining hand is against its rule.

    `active`, `top_kind` and `pend_value` are those before the card was laid.
    """
    if r.plus4_legality == HONEST_ALWAYS:
        return False
    if r.plus4_legality == HONEST_COLOR:
        wilds = np.int64(0)
        if r.challenge_wilds_count == WILDS_COUNT_ALL:
            wilds = hi & WILD_HI
        elif r.challenge_wilds_count == WILDS_COUNT_HYPER:
            wilds = hi & (JOKER_HI | HYPER_HI)
        return (lo & COLOR_LO[active]) | (hi & COLOR_HI[active]) | wilds != 0
    others = hi & ~WILD4_HI
    if pend_value:
        if r.plus4_stack_proof == PROVEN_BY_COLOR:
            return (lo & COLOR_LO[active]) | (hi & COLOR_HI[active]) != 0
        # IG-R5: under a penalty only an answer would have been another way to play.
        lo = lo & r.answers_lo[pend_value]
        others = others & r.answers_hi[pend_value]
    else:
        lo = lo & MATCH_LO[active, top_kind]
        others = others & MATCH_HI[active, top_kind]
        if not r.plus4_joker_counts:
            others = others & ~WILD_HI
    return (lo | others) != 0


@always_inline
def playable(s, r, seat):
    """The faces of a hand that may be laid in a normal turn, as two words."""
    kind = KIND_OF[s.top_card]
    lo = s.hand_sets[seat, 0] & MATCH_LO[s.active_color, kind]
    hi = s.hand_sets[seat, 1] & MATCH_HI[s.active_color, kind]
    if unlikely(r.plays_limited):
        lo, hi = _allowed_plays(s, r, seat, kind, lo, hi)
    return lo, hi


@cold
def _allowed_plays(s, r, seat, kind, lo, hi):
    """What matches, without wilds and last cards that may not be laid."""
    if r.wild_only_when_stuck and lo | (hi & ~WILD_HI):
        hi &= ~WILD_HI
    if not r.bluff_allowed and hi & WILD4_HI and _would_bluff(s, r, seat, kind, 0):
        hi &= ~WILD4_HI
    if not r.finish_on_action:
        if s.hand_sizes[seat] == 1:
            lo &= NUMBER_LO
            hi &= NUMBER_HI
        elif _is_of_one_color(s, seat):
            lo &= ~r.sheds_lo
            hi &= ~r.sheds_hi
    return lo, hi


@jit
def _is_of_one_color(s, seat):
    """Whether a discard-all would empty the hand."""
    for color in range(4):
        others_lo = s.hand_sets[seat, 0] & ~COLOR_LO[color]
        if others_lo | (s.hand_sets[seat, 1] & ~COLOR_HI[color]) == 0:
            return True
    return False


@jit
def _may_end_with(r, size, kind):
    """HR-02: whether a hand of this size may lay a card of this kind, its last one perhaps."""
    return r.finish_on_action or size > 1 or kind < FIRST_ACTION_KIND


@always_inline
def _would_bluff(s, r, seat, kind, pend_value):
    hi = s.hand_sets[seat, 1]
    if s.hands[seat, FACE_WILD4] == 1:
        hi &= ~WILD4_HI
    return is_bluff(r, s.hand_sets[seat, 0], hi, s.active_color, kind, pend_value)


@always_inline
def can_play(s, r, seat, face):
    """Whether the seat may lay this face in a normal turn."""
    lo, hi = playable(s, r, seat)
    return (lo & BIT_LO[face]) | (hi & BIT_HI[face]) != 0


@always_inline
def answers(s, r, seat):
    """The faces of a hand that answer the pending penalty."""
    # Every answer is an action card or a wild.
    if not r.answerable or not _may_end_with(r, s.hand_sizes[seat], FIRST_ACTION_KIND):
        return np.int64(0), np.int64(0)
    lo = s.hand_sets[seat, 0] & r.answers_lo[s.pending_value]
    hi = s.hand_sets[seat, 1] & r.answers_hi[s.pending_value]
    kind = KIND_OF[s.top_card]
    if r.stack_needs_color:
        lo &= MATCH_LO[s.active_color, kind]
        hi &= MATCH_HI[s.active_color, kind]
    if not r.bluff_allowed and hi & WILD4_HI and _would_bluff(s, r, seat, kind, s.pending_value):
        hi &= ~WILD4_HI
    return lo, hi


@always_inline
def can_sum(s, r, seat):
    """IG-64, LO-02: whether the whole hand equals the top card."""
    kind = KIND_OF[s.top_card]
    # What is hardly ever true first.
    if (
        s.hand_points[seat] != r.card_points[s.top_card]
        or r.sum_out == SUM_NONE
        or s.hand_sizes[seat] == 0
    ):
        return False
    if r.sum_out != SUM_NUMBERS and r.finish_on_action:
        return True
    # Number cards only: by the rule of sums, or because no action card may be laid last.
    specials = s.hand_sets[seat, 0] & ~NUMBER_LO or s.hand_sets[seat, 1] & ~NUMBER_HI
    return not specials and (kind < NUMBERS or r.sum_out != SUM_NUMBERS)


@cold
def may_lay_more(s, r, seat):
    """HR-07: whether the seat holds a further card of the top card's number or symbol."""
    lo, hi = equal_cards(s, r, seat)
    return lo | hi != 0


@cold
def equal_cards(s, r, seat):
    """The faces of a hand with the number or symbol of the top card that may be laid with it."""
    kind = KIND_OF[s.top_card]
    if not _may_end_with(r, s.hand_sizes[seat], kind):
        return np.int64(0), np.int64(0)
    return s.hand_sets[seat, 0] & KIND_LO[kind], s.hand_sets[seat, 1] & KIND_HI[kind]


@never_inline
def can_jump_in(s, r, seat):
    """IG-63: whether the seat holds the very face on top."""
    return (jumpers(s, r) >> seat) & 1


@always_inline
def jump_ins(s, r):
    """The faces that may jump in on the top card: the very same or, by HR-09 and HR-10, others."""
    if unlikely(r.jump_in_match | r.jump_in_cards):
        return _jump_ins_by_kind(s, r)
    return BIT_LO[s.top_card], BIT_HI[s.top_card]


@cold
def _jump_ins_by_kind(s, r):
    kind = KIND_OF[s.top_card]
    is_number = kind < NUMBERS
    if r.jump_in_cards == JUMP_NUMBERS_ONLY and not is_number:
        return np.int64(0), np.int64(0)
    if r.jump_in_match & (JUMP_BY_NUMBER if is_number else JUMP_BY_SYMBOL):
        return KIND_LO[kind], KIND_HI[kind]
    return BIT_LO[s.top_card], BIT_HI[s.top_card]


@always_inline
def jumpers(s, r):
    """The seats that hold a face that may jump in, as bits."""
    if not r.jump_in:
        return 0
    seats = np.int64(0)
    lo, hi = jump_ins(s, r)
    for seat in range(s.num_players):
        # From the sets, which lie close together; the hands are lines apart.
        seats |= np.int64((s.hand_sets[seat, 0] & lo) | (s.hand_sets[seat, 1] & hi) != 0) << seat
        if not _may_end_with(r, s.hand_sizes[seat], KIND_OF[s.top_card]):
            seats &= ~(1 << seat)
    return seats if r.jump_in_self else seats & ~(1 << s.top_player)
