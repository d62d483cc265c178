"""Decisions of bots over HTTP: what `/v1/act`, a batch and a table's advice return.

Every way to a decision leads through `_decide`; the route of `/v1/act` and its fast path
(`uno_serve.api.fast_path`) differ only in how the request arrives.
"""

import asyncio
from functools import lru_cache
from typing import Any

from pydantic_core import to_json

from uno_env.actions import action_text
from uno_env.render import action_words
from uno_env.render.words import default_names

from ..bots.decision import Decision, DecisionRequest, is_full_view, read_request
from ..bots.quick_position import QuickPositions
from ..bots.runners import Bot
from ..bots.work import batch_charge, single_charge
from ..bots.work_queue import Priority
from ..errors import ApiError
from ..service import Service
from ..tables.hosted_table import HostedTable
from ..tables.setup import Seat
from . import protocol as p
from .turns import SLICE, Turn


async def act(
    service: Service, request: p.ActRequest, client: str, bot: str | None = None
) -> bytes:
    """The JSON that answers a request to `/v1/act`, charged to a client."""
    runner = await service.bots.get(request.bot or bot or service.config.default_bot)
    service.bots.budget.take(client, single_charge(_work(runner, request)))
    return to_json(await _decide(service, runner, request, client))


async def act_batch(
    service: Service, requests: list[p.ActRequest], client: str, turn: Turn
) -> bytes:
    """The JSON with a response or error for each request, charged to a client all at once."""
    runners = [await _runner_or_error(service, request) for request in requests]
    pairs = list(zip(runners, requests, strict=True))
    work = [_work(who, what) for who, what in pairs if not isinstance(who, ApiError)]
    service.bots.budget.take(client, batch_charge(work))
    tasks: list[asyncio.Task[dict[str, Any]]] = []
    try:
        for start in range(0, len(pairs), SLICE):
            await turn.pause()
            for who, what in pairs[start : start + SLICE]:
                decision = _decide_or_error(service, who, what, client)
                tasks.append(asyncio.create_task(decision))
        await turn.pause()
        turn.end()
        return to_json({"answers": await asyncio.gather(*tasks)})
    finally:
        for task in tasks:
            task.cancel()


async def _runner_or_error(service: Service, request: p.ActRequest) -> Bot | ApiError:
    try:
        return await service.bots.get(request.bot or service.config.default_bot)
    except ApiError as error:
        return error


def _work(runner: Bot, request: p.ActRequest) -> float:
    """Processor seconds that a request is expected to cost."""
    if request.position is not None:
        num_players = len(request.position.hand_sizes)
    else:
        found = (request.view or {}).get("num_players")
        num_players = min(found, 10) if type(found) is int else 4
    return runner.work(num_players, request.advice)


async def _decide(
    service: Service, runner: Bot, request: p.ActRequest, client: str
) -> dict[str, Any]:
    is_plain = runner.is_batched and not request.advice
    pending = await _decision_request(request, service.positions if is_plain else None)
    pending.client = client
    decision = await runner.decide(pending, request.advice)
    if not request.advice:
        phase, num_players = pending.view["phase"], pending.view["num_players"]
        return plain_response(runner.name, decision.action, phase, pending.seat, num_players)
    return advice_response(runner.name, pending, decision)


async def _decide_or_error(
    service: Service, runner: Bot | ApiError, request: p.ActRequest, client: str
) -> dict[str, Any]:
    """The response to one request of a batch, whose error is its own."""
    try:
        if isinstance(runner, ApiError):
            raise runner
        return await _decide(service, runner, request, client)
    except ApiError as error:
        return error.body()


async def table_advice(
    service: Service, table: HostedTable, seat: Seat, name: str | None, client: str
) -> dict[str, Any]:
    """What a bot advises a seat of a table to do, charged to a client."""
    bot = await service.bots.get(name or service.config.default_bot)
    if table.to_act is not seat:
        table.running  # noqa: B018 - raises where there is no game
        raise ApiError("not_your_decision", "this seat has nothing to decide now")
    request = table.decision_request(seat)
    request.priority, request.client = Priority.ADVICE, client
    service.bots.budget.take(client, single_charge(bot.work(request.num_players, advice=True)))
    decision = await bot.decide(request, advice=True)
    return advice_response(bot.name, request, decision, table.names)


async def _decision_request(
    request: p.ActRequest, positions: QuickPositions | None
) -> DecisionRequest:
    """The decision to make.

    Args:
        positions: knows positions that need no view, if the bot reads none.
    """
    view, position = request.view, request.position
    if view is not None and request.legal is not None:
        view = view | {"legal": request.legal}
    if position is None and is_full_view(view):
        # Microseconds; anything else is determinised, which would hold up the event loop.
        return read_request(view, None)
    given = None if position is None else position.model_dump(exclude_none=True)
    if given is None or view is not None or positions is None:
        return await asyncio.get_running_loop().run_in_executor(None, read_request, view, given)
    found = positions.read(given)
    if found is not None:
        return found
    return await asyncio.get_running_loop().run_in_executor(None, positions.read_in_full, given)


@lru_cache(maxsize=16_384)
def plain_response(
    bot: str, number: int, phase: str, seat: int, num_players: int
) -> dict[str, Any]:
    """A decision without advice, which nobody changes; there are only so many."""
    action = action_text(number, phase)
    sentence = action_words(action, seat, default_names(num_players), phase)
    return {"bot": bot, "action": action, "id": number, "sentence": sentence}


def advice_response(
    bot: str, request: DecisionRequest, decision: Decision, names: list[str] | None = None
) -> dict[str, Any]:
    """A decision with the probability of every legal action."""
    names = names or default_names(request.view["num_players"])
    probabilities = decision.probabilities or {decision.action: 1.0}
    phase = request.view["phase"]
    action = action_text(decision.action, phase)
    legal = [
        {
            "action": text,
            "id": number,
            "sentence": action_words(text, request.seat, names, phase),
            "probability": probabilities.get(number, 0.0),
        }
        for text, number in zip(request.legal, request.ids, strict=True)
    ]
    sentence = action_words(action, request.seat, names, phase)
    plain = {"bot": bot, "action": action, "id": decision.action, "sentence": sentence}
    return {**plain, "legal": legal, "win_estimate": decision.win_estimate}
