"""The bots of a table: which one decides, who pays for it, and what the table is told."""

import asyncio
import logging

from uno_env import Game

from ..bots.decision import DecisionRequest
from ..bots.registry import BotRegistry
from ..bots.runners import Bot
from ..bots.work import single_charge
from ..bots.work_queue import Priority
from ..config import ServeConfig
from ..errors import ApiError
from ..metrics import BOT_TROUBLE
from .hosted_table import HostedTable
from .setup import PRESENT_SECONDS, Seat

_log = logging.getLogger("uno_serve.tables")


class TableBots:
    """Decisions of bots at one table.

    Args:
        table: the table.
        bots: the bots of the server.
        config: which bot decides when another fails.
    """

    def __init__(self, table: HostedTable, bots: BotRegistry, config: ServeConfig) -> None:
        self._table, self._bots, self._config = table, bots, config

    async def choose(self, seat: Seat, name: str) -> int:
        """The bot's action, or the fallback's if the bot hangs, fails or costs too much.

        The table is told whose decision it was, except in hidden decisions, of which it must not
        know.
        """
        reason = None
        for who in (name, self._config.fallback_bot):
            try:
                action = await self._decide(seat, who)
            except (ApiError, TimeoutError) as error:
                reason = reason or self._log_trouble(who, error)
            else:
                self._tell(seat, who, reason)
                return action
        # Even the fallback may be busy; any legal action keeps the game going.
        self._tell(seat, None, reason)
        return self._table.running.legal_ids()[0]

    async def react(self, seat: Seat, name: str, game: Game) -> int:
        """The bot's action in a reaction window, or an error."""
        return await self._decide(seat, name, game)

    async def fallback(self, seat: Seat, game: Game) -> int:
        """What the fallback bot does in a reaction window when the bot itself was too slow."""
        return await self._decide(seat, self._config.fallback_bot, game)

    async def _decide(self, seat: Seat, name: str, game: Game | None = None) -> int:
        # Loading a bot may take long, but not while a table waits.
        async with asyncio.timeout(self._config.bot_seconds):
            bot = await self._bots.get(name)
        await self._pay(bot)
        return (await bot.decide(self._request(seat, bot, game))).action

    async def _pay(self, bot: Bot) -> None:
        """Charge whoever created the table; bots among themselves wait for their budget."""
        table, budget = self._table, self._bots.budget
        work = min(single_charge(bot.work(table.setup.num_players)), budget.burst)
        while True:
            try:
                budget.take(self._client, work)
                return
            except ApiError as error:
                if not table.is_unattended:
                    raise
                await asyncio.sleep(error.retry_after or 1.0)

    @property
    def _client(self) -> str:
        return self._table.creator or f"table {self._table.id}"

    def _request(self, seat: Seat, bot: Bot, game: Game | None) -> DecisionRequest:
        table = self._table
        if bot.is_batched:
            # Such a bot reads neither the view nor the texts of the actions.
            game = game or table.running
            obs, mask = game.observe(seat.number), game.mask()
            request = DecisionRequest(obs.tobytes(), mask.tobytes(), [], {}, is_trusted=True)
        else:
            request = table.decision_request(seat, game)
        is_interactive = any(person.is_present(PRESENT_SECONDS) for person in table.persons)
        request.priority = Priority.TABLE if is_interactive else Priority.ANONYMOUS
        request.client = self._client
        return request

    def _log_trouble(self, who: str, error: ApiError | TimeoutError) -> str:
        code = error.code if isinstance(error, ApiError) else "bot_timeout"
        BOT_TROUBLE.labels(who.partition(":")[0], code).inc()
        _log.warning("table %s…: bot %s: %s", self._table.id[:6], who, code)
        return code

    def _tell(self, seat: Seat, who: str | None, reason: str | None) -> None:
        if not self._table.is_hidden:
            self._table.note_decision(seat, who, reason)
