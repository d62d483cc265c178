"""What happened: the event log of a single game, and the ring of events every game can keep.

A row is (event, seat, number, seats that may know the card); the number is a face where the
event moves one card. Rows (card, face) after a `hand` row list a whole hand that was shown. A log
that is not active records nothing; one of capacity 0 only fills the rings, for `history.py`.
"""

from typing import Any

import numpy as np

from ...actions import MAX_SEATS
from ..jit import IS_COMPILED, always_inline, cold
from ..lowlevel.branch_hints import unlikely
from ..state import EVENT_RING
from ..tables import ROW

EVENTS = (
    "card",
    "hand",
    "deal",
    "open",
    "cut",
    "play",
    "draw",
    "keep",
    "pass",
    "take",
    "color",
    "accept",
    "challenge",
    "roulette",
    "swap",
    "no-swap",
    "pass-hands",
    "give",
    "uno-call",
    "catch",
    "jump-in",
    "sum",
    "discard-all",
    "skip",
    "reverse",
    "eliminate",
    "out",
    "back",
    "recycle",
    "team-play-failed",
    "fault",
    "round-end",
    "match-end",
    "target",
)
(
    E_CARD,
    E_HAND,
    E_DEAL,
    E_OPEN,
    E_CUT,
    E_PLAY,
    E_DRAW,
    E_KEEP,
    E_PASS,
    E_TAKE,
    E_COLOR,
    E_ACCEPT,
    E_CHALLENGE,
    E_ROULETTE,
    E_SWAP,
    E_NO_SWAP,
    E_PASS_HANDS,
    E_GIVE,
    E_UNO_CALL,
    E_CATCH,
    E_JUMP_IN,
    E_SUM,
    E_DISCARD_ALL,
    E_SKIP,
    E_REVERSE,
    E_ELIMINATE,
    E_OUT,
    E_BACK,
    E_RECYCLE,
    E_TEAM_PLAY_FAILED,
    E_FAULT,
    E_ROUND_END,
    E_MATCH_END,
    E_TARGET,
) = range(len(EVENTS))

EVERYBODY = (1 << MAX_SEATS) - 1
LOG_ROWS = 4096

LOG = np.dtype(
    [
        ("active", np.int64),
        ("used", np.int64),
        ("capacity", np.int64),
        ("rows", np.int64, (LOG_ROWS, 4)),
    ]
)
"""A log is a record, so that passing it on costs one pointer."""

# A ring entry is one word: the seats that may know, a second seat or how many cards more, the
# number, the seat (the winners, at the end of a round) and the event.
KNOWERS_SHIFT, OTHER_SHIFT, NUMBER_SHIFT, SEAT_SHIFT = 48, 40, 20, 8
SEAT_BITS, NUMBER_BITS, OTHER_BITS, EVENT_BITS = 0x3FF, 0xFFFF, 0xFF, 0xFF
_SAME = (np.int64(EVERYBODY) << KNOWERS_SHIFT) | (SEAT_BITS << SEAT_SHIFT) | EVENT_BITS
"""The parts of an entry in which cards that a seat draws or sheds one after the other agree."""


def new_logs(capacity: int, active: bool | None = None) -> np.ndarray[Any, Any]:
    """An array of one log; with capacity 0 it records nothing, unless it is to fill the rings."""
    logs: np.ndarray[Any, Any] = np.zeros(1, LOG)
    if not IS_COMPILED:
        logs = logs.view(np.recarray)
    logs["capacity"] = capacity
    logs["active"] = capacity > 0 if active is None else active
    return logs


@always_inline
def emit(s, log, event, seat, number, knowers):
    """Append one row, and an entry of the game's ring; nothing when logging is off."""
    if unlikely(log.active):
        _append(s, log, event, seat, number, knowers)


@cold
def _append(s, log, event, seat, number, knowers):
    row = log.used
    if row < log.capacity:
        log.rows[row, 0] = event
        log.rows[row, 1] = seat
        log.rows[row, 2] = number
        log.rows[row, 3] = knowers
        log.used = row + 1
    # That a drawn card was kept tells that it could be played, so it leaves no trace.
    if event != E_CARD and event != E_KEEP:
        _remember(s, event, seat, number, knowers)


@cold
def _remember(s, event, seat, number, knowers):
    entry = (
        (np.int64(knowers & EVERYBODY) << KNOWERS_SHIFT)
        | (np.int64((knowers >> 16) & 15) << OTHER_SHIFT)
        | (np.int64(min(max(number, 0), NUMBER_BITS)) << NUMBER_SHIFT)
        | (np.int64(seat & SEAT_BITS) << SEAT_SHIFT)
        | np.int64(event)
    )
    if (event == E_DRAW or event == E_DISCARD_ALL) and s.events_used > 0:
        # Cards in a row share an entry: the newest face, and how many came before it.
        last = s.events[(s.events_used - 1) % EVENT_RING]
        before = (last >> OTHER_SHIFT) & OTHER_BITS
        if (last & _SAME) == (entry & _SAME) and before < OTHER_BITS:
            entry |= (before + 1) << OTHER_SHIFT
            s.events_used -= 1
    s.events[s.events_used % EVENT_RING] = entry
    s.events_used += 1


@always_inline
def emit_hand(s, log, event, seat, number, knowers):
    """An event that shows every card a seat holds to those that may see it."""
    if unlikely(log.active):
        _append_hand(s, log, event, seat, number, knowers)


@cold
def _append_hand(s, log, event, seat, number, knowers):
    emit(s, log, event, seat, number, knowers)
    for face in range(ROW):
        for _ in range(s.hands[seat, face]):
            emit(s, log, E_CARD, face, 0, 0)
