"""The fast path of `POST /v1/act`: the route's own function, called without the web framework.

A busy front end sends full views or positions, for a batched bot, without advice. For those the
framework costs several times what the decision does: routing, dependencies, a dozen coroutines, two
writes. Here the same request model is read and the same function (`decisions.act`) called, and its
result is one write. Whatever is different or invalid goes to the route, which answers it or says
what is wrong. `fast_path: false` in the configuration sends everything to the route.
"""

import asyncio
import time
from functools import lru_cache

from pydantic import ValidationError

from ..bots.decision import is_full_view
from ..bots.work import SHORT_BODY
from ..errors import ApiError, json_headers
from ..logs import REQUEST_ID, request_id
from ..metrics import REFUSED, count_response
from ..service import Service
from .decisions import act
from .middleware import SECURITY_HEADERS, RequestMiddleware, internal_error, log_failure
from .protocol import ActRequest

ROUTE = "/v1/act"


class Exchange:
    """A request on the fast path, from its arrival to its response."""

    __slots__ = ("_started", "request_id", "task")

    def __init__(self) -> None:
        self._started = time.perf_counter()
        self.request_id = ""
        self.task: asyncio.Task[None] | None = None

    def respond(self, status: int, response: bytes) -> None:
        """Send a status, and the response from its first header on."""
        raise NotImplementedError

    def finish(self, status: int, response: bytes) -> None:
        """Respond and count the response."""
        self.respond(status, response)
        count_response(ROUTE, status, time.perf_counter() - self._started)


class FastPath:
    """Takes the requests that need nothing of the framework.

    Args:
        middleware: limits and keys, shared with the application.
        service: the bots.
    """

    def __init__(self, middleware: RequestMiddleware, service: Service) -> None:
        self._middleware, self._service = middleware, service

    def start(
        self, client: str, headers: dict[bytes, bytes], body: bytearray, exchange: Exchange
    ) -> bool:
        """Begin to answer a request; False leaves it to the application."""
        if len(body) > SHORT_BODY or not self._middleware.allows(client, headers):
            return False
        try:
            request = ActRequest.model_validate_json(body)
        except ValidationError:
            return False
        if not self._is_eligible(request):
            return False
        self._middleware.count_request(client)
        exchange.request_id = request_id(headers.get(b"x-request-id", b""))
        exchange.task = asyncio.get_running_loop().create_task(
            self._answer(request, client, exchange)
        )
        return True

    def _is_eligible(self, request: ActRequest) -> bool:
        bot = self._service.bots.ready(request.bot or self._service.config.default_bot)
        if bot is None or not bot.is_batched or request.advice:
            return False
        if request.position is not None:
            return request.view is None
        return is_full_view(request.view)

    async def _answer(self, request: ActRequest, client: str, exchange: Exchange) -> None:
        REQUEST_ID.set(exchange.request_id)
        try:
            body = await act(self._service, request, client)
        except ApiError as error:
            self._refuse(error, exchange)
        except Exception as error:
            self._refuse(internal_error(error), exchange)
        else:
            exchange.finish(200, _json_response(body))

    def _refuse(self, error: ApiError, exchange: Exchange) -> None:
        REFUSED.labels(error.code).inc()
        log_failure(ROUTE, error)
        exchange.finish(error.status, _encoded(*error.response()))


@lru_cache(maxsize=16_384)
def _json_response(body: bytes) -> bytes:
    """Headers and body of a decision; there are only so many."""
    return _encoded(json_headers(body), body)


def _encoded(headers: list[tuple[bytes, bytes]], body: bytes) -> bytes:
    lines = [name + b": " + value for name, value in (*headers, *SECURITY_HEADERS)]
    return b"\r\n".join([*lines, b"", body])
