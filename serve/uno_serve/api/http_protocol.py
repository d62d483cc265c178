"""HTTP as uvicorn speaks it, with a short cut from the parser to the fast lane.

Between uvicorn's parser and an ASGI application there are a task, an event, a dozen coroutines and
two writes for every request. The usual decision needs none of them: its question goes to the bot
in the callback that brings its last byte, and its answer is one write. Everything else, and all
that the lane does not take, goes the way it goes in uvicorn.
"""

import contextlib
from asyncio import TimerHandle
from typing import Any, cast

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from .fast_path import ROUTE, Lane, Turn
from .guard import BODY_SECONDS, Scope, client_of

_URL = ROUTE.encode()
_UNUSUAL = {b"expect", b"origin", b"transfer-encoding", b"upgrade"}
"""Headers of requests that need more than an answer."""


def wire_protocol(lane: Lane, max_body: int, proxies: str) -> type[HttpToolsProtocol]:
    """The protocol class of a server with a lane.

    Args:
        lane: takes usual requests.
        max_body: bytes of the longest body.
        proxies: whose word on the client's address is believed.
    """
    forwarded = ProxyHeadersMiddleware(cast(Any, _nothing), proxies) if proxies else None

    class Wire(_Wire):
        _lane, _max_body, _forwarded = lane, max_body, forwarded

    return Wire


async def _nothing(*_: object) -> None:
    """The application behind the middleware that is only asked who calls."""


class _Turn(Turn):
    """A request in the lane, where uvicorn expects the cycle of a request."""

    __slots__ = ("_wire", "keep_alive", "response_complete")

    def __init__(self, wire: "_Wire") -> None:
        super().__init__()
        self._wire = wire
        self.keep_alive = True
        self.response_complete = False

    def reply(self, status: int, answer: bytes) -> None:
        """Write the whole answer and let the connection go on."""
        self.response_complete = True
        self._wire.write(status, answer, self.keep_alive)


class _Wire(HttpToolsProtocol):
    """One connection."""

    _lane: Lane
    _max_body: int
    _forwarded: ProxyHeadersMiddleware | None
    _body: bytearray | None = None
    """What has come of the body of a request that may be for the lane."""
    _late: TimerHandle | None = None

    def data_received(self, data: bytes) -> None:
        """Some bytes; a body that is still missing has to come in time."""
        super().data_received(data)
        if self._body is not None and self._late is None:
            self._late = self.loop.call_later(BODY_SECONDS, self._leave_lane)

    def on_headers_complete(self) -> None:
        """Keep the body of what may be a usual request, or let uvicorn begin."""
        if self.url == _URL and self._is_usual():
            self._body = bytearray()
        else:
            super().on_headers_complete()

    def _is_usual(self) -> bool:
        headers, before = dict(self.headers), cast(Any, self.cycle)
        length = headers.get(b"content-length", b"")
        return (
            (before is None or before.response_complete)
            and self.parser.get_method() == b"POST"
            and self.parser.get_http_version() == "1.1"
            and self.parser.should_keep_alive()
            and length.isdigit()
            and int(length) <= self._max_body
            and _UNUSUAL.isdisjoint(headers)
            and not self.flow.write_paused
            and (self.limit_concurrency is None or len(self.connections) < self.limit_concurrency)
        )

    def on_body(self, body: bytes) -> None:
        """A part of a body."""
        if self._body is None:
            super().on_body(body)
        else:
            self._body += body

    def on_message_complete(self) -> None:
        """A whole request: into the lane with it, or on to the application."""
        if self._body is None:
            super().on_message_complete()
            return
        turn = _Turn(self)
        if self._lane.take(self._client(), dict(self.headers), self._body, turn):
            self._end_body()
            self.cycle = cast(Any, turn)
        else:
            self._leave_lane()
            super().on_message_complete()

    def _client(self) -> str:
        """Who asks, as limits count it."""
        scope: Scope = {"type": "http", "client": self.client, "headers": self.headers}
        if self._forwarded is not None:
            # It awaits nothing but the application, which does nothing.
            with contextlib.suppress(StopIteration):
                self._forwarded(cast(Any, scope), cast(Any, None), cast(Any, None)).send(None)
        return client_of(scope)

    def _end_body(self) -> bytearray:
        body, self._body = self._body or bytearray(), None
        if self._late is not None:
            self._late.cancel()
            self._late = None
        return body

    def _leave_lane(self) -> None:
        """Go on as uvicorn would have: a request whose body has come so far."""
        body = self._end_body()
        super().on_headers_complete()
        super().on_body(bytes(body))

    def write(self, status: int, answer: bytes, keep_alive: bool) -> None:
        """Answer the request whose turn it is."""
        if self.transport.is_closing():
            return
        head = [STATUS_LINE[status]]
        for name, value in self.server_state.default_headers:
            head += [name, b": ", value, b"\r\n"]
        if not keep_alive:
            head.append(b"connection: close\r\n")
        self.transport.write(b"".join([*head, answer]))
        if not keep_alive:
            self.transport.close()
        self.on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """The client is gone, and nobody waits for its answer."""
        self._end_body()
        cycle: Any = self.cycle
        if isinstance(cycle, _Turn):
            cycle.is_gone = True
            self.cycle = cast(Any, None)
        super().connection_lost(exc)
