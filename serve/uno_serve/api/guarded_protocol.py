"""uvicorn's HTTP protocol with time limits for headers and a limit of connections per address.

This extends classes that are no public API of uvicorn, hence the upper bound of its version in
`pyproject.toml`.
"""

from asyncio import TimerHandle
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn.protocols.websockets.auto import AutoWebSocketsProtocol

from ..errors import ApiError
from ..logs import REQUEST_ID, request_id
from .connections import ConnectionLimits
from .middleware import SECURITY_HEADERS

HEALTH_URLS = (b"/healthz", b"/readyz")
MAX_HEADER_BYTES = 65_536


def guarded_protocol(limits: ConnectionLimits) -> type["GuardedProtocol"]:
    """The protocol class of a server with these limits."""

    class Protocol(GuardedProtocol):
        _limits = limits

    return Protocol


def counted_streams(limits: ConnectionLimits) -> Any:
    """The WebSocket protocol class; a stream stays counted until it ends."""
    if AutoWebSocketsProtocol is None:
        return "none"

    class Protocol(AutoWebSocketsProtocol):  # type: ignore[misc, valid-type]
        def connection_lost(self, exc: Exception | None) -> None:
            limits.close(self.transport)
            super().connection_lost(exc)

    return Protocol


class GuardedProtocol(HttpToolsProtocol):
    """One connection."""

    _limits: ConnectionLimits
    _refusal: ApiError | None = None
    """Why this connection gets no answer but that of a health check."""
    _is_done: bool = False
    """The connection was answered here, and the rest of what it sends is not read."""
    _is_relayed: bool = False
    """The connection comes from another process of the cluster."""
    _awaits_headers: bool = True
    _has_begun: bool = False
    _header_bytes: int = 0
    _header_timer: TimerHandle | None = None
    _write_timer: TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Count the connection; its first headers have to come in time."""
        super().connection_made(transport)
        self._start_header_timer()
        port = self.server[1] if self.server else None
        self._is_relayed = port is not None and port == self._limits.relay_port
        self._refusal = self._limits.open(transport, self._address(), self, port)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has ended."""
        self._stop_header_timer()
        self._stop_write_timer()
        self._limits.close(self.transport)
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """The client reads too slowly, or not at all: it has a while to go on."""
        super().pause_writing()
        self._stop_write_timer()
        self._write_timer = self.loop.call_later(self._limits.write_seconds, self._give_up_writing)

    def resume_writing(self) -> None:
        """The client has read."""
        self._stop_write_timer()
        super().resume_writing()

    def _stop_write_timer(self) -> None:
        if self._write_timer is not None:
            self._write_timer.cancel()
            self._write_timer = None

    def _give_up_writing(self) -> None:
        self._write_timer = None
        self._limits.unread(self._address())
        self.transport.abort()

    def abandon(self) -> None:
        """Close a connection whose request has not arrived."""
        self._is_done = True
        self._stop_header_timer()
        if not self.transport.is_closing():
            self.transport.close()

    def data_received(self, data: bytes) -> None:
        """Parse some bytes; headers that have begun have to end in time, and be short enough."""
        if self._is_done:
            return
        was_waiting = self._awaits_headers
        super().data_received(data)
        if not self._awaits_headers or self._is_done:
            return
        if self._header_timer is None:
            self._start_header_timer()
        self._header_bytes = self._header_bytes + len(data) if was_waiting else 0
        if self._header_bytes > MAX_HEADER_BYTES:
            message = f"the headers have more than {MAX_HEADER_BYTES} bytes"
            self.refuse(ApiError("headers_too_large", message))

    def on_message_begin(self) -> None:
        """The first bytes of a request."""
        self._awaits_headers = self._has_begun = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Accept the request, or say why not."""
        self._awaits_headers = False
        self._header_bytes = 0
        self._stop_header_timer()
        if self._is_done:
            return
        if self._refusal is None:
            self.accept_request()
        elif self.url in HEALTH_URLS and not self.parser.should_upgrade():
            super().on_headers_complete()
            self.cycle.keep_alive = False
        else:
            self.refuse(self._refusal)

    def accept_request(self) -> None:
        """Begin to answer a request."""
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A chunk of a body."""
        if not self._is_done:
            super().on_body(body)

    def on_message_complete(self) -> None:
        """The end of a request."""
        if not self._is_done:
            super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """Pass the connection on to the WebSocket protocol, unless it was refused."""
        if not self._is_done:
            super().handle_websocket_upgrade()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP."""
        self.refuse(ApiError("bad_request", "this is not a valid HTTP request"))

    def refuse(self, error: ApiError) -> None:
        """Answer with an error and close the connection."""
        self._is_done = True
        self._stop_header_timer()
        if self.transport.is_closing():
            return
        context = REQUEST_ID.set(request_id())
        headers, body = error.response()
        headers.append((b"x-request-id", REQUEST_ID.get().encode()))
        REQUEST_ID.reset(context)
        lines = [name + b": " + value for name, value in (*headers, *SECURITY_HEADERS)]
        lines += [b"connection: close", b"", body]
        self.transport.write(STATUS_LINE[error.status] + b"\r\n".join(lines))
        self.transport.close()

    # The time limit of headers.

    def _start_header_timer(self) -> None:
        seconds = self._limits.header_seconds
        self._header_timer = self.loop.call_later(seconds, self._on_header_timeout)

    def _stop_header_timer(self) -> None:
        if self._header_timer is not None:
            self._header_timer.cancel()
            self._header_timer = None

    def _on_header_timeout(self) -> None:
        self._header_timer = None
        self._limits.timed_out(self._address())
        if not self._has_begun:
            self.abandon()
            return
        message = f"the headers did not arrive within {self._limits.header_seconds:g} seconds"
        self.refuse(ApiError("header_timeout", message))

    def _address(self) -> str:
        return self.client[0] if self.client else "unknown"
