"""Who hosts a table: this process, or one to which its requests are relayed."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol

from .leases import Process

Lose = Callable[[str], None]
Adopt = Callable[[str], Awaitable[object]]


class Ownership(Protocol):
    """Finds the process that hosts a table, and takes tables that nobody hosts.

    Attributes:
        secret: what processes show each other when they relay a request.
        patience: seconds after which a table of a process that died has another one.
    """

    secret: str
    patience: float

    @property
    def process(self) -> Process | None:
        """This process as others see it; None if it has no others."""

    async def open(self, lose: Lose, adopt: Adopt) -> None:
        """Begin.

        Args:
            lose: called with every table that another process has taken.
            adopt: called with every table whose process went away in the middle of a game.
        """

    async def locate(self, table_id: str) -> Process | None:
        """The process to which requests for a table are relayed; None for this one."""

    async def locate_new(self, key: str | None) -> Process | None:
        """The same for the creation of a table, with an idempotency key or without."""

    async def gone(self, process: Process) -> None:
        """Return when another process has lost its tables."""

    def forget(self, name: str) -> None:
        """What `locate` said may be wrong: find out anew the next time."""

    async def create(self, table_id: str) -> None:
        """A table that is about to be created belongs to this process."""

    async def release(self, table_id: str) -> None:
        """A table has left memory; any process may have it."""

    async def leave(self) -> None:
        """This process stops: others take its tables."""

    async def close(self) -> None:
        """Stop all background work."""


class SoleOwner:
    """The ownership of a process that has its database for itself: all tables are its own."""

    secret = ""
    patience = 0.0

    @property
    def process(self) -> Process | None:
        return None

    async def open(self, lose: Lose, adopt: Adopt) -> None:
        pass

    async def locate(self, table_id: str) -> Process | None:
        return None

    async def locate_new(self, key: str | None) -> Process | None:
        return None

    async def gone(self, process: Process) -> None:
        # Its connections tell.
        await asyncio.get_running_loop().create_future()

    def forget(self, name: str) -> None:
        pass

    async def create(self, table_id: str) -> None:
        pass

    async def release(self, table_id: str) -> None:
        pass

    async def leave(self) -> None:
        pass

    async def close(self) -> None:
        pass


class HostedBy(SoleOwner):
    """The ownership of a worker beside the one that has the database: all tables are the other's.

    Args:
        host: the process that hosts all tables.
        secret: shared with it.
        patience: seconds within which it is started again after a crash.
    """

    def __init__(self, host: Process, secret: str, patience: float) -> None:
        self._host, self.secret, self.patience = host, secret, patience

    async def locate(self, table_id: str) -> Process | None:
        return self._host

    async def locate_new(self, key: str | None) -> Process | None:
        return self._host


class Host(SoleOwner):
    """The ownership of the worker that hosts the tables of all workers.

    Args:
        process: this process.
        secret: shared with the others.
    """

    def __init__(self, process: Process, secret: str) -> None:
        self._process, self.secret = process, secret

    @property
    def process(self) -> Process | None:
        return self._process
