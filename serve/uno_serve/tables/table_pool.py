"""The tables in memory: loaded from the store when needed, parked when nobody is there.

A parked table is out of memory, still in the store, and back when somebody comes.
"""

import asyncio
import contextlib
import contextvars
import logging
import time
from collections.abc import Iterator
from typing import Any

from ..bots.registry import BotRegistry
from ..config import ServeConfig
from ..errors import ApiError
from .game_loop import GameLoop
from .hosted_table import CLOSED, OVER, PLAYING, WAITING, HostedTable
from .leases import LeaseLost
from .ownership import Ownership, SoleOwner
from .setup import PRESENT_SECONDS, Seat, TableSetup
from .storage import Store
from .window_run import Move

_log = logging.getLogger("uno_serve.tables")
SWEEP_SECONDS = 5.0
PURGE_SECONDS = 3600.0


class TablePool:
    """All tables in memory, with their game loops.

    Args:
        config: how many tables, how long they stay.
        store: where they are loaded from.
        bots: the bots that play at them.
        move: stores and makes the moves of game loops.
        ownership: which tables are this process's.
    """

    def __init__(
        self,
        config: ServeConfig,
        store: Store,
        bots: BotRegistry,
        move: Move,
        ownership: Ownership | None = None,
    ) -> None:
        self._config, self._store, self._bots, self._move = config, store, bots, move
        self.ownership: Ownership = ownership or SoleOwner()
        self.tables: dict[str, HostedTable] = {}
        self._loops: dict[str, asyncio.Task[None]] = {}
        self._loading: dict[str, asyncio.Task[HostedTable]] = {}
        self._sweeper: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Resume the games of bots that were in progress, and start to sweep."""
        await self.ownership.open(self._lose, self.find)
        for table_id in await self._store.unattended(self._config.max_tables // 2):
            with contextlib.suppress(ApiError):
                await self.find(table_id)
        self._sweeper = asyncio.create_task(self._sweep())

    async def close(self) -> None:
        """Stop playing; everything is stored already."""
        await self.ownership.close()
        tasks = [*self._loops.values(), *([self._sweeper] if self._sweeper else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.tables.clear()

    async def hand_over(self) -> None:
        """Stop playing before the process stops, so that others can go on."""
        try:
            await self.ownership.leave()
        except ApiError as error:
            _log.warning("other processes wait for the end of the leases: %s", error.message)
        for table in list(self.tables.values()):
            self.discard(table)

    async def find(self, table_id: str) -> HostedTable:
        """A table by its id, from memory or the store."""
        table = self.tables.get(table_id)
        if table is None:
            if table_id not in self._loading:
                task = asyncio.create_task(self._load(table_id))
                self._loading[table_id] = task
                task.add_done_callback(lambda _: self._loading.pop(table_id, None))
            table = await asyncio.shield(self._loading[table_id])
        table.last_used = time.monotonic()
        return table

    async def _load(self, table_id: str) -> HostedTable:
        if await self.ownership.locate(table_id) is not None:
            raise LeaseLost
        stored = await self._store.load(table_id)
        if stored is None or stored.status == CLOSED:
            raise ApiError("no_such_table", "there is no such table")
        await self.make_room()
        seats = [Seat.restored(data) for data in stored.seats]
        table = HostedTable(table_id, TableSetup(**stored.setup), seats)
        # Replaying thousands of moves takes a while.
        await asyncio.get_running_loop().run_in_executor(None, table.restore, stored)
        self.tables[table.id] = table
        if table.status == PLAYING:
            self.start_loop(table)
        return table

    async def make_room(self) -> None:
        """Park the table that is idle longest, if the memory limit is reached."""
        if len(self.tables) < self._config.max_tables:
            return
        since = time.monotonic() - PRESENT_SECONDS
        idle = [table for table in self.tables.values() if _is_idle(table, since)]
        if not idle:
            raise ApiError("too_many_tables", "the server is full", retry_after=60)
        await self.park(min(idle, key=lambda table: table.last_used))

    def start_loop(self, table: HostedTable) -> None:
        """Start the loop of a table's current game."""
        loop = GameLoop(table, self._bots, self._config, self._move)
        # Without the id of the request that happened to start it.
        context = contextvars.Context()
        task = asyncio.create_task(loop.run(), name=f"table {table.id[:6]}", context=context)
        self._loops[table.id] = task

        def ended(done: "asyncio.Task[None]") -> None:
            if self._loops.get(table.id) is done:
                del self._loops[table.id]
            if not done.cancelled() and done.exception() is not None:
                _log.error("table %s… has stopped", table.id[:6], exc_info=done.exception())

        task.add_done_callback(ended)

    # Out of memory.

    def remove(self, table: HostedTable) -> None:
        """Take a table out of memory and stop its loop, unless that is what calls."""
        self.tables.pop(table.id, None)
        loop = self._loops.pop(table.id, None)
        if loop is not None and loop is not asyncio.current_task():
            loop.cancel()

    def discard(self, table: HostedTable) -> None:
        """Remove a table that differs from the store; whoever reconnects loads it again."""
        table.invalidate()
        self.remove(table)
        self.ownership.forget(table.id)

    def _lose(self, table_id: str) -> None:
        """Another process has taken a table."""
        table = self.tables.get(table_id)
        if table is not None:
            self.discard(table)

    @contextlib.contextmanager
    def discard_on_error(self, table: HostedTable) -> Iterator[None]:
        """A change that cannot be stored leaves the table as it is in the store."""
        try:
            yield
        except ApiError:
            self.discard(table)
            raise

    async def park(self, table: HostedTable) -> None:
        """Take an idle table out of memory."""
        async with table.lock:
            self.remove(table)
            # Only to store when it was last used.
            await self._store.save_table(table.stored())
            await self.ownership.release(table.id)

    async def _sweep(self) -> None:
        """Park idle tables and delete old ones, again and again."""
        purged = 0.0
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            try:
                since = time.monotonic() - self._config.park_seconds
                for table in [t for t in self.tables.values() if _is_idle(t, since)]:
                    await self.park(table)
                if time.monotonic() - purged > PURGE_SECONDS:
                    purged = time.monotonic()
                    await self.purge()
            except ApiError as error:
                _log.warning("sweep: %s", error.message)

    async def purge(self) -> int:
        """Delete all tables that have expired; returns how many."""
        before = time.time() - 86_400 * self._config.keep_days
        total = 0
        # In short transactions, between which moves are stored.
        while deleted := await self._store.delete_older(before):
            total += deleted
        return total

    def check_creator(self, creator: str) -> None:
        """Raise if a client has as many live tables as it may."""
        most = self._config.max_tables_per_client
        live = (WAITING, PLAYING)
        own = sum(t.creator == creator and t.status in live for t in self.tables.values())
        if most and own >= most:
            message = f"this client has {own} tables that are not over; at most {most}"
            raise ApiError("too_many_own_tables", message, retry_after=60)

    def counts(self) -> dict[str, int]:
        """Tables in memory by status."""
        counts: dict[str, Any] = {WAITING: 0, PLAYING: 0, OVER: 0}
        for table in self.tables.values():
            counts[table.status] = counts.get(table.status, 0) + 1
        return counts


def _is_idle(table: HostedTable, since: float) -> bool:
    is_watched = table.spectators or any(seat.streams for seat in table.seats)
    plays_alone = table.is_unattended and table.status == PLAYING
    seen = max([table.last_used, *(seat.last_seen for seat in table.persons)])
    return not (is_watched or plays_alone or table.lock.locked()) and seen < since
