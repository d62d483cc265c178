"""Batches take turns on the event loop, in slices, and leave it to people at tables in between.

Reading 256 views takes some 20 ms of the event loop. Several batches at once would hold up every
move for a tenth of a second or more, so one is read at a time, a few requests in a row. While
people play, each slice is followed by a pause as long as itself. Decisions are not made here: they
have queues of their own, with tables ahead.
"""

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any, Self

from fastapi import Request, Response
from fastapi.routing import APIRoute

SLICE = 16
"""Requests that are read in a row, in about a millisecond."""
LONGEST_PAUSE = 0.02


class Turns:
    """Who may use the event loop for a batch.

    Args:
        is_shared: whether people play at tables of this process.
    """

    def __init__(self, is_shared: Callable[[], bool]) -> None:
        self.is_shared = is_shared
        self.lock = asyncio.Lock()


class Turn:
    """The turn of one batch; a context manager that ends it.

    Args:
        turns: shared by all batches.
    """

    def __init__(self, turns: Turns) -> None:
        self._turns = turns
        self._has_begun = False
        self._since = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    async def begin(self) -> None:
        """Wait until it is the batch's turn."""
        await self._turns.lock.acquire()
        self._has_begun = True
        self._since = time.perf_counter()

    async def pause(self) -> None:
        """Let others use the event loop, and people as long as it was used here."""
        # Once round the loop, where what was started here runs as well.
        await asyncio.sleep(0)
        if self._turns.is_shared():
            used = time.perf_counter() - self._since
            await asyncio.sleep(min(used, LONGEST_PAUSE))
        self._since = time.perf_counter()

    def end(self) -> None:
        """It is the next one's turn."""
        if self._has_begun:
            self._has_begun = False
            self._turns.lock.release()


class _InTurn(Request):
    """A request whose body is parsed when its turn comes."""

    async def json(self) -> Any:
        await self.body()
        await self.state.turn.begin()
        return await super().json()


class BatchRoute(APIRoute):
    """A route that is served in turn; its function ends `request.state.turn`."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handler = super().get_route_handler()

        async def in_turn(request: Request) -> Response:
            with Turn(request.app.state.turns) as turn:
                request = _InTurn(request.scope, request.receive)
                request.state.turn = turn
                return await handler(request)

        return in_turn
