"""Requests for tables that another process hosts are passed on to it, and its responses back.

What one process says about another (who hosts a table) may be out of date: a process that does
not host a table says so, and the request goes to the one that does. When a process dies, requests
wait until another has its tables.
"""

import asyncio
import contextlib
import hashlib
import time
from collections.abc import Coroutine, Iterable
from typing import Any

import httpx
from starlette.types import ASGIApp, Receive, Scope, Send

from ..errors import ApiError
from ..logs import REQUEST_ID
from ..service import Service
from ..tables.leases import LeaseLost, Process
from .relay_stream import StreamRelay
from .requests import buffered, read_all

PREFIX = "/v1/tables"
SECRET, PROCESS, CLIENT = b"x-uno-relay", b"x-uno-process", b"x-uno-client"
NOT_HOSTED = 421
"""Status of a process that does not host the table."""
RETRY_SECONDS = 0.1
CONNECT_SECONDS = 2.0
_OWN = {SECRET, PROCESS, CLIENT}
_HOP_BY_HOP = {b"connection", b"keep-alive", b"transfer-encoding", b"upgrade", b"te", b"trailer",
               b"proxy-authorization", b"proxy-authenticate", b"host"}  # fmt: skip
_ADDED_AGAIN = {b"x-request-id", b"x-content-type-options", b"referrer-policy",
                b"content-security-policy", b"date", b"server"}  # fmt: skip
"""Headers of a response that the middleware around the relay adds anyway."""


def table_of(scope: Scope) -> str | None:
    """The table that a request is about."""
    path: str = scope["path"]
    if not path.startswith(PREFIX + "/"):
        return None
    # As the routes read it, which take no longer one.
    return path.removeprefix(PREFIX + "/").partition("/")[0][:40] or None


def is_creation(scope: Scope) -> bool:
    """Whether a request asks for a new table."""
    return bool(scope["type"] == "http" and scope["path"] == PREFIX and scope["method"] == "POST")


class Relay:
    """Passes requests on to the process that hosts their table.

    Args:
        site: answers the requests of this process.
        service: which tables are its own.
    """

    def __init__(self, site: ASGIApp, service: Service) -> None:
        self._site, self._service = site, service
        self._ownership = service.lobby.pool.ownership
        seconds = httpx.Timeout(service.config.bot_seconds + 30, connect=CONNECT_SECONDS)
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=100)
        # It connects to nothing until it is used, in the loop that uses it.
        self._http = httpx.AsyncClient(timeout=seconds, limits=limits, trust_env=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._site(scope, receive, send)
            await self._http.aclose()
            return
        name = table_of(scope)
        if name is None and not is_creation(scope):
            await self._site(scope, receive, send)
        elif scope["type"] == "websocket":
            relay = StreamRelay(self._service, self._site, self.headers)
            await relay.run(name or "", scope, receive, send)
        else:
            await self._relay(name, scope, receive, send)

    async def _locate(self, name: str | None, scope: Scope) -> Process | None:
        if name is not None:
            return await self._ownership.locate(name)
        key = dict(scope["headers"]).get(b"idempotency-key")
        return await self._ownership.locate_new(None if key is None else _key_name(scope, key))

    async def _relay(self, name: str | None, scope: Scope, receive: Receive, send: Send) -> None:
        host = await self._locate(name, scope)
        if host is None:
            await self._site(scope, receive, send)
            return
        body = await read_all(receive)
        end = time.monotonic() + self._ownership.patience
        while host is not None:
            response = await self._ask(host, scope, body)
            if response is not None:
                await _respond(response, send)
                return
            if name is not None:
                self._ownership.forget(name)
            if time.monotonic() > end:
                raise LeaseLost
            await asyncio.sleep(RETRY_SECONDS)
            host = await self._locate(name, scope)
        await self._site(scope, buffered(body, receive), send)

    async def _ask(self, host: Process, scope: Scope, body: bytes) -> httpx.Response | None:
        """The response of another process; None if it is gone or does not host the table."""
        path = scope.get("raw_path") or scope["path"].encode()
        query = scope.get("query_string", b"")
        url = host.url + path.decode("latin-1") + (f"?{query.decode('latin-1')}" if query else "")
        headers = self.headers(host, scope)
        try:
            response = await _unless(
                self._ownership.gone(host),
                self._http.request(scope["method"], url, content=body, headers=headers),
            )
        except (httpx.ConnectError, httpx.ConnectTimeout):
            return None
        except httpx.LocalProtocolError:
            # Parsers of HTTP do not agree on what a header may hold.
            raise ApiError("bad_request", "a header is not valid") from None
        except httpx.TransportError:
            if _is_repeatable(scope, body):
                return None
            message = "the process that hosts this table went away; the outcome is not known"
            raise ApiError("moved", message, retry_after=1) from None
        return None if response.status_code == NOT_HOSTED else response

    def headers(self, host: Process, scope: Scope) -> list[tuple[bytes, bytes]]:
        """The headers of a request that is passed on."""
        client = scope["client"][0] if scope.get("client") else ""
        passed = _without(scope["headers"], _HOP_BY_HOP | _OWN | {b"x-request-id"})
        return [
            # Space around a value is no part of it, and not everybody's parser takes it away.
            *((key, value.strip(b" \t")) for key, value in passed),
            (SECRET, self._ownership.secret.encode()),
            (PROCESS, host.id.encode()),
            (CLIENT, client.encode()),
            (b"x-request-id", REQUEST_ID.get().encode()),
        ]


async def _unless(
    gone: Coroutine[Any, Any, None], request: Coroutine[Any, Any, httpx.Response]
) -> httpx.Response:
    """The response, unless whoever should give it is gone first."""
    tasks = (asyncio.create_task(request), asyncio.create_task(gone))
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        if not tasks[0].done():
            raise httpx.ReadError("the other process is gone")
        return tasks[0].result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _key_name(scope: Scope, key: bytes) -> str:
    """An idempotency key as it is stored: by a hash, for whoever knows it gets tokens."""
    client = scope["client"][0] if scope.get("client") else ""
    return hashlib.sha256(client.encode() + b"\0" + key).hexdigest()


def _is_repeatable(scope: Scope, body: bytes) -> bool:
    """Whether a request that may have been carried out can be sent again without harm."""
    if scope["method"] in ("GET", "HEAD", "OPTIONS"):
        return True
    # The number of the decision makes a repeated move harmless; the rest asks for nothing new.
    is_numbered = scope["path"].endswith("/act") and b'"move"' in body
    return is_numbered or scope["path"].endswith(("/advice", "/pace"))


async def _respond(response: httpx.Response, send: Send) -> None:
    headers = _without(response.headers.raw, _HOP_BY_HOP | _ADDED_AGAIN | {b"content-encoding"})
    headers = [pair for pair in headers if pair[0].lower() != b"content-length"]
    headers.append((b"content-length", str(len(response.content)).encode()))
    await send({"type": "http.response.start", "status": response.status_code, "headers": headers})
    with contextlib.suppress(OSError):
        await send({"type": "http.response.body", "body": response.content})


def _without(
    headers: Iterable[tuple[bytes, bytes]], names: set[bytes]
) -> list[tuple[bytes, bytes]]:
    return [(name, value) for name, value in headers if name.lower() not in names]
