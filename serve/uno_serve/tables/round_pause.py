"""The pause between two rounds of a match, in which people see who has won."""

import time

LONGEST_PAUSE = 20.0
"""Seconds after which bots go on, whoever still looks at the result."""


class RoundPause:
    """Holds the bots of a table after a round until everybody who is there wants to go on.

    The next round is dealt by then, and people may act in it: only bots and move clocks wait.
    """

    def __init__(self) -> None:
        self._rounds: int | None = None
        self._until = 0.0
        self._ready: set[int] = set()

    def begin_game(self) -> None:
        """Another game has begun or was restored: rounds that are over already need no pause."""
        self._rounds, self._until = None, 0.0

    def publish(self, rounds: int, is_wanted: bool) -> None:
        """So many rounds are over; `is_wanted` says whether anybody looks and time matters."""
        if self._rounds is not None and rounds > self._rounds and is_wanted:
            self._until, self._ready = time.monotonic() + LONGEST_PAUSE, set()
        self._rounds = rounds

    def ready(self, seat: int, present: set[int]) -> None:
        """A person wants to go on; the pause ends with the last one who is present."""
        self._ready.add(seat)
        if present <= self._ready:
            self._until = 0.0

    @property
    def until(self) -> float:
        """When the pause ends at the latest, by the monotonic clock; 0 if there is none."""
        return self._until
