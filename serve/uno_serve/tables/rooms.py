"""Who sits at a table: ready or not, here or away, replaced by a bot, and who is host.

The lobby plays; this is about the people around it. Every change is stored before anybody is told.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from ..errors import ApiError
from .hosted_table import CLOSED, OVER, WAITING, HostedTable
from .names import BOT_NAMES, distinct_name
from .setup import PRESENT_SECONDS, Seat
from .storage import Store
from .table_pool import TablePool

Result = TypeVar("Result")
Deal = Callable[[HostedTable, int | None], Awaitable[None]]
Rematch = Callable[[HostedTable], Awaitable[bool]]


async def uninterrupted(work: Coroutine[Any, Any, Result]) -> Result:
    """Finish a change even if its caller goes away in the middle."""
    return await asyncio.shield(asyncio.create_task(work))


class Rooms:
    """The seats of all tables.

    Args:
        store: where tables are stored.
        pool: the tables in memory.
        deal: begins the next game of a table.
        rematch: begins another game if everybody who is here has asked for it.
    """

    def __init__(self, store: Store, pool: TablePool, deal: Deal, rematch: Rematch) -> None:
        self._store, self._pool, self._deal, self._rematch = store, pool, deal, rematch
        self._tasks: set[asyncio.Task[None]] = set()

    async def begin_or_save(self, table: HostedTable) -> None:
        """Store the seats, begin if nobody is waited for, and tell everybody."""
        with self._pool.discard_on_error(table):
            if table.status == WAITING and table.may_begin:
                await self._deal(table, table.setup.seed)
            else:
                await self._store.save_table(table.stored())
        table.public_change()

    async def set_ready(self, table: HostedTable, seat: Seat, is_ready: bool) -> None:
        """Somebody in a waiting room wants to begin, or to wait."""
        await uninterrupted(self._set_ready(table, seat, is_ready))

    async def _set_ready(self, table: HostedTable, seat: Seat, is_ready: bool) -> None:
        async with table.lock:
            if table.status != WAITING or not table.setup.waiting_room:
                raise ApiError("not_waiting", "the game has begun")
            seat.is_ready = is_ready
            await self.begin_or_save(table)

    async def presence_changed(self, table: HostedTable) -> None:
        """Somebody has come or gone: told at once, and nobody is waited for in vain."""
        table.public_change()
        if table.status == WAITING and table.may_begin:
            await uninterrupted(self._begin(table))
        elif table.status == OVER:
            # Whoever does not come back has no say in another game.
            loop = asyncio.get_running_loop()
            loop.call_later(PRESENT_SECONDS + 0.1, self._count_votes, table)

    async def _begin(self, table: HostedTable) -> None:
        async with table.lock:
            if table.status == WAITING and table.may_begin:
                await self.begin_or_save(table)

    def _count_votes(self, table: HostedTable) -> None:
        task = asyncio.create_task(self._rematch_without_absent(table))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _rematch_without_absent(self, table: HostedTable) -> None:
        async with table.lock:
            is_asked = table.rematch and any(seat.is_here for seat in table.persons)
            is_current = self._pool.tables.get(table.id) is table
            if table.status == OVER and is_asked and is_current:
                with contextlib.suppress(ApiError), self._pool.discard_on_error(table):
                    await self._rematch(table)

    # The host.

    async def change_seat(
        self, table: HostedTable, number: int, kind: str, bot: str, name: str | None
    ) -> None:
        """Put a bot on a seat, or open it for whoever comes; a person there loses it."""
        await uninterrupted(self._change_seat(table, number, kind, bot, name))

    async def _change_seat(
        self, table: HostedTable, number: int, kind: str, bot: str, name: str | None
    ) -> None:
        async with table.lock:
            if table.status == CLOSED:
                raise ApiError("closed", "the table was closed")
            if not 0 <= number < len(table.seats):
                raise ApiError("invalid", f"seat is {number}; 0 to {len(table.seats) - 1} exist")
            seat = table.seats[number]
            if table.status == WAITING:
                _seat_anew(table, seat, kind, bot, name)
            elif kind == "open":
                raise ApiError("not_waiting", "a seat can be opened before the game only")
            elif seat.is_person:
                # The cards stay, and so does the name on the score sheet.
                self.vacate(table, seat, bot)
            else:
                seat.bot = bot
            await self.begin_or_save(table)
            if table.status == OVER and table.rematch:
                await self._rematch(table)

    def vacate(self, table: HostedTable, seat: Seat, bot: str | None = None) -> None:
        """A person is gone for good; if it was the host, the next person becomes it."""
        if table.status == WAITING and table.setup.waiting_room:
            seat.open_up()
        else:
            seat.give_up(bot or table.setup.stand_in)
        table.rematch.discard(seat.number)
        if seat.number == table.setup.host_seat:
            heir = next((other.number for other in table.persons), None)
            table.setup = table.setup.model_copy(update={"host_seat": heir})


def _seat_anew(table: HostedTable, seat: Seat, kind: str, bot: str, name: str | None) -> None:
    """Before the game: whoever sat there loses the seat."""
    if seat.number == table.setup.host_seat:
        raise ApiError("invalid", "the host keeps the seat, or leaves the table")
    if kind == "open":
        seat.open_up()
        return
    taken = [other.name for other in table.seats if other.name and other is not seat]
    seat.assign_bot(bot, distinct_name(name, taken, BOT_NAMES))
