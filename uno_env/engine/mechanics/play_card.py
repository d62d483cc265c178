"""Laying a card: from the hand to the pile, going out, its choices and the penalty it adds."""

from ..jit import always_inline, cold
from ..knowledge.known_cards import note_played
from ..lowlevel.branch_hints import likely, unlikely
from ..observation.event_log import E_JUMP_IN, E_PLAY, EVERYBODY, emit
from ..observation.recent import note_recent
from ..state import (
    BY_JUMP_IN,
    BY_MORE,
    CHOICE_COLOR,
    CHOICE_EXCHANGE,
    CHOICE_SWAP,
    CHOICE_TARGET,
    CHOICE_VICTIM,
    FACING_NOTHING,
    STACK_NONE,
    STAGE_CHOICES,
    STAGE_GO_OUT,
    STAGE_LAST_CATCH,
    STAGE_OVER,
    STAGE_PLAY_MORE,
    STAGE_WIN_SWAP,
    UNO_EXPLICIT,
    code,
)
from ..tables import (
    COLOR_OF,
    FACE_GIVE,
    FACE_WILD4,
    K_WILD,
    KIND_OF,
    P_PLAY_MORE,
    X_CANCEL,
    X_DEFLECT,
    X_DRAW,
    X_PASS_HANDS,
    X_ROULETTE,
    X_SWAP_OWN,
    X_SWAP_TWO,
    X_TARGET_DRAW,
)
from .last_action import clear_pending, note_card
from .piles import draw_cards, push_discard, remove_card
from .places import finish_with_place
from .playable import is_bluff, may_lay_more
from .scoring import end_round, team_bits
from .seats import ask, give_turn, is_called, next_seat, partner_of, set_called

LAST_CARD_TOO = code("uno_catch_window", "last_card_too")
NO_CHALLENGE = code("challenge", "none")
PLAYER_NAMES_ROULETTE = code("roulette_active_color", "player")
NAME_AFTER_SWAP = code("uno_card_color", "name")
NAME_COLOR = code("wild_color", "name")
LAST_RESOLVES = code("last_card_7_0", "resolve")
LAST_EFFECTS = code("last_card_effects", "penalty_and_swap")
FIRST_OUT_WINS = code("team_win", "first_out")

X_ASKS = X_SWAP_TWO | X_SWAP_OWN | X_ROULETTE | X_TARGET_DRAW
"""Effects that change what a card asks of its player."""


@always_inline
def set_active(s, color):
    """A new active colour; another colour than the hyper one ends hyper mode (HS-24)."""
    s.active_color = color
    s.hyper_color = color if color == s.hyper_color else 4


@always_inline
def play_card(s, r, log, seat, face, how):
    """CV-07 steps 1 and 2: the card becomes the top card; test for going out."""
    kind = KIND_OF[face]
    color = COLOR_OF[face]
    s.color_before = s.active_color
    s.kind_before = KIND_OF[s.top_card]
    s.penalty_before = s.pending_value if s.pending_amount else 0
    remove_card(s, r, seat, face)
    s.size_before = s.hand_sizes[seat]
    s.was_bluff = 0
    s.contestable = 0
    if unlikely(face == FACE_WILD4) and (how != BY_JUMP_IN or r.jump_in_plus4_contestable):
        # CV-10: the verdict is frozen now; later draws never change it.
        s.was_bluff = is_bluff(
            r,
            s.hand_sets[seat, 0],
            s.hand_sets[seat, 1],
            s.color_before,
            s.kind_before,
            s.penalty_before,
        )
        s.contestable = r.challenge != NO_CHALLENGE
    note_played(s, seat, face)
    push_discard(s, face)
    s.top_card = face
    s.top_player = seat
    s.card_player = seat
    s.card = face
    s.passes = 0
    was_called = is_called(s, seat)
    if unlikely(was_called):
        set_called(s, seat, False)
    s.first_to_call = seat
    if likely(color < 4):
        set_active(s, color)
    note_card(s, seat, face)
    note_recent(s, seat, 1 + face, 0)
    emit(s, log, E_JUMP_IN if how == BY_JUMP_IN else E_PLAY, seat, face, EVERYBODY)
    if r.plain[kind] and likely(s.hand_sizes[seat] > 1) and likely(s.hyper_color == 4):
        # A number without choice, effect, call or reaction: the turn simply passes on.
        s.hands_changed = 0
        s.facing = FACING_NOTHING
        s.facing_seat = -1
        s.skips = 0
        s.plays_again = 0
        s.advance_from = seat
        give_turn(s, r, next_seat(s, seat))
        return
    s.turn = seat
    s.drawn_card = -1
    s.hands_changed |= 1 << seat
    if unlikely(r.multiple_play):
        s.equal_cards = s.equal_cards + 1 if how == BY_MORE else 0
        if how != BY_JUMP_IN and may_lay_more(s, r, seat):
            s.stage = STAGE_PLAY_MORE
            ask(s, P_PLAY_MORE, seat)
            return
    if unlikely(s.hand_sizes[seat] == 0) and not _goes_on(s, r, log, seat):
        if s.stage != STAGE_OVER:
            s.stage = STAGE_GO_OUT
            if (
                r.uno_catch_window == LAST_CARD_TOO
                and r.uno_call == UNO_EXPLICIT
                and not was_called
            ):
                s.stage = STAGE_LAST_CATCH
        return
    begin_resolution(s, r)


