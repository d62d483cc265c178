"""The guard at the door: how much anybody may send and how often, keys, and what is counted.

Plain ASGI around everything else. A request's body is read here, within its limits, and handed on
whole; whatever goes wrong inside leaves as a structured error, and the log never holds a card, a
token or a body.
"""

import asyncio
import hmac
import logging
import time
import traceback
from collections import OrderedDict
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from ..config import ServeConfig
from .errors import ApiError
from .metrics import REFUSED, count_answer

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

_log = logging.getLogger("uno_serve")
_JSON = b"application/json"
BODY_SECONDS = 30.0
MOST_CLIENTS = 20_000
NEEDS_KEY = {
    ("POST", "/v1/act"),
    ("POST", "/v1/act/batch"),
    ("POST", "/v1/replay"),
    ("POST", "/v1/tables"),
}
_POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; "
    "connect-src 'self' ws: wss:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
]
PAGE_HEADERS = [*_HEADERS, (b"content-security-policy", _POLICY.encode())]
_OWN_SCRIPTS = ("/docs", "/redoc")
"""Pages of the API's documentation, whose scripts come from elsewhere."""


class Buckets:
    """How often each client may do something: so many a second on average, so many at once.

    Args:
        rate: a second; 0 for no limit.
        burst: at once.
    """

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def has(self, client: str) -> bool:
        """Whether `take` would count one."""
        return not self._rate or self._filled(client, time.monotonic()) >= 1

    def _filled(self, client: str, now: float) -> float:
        left, before = self._left.get(client, (self._burst, now))
        return min(self._burst, left + (now - before) * self._rate)

    def take(self, client: str, code: str, message: str) -> None:
        """Count one, or raise with the time after which the next is allowed."""
        if not self._rate:
            return
        now = time.monotonic()
        left = self._filled(client, now)
        self._left[client] = (max(left - 1, 0.0) if left >= 1 else left, now)
        self._left.move_to_end(client)
        if len(self._left) > MOST_CLIENTS:
            self._left.popitem(last=False)
        if left < 1:
            raise ApiError(code, message, retry_after=(1 - left) / self._rate)


def client_of(scope: Scope) -> str:
    """Who calls, as limits count it."""
    return scope["client"][0] if scope.get("client") else "unknown"


class Guard:
    """Stands before an ASGI app.

    Args:
        app: what is guarded.
        config: the limits and keys.
    """

    def __init__(self, app: App, config: ServeConfig) -> None:
        self._app, self._config = app, config
        self._requests = Buckets(config.requests_per_second, config.requests_burst)
        per_second = config.tables_per_minute / 60
        self._tables = Buckets(per_second, max(1.0, config.tables_per_minute))
        self._keys = [key.encode() for key in config.api_keys]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self._admit_stream(scope, receive, send)
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        answer = _Answer(scope, send)
        try:
            body = await self._admit(scope, receive)
            if body is not None:
                receive = _replay(body, receive)
            await self._app(scope, receive, answer)
        except ApiError as error:
            await answer.refuse(error)
        except asyncio.CancelledError:
            raise
        except Exception as error:  # nothing of it may reach the caller or name a card in the log
            lines = "".join(traceback.format_tb(error.__traceback__))
            _log.error("%s\n%s", type(error).__name__, lines)
            await answer.refuse(ApiError("internal", "something went wrong in the server"))
        finally:
            answer.count()

    def admits(self, client: str, headers: dict[bytes, bytes]) -> bool:
        """Whether a short request for a decision may be read at once.

        Nothing is counted yet: whoever takes the request does that by `admit`, and on the general
        road it is refused with the reason.
        """
        given = headers.get(b"x-api-key", b"")
        return (
            self._requests.has(client)
            and headers.get(b"content-type", b"").lower().startswith(_JSON)
            and (not self._keys or self._is_key(given))
        )

    def admit(self, client: str) -> None:
        """Count a request of a client, or refuse it."""
        self._requests.take(client, "too_many_requests", "too many requests from this address")

    async def _admit_stream(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            self._requests.take(client_of(scope), "too_many_requests", "too many streams")
        except ApiError as error:
            REFUSED.labels(error.code).inc()
            await receive()
            await send({"type": "websocket.close", "code": 1013})
            return
        await self._app(scope, receive, send)

    async def _admit(self, scope: Scope, receive: Receive) -> bytes | None:
        """Check everything that can be checked before the request is understood."""
        client = client_of(scope)
        self.admit(client)
        what = (scope["method"], scope["path"])
        headers = dict(scope["headers"])
        if self._keys and what in NEEDS_KEY and not self._is_key(headers.get(b"x-api-key", b"")):
            raise ApiError("api_key", "this server needs an API key in the header X-API-Key")
        if what == ("POST", "/v1/tables"):
            message = "too many tables from this address"
            self._tables.take(client, "too_many_requests", message)
        if scope["method"] not in ("POST", "PUT", "PATCH"):
            return None
        return await self._body(headers, receive)

    def _is_key(self, given: bytes) -> bool:
        # Every key is tried, so the time tells nothing about which one came close.
        matches = [hmac.compare_digest(given, key) for key in self._keys]
        return any(matches)

    async def _body(self, headers: dict[bytes, bytes], receive: Receive) -> bytes:
        """The whole body, if it is short enough and comes in time."""
        most = self._config.max_body
        length = headers.get(b"content-length", b"0")
        if length.isdigit() and int(length) > most:
            raise ApiError("too_large", f"the body has {int(length)} bytes; at most {most}")
        parts: list[bytes] = []
        size = 0
        more = True
        try:
            async with asyncio.timeout(BODY_SECONDS):
                while more:
                    message = await receive()
                    part = message.get("body", b"")
                    size += len(part)
                    if size > most:
                        raise ApiError("too_large", f"the body is too long; at most {most} bytes")
                    parts.append(part)
                    more = message["type"] == "http.request" and message.get("more_body", False)
        except TimeoutError:
            raise ApiError("bad_json", "the body did not arrive in time") from None
        if size and not headers.get(b"content-type", b"").lower().startswith(_JSON):
            raise ApiError("not_json", "the body must be application/json")
        return parts[0] if len(parts) == 1 else b"".join(parts)


def _replay(body: bytes, receive: Receive) -> Receive:
    """A `receive` that gives the body once more, then what the client does."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return messages.pop() if messages else await receive()

    return again


class _Answer:
    """Passes an answer on, with our headers, and remembers how it went."""

    __slots__ = ("_scope", "_send", "_started", "status")

    def __init__(self, scope: Scope, send: Send) -> None:
        self._scope, self._send = scope, send
        self._started = time.perf_counter()
        self.status = 0

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            own = self._scope["path"].startswith(_OWN_SCRIPTS)
            extra = _HEADERS if own else PAGE_HEADERS
            message["headers"] = [*message.get("headers", ()), *extra]
        await self._send(message)

    async def refuse(self, error: ApiError) -> None:
        """Answer with an error, unless an answer has begun."""
        REFUSED.labels(error.code).inc()
        if self.status:
            return
        headers, body = error.answer()
        await self({"type": "http.response.start", "status": error.status, "headers": headers})
        await self._send({"type": "http.response.body", "body": body})

    def count(self) -> None:
        """Note the answer for Prometheus."""
        route = getattr(self._scope.get("route"), "path", "other")
        count_answer(route, self.status, time.perf_counter() - self._started)
