"""ASGI middleware around the API: rate limits, API keys, body limits, headers, metrics, errors.

A request's body is read here, within its limits, and passed on whole. Whatever fails inside
becomes a structured error, and the log never holds a card, a token or a body.
"""

import asyncio
import hmac
import logging
import time
import traceback

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..bots.work import WorkBudget, reading_charge
from ..config import ServeConfig
from ..errors import ApiError
from ..logs import REQUEST_ID, request_id
from ..metrics import REFUSED, count_response
from .hosts import HostAllowList
from .rate_limit import RateLimiter, client_address
from .requests import buffered

_log = logging.getLogger("uno_serve")
_JSON = b"application/json"
BODY_SECONDS = 30.0
_FAILURES = {"bot_failed", "bot_timeout", "storage", "disk_full"}
HEALTH_PATHS = ("/healthz", "/readyz")
HEALTH_RATE, HEALTH_BURST = 10.0, 30
"""Health checks a second and at once from one client, apart from its other requests."""
NEEDS_KEY = {
    ("POST", "/v1/act"),
    ("POST", "/v1/act/batch"),
    ("POST", "/v1/replay"),
    ("POST", "/v1/review"),
    ("POST", "/v1/tables"),
}
_POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; "
    "connect-src 'self' ws: wss:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"
)
SECURITY_HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"content-security-policy", _POLICY.encode()),
]


