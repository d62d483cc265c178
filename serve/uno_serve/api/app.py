"""The ASGI application: routes, page, error handlers and middleware."""

import asyncio
import contextlib
import gc
import logging
from collections.abc import AsyncIterator, Callable
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.cors import CORSMiddleware
from fastapi.responses import Response
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp

from uno_env import __version__

from ..bots.decision import warm_up
from ..bots.registry import BotRegistry
from ..config import ServeConfig
from ..errors import ApiError
from ..metrics import REFUSED
from ..service import Service
from ..tables.lobby import Lobby
from ..tables.ownership import Ownership
from ..tables.replay_frames import ReplayCache
from ..tables.review import Reviewer
from ..tables.storage import Store
from . import room_routes, routes, stream_route, table_routes
from .docs_page import add_docs_page
from .middleware import RequestMiddleware, log_failure
from .page import Page
from .protocol import ErrorResponse
from .relay import Relay
from .turns import Turns

_log = logging.getLogger("uno_serve")

DESCRIPTION = """Bots and tables for UNO and its variants.

Ask a bot for one decision with `POST /v1/act`, or let people and bots play at tables that this
server hosts; their stream is a WebSocket at `/v1/tables/{id}/stream`. See docs/serving.md.
"""
_ERRORS: dict[int | str, dict[str, Any]] = {
    "4XX": {"model": ErrorResponse, "description": "Refused; the code says why."},
    "5XX": {"model": ErrorResponse, "description": "Not now; the code says why."},
}


class _Api(FastAPI):
    def openapi(self) -> dict[str, Any]:
        """The document; that of a server without API keys asks for none."""
        document = super().openapi()
        if not self.state.service.config.api_keys:
            for operations in document["paths"].values():
                for operation in operations.values():
                    if operation.get("security") == [{"ApiKey": []}]:
                        del operation["security"]
        return document


MakeOwnership = Callable[[Store], Ownership]


def create_app(
    config: ServeConfig, ownership: MakeOwnership | None = None
) -> tuple[RequestMiddleware, Service]:
    """The whole server as an ASGI application, and the state behind it.

    Args:
        config: all options.
        ownership: which tables are this process's; all of them if left out.
    """
    if config.serves == "act":
        config = config.replace(db="sqlite://", web=False)
    api, service = create_api(config, ownership)
    site: ASGIApp = Page(api) if config.web else api
    service.site = site
    if ownership is not None:
        site = Relay(site, service)
    return RequestMiddleware(site, config, service.bots.budget), service


def create_api(
    config: ServeConfig, ownership: MakeOwnership | None = None
) -> tuple[FastAPI, Service]:
    """The API without page, limits and relays, and the state behind it."""
    has_tables = config.serves == "all"
    bots = BotRegistry(config)
    store = Store(config.db)
    lobby = Lobby(config, store, bots, ownership(store) if ownership is not None else None)
    replays = ReplayCache(config.max_replay_actions)
    reviews = Reviewer(config.max_replay_actions)
    service = Service(config, store, bots, lobby, replays, reviews)

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        # Compiled before the first client waits for it.
        await asyncio.get_running_loop().run_in_executor(None, warm_up)
        for name in (config.default_bot, config.fallback_bot):
            await bots.get(name)
        # Everything loaded by now stays. Scanning it again and again for garbage would stall the
        # event loop for a tenth of a second each time.
        gc.collect()
        gc.freeze()
        await service.lobby.pool.open()
        try:
            yield
        finally:
            await service.lobby.pool.close()
            service.replays.close()
            service.reviews.close()
            await service.bots.close()
            await service.store.close()

    app = _Api(
        title="uno-serve",
        version=__version__,
        description=DESCRIPTION,
        lifespan=lifespan,
        responses=_ERRORS,
        # Their pages load scripts from elsewhere; `docs_page` needs none.
        docs_url=None,
        redoc_url=None,
    )
    app.state.service = service
    app.state.turns = Turns(lambda: lobby.has_players)
    tables = (table_routes, room_routes, stream_route) if has_tables else ()
    for module in (routes, *tables):
        app.include_router(module.router)
    add_docs_page(app)
    _add_error_handlers(app)
    if config.cors_origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(config.cors_origins),
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=["Authorization", "Content-Type", "X-API-Key", "Idempotency-Key"],
        )
    return app, service


def _add_error_handlers(app: FastAPI) -> None:
    @app.exception_handler(ApiError)
    async def refused(request: Request, error: ApiError) -> Response:
        REFUSED.labels(error.code).inc()
        log_failure(getattr(request.scope.get("route"), "path", "other"), error)
        return _response(error)

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> Response:
        problems = [
            {"where": ".".join(str(part) for part in problem["loc"]), "message": problem["msg"]}
            for problem in error.errors()[:20]
        ]
        if any(problem["type"] == "json_invalid" for problem in error.errors()):
            return await refused(_, ApiError("bad_json", "the body is not valid JSON"))
        text = "; ".join(f"{problem['where']}: {problem['message']}" for problem in problems[:3])
        return await refused(_, ApiError("invalid", text, problems=problems))

    @app.exception_handler(Exception)
    async def broken(_: Request, error: Exception) -> Response:
        # The middleware, which sees the error too, writes it to the log.
        return _response(ApiError("internal", "something went wrong in the server"))

    @app.exception_handler(HTTPException)
    async def other(_: Request, error: HTTPException) -> Response:
        codes = {404: "not_found", 405: "method_not_allowed", 400: "bad_json"}
        response = await refused(_, ApiError(codes.get(error.status_code, "invalid"), error.detail))
        response.headers.update(error.headers or {})
        return response


def _response(error: ApiError) -> Response:
    _, body = error.response()
    return Response(body, error.status, error.headers(), "application/json")
