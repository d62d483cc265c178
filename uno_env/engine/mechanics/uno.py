"""The UNO protocol (CV-08): calls, a partner's call, catches, the catch on a last card."""

import numpy as np

from ..jit import always_inline, cold, never_inline
from ..lowlevel.bits import lowest_bit
from ..lowlevel.branch_hints import likely, unlikely
from ..observation.event_log import E_CATCH, E_UNO_CALL, EVERYBODY, emit
from ..observation.recent import A_CATCH, note_recent
from ..state import (
    STAGE_GO_OUT,
    STAGE_TURN,
    STAGE_TURN_CATCH,
    STAGE_UNO,
    UNO_AUTO,
    UNO_EXPLICIT,
    code,
)
from ..tables import P_PLAY, P_UNO_CALL, P_UNO_CATCH
from .mercy import penalize
from .scoring import team_bits
from .seats import (
    UNTIL_OWN_TURN,
    adjacent_seat,
    ask,
    is_called,
    next_seat,
    partner_of,
    set_called,
)
from .teams import settle_halves

PARTNER_TOO = code("uno_call_by", "partner_too")


@always_inline
def uno_stage(s, r, log):
    """Ask the next seat that owes a call; move on when nobody does."""
    if unlikely(r.has_teams) and settle_halves(s, r, log):
        return
    if s.hands_changed:
        _collect_owed(s, r, log)
    if likely(s.calls_owed == 0):
        s.stage = s.after_uno
        s.first_to_call = -1
        return
    seat = s.first_to_call if s.first_to_call >= 0 else s.turn
    # All seats, not only those in play: the queue itself says who is concerned.
    while not (s.calls_owed >> seat) & 1:
        seat = adjacent_seat(s, seat)
    s.calls_owed &= ~(1 << seat)
    if s.hand_sizes[seat] == 1:
        s.call_holder = seat
        s.is_last_card = 0
        if unlikely(r.uno_catch_window == UNTIL_OWN_TURN):
            s.silent_seats &= ~(1 << seat)
        ask(s, P_UNO_CALL, seat)


@always_inline
def _collect_owed(s, r, log):
    seats = s.hands_changed
    while seats:
        seat = lowest_bit(seats)
        seats &= seats - 1
        if unlikely(s.hand_sizes[seat] == 1):
            if r.uno_call == UNO_EXPLICIT:
                s.calls_owed |= 1 << seat
            elif r.uno_call == UNO_AUTO:
                set_called(s, seat, True)
                emit(s, log, E_UNO_CALL, seat, seat, EVERYBODY)
    s.hands_changed = 0


@always_inline
def call_uno(s, log, seat):
    """The holder, or its partner, has called."""
    set_called(s, s.call_holder, True)
    emit(s, log, E_UNO_CALL, seat, s.call_holder, EVERYBODY)


@never_inline
def stay_silent(s, r, seat):
    """Nobody called: ask the partner, then open the catch to the opponents."""
    if r.uno_call_by == PARTNER_TOO and seat == s.call_holder:
        ask(s, P_UNO_CALL, partner_of(s, seat))
        return
    open_catch(s, r, s.call_holder, 0)


@cold
def open_catch(s, r, holder, last_call):
    """Opponents in play may catch the holder, the seat after it first."""
    s.call_holder = holder
    s.is_last_card = last_call
    if r.uno_catch_window == UNTIL_OWN_TURN:
        s.silent_seats |= 1 << holder
    s.last_asked = holder
    s.still_to_ask = s.live & ~team_bits(s, r, holder)
    ask_next_catcher(s)


@never_inline
def ask_next_catcher(s):
    """The next opponent is asked; when none is left the holder got away with it."""
    for _ in range(s.num_players):
        if s.still_to_ask == 0:
            break
        s.last_asked = next_seat(s, s.last_asked)
        if (s.still_to_ask >> s.last_asked) & 1:
            s.still_to_ask &= ~(1 << s.last_asked)
            ask(s, P_UNO_CATCH, s.last_asked)
            return
    s.stage = STAGE_GO_OUT if s.is_last_card else STAGE_UNO


@cold
def ask_turn_catch(s):
    """HR-13: the seat whose turn begins is asked about each silent seat, then takes its turn."""
    while s.still_to_ask:
        holder = lowest_bit(np.int64(s.still_to_ask))
        s.still_to_ask &= s.still_to_ask - 1
        if s.hand_sizes[holder] == 1 and not is_called(s, holder) and (s.live >> holder) & 1:
            s.call_holder = holder
            s.is_last_card = 0
            ask(s, P_UNO_CATCH, s.turn)
            return
        s.silent_seats &= ~(1 << holder)
    s.stage = STAGE_TURN
    ask(s, P_PLAY, s.turn)


@cold
def catch(s, r, log, seat):
    """The holder draws; True if it was caught laying its last card and has cards again."""
    emit(s, log, E_CATCH, seat, s.call_holder, EVERYBODY)
    note_recent(s, seat, A_CATCH, 0)
    s.silent_seats &= ~(1 << s.call_holder)
    if s.stage == STAGE_TURN_CATCH:
        penalize(s, r, log, s.call_holder, r.uno_penalty)
        return False
    s.still_to_ask = 0
    penalize(s, r, log, s.call_holder, r.uno_penalty)
    if s.is_last_card:
        s.stage = STAGE_GO_OUT
        return s.hand_sizes[s.call_holder] > 0
    s.stage = STAGE_UNO
    return False
