"""What a card does once its choices are made: skips, reverses, penalties, whole colours laid."""

import numpy as np

from ..jit import always_inline, cold, never_inline
from ..knowledge.known_cards import ONE, note_played
from ..knowledge.missing_colors import note_missing_color
from ..lowlevel.bits import lowest_bit
from ..lowlevel.branch_hints import unlikely
from ..observation.event_log import E_DISCARD_ALL, E_REVERSE, EVERYBODY, emit
from ..state import (
    CHOICE_EXCHANGE,
    FACING_CHALLENGE,
    FACING_DRAW,
    FACING_ROULETTE,
    FACING_STACK,
    FACING_TEAM_PLAY,
    STAGE_EXCHANGE,
    STAGE_HALVES,
    STAGE_OVER,
    code,
)
from ..tables import (
    COLOR_HI,
    COLOR_LO,
    COLOR_OF,
    KIND_OF,
    X_DEFLECT,
    X_DISCARD_COLOR,
    X_DRAW,
    X_HYPER,
    X_MOVES_HANDS,
    X_PASS_HANDS,
    X_PLAY_AGAIN,
    X_REVERSE,
    X_ROULETTE,
    X_SKIP,
    X_TARGET_DRAW,
    X_TEAM_DRAW,
    X_TEAM_PLAY,
)
from .last_action import clear_pending, note_took
from .mercy import penalize
from .piles import push_discard, remove_card
from .places import finish_with_place
from .scoring import end_round, team_bits
from .seats import effect_target, next_seat, partner_of, plays_as_two
from .swaps import pass_hands_on

PLAY_AGAIN = code("two_player_reverse", "play_again")
HITS_PLAYER = code("reverse_draw4_two_player", "hits_player")
BOTH_OUT = code("team_win", "both_out")

X_RARE = (
    X_PLAY_AGAIN | X_HYPER | X_ROULETTE | X_TEAM_PLAY | X_TEAM_DRAW | X_DISCARD_COLOR
    | X_PASS_HANDS | X_TARGET_DRAW
)  # fmt: skip
"""Effects that no classic deck has."""


@always_inline
def apply_effects(s, r, log):
    """CV-07 steps 4 and 5: the immediate effects of the card, then whether somebody has won."""
    kind = KIND_OF[s.card]
    effects = r.effects[kind]
    s.stage = STAGE_EXCHANGE if s.choices & CHOICE_EXCHANGE else STAGE_HALVES
    if effects & X_REVERSE:
        _reverse(s, r, log, effects)
    if effects & X_SKIP:
        # AW-R1: no more than the others, so with two seats its player acts again.
        s.skips = min(r.skip_counts[kind] * (1 + s.equal_cards), s.n_live - 1)
    if unlikely(effects & X_DEFLECT) and s.pending_amount:
        # HR-06: the penalty waits for the following seat, which nothing skips.
        s.skips = 0
        s.plays_again = 0
        s.facing = FACING_STACK
    if unlikely(effects & X_RARE):
        _rare_effect(s, r, log, kind, effects)
    if effects & X_DRAW:
        _draw_effect(s, r, log)
    if unlikely(s.stage == STAGE_OVER):
        return
    if unlikely(s.hyper_color < 4) and s.hyper_color == COLOR_OF[s.card]:
        # HS-23, HS-R16: one seat loses one turn, unless skips add up.
        s.skips = s.skips + 1 if r.hyper_cumulative else max(s.skips, 1)
    if unlikely(effects & (X_MOVES_HANDS | X_DISCARD_COLOR)):
        _check_empty_hands(s, r, log)


@never_inline
def _check_empty_hands(s, r, log):
    # A swapped or discarded hand may be empty now; the player of the card is looked at first.
    seat = s.card_player
    for _ in range(s.num_players):
        if (s.live >> seat) & 1 and s.hand_sizes[seat] == 0:
            if r.play_on:
                finish_with_place(s, r, log, seat)
            elif not r.has_teams:
                s.card_player = seat
                end_round(s, r, log, 1 << seat)
            elif r.team_win != BOTH_OUT or s.hand_sizes[partner_of(s, seat)] == 0:
                end_round(s, r, log, team_bits(s, r, seat))
            if s.stage == STAGE_OVER:
                return
        seat = next_seat(s, seat)


