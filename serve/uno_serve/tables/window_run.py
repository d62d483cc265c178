"""The course of a reaction window: answers are gathered, then made in order, then shown."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable

from ..errors import ApiError
from .hosted_table import PLAYING, HostedTable
from .reaction_window import Question, ReactionWindow
from .setup import Seat
from .table_bots import TableBots

Move = Callable[[HostedTable, Seat, int, int, int, str], Awaitable[None]]
Deciders = dict[int, "asyncio.Task[int]"]


class WindowRun:
    """Runs one reaction window to its end.

    Args:
        table: the table.
        window: its open window.
        changed: set at every change of the table.
        bots: decide for bots and absent people.
        move: stores and makes a move.
    """

    def __init__(
        self,
        table: HostedTable,
        window: ReactionWindow,
        changed: asyncio.Event,
        bots: TableBots,
        move: Move,
    ) -> None:
        self._table, self._window, self._changed = table, window, changed
        self._bots, self._move = bots, move

    async def run(self) -> None:
        """Wait for answers, make the moves, and show everybody the outcome on time."""
        deciders = self._ask_bots()
        try:
            await self._wait_for_answers()
            await self._make_moves(deciders)
        finally:
            for task in deciders.values():
                task.cancel()
            await asyncio.gather(*deciders.values(), return_exceptions=True)
        if self._is_open:
            await asyncio.sleep(max(0.0, self._window.ends - time.monotonic()))
        if self._is_open:
            self._table.close_window()

    @property
    def _is_open(self) -> bool:
        return self._table.window is self._window and self._table.status == PLAYING

    def _ask_bots(self) -> Deciders:
        """Bots and stand-ins begin to think at once."""
        deciders: Deciders = {}
        for number, question in self._window.questions.items():
            seat = self._table.seats[number]
            name = self._table.bot_for(seat)
            if name is not None:
                deciders[number] = asyncio.create_task(self._bots.react(seat, name, question.game))
        return deciders

    async def _wait_for_answers(self) -> None:
        """Until answers are due, or the only person there is has answered."""
        window = self._window
        while self._is_open:
            now, limit = time.monotonic(), self._limit()
            if now >= window.answers_until and (window.is_answered or now >= limit):
                return
            self._changed.clear()
            until = window.answers_until if now < window.answers_until else limit
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(None if until == float("inf") else until - now):
                    await self._changed.wait()

    def _limit(self) -> float:
        """When the table waits no longer for a person whom nobody else watches."""
        setup, limit = self._table.setup, float("inf")
        for number in self._window.waits_for & self._window.questions.keys():
            is_reaction = self._window.questions[number].game.phase == "react"
            seconds = setup.react_seconds if is_reaction else setup.move_seconds
            if seconds is not None:
                limit = min(limit, self._window.begins + seconds)
            absent_at = self._table.seats[number].absent_at(setup.absent_seconds)
            limit = min(limit, limit if absent_at is None else absent_at)
        return limit

    async def _make_moves(self, deciders: Deciders) -> None:
        """Make every hidden decision in the order of the rules."""
        table, game = self._table, self._table.game_number
        while self._is_open and table.is_hidden and (seat := table.to_act) is not None:
            question = self._window.questions.pop(seat.number, None)
            number, by = await self._decision(seat, question, deciders)
            move = table.move_of(seat)
            try:
                await self._move(table, seat, game, move, number, by)
            except ApiError as error:
                if question is not None:
                    question.refuse(error)
                raise
            if question is not None:
                question.accept(move)

    async def _decision(
        self, seat: Seat, question: Question | None, deciders: Deciders
    ) -> tuple[int, str]:
        """What a seat has decided, or what counts if it has not, and who decided."""
        if question is None:
            # Asked twice in one window, which only happens if it did nothing before.
            return self._table.silent_action(), "clock"
        if question.answer is not None:
            return question.answer, "person"
        task = deciders.get(seat.number)
        if task is None:
            return question.silent, "clock"
        by = "stand-in" if seat.is_person else "bot"
        if task.done() and not task.cancelled() and task.exception() is None:
            return task.result(), by
        with contextlib.suppress(ApiError, TimeoutError):
            async with asyncio.timeout(max(0.0, self._window.ends - time.monotonic()) / 2):
                return await self._bots.fallback(seat, question.game), by
        return question.silent, by
