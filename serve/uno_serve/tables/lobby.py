"""The lobby: creating tables, and everything people do at them.

Every change of a table is stored before anybody is told of it.
"""

import secrets
import time

from sqlalchemy.exc import IntegrityError

from ..bots.registry import BotRegistry
from ..config import ServeConfig
from ..errors import ApiError
from ..metrics import GAMES, MOVES
from .hosted_table import CLOSED, OVER, HostedTable
from .leases import LeaseLost
from .names import distinct_name
from .ownership import Ownership
from .rooms import Rooms, uninterrupted
from .setup import PRESENT_SECONDS, Seat, TableSetup
from .storage import Store
from .table_pool import TablePool

PLAYING_SECONDS = 60.0
"""So long after a person's move people count as playing."""


class Lobby:
    """All tables of the server.

    Args:
        config: how many tables, how long they are kept.
        store: where they are stored.
        bots: the bots that play at them.
        ownership: which tables are this process's; all, unless it says otherwise.
    """

    def __init__(
        self,
        config: ServeConfig,
        store: Store,
        bots: BotRegistry,
        ownership: Ownership | None = None,
    ) -> None:
        self._config, self.store = config, store
        self.pool = TablePool(config, store, bots, self.move, ownership)
        self.find = self.pool.find
        self._last_act = -PLAYING_SECONDS
        self.rooms = Rooms(store, self.pool, self._deal, self._rematch_if_agreed)

    @property
    def has_players(self) -> bool:
        """Whether people have played here lately."""
        return time.monotonic() - self._last_act < PLAYING_SECONDS

    async def create(
        self, setup: TableSetup, seats: list[Seat], creator: str | None = None
    ) -> HostedTable:
        """A new table; its game begins at once if no seat is open."""
        if creator is not None:
            self.pool.check_creator(creator)
        await self.pool.make_room()
        table = HostedTable(secrets.token_urlsafe(16), setup, seats, creator)
        self.pool.tables[table.id] = table
        try:
            async with table.lock:
                await self.pool.ownership.create(table.id)
                await self.store.save_table(table.stored())
                if table.may_begin:
                    await self._deal(table, setup.seed)
        except ApiError:
            self.pool.remove(table)
            raise
        return table

    async def _deal(self, table: HostedTable, seed: int | None = None) -> None:
        record = table.deal(seed)
        await self.store.add_game(table.id, table.game_number, record)
        await self.store.save_table(table.stored())
        table.publish()
        self.pool.start_loop(table)

    async def join(
        self, table: HostedTable, name: str | None, number: int | None
    ) -> tuple[Seat, str]:
        """Take an open seat; returns it with its token."""
        return await uninterrupted(self._join(table, name, number))

    async def _join(
        self, table: HostedTable, name: str | None, number: int | None
    ) -> tuple[Seat, str]:
        async with table.lock:
            if table.status == CLOSED:
                raise ApiError("closed", "the table was closed")
            free = [seat for seat in table.seats if seat.is_open]
            free = [seat for seat in free if number in (None, seat.number)]
            if not free:
                wanted = "no seat is open" if number is None else f"seat {number} is not open"
                raise ApiError("no_open_seat", wanted)
            seat = free[0]
            taken = [other.name for other in table.seats if other.name and other is not seat]
            token = seat.claim(distinct_name(name, taken))
            await self.rooms.begin_or_save(table)
            return seat, token

    # Moves.

    async def act(self, table: HostedTable, seat: Seat, action: str | int, move: int | None) -> int:
        """A person's move; returns its number once it is stored."""
        self._last_act = time.monotonic()
        return await uninterrupted(self._act(table, seat, action, move))

    async def _act(
        self, table: HostedTable, seat: Seat, action: str | int, move: int | None
    ) -> int:
        async with table.lock:
            number = table.check(seat, action, move)
            if number is None:
                return table.move_of(seat) - 1 if move is None else move
            made = table.move_of(seat)
            answered = table.answer(seat, number)
            if answered is None:
                await self._store_move(table, number, "person")
                return made
        # Stored when the reaction window ends.
        return await answered

    async def move(
        self, table: HostedTable, seat: Seat, game: int, move: int, number: int, by: str
    ) -> None:
        """A bot's move, unless the decision has been made meanwhile."""
        await uninterrupted(self._move(table, seat, (game, move), number, by))

    async def _move(
        self, table: HostedTable, seat: Seat, when: tuple[int, int], number: int, by: str
    ) -> None:
        async with table.lock:
            if table.to_act is seat and when == (table.game_number, table.move_of(seat)):
                await self._store_move(table, number, by)

    async def _store_move(self, table: HostedTable, number: int, by: str) -> None:
        if table.is_stale:
            raise LeaseLost
        acted = table.to_act
        index = table.apply(number)
        try:
            await self.store.add_move(table.id, table.game_number, index, number)
        except ApiError as error:
            is_stored = isinstance(error.__cause__, IntegrityError)
            if is_stored or isinstance(error, LeaseLost):
                # It was stored after all, and only the confirmation was lost; or another process
                # has the table.
                self.pool.discard(table)
            else:
                table.undo()
            raise
        table.publish(acted)
        MOVES.labels(by).inc()
        if table.status == OVER:
            GAMES.labels("void" if table.running.void else "won").inc()
            await self.store.save_table(table.stored())
        elif index + 1 >= self._config.max_moves:
            GAMES.labels("too long").inc()
            await self._close_table(table)

    # Leaving and playing again.

    async def leave(self, table: HostedTable, seat: Seat) -> None:
        """Give a seat to the stand-in for good; without people the table is closed."""
        await uninterrupted(self._leave(table, seat))

    async def _leave(self, table: HostedTable, seat: Seat) -> None:
        async with table.lock:
            self.rooms.vacate(table, seat)
            is_empty_room = table.setup.waiting_room and table.game is None and not table.persons
            if table.is_unattended or is_empty_room:
                await self._close_table(table)
                return
            with self.pool.discard_on_error(table):
                await self.rooms.begin_or_save(table)
                if table.status == OVER and table.rematch:
                    await self._rematch_if_agreed(table)

    async def request_rematch(self, table: HostedTable, seat: Seat | None) -> None:
        """Somebody wants another game; the host of a table of bots alone decides at once."""
        await uninterrupted(self._request_rematch(table, seat))

    async def _request_rematch(self, table: HostedTable, seat: Seat | None) -> None:
        async with table.lock:
            table.running  # noqa: B018 - raises where there is no game to repeat
            if table.status != OVER:
                raise ApiError("not_over", "the game is still going on")
            if seat is None and not table.is_unattended:
                raise ApiError("wrong_token", "people at this table ask with their own tokens")
            if seat is not None:
                table.rematch.add(seat.number)
            with self.pool.discard_on_error(table):
                if not await self._rematch_if_agreed(table):
                    table.public_change()

    async def _rematch_if_agreed(self, table: HostedTable) -> bool:
        """Begin the next game if everybody who is present has asked for it."""
        present = {seat.number for seat in table.persons if seat.is_present(PRESENT_SECONDS)}
        if not present <= table.rematch:
            return False
        await self._deal(table)
        return True

    async def set_bot_delay(self, table: HostedTable, bot_delay: float) -> None:
        """How long the bots of a table wait, from their next decision on."""
        async with table.lock:
            table.setup = table.setup.model_copy(update={"bot_delay": bot_delay})
            with self.pool.discard_on_error(table):
                await self.store.save_table(table.stored())

    async def close_table(self, table: HostedTable) -> None:
        """Close a table for everybody."""
        async with table.lock:
            await self._close_table(table)

    async def _close_table(self, table: HostedTable) -> None:
        table.close()
        self.pool.remove(table)
        await self.store.delete(table.id)
        self.pool.ownership.forget(table.id)
