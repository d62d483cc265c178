"""The driver of a table: bots move, clocks run out, stand-ins sit in for those who are away."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable

from uno_env.actions import PASS

from ..api.errors import ApiError
from ..api.metrics import BOT_TROUBLE
from ..api.question import Question
from ..bots.bots import Bot, BotShelf
from ..config import ServeConfig
from .hosted_table import PLAYING, HostedTable
from .seats import Seat

_log = logging.getLogger("uno_serve.tables")
Move = Callable[[HostedTable, Seat, int, int, int, str], Awaitable[None]]
RETRY_SECONDS = 1.0


class Driver:
    """Looks after one game of one table until it ends.

    Args:
        table: the table.
        bots: who may be asked.
        config: who decides when a bot fails.
        move: stores and makes a move, unless somebody was faster.
    """

    def __init__(self, table: HostedTable, bots: BotShelf, config: ServeConfig, move: Move) -> None:
        self._table, self._bots, self._config, self._move = table, bots, config, move
        self._game = table.game_number
        self._bell = asyncio.Event()

    async def run(self) -> None:
        """Until the game is over, somebody is asked all the time."""
        table = self._table
        table.add_bell(self._bell)
        try:
            while table.status == PLAYING and table.game_number == self._game:
                self._bell.clear()
                seat = table.asked
                if seat is None:
                    return
                bot = table.bot_for(seat)
                try:
                    if bot is not None:
                        await self._bot_moves(seat, bot, self._delay())
                    else:
                        await self._person_moves(seat)
                except ApiError as error:
                    # The store is away, say: what could not be stored was not played.
                    _log.warning("table %s…: %s", table.id[:6], error.message)
                    await asyncio.sleep(RETRY_SECONDS)
        finally:
            table.remove_bell(self._bell)

    def _delay(self) -> float:
        """How long a bot waits: not at all in secret, or the time would tell of the question."""
        return 0.0 if self._table.is_hidden else self._table.setup.bot_delay

    async def _person_moves(self, seat: Seat) -> None:
        """Wait until the person decides, leaves, or its time runs out."""
        table, move = self._table, self._table.move_of(seat)
        deadline = table.deadline
        until = min((moment for moment in (deadline, self._gone_at(seat)) if moment), default=None)
        with contextlib.suppress(TimeoutError):
            seconds = None if until is None else max(0.0, until - time.monotonic())
            async with asyncio.timeout(seconds):
                await self._bell.wait()
            return
        if table.asked is not seat or table.move_of(seat) != move:
            return
        if deadline is not None and time.monotonic() >= deadline:
            await self._time_is_up(seat)
        elif table.bot_for(seat) is not None:
            # The others are told that somebody sits in.
            table.changed()

    def _gone_at(self, seat: Seat) -> float | None:
        """When the stand-in takes over, if the person does not come back."""
        limit = self._table.setup.absent_seconds
        return None if seat.streams or limit is None else seat.last_seen + limit

    async def _time_is_up(self, seat: Seat) -> None:
        table = self._table
        if table.running.phase == "react":
            # Who does not react in time lets it pass.
            await self._move(table, seat, self._game, table.move_of(seat), PASS, "clock")
        else:
            await self._bot_moves(seat, table.setup.stand_in, 0.0)

    async def _bot_moves(self, seat: Seat, name: str, delay: float) -> None:
        """A bot thinks, waits a little so that people can follow, and moves."""
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
        """The bot's choice, or the fallback's if the bot hangs, fails or is gone."""
        for who in (name, self._config.fallback_bot):
            try:
                # Loading a bot may take as long as it likes, but not at a table.
                async with asyncio.timeout(self._config.bot_seconds):
                    bot = await self._bots.get(who)
                decision = await bot.decide(self._question(seat, bot))
            except (ApiError, TimeoutError) as error:
                code = error.code if isinstance(error, ApiError) else "bot_timeout"
                BOT_TROUBLE.labels(who.partition(":")[0], code).inc()
                _log.warning("table %s…: bot %s: %s", self._table.id[:6], who, code)
            else:
                return decision.action
        # Even the fallback may be busy; any legal action keeps the table alive.
        return self._table.running.legal_ids()[0]

    def _question(self, seat: Seat, bot: Bot) -> Question:
        game = self._table.running
        if bot.batched:
            obs, mask = game.observe(seat.number), game.mask()
            return Question(obs.tobytes(), mask.tobytes(), [], {}, True)
        return self._table.question(seat)