@cold
def _goes_on(s, r, log, seat):
    """Whether the round goes on although this seat has laid its last card.

    Teams: a last card wins only when the partner has none. With `play_on` the others play for
    the places below.
    """
    if r.play_on:
        finish_with_place(s, r, log, seat)
        return s.stage != STAGE_OVER
    if not r.has_teams:
        return False
    if r.team_win == FIRST_OUT_WINS or s.hand_sizes[partner_of(s, seat)] == 0:
        end_round(s, r, log, team_bits(s, r, seat))
        return False
    return True


@always_inline
def begin_resolution(s, r):
    """Note what the card asks of its player and what penalty it adds."""
    kind = KIND_OF[s.card]
    effects = r.effects[kind]
    s.facing = FACING_NOTHING
    s.facing_seat = -1
    s.skips = 0
    s.plays_again = 0
    s.advance_from = s.card_player
    s.choices = CHOICE_COLOR if kind >= K_WILD and r.wild_color == NAME_COLOR else 0
    s.stage = STAGE_CHOICES
    if unlikely(effects & X_ASKS):
        _note_choices(s, r, effects)
    if unlikely(s.card >= FACE_GIVE):
        s.choices |= CHOICE_EXCHANGE
    if effects & X_DRAW:
        value = r.draws[kind]
        if r.stacking == STACK_NONE:
            s.pending_amount = 0
        s.pending_amount += value * (1 + s.equal_cards)
        s.pending_value = value
        s.pending_source = s.card_player
    elif effects & X_CANCEL:
        clear_pending(s)
    elif effects & X_DEFLECT and s.pending_amount:
        s.pending_source = s.card_player


@cold
def _note_choices(s, r, effects):
    """What cards that move hands, the roulette and the targeted draw ask of their player."""
    if effects & X_SWAP_TWO:
        s.choices |= CHOICE_SWAP
        if r.uno_card_color != NAME_AFTER_SWAP:
            s.choices &= ~CHOICE_COLOR
    if effects & X_ROULETTE and r.roulette_active_color != PLAYER_NAMES_ROULETTE:
        s.choices &= ~CHOICE_COLOR
    if effects & X_SWAP_OWN and (s.live >> s.card_player) & 1:
        s.choices |= CHOICE_TARGET
    if effects & X_TARGET_DRAW:
        s.choices |= CHOICE_VICTIM


@cold
def go_out(s, r, log):
    """The last card is down: its variant's last-card rule, then the round is won."""
    kind = KIND_OF[s.card]
    effects = r.effects[kind]
    if r.last_card_7_0 == LAST_RESOLVES and effects & (X_SWAP_OWN | X_PASS_HANDS):
        begin_resolution(s, r)
        return
    if r.last_card_effects == LAST_EFFECTS:
        if effects & X_SWAP_TWO:
            s.round_winners = 1 << s.card_player
            s.stage = STAGE_WIN_SWAP
            return
        if effects & X_DRAW:
            # IG-R18: the following seat draws the whole total and cannot answer.
            owed = r.draws[kind] * (1 + s.equal_cards)
            owed += s.pending_amount if r.stacking != STACK_NONE else 0
            draw_cards(s, r, log, next_seat(s, s.card_player), owed, 0)
    end_round(s, r, log, 1 << s.card_player)
