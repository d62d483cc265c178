"""Routes that need no table: decisions, bots, variants, rules, replays, health."""

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from uno_env import Game, ReplayError, Rules, RulesError, __version__
from uno_env.actions import ACTIONS, action_text
from uno_env.render import sentence
from uno_env.render.words import default_names

from ..service import Service, service_of
from . import protocol as p
from . import table_protocol as tp
from .answers import decision_answer
from .catalogue import catalogue, players, whole_rules
from .errors import ApiError
from .metrics import STREAMS, TABLES
from .question import read_question, say

router = APIRouter()
_DECISION: Any = {"tags": ["decisions"], "response_model_exclude_unset": True}
_LIST: Any = {"tags": ["what there is"], "response_model_exclude_unset": True}
TheService = Annotated[Service, Depends(service_of)]


@router.post("/v1/act", response_model=p.ActAnswer, **_DECISION)
async def act(
    request: p.ActRequest,
    service: TheService,
    bot: Annotated[p.BotName | None, Query(description="If the body names none.")] = None,
) -> Any:
    """Decide for one seat, from its view or a position; nothing is stored."""
    return await decide(service, request, bot)


@router.post("/v1/act/batch", response_model=p.BatchAnswer, **_DECISION)
async def act_batch(request: p.BatchRequest, service: TheService) -> Any:
    """Decide for many seats at once; a wrong request among them spoils only its own answer."""
    answers = await asyncio.gather(*(_answer_or_error(service, one) for one in request.requests))
    return {"answers": answers}


async def _answer_or_error(service: Service, request: p.ActRequest) -> dict[str, Any]:
    try:
        return await decide(service, request)
    except ApiError as error:
        return error.body()


async def decide(
    service: Service, request: p.ActRequest, name: str | None = None
) -> dict[str, Any]:
    """The answer of a bot to one request."""
    bot = await service.bots.get(request.bot or name or service.config.default_bot)
    position = request.position and request.position.model_dump(exclude_none=True)
    view = request.view
    if view is not None and request.legal is not None:
        view = view | {"legal": request.legal}
    question = await asyncio.get_running_loop().run_in_executor(None, read_question, view, position)
    decision = await bot.decide(question, request.advice)
    return decision_answer(bot.name, question, decision, request.advice)


@router.get("/v1/bots", **_LIST)
async def bots(service: TheService) -> p.BotsAnswer:
    """Everybody who can be asked or seated."""
    entries = [p.BotEntry(name=b.name, description=b.description) for b in service.bots.listed]
    return p.BotsAnswer(bots=entries, default=service.config.default_bot)


@router.get("/v1/variants", response_model=p.VariantsAnswer, **_LIST)
async def variants() -> Any:
    """All presets, and every switch with what it may be, as a form needs them."""
    return catalogue()


@router.post("/v1/rules", **_LIST)
async def check_rules(request: p.RulesRequest) -> p.RulesAnswer:
    """Check a composition of rules."""
    rules = read_rules(request.rules)
    return p.RulesAnswer(
        text=rules.text(), rules=whole_rules(rules), players=p.Players(**players(rules))
    )


def read_rules(given: str | dict[str, Any] | None, variant: str | None = None) -> Rules:
    """The rules a request names."""
    try:
        if isinstance(given, str):
            return Rules.from_text(given)
        named = {} if variant is None else {"variant": variant}
        if given is None and variant is not None:
            return Rules.from_text(variant)
        if variant is not None and (given or {}).get("variant", variant) != variant:
            raise RulesError(f"variant is {variant!r}, but rules name another")
        return Rules.from_dict({**(given or {}), **named})
    except (RulesError, TypeError, ValueError) as error:
        raise ApiError("rules", str(error)) from None


@router.post("/v1/replay", tags=["replays"], response_model=tp.Frames)
async def replay(request: tp.ReplayRequest) -> Any:
    """A stretch of a replay, all cards open, one frame an action."""
    work = asyncio.get_running_loop().run_in_executor(
        None, _frames, request.record, request.first, request.count
    )
    return await work


MOST_REPLAYED = 50_000


def _frames(record: dict[str, Any], first: int, count: int) -> dict[str, Any]:
    actions = record.get("actions")
    if not isinstance(actions, list) or len(actions) > MOST_REPLAYED:
        message = f"record.actions must be a list of at most {MOST_REPLAYED} actions"
        raise ApiError("invalid", message)
    try:
        game = Game.replay({**record, "actions": actions[: max(first - 1, 0)]})
        game.events = game.events if first == 0 else []
        frames = []
        for step in range(first, min(first + count, len(actions) + 1)):
            frames.append(_frame(game, step, actions[step - 1] if step else None))
            game.events = []
    except (ReplayError, ValueError, TypeError, KeyError) as error:
        raise ApiError("invalid", f"record: {error}") from None
    return {
        "steps": len(actions),
        "num_players": game.num_players,
        "rules": game.rules.text(),
        "frames": frames,
    }


def _frame(game: Game, step: int, action: Any) -> dict[str, Any]:
    """Take the action and show the table after it."""
    names = default_names(game.num_players)
    actor, phase, text = game.actor, game.phase, None
    if step:
        is_id = isinstance(action, int) and 0 <= action < len(ACTIONS)
        text = action_text(action, phase) if is_id else str(action)
        game.step(action if is_id or isinstance(action, str) else -1)
    view = game.view(game.actor or 0)
    view |= {"seat": None, "hand": [], "legal": [], "known": {}, "events": []}
    del view["clockwork"]
    return {
        "step": step,
        "action": text,
        "actor": actor if step else None,
        "sentence": say(text, actor or 0, game.num_players) if text in ACTIONS else text,
        "view": view,
        "hands": game.snapshot()["hands"],
        "events": [{**event, "sentence": sentence(event, names)} for event in game.events],
    }


@router.get("/healthz", tags=["operation"])
async def health(service: TheService) -> p.Health:
    """Whether the server is well."""
    return p.Health(
        status="stopping" if service.is_stopping else "ok",
        version=__version__,
        tables=len(service.lobby.tables),
        connections=service.connections,
    )


@router.get("/metrics", tags=["operation"], response_class=Response,
            responses={200: {"content": {"text/plain": {}}}})  # fmt: skip
async def metrics(service: TheService) -> Response:
    """Counters for Prometheus."""
    if not service.config.metrics:
        raise ApiError("not_found", "this server shows no counters")
    STREAMS.set(service.connections)
    for status, count in service.lobby.counts().items():
        TABLES.labels(status).set(count)
    return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)
