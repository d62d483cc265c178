"""The history form of the observation: the last events a seat may know of, oldest first.

A row is (event, seat, other seat, face, number), each zero where there is nothing to say: event
and face are counted from one, seats from one at the observer's own. Cards that somebody draws or
sheds one after the other are one row with their number; the face is the newest. It is meant for
recurrent and attention policies; what the present needs of the past is in the observation.
"""

import numpy as np

from ...actions import MAX_SEATS
from ..jit import always_inline, jit
from ..state import EVENT_RING
from .event_log import (
    E_DISCARD_ALL,
    E_DRAW,
    EVENT_BITS,
    EVENTS,
    KNOWERS_SHIFT,
    NUMBER_BITS,
    NUMBER_SHIFT,
    OTHER_BITS,
    OTHER_SHIFT,
    SEAT_BITS,
    SEAT_SHIFT,
)

HISTORY_FIELDS = ("event", "seat", "other", "face", "number")
H_EVENT, H_SEAT, H_OTHER, H_FACE, H_NUMBER = range(len(HISTORY_FIELDS))
MAX_HISTORY = 48
"""Longest history that can be asked for."""
MAX_BYTE = 255

# What the number of an event stands for.
_FACE, _COUNT, _SEAT, _ONE_MORE, _WINNERS, _HIDDEN, _GIFT = range(7)
_MEANING = {
    "open": _FACE,
    "play": _FACE,
    "draw": _FACE,
    "jump-in": _FACE,
    "discard-all": _FACE,
    "give": _GIFT,
    "cut": _HIDDEN,
    "color": _ONE_MORE,
    "roulette": _ONE_MORE,
    "challenge": _ONE_MORE,
    "reverse": _ONE_MORE,
    "swap": _SEAT,
    "uno-call": _SEAT,
    "catch": _SEAT,
    "target": _SEAT,
    "team-play-failed": _SEAT,
    "round-end": _WINNERS,
    "match-end": _WINNERS,
}
NUMBER_MEANS = np.array([_MEANING.get(event, _COUNT) for event in EVENTS], np.int64)


@jit
def write_history(s, seat, out):
    """Write the rows of a seat into `out` (length, 5), the newest last."""
    at = out.shape[0]
    for row in range(at):
        for field in range(out.shape[1]):
            out[row, field] = 0
    used = int(s.events_used)
    for index in range(used - 1, used - 1 - min(used, EVENT_RING), -1):
        entry = s.events[index % EVENT_RING]
        if _joins(s, entry, seat, out, at):
            continue
        if at == 0:
            break
        at -= 1
        _write_row(s, entry, seat, out[at])


@always_inline
def _joins(s, entry, seat, out, at):
    """Whether cards continue the row after them; then they are added to its number."""
    event = entry & EVENT_BITS
    if at == out.shape[0] or (event != E_DRAW and event != E_DISCARD_ALL):
        return False
    row = out[at]
    who = 1 + _relative(s, seat, (entry >> SEAT_SHIFT) & SEAT_BITS)
    is_known = (entry >> (KNOWERS_SHIFT + seat)) & 1
    if row[H_EVENT] != 1 + event or row[H_SEAT] != who or (row[H_FACE] > 0) != (is_known > 0):
        return False
    more = 1 + ((entry >> OTHER_SHIFT) & OTHER_BITS)
    row[H_NUMBER] = min(np.int64(row[H_NUMBER]) + more, MAX_BYTE)
    return True


@always_inline
def _relative(s, seat, other):
    return (np.int64(other) - seat + s.num_players) % s.num_players


@jit
def _write_row(s, entry, seat, row):
    event = entry & EVENT_BITS
    who = (entry >> SEAT_SHIFT) & SEAT_BITS
    other = (entry >> OTHER_SHIFT) & OTHER_BITS
    number = (entry >> NUMBER_SHIFT) & NUMBER_BITS
    means = NUMBER_MEANS[event]
    row[H_EVENT] = 1 + event
    if means == _WINNERS:
        # The seat holds the bits of the winners; whether the observer is one of them is told.
        row[H_NUMBER] = (who >> seat) & 1
        return
    if who < MAX_SEATS:
        row[H_SEAT] = 1 + _relative(s, seat, who)
    if means == _FACE or means == _GIFT:
        if (entry >> (KNOWERS_SHIFT + seat)) & 1:
            row[H_FACE] = 1 + number
        if means == _GIFT:
            row[H_OTHER] = 1 + _relative(s, seat, other)
        else:
            row[H_NUMBER] = min(1 + other, MAX_BYTE)
    elif means == _SEAT:
        row[H_OTHER] = 1 + _relative(s, seat, number)
    elif means == _ONE_MORE:
        row[H_NUMBER] = 1 + number
    elif means == _COUNT:
        row[H_NUMBER] = min(number, MAX_BYTE)
