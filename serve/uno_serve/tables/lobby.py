"""The lobby: all tables of the server, in memory and in the store.

Every change of a table is stored before anybody is told of it. Tables nobody is at are parked: out
of memory, still in the store, back when somebody comes.
"""

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Iterator
from typing import Any

from sqlalchemy.exc import IntegrityError

from ..api.errors import ApiError
from ..api.metrics import GAMES, MOVES
from ..bots.bots import BotShelf
from ..config import ServeConfig
from .driver import Driver
from .hosted_table import CLOSED, OVER, PLAYING, WAITING, HostedTable
from .seats import Seat
from .setup import TableSetup
from .state import HERE_SECONDS
from .storage import Store

_log = logging.getLogger("uno_serve.tables")
SWEEP_SECONDS = 5.0
PURGE_SECONDS = 3600.0
Claim = tuple[Seat, str]
"""A seat with its token."""


class Lobby:
    """All tables.

    Args:
        config: how many tables, how long they are kept.
        store: where they are kept.
        bots: who sits at them.
    """

    def __init__(self, config: ServeConfig, store: Store, bots: BotShelf) -> None:
        self.config, self.store, self.bots = config, store, bots
        self.tables: dict[str, HostedTable] = {}
        self._drivers: dict[str, asyncio.Task[None]] = {}
        self._loading: dict[str, asyncio.Task[HostedTable]] = {}
        self._sweeper: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Take up the games of bots that were going on, and begin to sweep."""
        for table_id in await self.store.unattended(self.config.max_tables // 2):
            with contextlib.suppress(ApiError):
                await self.find(table_id)
        self._sweeper = asyncio.create_task(self._sweep())

    async def close(self) -> None:
        """Stop playing; everything is stored already."""
        tasks = [*self._drivers.values(), *([self._sweeper] if self._sweeper else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.tables.clear()

    # Finding and making tables.

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
        kept = await self.store.load(table_id)
        if kept is None or kept.status == CLOSED:
            raise ApiError("no_such_table", "there is no such table")
        await self._make_room()
        seats = [Seat.restored(data) for data in kept.seats]
        table = HostedTable(table_id, TableSetup(**kept.setup), seats)
        # Thousands of moves take a while to make anew.
        await asyncio.get_running_loop().run_in_executor(None, table.restore, kept)
        self._add(table)
        return table

    async def create(self, setup: TableSetup, seats: list[Seat], seed: int | None) -> HostedTable:
        """A new table; its game begins at once if no seat is open."""
        await self._make_room()
        table = HostedTable(secrets.token_urlsafe(16), setup, seats)
        self.tables[table.id] = table
        try:
            async with table.lock:
                await self.store.save_table(table.stored())
                if not any(seat.is_open for seat in seats):
                    await self._deal(table, seed)
        except ApiError:
            del self.tables[table.id]
            raise
        return table

    async def _make_room(self) -> None:
        """Park the table that is idle longest, if there is no room for another."""
        if len(self.tables) < self.config.max_tables:
            return
        long_ago = time.monotonic() - HERE_SECONDS
        idle = [table for table in self.tables.values() if self._is_idle(table, long_ago)]
        if not idle:
            raise ApiError("too_many_tables", "the server is full", retry_after=60)
        await self._park(min(idle, key=lambda table: table.last_used))

    def _add(self, table: HostedTable) -> None:
        self.tables[table.id] = table
        if table.status == PLAYING:
            self._drive(table)

    def _drive(self, table: HostedTable) -> None:
        """Have somebody look after the bots and clocks of a game."""
        driver = Driver(table, self.bots, self.config, self.move)
        task = asyncio.create_task(driver.run(), name=f"table {table.id[:6]}")
        self._drivers[table.id] = task

        def ended(done: "asyncio.Task[None]") -> None:
            if self._drivers.get(table.id) is done:
                del self._drivers[table.id]
            if not done.cancelled() and done.exception() is not None:
                _log.error("table %s… stands still", table.id[:6], exc_info=done.exception())

        task.add_done_callback(ended)

    async def _deal(self, table: HostedTable, seed: int | None = None) -> None:
        record = table.deal(seed)
        await self.store.add_game(table.id, table.game_number, record)
        await self.store.save_table(table.stored())
        table.publish()
        self._drive(table)

    # What people do.

    async def join(self, table: HostedTable, name: str | None, number: int | None) -> Claim:
        """Take an open seat; returns it with its token."""
        return await asyncio.shield(asyncio.create_task(self._join(table, name, number)))

    async def _join(self, table: HostedTable, name: str | None, number: int | None) -> Claim:
        async with table.lock:
            if table.status == CLOSED:
                raise ApiError("closed", "the table was closed")
            free = [seat for seat in table.seats if seat.is_open]
            free = [seat for seat in free if number in (None, seat.number)]
            if not free:
                wanted = "no seat is open" if number is None else f"seat {number} is not open"
                raise ApiError("no_open_seat", wanted)
            seat = free[0]
            token = seat.claim(name)
            with self._dropping(table):
                if any(seat.is_open for seat in table.seats):
                    await self.store.save_table(table.stored())
                else:
                    await self._deal(table)
            table.changed()
            return seat, token

    @contextlib.contextmanager
    def _dropping(self, table: HostedTable) -> Iterator[None]:
        """A change that cannot be stored leaves the table as the store has it."""
        try:
            yield
        except ApiError:
            self._drop(table)
            raise

    def _drop(self, table: HostedTable) -> None:
        """Out of memory, to be loaded anew by whoever comes back."""
        table.drop()
        self.tables.pop(table.id, None)
        driver = self._drivers.pop(table.id, None)
        if driver is not None:
            driver.cancel()

    async def act(self, table: HostedTable, seat: Seat, action: str | int, move: int | None) -> int:
        """A person's move; returns its number once it is stored."""
        return await asyncio.shield(asyncio.create_task(self._act(table, seat, action, move)))

    async def _act(
        self, table: HostedTable, seat: Seat, action: str | int, move: int | None
    ) -> int:
        async with table.lock:
            number = table.check(seat, action, move)
            if number is None:
                return table.move_of(seat) - 1 if move is None else move
            made = table.move_of(seat)
            await self._store_move(table, number, "person")
            return made

    async def move(
        self, table: HostedTable, seat: Seat, game: int, move: int, number: int, by: str
    ) -> None:
        """A bot's move, unless somebody else has decided meanwhile."""
        await asyncio.shield(asyncio.create_task(self._move(table, seat, (game, move), number, by)))

    async def _move(
        self, table: HostedTable, seat: Seat, when: tuple[int, int], number: int, by: str
    ) -> None:
        async with table.lock:
            if table.asked is seat and when == (table.game_number, table.move_of(seat)):
                await self._store_move(table, number, by)

    async def _store_move(self, table: HostedTable, number: int, by: str) -> None:
        acted = table.asked
        place = table.apply(number)
        try:
            await self.store.add_move(table.id, table.game_number, place, number)
        except ApiError as error:
            if isinstance(error.__cause__, IntegrityError):
                # It was stored after all, and only the answer was lost.
                self._drop(table)
            else:
                table.take_back()
            raise
        table.publish(acted)
        MOVES.labels(by).inc()
        if table.status == OVER:
            GAMES.labels("void" if table.running.void else "won").inc()
            await self.store.save_table(table.stored())
        elif place + 1 >= self.config.max_moves:
            GAMES.labels("too long").inc()
            await self._shut(table)

    async def leave(self, table: HostedTable, seat: Seat) -> None:
        """Give a seat to the stand-in for good; without people the table is closed."""
        await asyncio.shield(asyncio.create_task(self._leave(table, seat)))

    async def _leave(self, table: HostedTable, seat: Seat) -> None:
        async with table.lock:
            seat.give_up(table.setup.stand_in)
            table.rematch.discard(seat.number)
            if table.is_unattended:
                await self._shut(table)
                return
            with self._dropping(table):
                await self.store.save_table(table.stored())
                table.changed()
                if table.status == OVER and table.rematch:
                    await self._rematch_if_agreed(table)

    async def ask_rematch(self, table: HostedTable, seat: Seat | None) -> None:
        """Somebody wants another game; the host of a table of bots alone decides at once."""
        await asyncio.shield(asyncio.create_task(self._ask_rematch(table, seat)))

    async def _ask_rematch(self, table: HostedTable, seat: Seat | None) -> None:
        async with table.lock:
            table.running  # noqa: B018 - says why there is nothing to repeat
            if table.status != OVER:
                raise ApiError("not_over", "the game is still going on")
            if seat is None and not table.is_unattended:
                raise ApiError("wrong_token", "people at this table ask with their own tokens")
            if seat is not None:
                table.rematch.add(seat.number)
            with self._dropping(table):
                if not await self._rematch_if_agreed(table):
                    table.changed()

    async def _rematch_if_agreed(self, table: HostedTable) -> bool:
        """Begin the next game if everybody who is here has asked for it."""
        here = {seat.number for seat in table.persons if seat.is_present(HERE_SECONDS)}
        if not here <= table.rematch:
            return False
        await self._deal(table)
        return True

    async def set_pace(self, table: HostedTable, bot_delay: float) -> None:
        """How long the bots of a table wait, from their next decision on."""
        async with table.lock:
            table.setup = table.setup.model_copy(update={"bot_delay": bot_delay})
            with self._dropping(table):
                await self.store.save_table(table.stored())

    async def shut(self, table: HostedTable) -> None:
        """Close a table for everybody."""
        async with table.lock:
            await self._shut(table)

    async def _shut(self, table: HostedTable) -> None:
        table.close()
        driver = self._drivers.get(table.id)
        if driver is not None and driver is not asyncio.current_task():
            driver.cancel()
        self.tables.pop(table.id, None)
        await self.store.forget(table.id)

    # Parking.

    def _is_idle(self, table: HostedTable, since: float) -> bool:
        busy = table.spectators or any(seat.streams for seat in table.seats)
        plays_alone = table.is_unattended and table.status == PLAYING
        seen = max([table.last_used, *(seat.last_seen for seat in table.persons)])
        return not (busy or plays_alone or table.lock.locked()) and seen < since

    async def _park(self, table: HostedTable) -> None:
        async with table.lock:
            driver = self._drivers.pop(table.id, None)
            if driver is not None:
                driver.cancel()
            self.tables.pop(table.id, None)
            # Only to note when it was last used.
            await self.store.save_table(table.stored())

    async def _sweep(self) -> None:
        purged = 0.0
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            try:
                since = time.monotonic() - self.config.park_seconds
                for table in [t for t in self.tables.values() if self._is_idle(t, since)]:
                    await self._park(table)
                if time.monotonic() - purged > PURGE_SECONDS:
                    purged = time.monotonic()
                    await self.store.forget_older(time.time() - 86_400 * self.config.keep_days)
            except ApiError as error:
                _log.warning("sweeping: %s", error.message)

    def counts(self) -> dict[str, int]:
        """Tables in memory by status."""
        counts: dict[str, Any] = {WAITING: 0, PLAYING: 0, OVER: 0}
        for table in self.tables.values():
            counts[table.status] = counts.get(table.status, 0) + 1
        return counts
