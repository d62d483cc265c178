"""Heartbeat: shared bytes in which a worker states what it is doing, readable if it hangs or dies.

The worker writes before it calls an agent. Its parent sees that nothing has changed for too long,
kills the worker, and reads which agent was being called and how far the game had come.
"""

import mmap
import struct
from typing import NamedTuple

_HEADER = struct.Struct("<QqqdQ")
HEARTBEAT_BYTES = 1 << 22
"""Size of the file, which is sparse: enough for the actions of any game."""

NOBODY = -1
BUILDING, BATCH, CONCURRENT = -2, -3, -4
"""In place of a game's number: an agent is being built, or called for many games at once, in one
call or in several threads."""


class HeartbeatState(NamedTuple):
    """What a worker was doing."""

    beat: int
    """Rises with each write."""

    game: int
    """Number of the game within the chunk, or BUILDING, BATCH or CONCURRENT."""

    who: int
    """The seat that is called, or the entrant if it is no single game; NOBODY in between."""

    time_limit: float
    """Seconds this may take; 0 for no limit."""

    actions: bytes
    """Actions of the game so far."""


class Heartbeat:
    """Where a worker writes; without a watching parent any bytes will do.

    Args:
        memory: shared with the parent.
    """

    def __init__(self, memory: mmap.mmap | bytearray | None = None) -> None:
        self._memory = bytearray(_HEADER.size + (1 << 16)) if memory is None else memory
        self._count = 0
        self._played = 0

    def calling(self, game: int, who: int, time_limit: float) -> None:
        """An agent is about to be called."""
        self._write(game, who, time_limit)

    def idle(self) -> None:
        """No agent is being called."""
        self._write(0, NOBODY, 0.0)

    def start_game(self) -> None:
        """A new game, without actions."""
        self._played = 0

    def record_action(self, action: int) -> None:
        """An action was taken in the current game."""
        at = _HEADER.size + self._played
        if at < len(self._memory):
            self._memory[at] = action
        self._played += 1

    def _write(self, game: int, who: int, time_limit: float) -> None:
        self._count += 1
        _HEADER.pack_into(self._memory, 0, self._count, game, who, time_limit, self._played)

    def read(self) -> HeartbeatState:
        """What was written last."""
        count, game, who, time_limit, played = _HEADER.unpack_from(self._memory, 0)
        actions = bytes(self._memory[_HEADER.size : _HEADER.size + played])
        return HeartbeatState(count, game, who, time_limit, actions)
