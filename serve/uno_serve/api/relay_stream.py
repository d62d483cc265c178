"""Streams of tables that another process hosts: two WebSockets, and what is piped between them."""

import asyncio
import contextlib
import json
import time
from collections.abc import Callable
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from ..errors import ApiError
from ..service import Service
from ..tables.leases import Process
from .stream_route import CLOSE_CODES

RETRY_SECONDS = 0.1
CONNECT_SECONDS = 2.0
_OWN_HANDSHAKE = b"sec-websocket-"
_GONE = {1001, 1005, 1006, 1011, 1012}
"""Closing codes of a process that stops, died or lost the table: the client shall reconnect."""
_GOODBYE = '{"type": "bye", "reason": "stopping"}'
Headers = Callable[[Process, Scope], list[tuple[bytes, bytes]]]


class StreamRelay:
    """Relays one stream.

    Args:
        service: which tables are its own; counts streams.
        site: serves the streams of this process.
        headers: of a request to another process.
    """

    def __init__(self, service: Service, site: ASGIApp, headers: Headers) -> None:
        self._service, self._site, self._headers = service, site, headers
        self._ownership = service.lobby.pool.ownership

    async def run(self, name: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a stream here, or pass it on to the process that hosts the table."""
        try:
            host = await self._ownership.locate(name)
        except ApiError:
            await _refuse(receive, send)
            return
        if host is None:
            await self._site(scope, receive, send)
            return
        await receive()
        await send({"type": "websocket.accept"})
        self._service.connections += 1
        try:
            reason = await self._pass_on(host, name, scope, receive, send)
        except (ConnectionClosed, RuntimeError, OSError):
            reason = ""  # the client is gone
        finally:
            self._service.connections -= 1
        if reason == "here":
            await self._site(scope, *_accepted(receive, send))
        elif reason:
            await _close(send, reason)

    async def _pass_on(
        self, host: Process | None, name: str, scope: Scope, receive: Receive, send: Send
    ) -> str:
        """Pipe until one side ends; why the client's side is to be closed, if it is not."""
        if self._service.is_stopping:
            return "stopping"
        if self._service.connections > self._service.config.max_connections:
            return "too_many_connections"
        end = time.monotonic() + self._ownership.patience
        while host is not None and time.monotonic() < end:
            upstream = await self._connect(host, scope)
            if upstream is not None:
                try:
                    return await self._pipe(host, upstream, receive, send)
                finally:
                    await upstream.close()
            self._ownership.forget(name)
            await asyncio.sleep(RETRY_SECONDS)
            try:
                host = await self._ownership.locate(name)
            except ApiError:
                return "reload"
        return "reload" if host is not None else "here"

    async def _connect(self, host: Process, scope: Scope) -> ClientConnection | None:
        """A stream of another process; None if it is gone or does not host the table."""
        headers = [
            (key.decode("latin-1"), value.decode("latin-1"))
            for key, value in self._headers(host, scope)
            if not key.startswith(_OWN_HANDSHAKE)
        ]
        try:
            return await connect(
                host.url.replace("http", "ws", 1) + scope["path"],
                additional_headers=headers, max_size=None, proxy=None, compression=None,
                open_timeout=CONNECT_SECONDS, user_agent_header=None,
            )  # fmt: skip
        except (OSError, TimeoutError, WebSocketException):
            return None

    async def _pipe(
        self, host: Process, upstream: ClientConnection, receive: Receive, send: Send
    ) -> str:
        up = asyncio.create_task(_to_host(receive, upstream))
        down = asyncio.create_task(_to_client(upstream, send))
        stopping = asyncio.create_task(self._service.stopping.wait())
        gone = asyncio.create_task(self._ownership.gone(host))
        tasks: list[asyncio.Task[Any]] = [up, down, stopping, gone]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if stopping.done():
                return "stopping"
            if gone.done():
                upstream.transport.abort()
                return "reload"
            if up.done() and up.exception() is None:
                return ""
            await asyncio.gather(down, return_exceptions=True)
            if down.exception() is not None and not isinstance(down.exception(), ConnectionClosed):
                return ""
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        code, reason = upstream.close_code or 1006, upstream.close_reason or ""
        if code in _GONE or reason not in CLOSE_CODES:
            return "reload"
        # The goodbye was passed on already.
        with contextlib.suppress(RuntimeError, OSError):
            await send({"type": "websocket.close", "code": code, "reason": reason})
        return ""


async def _to_host(receive: Receive, upstream: ClientConnection) -> None:
    """Pass on what the client sends; returns when it is gone."""
    while True:
        message = await receive()
        if message["type"] == "websocket.disconnect":
            return
        text = message.get("text")
        await upstream.send(text if text is not None else message.get("bytes") or b"")


async def _to_client(upstream: ClientConnection, send: Send) -> None:
    """Pass on what the host sends; returns when it closes the stream."""
    async for data in upstream:
        # That the other process stops is nothing to a client of this one.
        if data == _GOODBYE:
            continue
        key = "text" if isinstance(data, str) else "bytes"
        await send({"type": "websocket.send", key: data})


def _accepted(receive: Receive, send: Send) -> tuple[Receive, Send]:
    """The two sides of a stream that was accepted, for an application that has yet to."""
    first: list[Message] = [{"type": "websocket.connect"}]

    async def again() -> Message:
        return first.pop() if first else await receive()

    async def but_accept(message: Message) -> None:
        if message["type"] != "websocket.accept":
            await send(message)

    return again, but_accept


async def _refuse(receive: Receive, send: Send) -> None:
    await receive()
    await send({"type": "websocket.accept"})
    await _close(send, "reload")


async def _close(send: Send, reason: str) -> None:
    with contextlib.suppress(RuntimeError, OSError):
        text = json.dumps({"type": "bye", "reason": reason})
        await send({"type": "websocket.send", "text": text})
        await send({"type": "websocket.close", "code": CLOSE_CODES[reason], "reason": reason})
