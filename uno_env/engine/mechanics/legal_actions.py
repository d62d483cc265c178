"""What may be done now: the set of legal actions of the seat to act, as three words."""

import numpy as np

from ...actions import (
    ACCEPT,
    CALL_UNO,
    CATCH,
    CHALLENGE,
    COLOR_0,
    DRAW,
    IGNORE,
    JUMP_IN,
    KEEP,
    NO_SWAP,
    PASS,
    STAY_SILENT,
    SUM,
    SWAP_0,
    TAKE,
    TARGET_1,
)
from ..jit import always_inline, cold, jit, never_inline
from ..lowlevel.branch_hints import likely, unlikely
from ..state import (
    HONEST_ALWAYS,
    HONEST_COLOR,
    PLAY_DRAWN_FORCED,
    SCOPE_ANY,
    STACK_JOKER,
    SUM_NONE,
    SUM_NUMBERS,
    UNO_EXPLICIT,
    WILDS_COUNT_ALL,
    WILDS_COUNT_HYPER,
)
from ..tables import (
    BIT_HI,
    BIT_LO,
    COLOR_HI,
    COLOR_LO,
    HYPER_HI,
    JOKER_HI,
    KIND_OF,
    MATCH_HI,
    MATCH_LO,
    NUMBER_HI,
    NUMBER_LO,
    P_CHALLENGE,
    P_COLOR,
    P_EXCHANGE,
    P_GIVE_HALF,
    P_OPENING_COLOR,
    P_OPENING_SWAP,
    P_OVER,
    P_PASS_CARD,
    P_PLAY,
    P_PLAY_DRAWN,
    P_REACT,
    P_ROULETTE,
    P_STACK,
    P_SWAP_PAIR,
    P_SWAP_TARGET,
    P_TEAM_PLAY,
    P_UNO_CALL,
    P_UNO_CATCH,
    STACK_HI,
    STACK_LO,
    SWAP_INDEX,
    WILD4_HI,
    WILD_HI,
)
from .piles import is_dead
from .seats import is_called, seat_at

ONE = np.int64(1)
DRAW_BIT = np.int64(DRAW - 64)
FOUR_COLORS = np.int64(15) << np.int64(COLOR_0 - 64)


@always_inline
def allow(s, action):
    """Add one action to the legal set."""
    s.legal[action >> 6] |= ONE << np.int64(action & 63)


@always_inline
def is_allowed(s, action):
    """Whether an action id is legal now."""
    return (s.legal[action >> 6] >> np.int64(action & 63)) & ONE


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
        # IG-R5: under a penalty only an answer would have been another way to play.
        lo = lo & STACK_LO[pend_value]
        others = (others & STACK_HI[pend_value]) | _joker_answers(r, hi)
    else:
        lo = lo & MATCH_LO[active, top_kind]
        others = others & MATCH_HI[active, top_kind]
        if not r.plus4_joker_counts:
            others = others & ~WILD_HI
    return (lo | others) != 0


@always_inline
def _joker_answers(r, hi):
    return hi & JOKER_HI if r.stacking == STACK_JOKER else np.int64(0)


@always_inline
def playable(s, r, seat):
    """The faces of a hand that may be laid in a normal turn, as two words."""
    kind = KIND_OF[s.top]
    lo = s.sets[seat, 0] & MATCH_LO[s.active, kind]
    hi = s.sets[seat, 1] & MATCH_HI[s.active, kind]
    if unlikely(r.wilds_limited):
        hi = _allowed_wilds(s, r, seat, kind, lo, hi)
    return lo, hi


@cold
def _allowed_wilds(s, r, seat, kind, lo, hi):
    """The second word of what matches, without wilds that may not be laid."""
    if r.wild_only_when_stuck and lo | (hi & ~WILD_HI):
        hi &= ~WILD_HI
    if not r.bluff_allowed and hi & WILD4_HI and _would_bluff(s, r, seat, kind, 0):
        hi &= ~WILD4_HI
    return hi


@always_inline
def _would_bluff(s, r, seat, kind, pend_value):
    hi = s.sets[seat, 1]
    if s.hands[seat, 65] == 1:
        hi &= ~WILD4_HI
    return is_bluff(r, s.sets[seat, 0], hi, s.active, kind, pend_value)


@always_inline
def can_play(s, r, seat, face):
    """Whether the seat may lay this face in a normal turn."""
    lo, hi = playable(s, r, seat)
    return (lo & BIT_LO[face]) | (hi & BIT_HI[face]) != 0


@always_inline
def answers(s, r, seat):
    """The faces of a hand that answer the pending penalty."""
    lo = s.sets[seat, 0] & STACK_LO[s.pend_value]
    hi = (s.sets[seat, 1] & STACK_HI[s.pend_value]) | _joker_answers(r, s.sets[seat, 1])
    kind = KIND_OF[s.top]
    if r.stack_needs_color:
        lo &= MATCH_LO[s.active, kind]
    if not r.bluff_allowed and hi & WILD4_HI and _would_bluff(s, r, seat, kind, s.pend_value):
        hi &= ~WILD4_HI
    return lo, hi


