"""The HTTP protocol with a branch from its parser to the fast path.

Requests that the fast path does not take are handled as uvicorn does.
"""

import contextlib
from asyncio import TimerHandle
from typing import Any, cast

from starlette.types import Scope
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.http.httptools_impl import STATUS_LINE

from .connections import ConnectionLimits
from .fast_path import ROUTE, Exchange, FastPath
from .guarded_protocol import GuardedProtocol
from .middleware import BODY_SECONDS
from .rate_limit import client_address

_URL = ROUTE.encode()
_EXCLUDED_HEADERS = {b"expect", b"origin", b"transfer-encoding", b"upgrade"}
"""Headers of requests that need more than a response."""


def fast_path_protocol(
    fast_path: FastPath, limits: ConnectionLimits, max_body: int, proxies: str
) -> type[GuardedProtocol]:
    """The protocol class of a server with a fast path.

    Args:
        fast_path: takes the requests it can.
        limits: counts connections.
        max_body: bytes of the longest body.
        proxies: addresses whose `X-Forwarded-For` is trusted.
    """
    forwarded = ProxyHeadersMiddleware(cast(Any, _no_app), proxies) if proxies else None

    class Protocol(_FastPathProtocol):
        _limits, _fast_path, _max_body, _forwarded = limits, fast_path, max_body, forwarded

    return Protocol


async def _no_app(*_: object) -> None:
    """The application behind the middleware that only resolves the client's address."""


class _Cycle(Exchange):
    """An exchange that stands where uvicorn keeps its own request-response cycle."""

    __slots__ = ("_protocol", "keep_alive", "response_complete")

    def __init__(self, protocol: "_FastPathProtocol") -> None:
        super().__init__()
        self._protocol = protocol
        self.keep_alive = True
        self.response_complete = False

    def respond(self, status: int, response: bytes) -> None:
        """Write the whole response and let the connection go on."""
        self.response_complete = True
        self._protocol.write(status, self.request_id, response, self.keep_alive)


class _FastPathProtocol(GuardedProtocol):
    """One connection."""

    _fast_path: FastPath
    _max_body: int
    _forwarded: ProxyHeadersMiddleware | None
    _body: bytearray | None = None
    """What has arrived of the body of a request that may take the fast path."""
    _body_timer: TimerHandle | None = None

    def data_received(self, data: bytes) -> None:
        """Parse some bytes; the rest of a body has to come in time."""
        super().data_received(data)
        if self._body is not None and self._body_timer is None:
            self._body_timer = self.loop.call_later(BODY_SECONDS, self._hand_over)

    def accept_request(self) -> None:
        """Buffer the body of a request that may take the fast path, or let uvicorn begin."""
        if self.url == _URL and not self._is_relayed and self._is_simple():
            self._body = bytearray()
        else:
            super().accept_request()

    def _is_simple(self) -> bool:
        headers, previous = dict(self.headers), cast(Any, self.cycle)
        length = headers.get(b"content-length", b"")
        return (
            (previous is None or previous.response_complete)
            and self.parser.get_method() == b"POST"
            and self.parser.get_http_version() == "1.1"
            and self.parser.should_keep_alive()
            and length.isdigit()
            and int(length) <= self._max_body
            and _EXCLUDED_HEADERS.isdisjoint(headers)
            and not self.flow.write_paused
        )

    def on_body(self, body: bytes) -> None:
        """A chunk of a body."""
        if self._body is None:
            super().on_body(body)
        else:
            self._body += body

    def on_message_complete(self) -> None:
        """A whole request: to the fast path, or on to the application."""
        if self._body is None:
            super().on_message_complete()
            return
        cycle = _Cycle(self)
        if self._fast_path.start(self._client(), dict(self.headers), self._body, cycle):
            self._take_body()
            self.cycle = cast(Any, cycle)
        else:
            self._hand_over()
            super().on_message_complete()

    def _client(self) -> str:
        """The client's address, by which limits count."""
        scope: Scope = {"type": "http", "client": self.client, "headers": self.headers}
        if self._forwarded is not None:
            # It awaits nothing but the application, which does nothing.
            with contextlib.suppress(StopIteration):
                self._forwarded(cast(Any, scope), cast(Any, None), cast(Any, None)).send(None)
        return client_address(scope)

    def _take_body(self) -> bytearray:
        body, self._body = self._body or bytearray(), None
        if self._body_timer is not None:
            self._body_timer.cancel()
            self._body_timer = None
        return body

    def _hand_over(self) -> None:
        """Go on as uvicorn would: a request whose body has arrived so far."""
        body = self._take_body()
        super().accept_request()
        super().on_body(bytes(body))

    def write(self, status: int, request_id: str, response: bytes, keep_alive: bool) -> None:
        """Respond to the current request."""
        if self.transport.is_closing():
            return
        head = [STATUS_LINE[status], b"x-request-id: ", request_id.encode(), b"\r\n"]
        for name, value in self.server_state.default_headers:
            head += [name, b": ", value, b"\r\n"]
        if not keep_alive:
            head.append(b"connection: close\r\n")
        self.transport.write(b"".join([*head, response]))
        if not keep_alive:
            self.transport.close()
        self.on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """The client is gone: its decision is cancelled."""
        self._take_body()
        cycle: Any = self.cycle
        if isinstance(cycle, _Cycle):
            if cycle.task is not None:
                cycle.task.cancel()
            self.cycle = cast(Any, None)
        super().connection_lost(exc)
