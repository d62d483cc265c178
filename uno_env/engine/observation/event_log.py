"""The event log of a single game: rows of numbers that kernels append.

A row is (event, seat, number, seats that may know the card); the number is a face where the
event moves one card. Rows (card, face) after a `hand` row list a whole hand that was shown.
Batches play with a log of capacity 0.
"""

from typing import Any

import numpy as np

from ..jit import IS_COMPILED, always_inline, cold
from ..lowlevel.branch_hints import unlikely

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
) = range(len(EVENTS))

EVERYBODY = (1 << 10) - 1
LOG_ROWS = 4096

LOG = np.dtype([("used", np.int64), ("capacity", np.int64), ("rows", np.int64, (LOG_ROWS, 4))])
"""A log is a record, so that passing it on costs one pointer."""


def new_logs(capacity: int) -> np.ndarray[Any, Any]:
    """An array of one log; with capacity 0 it records nothing."""
    logs: np.ndarray[Any, Any] = np.zeros(1, LOG)
    if not IS_COMPILED:
        logs = logs.view(np.recarray)
    logs["capacity"] = capacity
    return logs


@always_inline
def emit(log, event, seat, number, knowers):
    """Append one row; nothing when logging is off or the log is full."""
    if unlikely(log.used < log.capacity):
        _append(log, event, seat, number, knowers)


@cold
def _append(log, event, seat, number, knowers):
    row = log.used
    log.rows[row, 0] = event
    log.rows[row, 1] = seat
    log.rows[row, 2] = number
    log.rows[row, 3] = knowers
    log.used = row + 1


@always_inline
def emit_hand(log, s, event, seat, number, knowers):
    """An event that shows every card a seat holds to those that may see it."""
    if unlikely(log.capacity > 0):
        _append_hand(log, s, event, seat, number, knowers)


@cold
def _append_hand(log, s, event, seat, number, knowers):
    emit(log, event, seat, number, knowers)
    for face in range(114):
        for _ in range(s.hands[seat, face]):
            emit(log, E_CARD, face, 0, 0)
