"""The UNO protocol (CV-08): calls, a partner's call, catches, the catch on a last card."""

from ..jit import always_inline, cold, never_inline
from ..lowlevel.bits import lowest_bit
from ..lowlevel.branch_hints import likely, unlikely
from ..observation.event_log import E_CATCH, E_UNO_CALL, EVERYBODY, emit
from ..state import G_GO_OUT, G_UNO, UNO_AUTO, UNO_EXPLICIT, code
from ..tables import P_UNO_CALL, P_UNO_CATCH
from .mercy import penalize
from .scoring import team_bits
from .seats import adjacent_seat, ask, next_seat, partner_of, set_called
from .teams import settle_halves

PARTNER_TOO = code("uno_call_by", "partner_too")


@always_inline
def uno_stage(s, r, log):
    """Ask the next seat that owes a call; move on when nobody does."""
    if unlikely(r.has_teams) and settle_halves(s, r, log):
        return
    if s.changed:
        _collect_owed(s, r, log)
    if likely(s.owed == 0):
        s.stage = s.after_uno
        s.uno_first = -1
        return
    seat = s.uno_first if s.uno_first >= 0 else s.turn
    # All seats, not only those in play: the queue itself says who is concerned.
    while not (s.owed >> seat) & 1:
        seat = adjacent_seat(s, seat)
    s.owed &= ~(1 << seat)
    if s.sizes[seat] == 1:
        s.holder = seat
        s.last_call = 0
        ask(s, P_UNO_CALL, seat)


@always_inline
def _collect_owed(s, r, log):
    seats = s.changed
    while seats:
        seat = lowest_bit(seats)
        seats &= seats - 1
        if unlikely(s.sizes[seat] == 1):
            if r.uno_call == UNO_EXPLICIT:
                s.owed |= 1 << seat
            elif r.uno_call == UNO_AUTO:
                set_called(s, seat, True)
                emit(log, E_UNO_CALL, seat, seat, EVERYBODY)
    s.changed = 0


@always_inline
def call_uno(s, log, seat):
    """The holder, or its partner, has called."""
    set_called(s, s.holder, True)
    emit(log, E_UNO_CALL, seat, s.holder, EVERYBODY)


@never_inline
def stay_silent(s, r, seat):
    """Nobody called: ask the partner, then open the catch to the opponents."""
    if r.uno_call_by == PARTNER_TOO and seat == s.holder:
        ask(s, P_UNO_CALL, partner_of(s, seat))
        return
    open_catch(s, r, s.holder, 0)


@cold
def open_catch(s, r, holder, last_call):
    """Opponents in play may catch the holder, the seat after it first."""
    s.holder = holder
    s.last_call = last_call
    s.asked = holder
    s.poll = s.live & ~team_bits(s, r, holder)
    ask_next_catcher(s)


@never_inline
def ask_next_catcher(s):
    """The next opponent is asked; when none is left the holder got away with it."""
    for _ in range(s.num_players):
        if s.poll == 0:
            break
        s.asked = next_seat(s, s.asked)
        if (s.poll >> s.asked) & 1:
            s.poll &= ~(1 << s.asked)
            ask(s, P_UNO_CATCH, s.asked)
            return
    s.stage = G_GO_OUT if s.last_call else G_UNO


@cold
def catch(s, r, log, seat):
    """The holder draws; True if it was caught laying its last card and has cards again."""
    emit(log, E_CATCH, seat, s.holder, EVERYBODY)
    s.poll = 0
    penalize(s, r, log, s.holder, r.uno_penalty)
    if s.last_call:
        s.stage = G_GO_OUT
        return s.sizes[s.holder] > 0
    s.stage = G_UNO
    return False
