"""The game loop of a table: bots move, clocks run out, stand-ins decide for absent people."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable

from uno_env.actions import PASS

from ..bots.decision import DecisionRequest
from ..bots.registry import BotRegistry
from ..bots.runners import Bot
from ..config import ServeConfig
from ..errors import ApiError
from ..metrics import BOT_TROUBLE
from .hosted_table import PLAYING, HostedTable
from .setup import Seat

_log = logging.getLogger("uno_serve.tables")
Move = Callable[[HostedTable, Seat, int, int, int, str], Awaitable[None]]
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
        self._table, self._bots, self._config, self._move = table, bots, config, move
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
                    if bot is not None and table.pause.until > time.monotonic():
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
        deadline = table.deadline
        until = min((end for end in (deadline, self._absent_at(seat)) if end), default=None)
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

    def _absent_at(self, seat: Seat) -> float | None:
        """When the stand-in takes over, unless the person comes back."""
        limit = self._table.setup.absent_seconds
        return None if seat.streams or limit is None else seat.last_seen + limit

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
        number = await self._choose(seat, name)
        left = delay - (time.monotonic() - started)
        if left > 0:
            await asyncio.sleep(left)
        if seat.is_person and not was_present and table.bot_for(seat) is None:
            return  # the person is back and decides
        by = "stand-in" if seat.is_person else "bot"
        await self._move(table, seat, self._game, move, number, by)

    async def _choose(self, seat: Seat, name: str) -> int:
        """The bot's action, or the fallback's if the bot hangs, fails or is gone."""
        for who in (name, self._config.fallback_bot):
            try:
                # Loading a bot may take long, but not while a table waits.
                async with asyncio.timeout(self._config.bot_seconds):
                    bot = await self._bots.get(who)
                decision = await bot.decide(self._request(seat, bot))
            except (ApiError, TimeoutError) as error:
                code = error.code if isinstance(error, ApiError) else "bot_timeout"
                BOT_TROUBLE.labels(who.partition(":")[0], code).inc()
                _log.warning("table %s…: bot %s: %s", self._table.id[:6], who, code)
            else:
                return decision.action
        # Even the fallback may be busy; any legal action keeps the game going.
        return self._table.running.legal_ids()[0]

    def _request(self, seat: Seat, bot: Bot) -> DecisionRequest:
        game = self._table.running
        if bot.is_batched:
            # Such a bot reads neither the view nor the texts of the actions.
            obs, mask = game.observe(seat.number), game.mask()
            return DecisionRequest(obs.tobytes(), mask.tobytes(), [], {}, is_trusted=True)
        return self._table.decision_request(seat)