class RequestMiddleware:
    """Checks and counts requests to an ASGI app.

    Args:
        app: the application.
        config: the limits and keys.
        budget: the work of each client, to which long bodies are charged; none if left out.
    """

    def __init__(self, app: ASGIApp, config: ServeConfig, budget: WorkBudget | None = None) -> None:
        self._app, self._config, self._budget = app, config, budget
        self._requests = RateLimiter(config.requests_per_second, config.requests_burst)
        self._health = RateLimiter(HEALTH_RATE, HEALTH_BURST)
        self._hosts = HostAllowList(config.allowed_hosts)
        self._per_minute = {
            ("POST", "/v1/tables"): _per_minute(config.tables_per_minute),
            ("POST", "/v1/replay"): _per_minute(config.replays_per_minute),
            # A page of a review simulates for about a second.
            ("POST", "/v1/review"): _per_minute(config.replays_per_minute / 4),
        }
        self._keys = [key.encode() for key in config.api_keys]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            REQUEST_ID.set(request_id(dict(scope["headers"]).get(b"x-request-id", b"")))
        if scope["type"] == "websocket":
            await self._accept_stream(scope, receive, send)
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        response = _TrackedResponse(scope, send)
        try:
            body = await self._accept(scope, receive)
            if body is not None:
                receive = buffered(body, receive)
            await self._app(scope, receive, response)
        except ApiError as error:
            await response.refuse(error)
        except asyncio.CancelledError:
            raise
        except Exception as error:
            await response.refuse(internal_error(error))
        finally:
            response.count()

    def allows(self, client: str, headers: dict[bytes, bytes]) -> bool:
        """Whether a request for a decision passes key, content type and rate limit.

        Nothing is counted yet: whoever answers the request does so by `count_request`.
        """
        return (
            self._requests.allows(client)
            and self._hosts.allows(headers.get(b"host", b""))
            and headers.get(b"content-type", b"").lower().startswith(_JSON)
            and (not self._keys or self._is_key(headers.get(b"x-api-key", b"")))
        )

    def count_request(self, client: str) -> None:
        """Count a request of a client, or refuse it."""
        self._requests.take(client, "too many requests from this address")

    async def _accept_stream(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            self._hosts.check(dict(scope["headers"]).get(b"host", b""))
            self._requests.take(client_address(scope), "too many streams")
        except ApiError as error:
            REFUSED.labels(error.code).inc()
            await receive()
            await send({"type": "websocket.close", "code": 1013})
            return
        await self._app(scope, receive, send)

    async def _accept(self, scope: Scope, receive: Receive) -> bytes | None:
        """Check everything that can be checked before the request is parsed; its body."""
        client = client_address(scope)
        if scope["path"] in HEALTH_PATHS:
            # From a balancer, which calls by address.
            self._health.take(client, "too many health checks from this address")
            return None
        headers = dict(scope["headers"])
        self._hosts.check(headers.get(b"host", b""))
        self.count_request(client)
        endpoint = (scope["method"], scope["path"])
        needs_key = self._keys and endpoint in NEEDS_KEY
        if needs_key and not self._is_key(headers.get(b"x-api-key", b"")):
            raise ApiError("api_key", "this server needs an API key in the header X-API-Key")
        if endpoint in self._per_minute:
            what = endpoint[1].removeprefix("/v1/").removesuffix("s")
            self._per_minute[endpoint].take(client, f"too many {what}s from this address")
        if scope["method"] not in ("POST", "PUT", "PATCH"):
            return None
        body = await self._read_body(headers, receive)
        if self._budget is not None:
            # Before it is parsed, which a refusal is to save.
            self._budget.take(client, reading_charge(len(body)))
        return body

    def _is_key(self, given: bytes) -> bool:
        # Every key is compared, so the time does not reveal which one came close.
        matches = [hmac.compare_digest(given, key) for key in self._keys]
        return any(matches)

    async def _read_body(self, headers: dict[bytes, bytes], receive: Receive) -> bytes:
        """The whole body, if it is short enough and comes in time."""
        most = self._config.max_body
        length = headers.get(b"content-length", b"0")
        if length.isdigit() and int(length) > most:
            raise ApiError("too_large", f"the body has {int(length)} bytes; at most {most}")
        chunks: list[bytes] = []
        size = 0
        more = True
        try:
            async with asyncio.timeout(BODY_SECONDS):
                while more:
                    message = await receive()
                    chunk = message.get("body", b"")
                    size += len(chunk)
                    if size > most:
                        raise ApiError("too_large", f"the body is too long; at most {most} bytes")
                    chunks.append(chunk)
                    more = message["type"] == "http.request" and message.get("more_body", False)
        except TimeoutError:
            raise ApiError("bad_json", "the body did not arrive in time") from None
        if size and not headers.get(b"content-type", b"").lower().startswith(_JSON):
            raise ApiError("not_json", "the body must be application/json")
        return chunks[0] if len(chunks) == 1 else b"".join(chunks)


def log_failure(route: str, error: ApiError) -> None:
    """Log a request that failed for a reason of ours; the path itself may name a table."""
    if error.code in _FAILURES:
        _log.warning("%s answered %d %s", route, error.status, error.code)


def _per_minute(rate: float) -> RateLimiter:
    return RateLimiter(rate / 60, max(1.0, rate))


def internal_error(error: Exception) -> ApiError:
    """Log an unexpected error without its message, which may name a card; what the caller sees."""
    lines = "".join(traceback.format_tb(error.__traceback__))
    _log.error("%s\n%s", type(error).__name__, lines)
    return ApiError("internal", "something went wrong in the server")


class _TrackedResponse:
    """Passes a response on with our headers, and keeps its status and duration."""

    __slots__ = ("_scope", "_send", "_started", "status")

    def __init__(self, scope: Scope, send: Send) -> None:
        self._scope, self._send = scope, send
        self._started = time.perf_counter()
        self.status = 0

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            own = (b"x-request-id", REQUEST_ID.get().encode())
            message["headers"] = [*message.get("headers", ()), own, *SECURITY_HEADERS]
        await self._send(message)

    async def refuse(self, error: ApiError) -> None:
        """Respond with an error, unless a response has begun."""
        REFUSED.labels(error.code).inc()
        if self.status:
            return
        headers, body = error.response()
        await self({"type": "http.response.start", "status": error.status, "headers": headers})
        await self._send({"type": "http.response.body", "body": body})

    def count(self) -> None:
        """Count the response for Prometheus."""
        route = getattr(self._scope.get("route"), "path", "other")
        count_response(route, self.status, time.perf_counter() - self._started)
