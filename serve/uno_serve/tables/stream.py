"""The stream of a table: a WebSocket that sends a viewer its states and takes its moves.

A state is made when it is sent, so a slow reader gets fewer of them and never a queue; it is sent
only when something changed that this viewer may know.
"""

import asyncio
import contextlib
import json
import logging
import time
from collections.abc import AsyncIterator
from typing import Any

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json, to_json

from ..api import table_protocol as tp
from ..api.errors import ApiError
from ..api.guard import Buckets, client_of
from ..api.metrics import REFUSED
from ..bots.coach import table_advice
from ..service import Service
from .hosted_table import CLOSED, HostedTable
from .seats import Seat
from .state import state_message

router = APIRouter()
_log = logging.getLogger("uno_serve.stream")

HELLO_SECONDS = 10.0
SEND_SECONDS = 20.0
BURST_SECONDS = 4.0
CLOSE_CODES = {
    "hello": 4400,
    "wrong_token": 4403,
    "no_spectators": 4403,
    "no_such_table": 4404,
    "no_hello": 4408,
    "closed": 4410,
    "too_large": 4413,
    "too_many_requests": 4429,
    "too_many_connections": 1013,
    "stopping": 1001,
    "reload": 1012,
    "slow": 1008,
    "left": 1000,
}


_hello: TypeAdapter[tp.Hello] = TypeAdapter(tp.Hello)
_said: TypeAdapter[tp.Said] = TypeAdapter(tp.Said)


class Goodbye(Exception):
    """The stream ends, for a reason in CLOSE_CODES."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@router.websocket("/v1/tables/{table_id}/stream")
async def stream(socket: WebSocket, table_id: str) -> None:
    """Serve one client until it goes, or has to."""
    service: Service = socket.app.state.service
    await socket.accept()
    service.connections += 1
    try:
        await _serve(service, socket, table_id)
    except Goodbye as goodbye:
        await _close(socket, goodbye.reason)
    except ApiError as error:
        await _close(socket, error.code if error.code in CLOSE_CODES else "hello")
    except (WebSocketDisconnect, RuntimeError, OSError):
        pass  # the client is gone
    finally:
        service.connections -= 1


async def _serve(service: Service, socket: WebSocket, table_id: str) -> None:
    if service.is_stopping:
        raise Goodbye("stopping")
    if service.connections > service.config.max_connections:
        raise Goodbye("too_many_connections")
    hello = await _read_hello(service, socket)
    table = await service.lobby.find(table_id[:40])
    if hello.token is None and not table.setup.spectators:
        raise ApiError("no_spectators", "this table is not open to spectators")
    seat = None if hello.token is None else table.seat_of(hello.token)
    async with _counted(service, table, seat):
        await Stream(service, socket, table, seat, hello).run()


async def _read_hello(service: Service, socket: WebSocket) -> tp.Hello:
    try:
        async with asyncio.timeout(HELLO_SECONDS):
            text = await _receive(socket, service.config.max_message)
    except TimeoutError:
        raise Goodbye("no_hello") from None
    try:
        return _hello.validate_python(from_json(text))
    except ValueError:
        raise Goodbye("hello") from None


async def _receive(socket: WebSocket, most: int) -> str:
    """The next message as text; binary ones are taken for what they hold."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1006))
    text = message.get("text")
    if text is None:
        text = (message.get("bytes") or b"").decode("utf-8", "replace")
    if len(text) > most:
        raise Goodbye("too_large")
    return str(text)


@contextlib.asynccontextmanager
async def _counted(service: Service, table: HostedTable, seat: Seat | None) -> AsyncIterator[None]:
    """Note that somebody is there, within the limits."""
    limit = service.config.max_spectators if seat is None else service.config.max_streams_per_seat
    if (table.spectators if seat is None else seat.streams) >= limit:
        raise Goodbye("too_many_connections")
    if seat is None:
        table.spectators += 1
    else:
        seat.streams += 1
        table.changed()
    try:
        yield
    finally:
        table.last_used = time.monotonic()
        if seat is None:
            table.spectators -= 1
        else:
            seat.streams -= 1
            seat.seen()
            table.changed()


