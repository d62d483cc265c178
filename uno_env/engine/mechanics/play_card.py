"""Laying a card: from the hand to the pile, going out, its choices and the penalty it adds."""

import numpy as np

from ...cards import NUM_FACES
from ..jit import always_inline, cold
from ..knowledge.known_cards import note_played
from ..lowlevel.branch_hints import likely, unlikely
from ..observation.event_log import E_JUMP_IN, E_PLAY, EVERYBODY, emit
from ..state import (
    BY_JUMP_IN,
    CHOICE_COLOR,
    CHOICE_EXCHANGE,
    CHOICE_SWAP,
    CHOICE_TARGET,
    FACING_NOTHING,
    SEAT_DREW,
    SEAT_LAST_COLOR,
    SEAT_PLAYED,
    SEAT_TOOK,
    STACK_JOKER,
    STACK_NONE,
    STAGE_CHOICES,
    STAGE_GO_OUT,
    STAGE_LAST_CATCH,
    STAGE_OVER,
    STAGE_WIN_SWAP,
    UNO_EXPLICIT,
    code,
)
from ..tables import (
    COLOR_OF,
    DRAW_VALUE,
    FACE_GIVE,
    FACE_WILD4,
    K_ROULETTE,
    K_SKIP,
    K_SWAP,
    K_WILD,
    KIND_OF,
)
from .piles import draw_cards, push_discard, remove_card
from .playable import is_bluff
from .scoring import end_round, team_bits
from .seats import give_turn, is_called, next_seat, partner_of, set_called

LAST_CARD_TOO = code("uno_catch_window", "last_card_too")
CHALLENGE_TARGET = code("challenge", "target")
PLAYER_NAMES_ROULETTE = code("roulette_active_color", "player")
NAME_AFTER_SWAP = code("uno_card_color", "name")
LAST_RESOLVES = code("last_card_7_0", "resolve")
LAST_EFFECTS = code("last_card_effects", "penalty_and_swap")

# The second word of a seat's public row, byte by byte.
COLOR_NOTE = np.array([1, 1 << 8, 1 << 16, 1 << 24, 0], np.uint64)
CARDS_PLAYED_BYTE = np.uint64(255 << 56)
ONE_CARD_PLAYED = np.uint64(1 << 56)


@always_inline
def set_active(s, color):
    """A new active colour; another colour than the hyper one ends hyper mode (HS-24)."""
    s.active_color = color
    s.hyper_color = color if color == s.hyper_color else 4


@always_inline
def note_last_action(s, seat, color, column, number):
    """The public note of a seat's last action: the colour it was about, and how much of what."""
    # The second word of the row, but for its last byte, is rewritten at once.
    played = s.seats_words[seat, 1] & CARDS_PLAYED_BYTE
    note = np.uint64(number) << np.uint64(8 * (column - SEAT_LAST_COLOR))
    s.seats_words[seat, 1] = played | COLOR_NOTE[color] | note


def _card_note(face: int) -> int:
    kind = int(KIND_OF[face])
    number = 1 if kind < K_SKIP else (2 if kind < K_WILD else 3)
    return int(COLOR_NOTE[COLOR_OF[face]]) | number << 8 * (SEAT_PLAYED - SEAT_LAST_COLOR)


CARD_NOTE = np.array([_card_note(face) for face in range(NUM_FACES)], np.uint64)
"""The public note of each card laid."""


@always_inline
def _note_card(s, seat, face):
    """The same for a card laid, of which there is one more."""
    played = s.seats_words[seat, 1] & CARDS_PLAYED_BYTE
    if played < CARDS_PLAYED_BYTE:
        played += ONE_CARD_PLAYED
    s.seats_words[seat, 1] = played | CARD_NOTE[face]


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
        s.contestable = r.challenge == CHALLENGE_TARGET
    note_played(s, r, seat, face)
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
    _note_card(s, seat, face)
    emit(log, E_JUMP_IN if how == BY_JUMP_IN else E_PLAY, seat, face, EVERYBODY)
    if r.plain[kind] and likely(s.hand_sizes[seat] > 1) and likely(s.hyper_color == 4):
        # A number without choice, effect, call or reaction: the turn simply passes on.
        s.hands_changed = 0
        s.facing = FACING_NOTHING
        s.facing_seat = -1
        s.skips = 0
        s.plays_again = 0
        s.advance_from = seat
        give_turn(s, next_seat(s, seat))
        return
    s.turn = seat
    s.drawn_card = -1
    s.hands_changed |= 1 << seat
    if unlikely(s.hand_sizes[seat] == 0) and not _team_goes_on(s, r, log, seat):
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
def _team_goes_on(s, r, log, seat):
    """Teams: a last card wins only when the partner has none; True if play goes on."""
    if not r.has_teams:
        return False
    if s.hand_sizes[partner_of(s, seat)] == 0:
        end_round(s, r, log, team_bits(s, r, seat))
        return False
    return True


@always_inline
def begin_resolution(s, r):
    """Note what the card asks of its player and what penalty it adds."""
    kind = KIND_OF[s.card]
    s.facing = FACING_NOTHING
    s.facing_seat = -1
    s.skips = 0
    s.plays_again = 0
    s.advance_from = s.card_player
    s.choices = 0
    s.stage = STAGE_CHOICES
    if kind >= K_WILD:
        s.choices = CHOICE_COLOR
        if unlikely(kind == K_SWAP):
            s.choices = CHOICE_SWAP | (CHOICE_COLOR if r.uno_card_color == NAME_AFTER_SWAP else 0)
        elif kind == K_ROULETTE and r.roulette_active_color != PLAYER_NAMES_ROULETTE:
            s.choices = 0
    elif kind == 7 and r.seven_swap:
        s.choices = CHOICE_TARGET
    if unlikely(s.card >= FACE_GIVE):
        s.choices |= CHOICE_EXCHANGE
    value = DRAW_VALUE[kind]
    if value:
        if r.stacking == STACK_NONE:
            s.pending_amount = 0
        s.pending_amount += value
        s.pending_value = value
        s.pending_source = s.card_player
    elif kind == K_WILD and r.stacking == STACK_JOKER:
        clear_pending(s)


@always_inline
def clear_pending(s):
    """No penalty is owed any more."""
    s.pending_amount = 0
    s.pending_value = 0
    s.pending_source = -1
    s.contestable = 0


@cold
def go_out(s, r, log):
    """The last card is down: its variant's last-card rule, then the round is won."""
    kind = KIND_OF[s.card]
    if r.last_card_7_0 == LAST_RESOLVES and (
        (kind == 7 and r.seven_swap) or (kind == 0 and r.zero_pass)
    ):
        begin_resolution(s, r)
        return
    if r.last_card_effects == LAST_EFFECTS:
        if kind == K_SWAP:
            s.round_winners = 1 << s.card_player
            s.stage = STAGE_WIN_SWAP
            return
        value = DRAW_VALUE[kind]
        if value:
            # IG-R18: the following seat draws the whole total and cannot answer.
            owed = value + (s.pending_amount if r.stacking != STACK_NONE else 0)
            draw_cards(s, r, log, next_seat(s, s.card_player), owed, 0)
    end_round(s, r, log, 1 << s.card_player)


@always_inline
def note_took(s, seat, count):
    """Public note: the seat's last act was to take cards."""
    note_last_action(s, seat, s.active_color, SEAT_TOOK, min(count, 255))


@always_inline
def note_drew(s, seat, count):
    """Public note: the seat's last act was a turn draw."""
    note_last_action(s, seat, s.active_color, SEAT_DREW, min(count, 255))
