"""The game loop of a table: bots move, clocks run out, stand-ins decide for absent people."""

import asyncio
import contextlib
import logging
import time

from uno_env.actions import PASS

from ..bots.registry import BotRegistry
from ..config import ServeConfig
from ..errors import ApiError
from .hosted_table import PLAYING, HostedTable
from .setup import Seat
from .table_bots import TableBots
from .window_run import Move, WindowRun

_log = logging.getLogger("uno_serve.tables")
RETRY_SECONDS = 1.0


class GameLoop:
    """Runs one game of one table until it ends.

    Args:
        table: the table.
        bots: the bots of the server.
        config: which bot decides when another fails.
        move: stores and makes a move, unless the decision has been made meanwhile.
    """

    def __init__(
        self, table: HostedTable, bots: BotRegistry, config: ServeConfig, move: Move
    ) -> None:
        self._table, self._move = table, move
        self._deciders = TableBots(table, bots, config)
        self._game = table.game_number
        self._changed = asyncio.Event()

    async def run(self) -> None:
        """Have every decision made until the game is over."""
        table = self._table
        table.subscribe(self._changed)
        try:
            while table.status == PLAYING and table.game_number == self._game:
                self._changed.clear()
                seat = table.to_act
                if seat is None:
                    return
                bot = table.bot_for(seat)
                try:
                    if table.window is not None:
                        await WindowRun(
                            table, table.window, self._changed, self._deciders, self._move
                        ).run()
                    elif bot is not None and table.pause.until > time.monotonic():
                        await self._pause_between_rounds()
                    elif bot is not None:
                        await self._bot_moves(seat, bot, self._delay())
                    else:
                        await self._person_moves(seat)
                except ApiError as error:
                    # The database is down, say: a move that could not be stored was not made.
                    _log.warning("table %s…: %s", table.id[:6], error.message)
                    await asyncio.sleep(RETRY_SECONDS)
        finally:
            table.unsubscribe(self._changed)
            if table.window is not None:
                table.window.close()

    async def _pause_between_rounds(self) -> None:
        """Wait while people look at the end of a round, or until something changes."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._table.pause.until - time.monotonic()):
                await self._changed.wait()

    def _delay(self) -> float:
        """Seconds a bot waits; none in a hidden decision, which a delay would reveal."""
        return 0.0 if self._table.is_hidden else self._table.setup.bot_delay

    async def _person_moves(self, seat: Seat) -> None:
        """Wait until the person decides, leaves, or its time runs out."""
        table, move = self._table, self._table.move_of(seat)
        deadline, absent_at = table.deadline, seat.absent_at(table.setup.absent_seconds)
        until = min((end for end in (deadline, absent_at) if end), default=None)
        with contextlib.suppress(TimeoutError):
            seconds = None if until is None else max(0.0, until - time.monotonic())
            async with asyncio.timeout(seconds):
                await self._changed.wait()
            return
        if table.to_act is not seat or table.move_of(seat) != move:
            return
        if deadline is not None and time.monotonic() >= deadline:
            await self._time_out(seat)
        elif table.bot_for(seat) is not None:
            # Everybody is shown that the stand-in has taken over.
            table.public_change()

    async def _time_out(self, seat: Seat) -> None:
        table = self._table
        if table.running.phase == "react":
            # No reaction in time is a pass.
            await self._move(table, seat, self._game, table.move_of(seat), PASS, "clock")
        else:
            await self._bot_moves(seat, table.setup.stand_in, 0.0)

    async def _bot_moves(self, seat: Seat, name: str, delay: float) -> None:
        """A bot decides, waits so that people can follow, and moves."""
        table, move = self._table, self._table.move_of(seat)
        started = time.monotonic()
        was_present = seat.is_person and table.bot_for(seat) is None
        number = await self._deciders.choose(seat, name)
        left = delay - (time.monotonic() - started)
        if left > 0:
            await asyncio.sleep(left)
        if seat.is_person and not was_present and table.bot_for(seat) is None:
            return  # the person is back and decides
        by = "stand-in" if seat.is_person else "bot"
        await self._move(table, seat, self._game, move, number, by)
