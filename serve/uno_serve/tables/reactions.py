"""Quick reactions at a table: a handful of symbols that everybody sees, and no free text."""

import time
from collections import deque
from typing import Literal, get_args

from ..errors import ApiError

Symbol = Literal["bravo", "laugh", "wow", "ouch", "thanks", "hurry"]
SYMBOLS: tuple[Symbol, ...] = get_args(Symbol)
PAUSE_SECONDS = 0.8
"""A seat waits so long between two reactions."""


class Reactions:
    """The latest reactions of a table, numbered so that a stream sends each of them once."""

    def __init__(self) -> None:
        self.count = 0
        self._recent: deque[tuple[int, int, Symbol]] = deque(maxlen=32)
        self._last: dict[int, float] = {}

    def add(self, seat: int, symbol: Symbol) -> None:
        """A seat reacts."""
        now = time.monotonic()
        if now - self._last.get(seat, -PAUSE_SECONDS) < PAUSE_SECONDS:
            raise ApiError("too_many_requests", "one reaction at a time", retry_after=1)
        self._last[seat] = now
        self.count += 1
        self._recent.append((self.count, seat, symbol))

    def since(self, number: int) -> list[tuple[int, int, Symbol]]:
        """Reactions after the one of this number: number, seat and symbol."""
        return [reaction for reaction in self._recent if reaction[0] > number]