@always_inline
def can_sum(s, r, seat):
    """IG-64, LO-02: whether the whole hand equals the top card."""
    kind = KIND_OF[s.top]
    # What is hardly ever true first.
    if s.worth[seat] != r.worth[s.top] or r.sum_out == SUM_NONE or s.sizes[seat] == 0:
        return False
    return r.sum_out != SUM_NUMBERS or (
        kind < 10 and not (s.sets[seat, 0] & ~NUMBER_LO or s.sets[seat, 1] & ~NUMBER_HI)
    )


@never_inline
def can_jump_in(s, r, seat):
    """IG-63: whether the seat holds the very face on top."""
    return (jumpers(s, r) >> seat) & 1


@always_inline
def jumpers(s, r):
    """The seats that hold the very face on top and may jump in with it, as bits."""
    if not r.jump_in:
        return 0
    seats = np.int64(0)
    lo, hi = BIT_LO[s.top], BIT_HI[s.top]
    for seat in range(s.num_players):
        # From the sets, which lie close together; the hands are lines apart.
        seats |= np.int64((s.sets[seat, 0] & lo) | (s.sets[seat, 1] & hi) != 0) << seat
    return seats if r.jump_in_self else seats & ~(1 << s.top_player)


@always_inline
def _allow_late_call(s, r):
    if (
        unlikely(r.uno_late_call)
        and r.uno_call == UNO_EXPLICIT
        and s.sizes[s.actor] == 1
        and not is_called(s, s.actor)
    ):
        allow(s, CALL_UNO)


@always_inline
def _legal_play(s, r):
    lo, hi = playable(s, r, s.actor)
    # Without a branch: whether a card fits is nothing a processor could guess.
    may_draw = np.int64((lo & r.stays_lo) | (hi & r.stays_hi) == 0)
    s.legal[0] = lo
    s.legal[1] = hi | (may_draw << DRAW_BIT)
    s.legal[2] = 0
    if is_dead(s) and may_draw:
        s.legal[1] = hi
        allow(s, PASS)
    _allow_late_call(s, r)


@always_inline
def _legal_play_drawn(s, r):
    if r.play_after_draw_scope == SCOPE_ANY:
        lo, hi = playable(s, r, s.actor)
        s.legal[0] = lo
        s.legal[1] = hi
    else:
        allow(s, s.drawn)
    if r.play_drawn != PLAY_DRAWN_FORCED:
        allow(s, KEEP)


@always_inline
def _legal_stack(s, r):
    lo, hi = answers(s, r, s.actor)
    s.legal[0] = lo
    s.legal[1] = hi
    allow(s, TAKE)
    if s.contestable:
        allow(s, CHALLENGE)
    _allow_late_call(s, r)


@jit
def _legal_targets(s):
    for places in range(1, s.num_players):
        if (s.live >> seat_at(s, s.actor, places)) & 1:
            allow(s, TARGET_1 + places - 1)


@jit
def _legal_pairs(s):
    # IG-R19: the winner's own empty hand is not for swapping.
    first = 1 if s.round_winners else 0
    for i in range(first, s.num_players):
        for j in range(i + 1, s.num_players):
            if (s.live >> seat_at(s, s.actor, i)) & (s.live >> seat_at(s, s.actor, j)) & 1:
                allow(s, SWAP_0 + SWAP_INDEX[i, j])
    allow(s, NO_SWAP)


@jit
def _legal_react(s, r):
    if can_jump_in(s, r, s.actor):
        allow(s, JUMP_IN)
    if can_sum(s, r, s.actor):
        allow(s, SUM)
    allow(s, PASS)


@always_inline
def find_legal(s, r):
    """Fill `s.legal` for the phase and the seat to act."""
    phase = s.phase
    if likely(phase == P_PLAY):
        _legal_play(s, r)
        return
    s.legal[0] = 0
    s.legal[1] = 0
    s.legal[2] = 0
    if phase == P_PLAY_DRAWN:
        _legal_play_drawn(s, r)
    elif phase == P_STACK:
        _legal_stack(s, r)
    elif phase == P_COLOR or phase == P_ROULETTE or phase == P_OPENING_COLOR:
        s.legal[1] = FOUR_COLORS
    elif phase == P_UNO_CALL:
        allow(s, CALL_UNO)
        allow(s, STAY_SILENT)
    elif phase == P_UNO_CATCH:
        allow(s, CATCH)
        allow(s, IGNORE)
    elif phase == P_CHALLENGE:
        allow(s, ACCEPT)
        allow(s, CHALLENGE)
    elif phase != P_OVER:
        _find_legal_rare(s, r)


@cold
def _find_legal_rare(s, r):
    phase = s.phase
    if phase == P_PASS_CARD or phase == P_GIVE_HALF or phase == P_EXCHANGE:
        s.legal[0] = s.sets[s.actor, 0]
        s.legal[1] = s.sets[s.actor, 1]
    elif phase == P_TEAM_PLAY:
        lo, hi = playable(s, r, s.actor)
        s.legal[0] = lo
        s.legal[1] = hi
    elif phase == P_REACT:
        _legal_react(s, r)
    elif phase == P_SWAP_TARGET:
        _legal_targets(s)
    elif phase == P_SWAP_PAIR or phase == P_OPENING_SWAP:
        _legal_pairs(s)