class Stream:
    """One open stream.

    Args:
        service: bots and tables.
        socket: the client.
        table: what it looks at.
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
        self._bell = asyncio.Event()
        self._sent: tuple[int, int, int] | None = None
        self._sending = asyncio.Lock()
        rate = service.config.messages_per_second
        self._budget = Buckets(rate, BURST_SECONDS * rate)

    async def run(self) -> None:
        """Read and write until one of the two ends."""
        self._table.add_bell(self._bell)
        tasks: list[asyncio.Task[None]] = []
        try:
            await self._catch_up()
            tasks = [asyncio.create_task(self._read()), asyncio.create_task(self._write())]
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            self._table.remove_bell(self._bell)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    # What the server says.

    async def _write(self) -> None:
        while True:
            await self._bell.wait()
            await self._catch_up()

    async def _catch_up(self) -> None:
        """Send what is new, and go if there is a reason to."""
        table = self._table
        self._bell.clear()
        if self._service.is_stopping:
            raise Goodbye("stopping")
        version = table.version_for(self._viewer)
        if version != self._sent:
            self._sent = version
            await self._say(self._state())
        if table.status == CLOSED:
            raise Goodbye("closed")
        if table.is_stale:
            raise Goodbye("reload")
        if self._seat is not None and not self._seat.is_person:
            raise Goodbye("left")

    def _state(self) -> dict[str, Any]:
        if self._table.game_number != self._game:
            self._game, self._events = self._table.game_number, 0
        state = state_message(self._table, self._viewer, self._events)
        self._events = state["events_from"] + len(state["events"])
        return state

    async def _say(self, message: dict[str, Any]) -> None:
        async with self._sending:
            await self._send(message)

    async def _send(self, message: dict[str, Any]) -> None:
        try:
            async with asyncio.timeout(SEND_SECONDS):
                await self._socket.send_text(to_json(message).decode())
        except TimeoutError:
            raise Goodbye("slow") from None

    # What the client says.

    async def _read(self) -> None:
        while True:
            text = await _receive(self._socket, self._service.config.max_message)
            self._spend()
            move = None
            try:
                said = self._understood(text)
                move = said.move
                await self._answer(said)
            except ApiError as error:
                REFUSED.labels(error.code).inc()
                about = {} if move is None else {"move": move}
                await self._say({"type": "error", **error.body(), **about})

    def _spend(self) -> None:
        """A client that talks too much is shown out."""
        try:
            self._budget.take("", "too_many_requests", "too many messages")
        except ApiError as error:
            _log.info("stream of %s closed: too many messages", client_of(self._socket.scope))
            raise Goodbye(error.code) from None

    def _understood(self, text: str) -> tp.Said:
        try:
            return _said.validate_python(from_json(text))
        except ValidationError as error:
            first = error.errors(include_input=False, include_url=False)[0]
            where = ".".join(str(part) for part in first["loc"])
            raise ApiError("invalid", f"{where}: {first['msg']}") from None
        except ValueError:
            raise ApiError("bad_json", "a message is a JSON object with a type") from None

    async def _answer(self, said: tp.Said) -> None:
        if said.type == "ping":
            await self._say({"type": "pong"})
            return
        if self._seat is None:
            raise ApiError("token", "a spectator has nothing to decide")
        if self._seat.secret != self._secret:
            raise Goodbye("wrong_token")
        lobby = self._service.lobby
        if said.type == "act":
            if said.action is None:
                raise ApiError("invalid", "action is missing")
            # No state may overtake the answer.
            async with self._sending:
                move = await lobby.act(self._table, self._seat, said.action, said.move)
                await self._send({"type": "accepted", "move": move})
        elif said.type == "advice":
            move = self._table.move_of(self._seat)
            found = await table_advice(self._service, self._table, self._seat, said.bot)
            await self._say({"type": "advice", "move": move, **found})
        elif said.type == "rematch":
            await lobby.ask_rematch(self._table, self._seat)
        else:
            await lobby.leave(self._table, self._seat)


async def _close(socket: WebSocket, reason: str) -> None:
    with contextlib.suppress(RuntimeError, OSError, WebSocketDisconnect, TimeoutError):
        async with asyncio.timeout(SEND_SECONDS):
            await socket.send_text(json.dumps({"type": "bye", "reason": reason}))
            await socket.close(CLOSE_CODES[reason], reason)
