"""The application: routes, page, guard and fast lane put together."""

import asyncio
import contextlib
import gc
import logging
from collections.abc import AsyncIterator
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.cors import CORSMiddleware
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from uno_env import __version__

from ..bots.bots import BotShelf
from ..config import ServeConfig
from ..service import Service
from ..tables import stream
from ..tables.lobby import Lobby
from ..tables.storage import Store
from . import routes, table_routes
from .errors import ApiError
from .fast_path import Lane
from .guard import App, Guard
from .metrics import REFUSED
from .page import Page
from .protocol import ErrorAnswer
from .question import warm_up

_log = logging.getLogger("uno_serve")

DESCRIPTION = """Bots and tables for UNO and its variants.

Ask a bot for one decision with `POST /v1/act`, or let people and bots play at tables that this
server hosts; their stream is a WebSocket at `/v1/tables/{id}/stream`. All is explained in
docs/serving.md.
"""
_PROBLEMS: dict[int | str, dict[str, Any]] = {
    "4XX": {"model": ErrorAnswer, "description": "Refused; the code says why."},
    "5XX": {"model": ErrorAnswer, "description": "Not now; the code says why."},
}


def create_app(config: ServeConfig) -> tuple[App, Service, Lane]:
    """The whole server as an ASGI application, what is behind it, and its fast lane."""

    bots = BotShelf(config)
    store = Store(config.db)
    service = Service(config, store, bots, Lobby(config, store, bots))

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        # Compiled before the first person waits for it.
        await asyncio.get_running_loop().run_in_executor(None, warm_up)
        for name in (config.default_bot, config.fallback_bot):
            await bots.get(name)
        # All that is loaded now stays: looking through it for garbage would hold up everybody for
        # a tenth of a second, again and again.
        gc.collect()
        gc.freeze()
        await service.lobby.open()
        try:
            yield
        finally:
            await service.lobby.close()
            await service.bots.close()
            await service.store.close()

    app = FastAPI(
        title="uno-serve",
        version=__version__,
        description=DESCRIPTION,
        lifespan=lifespan,
        responses=_PROBLEMS,
    )
    app.state.service = service
    for module in (routes, table_routes, stream):
        app.include_router(module.router)
    _add_error_handlers(app)
    if config.cors_origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(config.cors_origins),
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=["Authorization", "Content-Type", "X-API-Key"],
        )
    site: App = Page(app) if config.web else app
    guard = Guard(site, config)
    return guard, service, Lane(guard, bots, config.default_bot)


def _add_error_handlers(app: FastAPI) -> None:
    @app.exception_handler(ApiError)
    async def refused(_: Request, error: ApiError) -> Response:
        REFUSED.labels(error.code).inc()
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
        # The guard, which sees the error too, writes it to the log.
        return _response(ApiError("internal", "something went wrong in the server"))

    @app.exception_handler(HTTPException)
    async def other(_: Request, error: HTTPException) -> Response:
        codes = {404: "not_found", 405: "method_not_allowed", 400: "bad_json"}
        response = await refused(_, ApiError(codes.get(error.status_code, "invalid"), error.detail))
        response.headers.update(error.headers or {})
        return response


def _response(error: ApiError) -> Response:
    _, body = error.answer()
    return Response(body, error.status, error.headers(), "application/json")
