"""The route of a table's stream: greeting, limits, and how a stream is closed."""

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic_core import from_json

from ..errors import ApiError
from ..service import Service
from ..tables.hosted_table import HostedTable
from ..tables.setup import Seat
from . import table_protocol as tp
from .stream import SEND_SECONDS, CloseStream, Stream, receive_text

router = APIRouter()
HELLO_SECONDS = 10.0
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


@router.websocket("/v1/tables/{table_id}/stream")
async def stream(socket: WebSocket, table_id: str) -> None:
    """Serve one client until either side closes the stream."""
    service: Service = socket.app.state.service
    await socket.accept()
    service.connections += 1
    try:
        await _serve(service, socket, table_id)
    except CloseStream as closing:
        await _close(socket, closing.reason)
    except ApiError as error:
        await _close(socket, error.code if error.code in CLOSE_CODES else "hello")
    except (WebSocketDisconnect, RuntimeError, OSError):
        pass  # the client is gone
    finally:
        service.connections -= 1


async def _serve(service: Service, socket: WebSocket, table_id: str) -> None:
    if service.is_stopping:
        raise CloseStream("stopping")
    if service.connections > service.config.max_connections:
        raise CloseStream("too_many_connections")
    hello = await _read_hello(service, socket)
    table = await service.lobby.find(table_id[:40])
    if hello.token is None and not table.setup.spectators:
        raise ApiError("no_spectators", "this table is not open to spectators")
    seat = None if hello.token is None else table.seat_of(hello.token)
    async with _registered(service, table, seat):
        await Stream(service, socket, table, seat, hello).run()


async def _read_hello(service: Service, socket: WebSocket) -> tp.Hello:
    try:
        async with asyncio.timeout(HELLO_SECONDS):
            text = await receive_text(socket, service.config.max_message)
    except TimeoutError:
        raise CloseStream("no_hello") from None
    try:
        return tp.Hello.model_validate(from_json(text))
    except ValueError:
        raise CloseStream("hello") from None


@contextlib.asynccontextmanager
async def _registered(
    service: Service, table: HostedTable, seat: Seat | None
) -> AsyncIterator[None]:
    """Count a stream of a seat or a spectator, within the limits."""
    limit = service.config.max_spectators if seat is None else service.config.max_streams_per_seat
    if (table.spectators if seat is None else seat.streams) >= limit:
        raise CloseStream("too_many_connections")
    if seat is None:
        table.spectators += 1
        table.has_audience = True
    else:
        seat.streams += 1
        seat.had_stream = True
        await service.lobby.rooms.presence_changed(table)
    try:
        yield
    finally:
        table.last_used = time.monotonic()
        if seat is None:
            table.spectators -= 1
        else:
            seat.streams -= 1
            seat.seen()
            await service.lobby.rooms.presence_changed(table)


async def _close(socket: WebSocket, reason: str) -> None:
    with contextlib.suppress(RuntimeError, OSError, WebSocketDisconnect, TimeoutError):
        async with asyncio.timeout(SEND_SECONDS):
            await socket.send_text(json.dumps({"type": "bye", "reason": reason}))
            await socket.close(CLOSE_CODES[reason], reason)
