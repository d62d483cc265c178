"""A seat's turn: drawing, keeping, passing, and whose turn comes next."""

from ..jit import always_inline
from ..knowledge.missing_colors import note_missing_color
from ..lowlevel.branch_hints import likely, unlikely
from ..observation.event_log import E_KEEP, E_PASS, E_SKIP, EVERYBODY, emit
from ..observation.recent import A_PASS, note_recent
from ..state import (
    DRAW_UNTIL_PLAYABLE,
    FACING_CHALLENGE,
    FACING_DRAW,
    FACING_NOTHING,
    FACING_ROULETTE,
    FACING_STACK,
    FACING_TEAM_PLAY,
    PLAY_DRAWN_NEVER,
    SCOPE_ANY,
    STAGE_ADVANCE,
    STAGE_DRAWN,
    STAGE_UNO,
    VOLUNTARY_ALWAYS,
)
from ..tables import P_CHALLENGE, P_PLAY_DRAWN, P_ROULETTE, P_STACK
from .last_action import note_drew
from .mercy import check_mercy
from .penalties import draw_pending, lose_turn
from .piles import draw_card, note_drawn
from .playable import can_play, playable
from .scoring import end_round
from .seats import ask, effect_target, give_turn, next_seat
from .teams import team_play


@always_inline
def turn_draw(s, r, log, seat):
    """Draw one card, several, or until one can be played; then perhaps play the last (CV-11)."""
    if likely(r.voluntary_draw != VOLUNTARY_ALWAYS) and likely(r.finish_on_action):
        # Drawing is only allowed without a match, so everybody sees the colour is missing.
        note_missing_color(s, seat, s.active_color)
    drawn = 0
    face = -1
    while not (r.draw_limit and unlikely(s.hand_sizes[seat] >= r.draw_limit)):
        card = draw_card(s, r, log, seat)
        if unlikely(card < 0):
            # Of several cards those drawn count; cards drawn in search of a playable one do not.
            face = face if r.draw_count > 1 else -1
            break
        face = card
        note_drawn(s, seat, 1)
        drawn += 1
        if likely(r.draw_policy != DRAW_UNTIL_PLAYABLE):
            if likely(drawn >= r.draw_count):
                break
        elif can_play(s, r, seat, face):
            break
    if check_mercy(s, r, log, seat):
        face = -1
    note_drew(s, seat, drawn)
    lose_turn(s, r)
    may_play = likely(face >= 0) and likely(r.play_drawn != PLAY_DRAWN_NEVER)
    if may_play and offers_play(s, r, seat, face):
        s.drawn_card = face
    if likely(s.stage == STAGE_DRAWN):
        # Nothing comes between the draw and the offer.
        s.stage = STAGE_UNO
        if s.drawn_card >= 0:
            ask(s, P_PLAY_DRAWN, seat)
        else:
            _end_turn(s, r, seat)


@always_inline
def offers_play(s, r, seat, face):
    """Whether something may be played after this draw."""
    if unlikely(r.play_after_draw_scope == SCOPE_ANY):
        lo, hi = playable(s, r, seat)
        return lo | hi != 0
    return can_play(s, r, seat, face)


@always_inline
def offer_drawn(s, r):
    """PLAY_DRAWN if the drawn card may be played and is still held; otherwise the turn is over."""
    s.stage = STAGE_UNO
    if s.drawn_card >= 0:
        if s.hands[s.turn, s.drawn_card] > 0 and offers_play(s, r, s.turn, s.drawn_card):
            ask(s, P_PLAY_DRAWN, s.turn)
        else:
            s.drawn_card = -1


@always_inline
def keep_drawn(s, r, log, seat):
    """The drawn card stays in the hand."""
    s.drawn_card = -1
    emit(s, log, E_KEEP, seat, 0, 1 << seat)
    s.stage = STAGE_UNO
    _end_turn(s, r, seat)


@always_inline
def _end_turn(s, r, seat):
    """After a draw hardly ever somebody owes a call: a shortcut to the next seat's turn."""
    if (
        likely(not r.has_teams)
        and likely(s.calls_owed == 0)
        and likely(s.hands_changed | (1 << seat) == 1 << seat)
        and likely(s.hand_sizes[seat] > 1)
        and likely(s.after_uno == STAGE_ADVANCE)
    ):
        s.hands_changed = 0
        s.first_to_call = -1
        give_turn(s, r, next_seat(s, s.advance_from))


@always_inline
def pass_turn(s, r, log, seat):
    """CV-05, CV-06: nothing can be drawn; when all have passed in a row the round is void."""
    if likely(r.voluntary_draw != VOLUNTARY_ALWAYS) and likely(r.finish_on_action):
        note_missing_color(s, seat, s.active_color)
    emit(s, log, E_PASS, seat, 0, EVERYBODY)
    note_recent(s, seat, A_PASS, 0)
    s.passes += 1
    if s.passes >= s.n_live:
        end_round(s, r, log, 0)
        return
    lose_turn(s, r)
    # Nothing was drawn, so no reaction is offered again.
    s.stage = STAGE_UNO


@always_inline
def advance(s, r, log):
    """CV-07 step 8: what the played card puts before the next seat, or the next turn."""
    facing = s.facing
    s.facing = FACING_NOTHING
    if unlikely(facing == FACING_TEAM_PLAY):
        team_play(s, r, log)
        return
    if facing != FACING_NOTHING:
        seat = s.facing_seat if s.facing_seat >= 0 else effect_target(s, r, s.card_player)
        s.turn = seat
        if facing == FACING_STACK:
            ask(s, P_STACK, seat)
        elif facing == FACING_CHALLENGE:
            ask(s, P_CHALLENGE, seat)
        elif facing == FACING_ROULETTE:
            ask(s, P_ROULETTE, seat)
        elif facing == FACING_DRAW:
            draw_pending(s, r, log, seat)
        return
    seat = s.advance_from
    if likely(not (s.plays_again and (s.live >> seat) & 1)):
        for skipped in range(s.skips):
            if skipped == 0 and s.facing_seat >= 0:
                seat = s.facing_seat
            else:
                seat = effect_target(s, r, seat)
            emit(s, log, E_SKIP, seat, 0, EVERYBODY)
        seat = next_seat(s, seat)
    s.plays_again = 0
    s.skips = 0
    give_turn(s, r, seat)
