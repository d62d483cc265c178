"""The stream of a table: a WebSocket that sends a viewer its states and takes its moves.

A state is made when it is sent, so a slow reader gets fewer of them and never a queue; it is sent
only when something changed that this viewer may know.
"""

import asyncio
import logging
from typing import Any

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import ValidationError
from pydantic_core import from_json, to_json

from ..errors import ApiError
from ..metrics import REFUSED
from ..service import Service
from ..tables.hosted_table import CLOSED, HostedTable
from ..tables.setup import Seat
from ..tables.state import state_message
from . import table_protocol as tp
from .decisions import table_advice
from .rate_limit import RateLimiter, client_address

_log = logging.getLogger("uno_serve.stream")
SEND_SECONDS = 20.0
BURST_SECONDS = 4.0
TOO_LATE = ("not_your_decision", "stale_move")
"""Refusals after which the seat may be asked again by the number it has just decided."""


class CloseStream(Exception):
    """The stream has to be closed, for a reason in `stream_route.CLOSE_CODES`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


async def receive_text(socket: WebSocket, most: int) -> str:
    """The next message as text; a binary one is decoded."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1006))
    text = message.get("text")
    if text is None:
        text = (message.get("bytes") or b"").decode("utf-8", "replace")
    if len(text) > most:
        raise CloseStream("too_large")
    return str(text)


class Stream:
    """One open stream.

    Args:
        service: bots and tables.
        socket: the client.
        table: the table it follows.
        seat: its seat, None for a spectator.
        hello: its first message.
    """

    def __init__(
        self,
        service: Service,
        socket: WebSocket,
        table: HostedTable,
        seat: Seat | None,
        hello: tp.Hello,
    ) -> None:
        self._service, self._socket, self._table, self._seat = service, socket, table, seat
        self._viewer = None if seat is None else seat.number
        self._secret = None if seat is None else seat.secret
        self._events = hello.events_from
        self._game = table.game_number
        self._changed = asyncio.Event()
        self._sent: tuple[int, int, int] | None = None
        self._reactions = table.reactions.count
        self._sending = asyncio.Lock()
        rate = service.config.messages_per_second
        self._limiter = RateLimiter(rate, BURST_SECONDS * rate)

    async def run(self) -> None:
        """Read and write until one of the two ends."""
        self._table.subscribe(self._changed)
        tasks: list[asyncio.Task[None]] = []
        try:
            await self._send_changes()
            tasks = [asyncio.create_task(self._read()), asyncio.create_task(self._write())]
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            self._table.unsubscribe(self._changed)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    # From the server.

    async def _write(self) -> None:
        while True:
            await self._changed.wait()
            await self._send_changes()

    async def _send_changes(self) -> None:
        """Send the state if it is new, and close the stream if there is a reason to."""
        table = self._table
        self._changed.clear()
        if self._service.is_stopping:
            raise CloseStream("stopping")
        version = table.version_for(self._viewer)
        if version != self._sent:
            self._sent = version
            await self._send(self._state())
        for number, seat, symbol in table.reactions.since(self._reactions):
            self._reactions = number
            await self._send({"type": "reaction", "seat": seat, "symbol": symbol})
        if table.status == CLOSED:
            raise CloseStream("closed")
        if table.is_stale:
            raise CloseStream("reload")
        if self._seat is not None and self._seat.secret != self._secret:
            raise CloseStream("left")

    def _state(self) -> dict[str, Any]:
        if self._table.game_number != self._game:
            self._game, self._events = self._table.game_number, 0
        state = state_message(self._table, self._viewer, self._events)
        self._events = state["events_from"] + len(state["events"])
        return state

    async def _send(self, message: dict[str, Any]) -> None:
        async with self._sending:
            await self._send_locked(message)

    async def _send_locked(self, message: dict[str, Any]) -> None:
        try:
            async with asyncio.timeout(SEND_SECONDS):
                await self._socket.send_text(to_json(message).decode())
        except TimeoutError:
            raise CloseStream("slow") from None

    # From the client.

    async def _read(self) -> None:
        while True:
            text = await receive_text(self._socket, self._service.config.max_message)
            self._check_rate()
            message: tp.ClientMessage | None = None
            try:
                message = _parse(text)
                await self._handle(message)
            except ApiError as error:
                REFUSED.labels(error.code).inc()
                move = None if message is None else message.move
                about = {} if move is None else {"move": move}
                await self._send({"type": "error", **error.body(), **about})
                if error.code in TOO_LATE:
                    # It may have been asked again, by the same number, in a state that overtook
                    # the refusal; a client that decides each number once would have skipped it.
                    self._sent = None
                    self._changed.set()

    def _check_rate(self) -> None:
        """Close the stream of a client that sends too much."""
        try:
            self._limiter.take("", "too many messages")
        except ApiError as error:
            client = client_address(self._socket.scope)
            _log.info("stream of %s closed: too many messages", client)
            raise CloseStream(error.code) from None

    async def _handle(self, message: tp.ClientMessage) -> None:
        if message.type == "ping":
            await self._send({"type": "pong"})
            return
        if self._seat is None:
            raise ApiError("token", "a spectator has nothing to decide")
        if self._seat.secret != self._secret:
            raise CloseStream("wrong_token")
        lobby = self._service.lobby
        if message.type == "act":
            if message.action is None:
                raise ApiError("invalid", "action is missing")
            # No state may overtake the confirmation.
            async with self._sending:
                move = await lobby.act(self._table, self._seat, message.action, message.move)
                await self._send_locked({"type": "accepted", "move": move})
        elif message.type == "advice":
            move = self._table.move_of(self._seat)
            client = client_address(self._socket.scope)
            advice = await table_advice(self._service, self._table, self._seat, message.bot, client)
            await self._send({"type": "advice", "move": move, **advice})
        elif message.type == "next-round":
            self._table.end_pause(self._seat)
        elif message.type == "reaction":
            if message.symbol is None:
                raise ApiError("invalid", "symbol is missing")
            self._table.reactions.add(self._seat.number, message.symbol)
            self._table.notify()
        elif message.type == "ready":
            await lobby.rooms.set_ready(self._table, self._seat, message.ready)
        elif message.type == "rematch":
            await lobby.request_rematch(self._table, self._seat)
        else:
            await lobby.leave(self._table, self._seat)


def _parse(text: str) -> tp.ClientMessage:
    try:
        return tp.ClientMessage.model_validate(from_json(text))
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ApiError("invalid", f"{where}: {first['msg']}") from None
    except ValueError:
        raise ApiError("bad_json", "a message is a JSON object with a type") from None
