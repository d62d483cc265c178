"""The opening card of a round: turned up, what it asks for and what it does."""

import numpy as np

from ...kinds import KIND_TABLE, NUMBERS
from ..jit import cold, jit
from ..observation.event_log import E_OPEN, EVERYBODY, emit
from ..state import (
    CHOICE_COLOR,
    CHOICE_SWAP,
    FACING_DRAW,
    FACING_NOTHING,
    FACING_STACK,
    STAGE_ADVANCE,
    STAGE_OPEN_CHOICES,
    STAGE_OPEN_EFFECTS,
    STAGE_PASS_CARDS,
    STAGE_WINDOW,
    code,
)
from ..tables import (
    COLOR_OF,
    FACE_WILD4,
    KIND_OF,
    P_OPENING_COLOR,
    P_OPENING_SWAP,
    X_DRAW,
    X_REVERSE,
    X_SKIP,
    X_SWAP_TWO,
)
from .last_action import note_took
from .mercy import penalize
from .piles import pop_card, push_discard, shuffle_pile
from .play_card import NAME_COLOR, set_active
from .seats import ask, effect_target

NUMBER_ONLY = code("opening_policy", "number_only")
NO_EFFECT = code("opening_policy", "no_effect")
STAY_UNDER = code("opening_ignored", "stay_under")
DEALER_COLOR = code("opening_plus4", "dealer_color")
DEALER_NAMES = code("opening_wild_color_by", "dealer")
DEALER_STARTS = code("opening_reverse_starter", "dealer")

MAX_PUT_BACK = 60
"""A deck of nothing but cards to put back must still open: after so many tries one stands."""


MAY_OPEN = np.array([kind.may_open for kind in KIND_TABLE])


@jit
def _may_open(r, face):
    """Whether this card may open the round."""
    kind = KIND_OF[face]
    if kind < NUMBERS or r.opening_policy == NO_EFFECT:
        return True
    if r.opening_policy == NUMBER_ONLY:
        return False
    if face == FACE_WILD4:
        return r.opening_plus4 == DEALER_COLOR
    return MAY_OPEN[kind]


@jit
def _opening_effects(r, face):
    """The effects that the opening card has as such."""
    applies = _may_open(r, face) and r.opening_policy != NO_EFFECT
    return r.effects[KIND_OF[face]] if applies else 0


@cold
def _draw_opening_card(s, r, log):
    put_back = 0
    while True:
        face = pop_card(s, log)
        emit(s, log, E_OPEN, s.dealer, face, EVERYBODY)
        if _may_open(r, face) or s.draw_pile_size == 0 or put_back == MAX_PUT_BACK:
            push_discard(s, face)
            return face
        plus4_back = face == FACE_WILD4 and r.opening_policy != NUMBER_ONLY
        if r.opening_ignored == STAY_UNDER and not plus4_back:
            push_discard(s, face)
        else:
            s.draw_pile[s.draw_pile_size] = face
            s.draw_pile_size += 1
            s.reshuffles += 1
            s.recycled = s.reshuffles
            put_back += 1
            shuffle_pile(s, s.reshuffles)


@jit
def turn_opening_card(s, r, log):
    """Turn up the opening card and note what it asks for."""
    face = _draw_opening_card(s, r, log)
    s.top_card = face
    s.card = face
    s.active_color = COLOR_OF[face]
    s.top_player = s.dealer
    s.card_player = s.dealer
    s.advance_from = s.dealer
    s.turn = s.dealer + 1 if s.dealer + 1 < s.num_players else 0
    s.facing = FACING_NOTHING
    s.facing_seat = -1
    s.skips = 0
    s.plays_again = 0
    s.choices = CHOICE_COLOR if s.active_color == 4 and r.wild_color == NAME_COLOR else 0
    if _opening_effects(r, face) & X_SWAP_TWO:
        s.choices |= CHOICE_SWAP
    s.stage = STAGE_PASS_CARDS if r.opening_pass else STAGE_OPEN_CHOICES


@cold
def ask_opening(s, r):
    """FC-06, IG-13, IG-37, IG-50: what an opening wild asks, and of whom."""
    if s.choices & CHOICE_SWAP:
        ask(s, P_OPENING_SWAP, s.turn)
    elif s.choices & CHOICE_COLOR:
        by_dealer = s.card == FACE_WILD4 or r.opening_wild_color_by == DEALER_NAMES
        ask(s, P_OPENING_COLOR, s.dealer if by_dealer else s.turn)
    else:
        s.stage = STAGE_OPEN_EFFECTS


@cold
def open_effects(s, r, log):
    """FC-R2: the opening card acts as if the dealer had played it."""
    kind = KIND_OF[s.card]
    effects = _opening_effects(r, s.card)
    if effects & X_SKIP:
        s.skips = r.skip_counts[kind]
    if effects & X_REVERSE:
        s.direction = -1
        s.plays_again = r.opening_reverse_starter == DEALER_STARTS
    if effects & X_DRAW:
        _open_penalty(s, r, log, r.draws[kind])
    s.hands_changed = 0
    s.after_window = STAGE_ADVANCE
    s.stage = STAGE_WINDOW if r.jump_in_on_opening else STAGE_ADVANCE


@cold
def _open_penalty(s, r, log, value):
    answerable = r.opening_penalty_answerable and r.answerable
    # IG-R28: where the opening card can be jumped in on, its penalty waits for that.
    if answerable or (r.has_react and r.jump_in_on_opening):
        s.pending_amount = value
        s.pending_value = value
        s.pending_source = s.dealer
        s.facing = FACING_STACK if answerable else FACING_DRAW
        s.skips = 0 if answerable else 1
        return
    victim = effect_target(s, r, s.dealer)
    note_took(s, victim, penalize(s, r, log, victim, value))
    s.facing_seat = victim
    s.skips = r.penalty_ends_turn


@cold
def name_opening_color(s, color):
    """The colour of an opening wild."""
    set_active(s, color)
    s.choices &= ~CHOICE_COLOR
