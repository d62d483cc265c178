"""Routes that need no table: decisions, bots, variants, rules, replays, health."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response, Security
from fastapi.security import APIKeyHeader
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from pydantic_core import to_json

from uno_env import Rules, __version__
from uno_env.text import rules_page

from ..bots.position import named_rules
from ..errors import ApiError
from ..metrics import STREAMS, TABLES
from ..readiness import readiness
from ..service import Service
from . import decisions
from . import protocol as p
from . import table_protocol as tp
from .abandoned import while_connected
from .invitation import qr_code, reachable
from .rate_limit import client_address
from .rules_schema import player_limits, rule_values, rules_schema
from .turns import BatchRoute


def service_of(request: Request) -> Service:
    """The service behind a request."""
    service: Service = request.app.state.service
    return service


router = APIRouter()
batches = APIRouter(route_class=BatchRoute)
_INFO: Any = {"tags": ["information"], "response_model_exclude_unset": True}
_api_key = APIKeyHeader(
    name="X-API-Key",
    scheme_name="ApiKey",
    description="A key of the operator's, where the server asks for one.",
    auto_error=False,
)
NEEDS_KEY: Any = {"dependencies": [Security(_api_key)]}
"""For the document; `middleware.NEEDS_KEY` has the check itself."""
CurrentService = Annotated[Service, Depends(service_of)]


@router.post("/v1/act", tags=["decisions"], response_class=Response,
             responses={200: {"model": p.ActResponse}}, **NEEDS_KEY)  # fmt: skip
async def act(
    request: p.ActRequest,
    service: CurrentService,
    raw: Request,
    bot: Annotated[p.BotName | None, Query(description="If the body names none.")] = None,
) -> Response:
    """Decide for one seat, from its view or a position; nothing is stored."""
    client = client_address(raw.scope)
    body = await while_connected(raw, decisions.act(service, request, client, bot))
    return Response(body, media_type="application/json")


@batches.post("/v1/act/batch", tags=["decisions"], response_class=Response,
              responses={200: {"model": p.BatchResponse}}, **NEEDS_KEY)  # fmt: skip
async def act_batch(request: p.BatchRequest, service: CurrentService, raw: Request) -> Response:
    """Decide for many seats at once; an invalid request affects only its own response."""
    client = client_address(raw.scope)
    work = decisions.act_batch(service, request.requests, client, raw.state.turn)
    body = await while_connected(raw, work)
    return Response(body, media_type="application/json")


router.include_router(batches)


@router.get("/v1/bots", **_INFO)
async def bots(service: CurrentService) -> p.BotsResponse:
    """The bots that can decide or take a seat."""
    entries = [p.BotEntry(name=b.name, description=b.description) for b in service.bots.listed]
    levels = [p.Level.model_validate(level.model_dump()) for level in service.bots.levels]
    return p.BotsResponse(bots=entries, default=service.config.default_bot, levels=levels)


@router.get("/v1/variants", response_model=p.VariantsResponse, **_INFO)
async def variants() -> Any:
    """All presets, and every rule with its allowed values, as a form needs them."""
    return rules_schema()


@router.post("/v1/rules", **_INFO)
async def check_rules(request: p.RulesRequest) -> p.RulesResponse:
    """Validate a combination of rules; with `lang`, also say in words how they are played."""
    rules = read_rules(request.rules)
    found = p.RulesResponse(
        text=rules.text(), rules=rule_values(rules), players=p.Players(**player_limits(rules))
    )
    if request.lang is not None:
        page = rules_page(rules, request.num_players, request.lang, request.match)
        found.page = p.RulesPage.model_validate(page)
    return found


def read_rules(given: str | dict[str, Any] | None, variant: str | None = None) -> Rules:
    """The rules a request names, or the error `rules`."""
    try:
        return named_rules(given, variant)
    except (TypeError, ValueError) as error:
        raise ApiError("rules", str(error)) from None


@router.get("/v1/reach", **_INFO)
async def reach(raw: Request, service: CurrentService) -> p.Reach:
    """Where other devices on the local network find this server; told to its own machine only."""
    return p.Reach(**reachable(raw.scope, service.config))


@router.get("/v1/qr", response_class=Response, tags=["information"],
            responses={200: {"content": {"image/svg+xml": {}}}})  # fmt: skip
async def qr(text: Annotated[str, Query(min_length=1, max_length=300)]) -> Response:
    """A QR code, for the link of an invitation."""
    return Response(qr_code(text), media_type="image/svg+xml")


@router.post("/v1/replay", tags=["replays"], response_class=Response,
             responses={200: {"model": tp.Frames}}, **NEEDS_KEY)  # fmt: skip
async def replay(request: tp.ReplayRequest, service: CurrentService) -> Response:
    """Frames of a replay, one an action, all cards open."""
    body = await service.replays.frames(request.record, request.first, request.count)
    return Response(body, media_type="application/json")


@router.post("/v1/review", tags=["replays"], response_class=Response,
             responses={200: {"model": tp.Review}}, **NEEDS_KEY)  # fmt: skip
async def review(request: tp.ReviewRequest, service: CurrentService) -> Response:
    """Decisions of a seat, each with the chance of winning that every legal action left."""
    body = await service.reviews.page(request.record, request.seat, request.first, request.count)
    return Response(body, media_type="application/json")


@router.get("/healthz", tags=["operation"])
async def health(service: CurrentService) -> p.Health:
    """Health check."""
    return p.Health(
        status="stopping" if service.is_stopping else "ok",
        version=__version__,
        tables=len(service.lobby.pool.tables),
        connections=service.connections,
    )


@router.get("/readyz", tags=["operation"], response_class=Response,
            responses={200: {"model": p.Readiness}, 503: {"model": p.Readiness}})  # fmt: skip
async def ready(service: CurrentService) -> Response:
    """Readiness check: database, disk and bots, each with its result."""
    found = await readiness(service)
    status = 200 if found["status"] == "ready" else 503
    return Response(to_json(found), status, media_type="application/json")


@router.get("/metrics", tags=["operation"], response_class=Response,
            responses={200: {"content": {"text/plain": {}}}})  # fmt: skip
async def metrics(service: CurrentService) -> Response:
    """Prometheus metrics."""
    if not service.config.metrics:
        raise ApiError("not_found", "this server serves no metrics")
    STREAMS.set(service.connections)
    for status, count in service.lobby.pool.counts().items():
        TABLES.labels(status).set(count)
    return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)