@cold
def _rare_effect(s, r, log, kind, effects):
    if effects & X_PLAY_AGAIN:
        s.plays_again = 1
    if effects & X_HYPER:
        s.hyper_color = s.active_color
    if effects & X_ROULETTE:
        s.facing = FACING_ROULETTE
    if effects & X_TEAM_PLAY:
        s.facing = FACING_TEAM_PLAY
    if effects & X_DISCARD_COLOR:
        _discard_color(s, r, log)
    if effects & X_PASS_HANDS:
        pass_hands_on(s, log)
    if effects & X_TARGET_DRAW:
        # AW-07: the chosen seat draws and keeps its turn. A position may have chosen none.
        amount = r.draws[kind] * (1 + s.equal_cards)
        if s.victim >= 0 and (s.live >> s.victim) & 1:
            note_took(s, s.victim, penalize(s, r, log, s.victim, amount))
    if effects & X_TEAM_DRAW:
        _team_draw(s, r, log, r.draws[kind] * (1 + s.equal_cards))


@cold
def _team_draw(s, r, log, amount):
    """TM-37: the next seat and its partner draw."""
    if r.has_react:
        s.pending_amount = amount
        s.pending_value = amount
        s.pending_source = s.card_player
        _draw_after_window(s)
        return
    victim = effect_target(s, r, s.card_player)
    penalize(s, r, log, victim, amount)
    penalize(s, r, log, partner_of(s, victim), amount)
    _skip_victim(s, r, victim)


@always_inline
def _reverse(s, r, log, effects):
    """Direction; with two seats a reverse is a turn more, a reverse that draws faces its player."""
    if not s.equal_cards & 1:
        s.direction = -s.direction
        emit(s, log, E_REVERSE, s.card_player, s.direction, EVERYBODY)
    if not effects & X_DRAW:
        s.plays_again = r.two_player_reverse == PLAY_AGAIN and plays_as_two(s, r)
    elif r.reverse_draw4_two_player == HITS_PLAYER and plays_as_two(s, r):
        s.facing_seat = s.card_player if (s.live >> s.card_player) & 1 else -1


@always_inline
def _draw_effect(s, r, log):
    """A +X: it waits for the seat it faces, or is drawn at once where nothing can be answered."""
    if r.answerable:
        s.facing = FACING_STACK
    elif s.contestable:
        s.facing = FACING_CHALLENGE
    elif unlikely(r.has_react):
        _draw_after_window(s)
    else:
        amount = s.pending_amount
        clear_pending(s)
        if s.facing_seat >= 0:
            # NM-38, NM-R13: two seats, the player itself draws and its opponent acts next.
            penalize(s, r, log, s.card_player, amount)
            s.facing_seat = -1
            return
        victim = effect_target(s, r, s.card_player)
        note_took(s, victim, penalize(s, r, log, victim, amount))
        _skip_victim(s, r, victim)


@always_inline
def _draw_after_window(s):
    # IG-R28: whoever jumps in passes the penalty on before it is drawn.
    s.facing = FACING_DRAW
    s.skips = 1


@always_inline
def _skip_victim(s, r, victim):
    # Remembered by seat: a half may bring another seat back before the turn moves on.
    # An eliminated victim is passed over anyway.
    s.facing_seat = victim
    s.skips = (s.live >> victim) & r.penalty_ends_turn


@cold
def _discard_color(s, r, log):
    """NM-34, NM-35: all other cards of that colour go under the card, without effect."""
    color = COLOR_OF[s.card]
    s.discard_size -= 1
    s.discard_counts[s.card] -= 1
    _shed(s, r, log, s.hand_sets[s.card_player, 0] & COLOR_LO[color], 0)
    _shed(s, r, log, s.hand_sets[s.card_player, 1] & COLOR_HI[color], 64)
    push_discard(s, s.card)
    note_missing_color(s, s.card_player, color)


@cold
def _shed(s, r, log, faces, first):
    """Lay every copy of a set of faces, one word of it, under the card."""
    while faces:
        bit = lowest_bit(faces)
        faces ^= ONE << np.int64(bit)
        face = first + bit
        while s.hands[s.card_player, face] > 0:
            remove_card(s, r, s.card_player, face)
            note_played(s, s.card_player, face)
            push_discard(s, face)
            emit(s, log, E_DISCARD_ALL, s.card_player, face, EVERYBODY)
