"""The legal actions of the seat to act, as a set in three words."""

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
    NUM_ACTIONS,
    PASS,
    STAY_SILENT,
    SUM,
    SWAP_0,
    TAKE,
    TARGET_1,
)
from ..jit import always_inline, cold, jit
from ..lowlevel.branch_hints import likely, unlikely
from ..state import (
    PLAY_DRAWN_FORCED,
    SCOPE_ANY,
    UNO_EXPLICIT,
)
from ..tables import (
    BIT_HI,
    BIT_LO,
    KIND_OF,
    P_CHALLENGE,
    P_COLOR,
    P_DRAW_TARGET,
    P_EXCHANGE,
    P_GIVE_HALF,
    P_OPENING_COLOR,
    P_OPENING_SWAP,
    P_OVER,
    P_PASS_CARD,
    P_PLAY,
    P_PLAY_DRAWN,
    P_PLAY_MORE,
    P_REACT,
    P_ROULETTE,
    P_STACK,
    P_SWAP_PAIR,
    P_SWAP_TARGET,
    P_TEAM_PLAY,
    P_UNO_CALL,
    P_UNO_CATCH,
    SWAP_INDEX,
    X_MAY_DECLINE,
)
from .piles import nothing_to_draw
from .playable import answers, can_jump_in, can_sum, equal_cards, jump_ins, playable
from .seats import is_called, seat_at

ONE = np.int64(1)
OTHERS = DRAW >> 6
"""The word of a legal set in which actions begin that lay no card."""
DRAW_BIT = np.int64(DRAW & 63)
FOUR_COLORS = np.int64(15) << np.int64(COLOR_0 & 63)


@always_inline
def allow(s, action):
    """Add one action to the legal set."""
    s.legal[action >> 6] |= ONE << np.int64(action & 63)


@always_inline
def is_allowed(s, action):
    """Whether an action id is legal now."""
    return (s.legal[action >> 6] >> np.int64(action & 63)) & ONE


@always_inline
def is_legal(s, action):
    """Whether a number from outside is an action that is legal now."""
    return 0 <= action < NUM_ACTIONS and is_allowed(s, action)


@always_inline
def _allow_late_call(s, r):
    if (
        unlikely(r.uno_late_call)
        and r.uno_call == UNO_EXPLICIT
        and s.hand_sizes[s.actor] == 1
        and not is_called(s, s.actor)
    ):
        allow(s, CALL_UNO)


@always_inline
def _legal_play(s, r):
    lo, hi = playable(s, r, s.actor)
    # Without a branch: whether a card matches is unpredictable.
    may_draw = np.int64((lo & r.stays_lo) | (hi & r.stays_hi) == 0)
    s.legal[0] = lo
    s.legal[1] = hi
    s.legal[OTHERS] = may_draw << DRAW_BIT
    s.legal[3] = 0
    if nothing_to_draw(s) and may_draw:
        s.legal[OTHERS] = 0
        allow(s, PASS)
    _allow_late_call(s, r)


@always_inline
def _legal_play_drawn(s, r):
    if r.play_after_draw_scope == SCOPE_ANY:
        lo, hi = playable(s, r, s.actor)
        s.legal[0] = lo
        s.legal[1] = hi
    else:
        allow(s, s.drawn_card)
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
        # The very same face is laid by `jump-in`, another one by its own name.
        lo, hi = jump_ins(s, r)
        s.legal[0] = s.hand_sets[s.actor, 0] & lo & ~BIT_LO[s.top_card]
        s.legal[1] = s.hand_sets[s.actor, 1] & hi & ~BIT_HI[s.top_card]
        if s.hands[s.actor, s.top_card] > 0:
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
    s.legal[3] = 0
    if phase == P_PLAY_DRAWN:
        _legal_play_drawn(s, r)
    elif phase == P_STACK:
        _legal_stack(s, r)
    elif phase == P_COLOR or phase == P_ROULETTE or phase == P_OPENING_COLOR:
        s.legal[OTHERS] = FOUR_COLORS
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
        _find_legal_cold(s, r)


@cold
def _find_legal_cold(s, r):
    phase = s.phase
    if phase == P_PASS_CARD or phase == P_GIVE_HALF or phase == P_EXCHANGE:
        s.legal[0] = s.hand_sets[s.actor, 0]
        s.legal[1] = s.hand_sets[s.actor, 1]
    elif phase == P_TEAM_PLAY:
        lo, hi = playable(s, r, s.actor)
        s.legal[0] = lo
        s.legal[1] = hi
    elif phase == P_REACT:
        _legal_react(s, r)
    elif phase == P_SWAP_TARGET:
        _legal_targets(s)
        if r.effects[KIND_OF[s.card]] & X_MAY_DECLINE:
            allow(s, NO_SWAP)
    elif phase == P_DRAW_TARGET:
        _legal_targets(s)
    elif phase == P_PLAY_MORE:
        lo, hi = equal_cards(s, r, s.actor)
        s.legal[0] = lo
        s.legal[1] = hi
        allow(s, PASS)
    elif phase == P_SWAP_PAIR or phase == P_OPENING_SWAP:
        _legal_pairs(s)
