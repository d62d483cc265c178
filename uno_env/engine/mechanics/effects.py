"""What a card does once its choices are made: skips, reverses, penalties, whole colours laid."""

import numpy as np

from ..jit import always_inline, cold, never_inline
from ..knowledge.known_cards import note_played
from ..knowledge.known_counts import ONE
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
    STACK_NONE,
    STAGE_EXCHANGE,
    STAGE_HALVES,
    STAGE_OVER,
    code,
)
from ..tables import (
    COLOR_HI,
    COLOR_LO,
    COLOR_OF,
    DRAW_VALUE,
    K_DISCARD_ALL,
    K_HYPER,
    K_REVERSE,
    K_REVERSE4,
    K_ROULETTE,
    K_SKIP,
    K_SKIP_ALL,
    K_TEAM_DRAW2,
    K_TEAM_PLAY,
    K_WILD4,
    KIND_OF,
)
from .mercy import penalize
from .piles import push_discard, remove_card
from .play_card import clear_pending, note_took
from .scoring import end_round, team_bits
from .seats import effect_target, next_seat, partner_of, plays_as_two
from .swaps import pass_hands_on

PLAY_AGAIN = code("two_player_reverse", "play_again")
HITS_PLAYER = code("reverse_draw4_two_player", "hits_player")


@always_inline
def apply_effects(s, r, log):
    """CV-07 steps 4 and 5: the immediate effects of the card, then whether somebody has won."""
    kind = KIND_OF[s.card]
    s.stage = STAGE_EXCHANGE if s.choices & CHOICE_EXCHANGE else STAGE_HALVES
    if kind >= 10:
        _action_effect(s, r, log, kind)
    elif unlikely(kind == 0) and r.zero_pass:
        pass_hands_on(s, log)
    if unlikely(s.stage == STAGE_OVER):
        return
    if unlikely(s.hyper_color < 4) and s.hyper_color == COLOR_OF[s.card]:
        # HS-23, HS-R16: one seat loses one turn, unless skips add up.
        s.skips = s.skips + 1 if r.hyper_cumulative else max(s.skips, 1)
    if kind == 0 or kind == 7 or kind == K_DISCARD_ALL:
        _check_empty_hands(s, r, log)


@never_inline
def _check_empty_hands(s, r, log):
    # A swapped or discarded hand may be empty now; the player of the card is looked at first.
    seat = s.card_player
    for _ in range(s.num_players):
        if (s.live >> seat) & 1 and s.hand_sizes[seat] == 0:
            if not r.has_teams:
                s.card_player = seat
                end_round(s, r, log, 1 << seat)
                return
            if s.hand_sizes[partner_of(s, seat)] == 0:
                end_round(s, r, log, team_bits(s, r, seat))
                return
        seat = next_seat(s, seat)


@always_inline
def _action_effect(s, r, log, kind):
    if kind == K_SKIP:
        s.skips = 1
    elif kind == K_REVERSE:
        _reverse(s, r, log)
        s.plays_again = r.two_player_reverse == PLAY_AGAIN and plays_as_two(s, r)
    elif kind == K_SKIP_ALL:
        s.plays_again = 1
    elif kind == K_HYPER:
        s.hyper_color = s.active_color
    elif kind == K_ROULETTE:
        s.facing = FACING_ROULETTE
    elif kind == K_TEAM_PLAY:
        s.facing = FACING_TEAM_PLAY
    elif kind == K_DISCARD_ALL:
        _discard_color(s, r, log)
    elif kind == K_TEAM_DRAW2 and r.has_react:
        s.pending_amount = 2
        s.pending_value = 2
        s.pending_source = s.card_player
        _draw_after_window(s)
    elif kind == K_TEAM_DRAW2:
        victim = effect_target(s, r, s.card_player)
        penalize(s, r, log, victim, 2)
        penalize(s, r, log, partner_of(s, victim), 2)
        _skip_victim(s, r, victim)
    elif DRAW_VALUE[kind]:
        if kind == K_REVERSE4:
            _reverse(s, r, log)
            if r.reverse_draw4_two_player == HITS_PLAYER and plays_as_two(s, r):
                s.facing_seat = s.card_player
        _draw_effect(s, r, log, kind)


@always_inline
def _reverse(s, r, log):
    s.direction = -s.direction
    emit(log, E_REVERSE, s.card_player, s.direction, EVERYBODY)


@always_inline
def _draw_effect(s, r, log, kind):
    """A +X: it waits for the seat it faces, or is drawn at once where nothing can be answered."""
    if r.stacking != STACK_NONE:
        s.facing = FACING_STACK
    elif kind == K_WILD4 and s.contestable:
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
            note_played(s, r, s.card_player, face)
            push_discard(s, face)
            emit(log, E_DISCARD_ALL, s.card_player, face, EVERYBODY)
