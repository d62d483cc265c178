"""All events of a game as rows of the history form, for tensors with perfect recall.

A game's record keeps the newest events only. `EventRecall` is told after every step and keeps them
all; rows are made when they are asked for, by the kernel of `Game.history`.
"""

from typing import Any, Self

import numpy as np
import numpy.typing as npt

from ..actions import MAX_SEATS
from ..cards import NUM_FACES
from ..engine.histories import write_game_history
from ..engine.observation.event_log import EVENTS
from ..engine.observation.history import HISTORY_FIELDS
from ..engine.state import EVENT_RING
from ..game import Game

ROW = len(HISTORY_FIELDS)
ROW_SCALES = 1 / np.array([len(EVENTS), MAX_SEATS, MAX_SEATS, NUM_FACES, 255], np.float32)
"""What each column of a row is multiplied by, so that all lie between 0 and 1."""


class EventRecall:
    """The events of one game so far, and from which of them on each seat may know of them."""

    def __init__(self, num_players: int) -> None:
        self._entries: list[int] = []
        self._first = [0] * num_players
        self._used = 0
        self._round = -1

    def note(self, table: Game) -> None:
        """After a deal or a step: keep what is new in the game's ring of events."""
        record = table.engine_arrays.games[0]
        used, played = int(record["events_used"]), int(record["round_no"])
        start = 0
        if played == self._round and self._used:
            # Cards drawn one after the other are one entry, which the last step may have raised.
            start = self._used - 1
            self._entries.pop()
        ring = record["events"]
        start = max(start, used - EVENT_RING)
        self._entries += [int(ring[index % EVENT_RING]) for index in range(start, used)]
        self._used, self._round = used, played

    def rows(self, table: Game, seat: int, length: int) -> npt.NDArray[np.float32]:
        """(length, 5) scaled rows of a seat, the newest last; zeros where there are no more."""
        found: list[npt.NDArray[np.uint8]] = []
        scratch: Any = table.engine_arrays.games[:1].copy()
        last = len(self._entries)
        while last > self._first[seat] and sum(map(len, found)) < length:
            first = max(self._first[seat], last - EVENT_RING)
            entries = self._entries[first:last]
            scratch["events"][0, : len(entries)] = entries
            scratch["events_used"] = len(entries)
            rows = np.zeros((EVENT_RING, ROW), np.uint8)
            write_game_history(scratch, 0, seat, rows)
            found.insert(0, rows[rows[:, 0] > 0])
            last = first
        out = np.zeros((length, ROW), np.float32)
        if found and length:
            newest = np.concatenate(found)[-length:]
            out[length - len(newest) :] = newest * ROW_SCALES
        return out

    def copy(self) -> Self:
        """An independent copy."""
        twin = object.__new__(type(self))
        twin._entries, twin._first = self._entries.copy(), self._first.copy()
        twin._used, twin._round = self._used, self._round
        return twin

    def only_for(self, seat: int, table: Game) -> Self:
        """What it is after cards were dealt anew: the past of one seat, none of the others."""
        twin = self.copy()
        twin._first = [
            first if other == seat else len(self._entries)
            for other, first in enumerate(self._first)
        ]
        record = table.engine_arrays.games[0]
        twin._used, twin._round = int(record["events_used"]), int(record["round_no"])
        return twin
