"""Pulse: a few bytes in which a worker says what it is doing, readable even if it hangs or dies.

The worker writes before it asks an agent; whoever watches sees that nothing has changed for too
long, ends the worker, and reads whom it was asking and how far the game had come.
"""

import mmap
import struct
from typing import NamedTuple

_HEAD = struct.Struct("<QqqdQ")
ROOM = 1 << 22
"""Bytes of the file, which is sparse: actions of one game fit for sure."""

NOBODY = -1
BUILDING, BATCH = -2, -3
"""In place of a game's number: an agent is being built, or asked for many games at once."""


class Beat(NamedTuple):
    """What a worker was doing."""

    number: int
    """Rises with each thing done."""

    game: int
    """Number of the game within the chunk, or BUILDING or BATCH."""

    who: int
    """The seat that is asked, or the entrant if it is no single game; NOBODY in between."""

    allowance: float
    """Seconds this may take; 0 for no limit."""

    actions: bytes
    """Actions of the game so far."""


class Pulse:
    """Where a worker writes; in one's own process any bytes will do.

    Args:
        memory: shared with whoever watches.
    """

    def __init__(self, memory: mmap.mmap | bytearray | None = None) -> None:
        self._memory = bytearray(_HEAD.size + 4096) if memory is None else memory
        self._count = 0
        self._played = 0

    def asks(self, game: int, who: int, allowance: float) -> None:
        """Somebody is about to be asked."""
        self._beat(game, who, allowance)

    def rests(self) -> None:
        """Nobody is being asked."""
        self._beat(0, NOBODY, 0.0)

    def starts(self) -> None:
        """A new game, without actions."""
        self._played = 0

    def acted(self, action: int) -> None:
        """An action was taken in the game at hand."""
        at = _HEAD.size + self._played
        if at < len(self._memory):
            self._memory[at] = action
        self._played += 1

    def _beat(self, game: int, who: int, allowance: float) -> None:
        self._count += 1
        _HEAD.pack_into(self._memory, 0, self._count, game, who, allowance, self._played)

    def read(self) -> Beat:
        """What was written last."""
        count, game, who, allowance, played = _HEAD.unpack_from(self._memory, 0)
        actions = bytes(self._memory[_HEAD.size : _HEAD.size + played])
        return Beat(count, game, who, allowance, actions)
