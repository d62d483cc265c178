"""Decisions of bots as a Ray Serve deployment: `/v1/act` on a cluster, without tables.

    serve run uno_serve.ray_serve:build bots=heuristic,search:sims=500 max_replicas=8

or, from Python, `serve.run(build({"bots": "heuristic"}))`. Ray Serve batches the requests of a
replica and starts as many replicas as the load needs. Requests and responses are those of
docs/serving.md; limits, keys and tables belong to `uno-serve`, whose option `act_url` sends the
decisions of its bots here.

Needs `pip install 'uno-env[serve,ray]'`.
"""

import asyncio
from collections import defaultdict
from typing import Any, cast
from uuid import uuid4

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field
from pydantic_core import to_json
from ray import serve

from uno_env import __version__

from .api import protocol as p
from .api.decisions import advice_response, plain_response
from .bots.decision import Decision, DecisionRequest, read_request, warm_up
from .bots.registry import BotRegistry
from .config import ServeConfig
from .errors import ApiError

api = FastAPI(title="uno-serve decisions", version=__version__)
Work = tuple[str, DecisionRequest, bool]


class RayOptions(BaseModel):
    """Options of the deployment; each is an argument of `serve run`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    bots: str = Field("heuristic", description="names of bots, comma separated; the first decides")
    min_replicas: int = Field(1, ge=0, description="replicas that are always there")
    max_replicas: int = Field(4, ge=1, description="replicas at most")
    ongoing_requests: float = Field(
        64.0, gt=0, description="requests in a replica at which another one is started"
    )
    max_batch: int = Field(256, ge=1, description="largest batch of one call of a bot")
    batch_wait: float = Field(0.002, ge=0, description="seconds to wait for a larger batch")
    cpus: float = Field(1.0, gt=0, description="processors of a replica")
    seed: int | None = Field(None, ge=0, description="seed of the bots")


# Above the class: Ray Serve copies it, with all it refers to, where it is defined.


@api.exception_handler(RequestValidationError)
async def _invalid(_: Request, error: RequestValidationError) -> Response:
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    return _refusal(ApiError("invalid", f"{where}: {first['msg']}"))


def _refusal(error: ApiError) -> Response:
    _, body = error.response()
    return Response(body, error.status, error.headers(), "application/json")


@serve.deployment
@serve.ingress(api)
class Decisions:
    """One replica: some bots, and the requests that wait for them.

    Args:
        options: as `RayOptions` lists them.
    """

    def __init__(self, options: dict[str, Any]) -> None:
        given = RayOptions.model_validate(options)
        names = given.bots.split(",")
        config = ServeConfig.from_dict(
            {"default_bot": names[0], "max_batch": given.max_batch, "seed": given.seed}
        )
        self._bots, self._names, self._default = BotRegistry(config), names, names[0]
        self._id, self._largest = uuid4().hex, 0
        batching: Any = self._batched
        batching.set_max_batch_size(given.max_batch)
        batching.set_batch_wait_timeout_s(given.batch_wait)
        warm_up()

    @api.post("/v1/act")
    async def act(self, request: p.ActRequest) -> Response:
        """Decide for one seat, from its view or a position."""
        try:
            body = to_json(await self._decide(request))
        except ApiError as error:
            return _refusal(error)
        return Response(body, media_type="application/json")

    @api.post("/v1/act/batch")
    async def act_batch(self, request: p.BatchRequest) -> Response:
        """Decide for many seats at once; an invalid request affects only its own response."""
        answers = await asyncio.gather(*(self._decide_or_error(one) for one in request.requests))
        return Response(to_json({"answers": answers}), media_type="application/json")

    @api.get("/v1/bots")
    async def bots(self) -> p.BotsResponse:
        """The bots that decide here."""
        entries = [info for info in self._bots.listed if info.name in self._names]
        listed = [p.BotEntry(name=info.name, description=info.description) for info in entries]
        return p.BotsResponse(bots=listed, default=self._default)

    @api.get("/healthz")
    async def health(self) -> dict[str, str]:
        """Health check."""
        return {"status": "ok", "version": __version__}

    async def batch_sizes(self) -> tuple[str, int]:
        """For operators: an id of this replica, and its largest batch so far."""
        return self._id, self._largest

    async def _decide_or_error(self, request: p.ActRequest) -> dict[str, Any]:
        try:
            return await self._decide(request)
        except ApiError as error:
            return error.body()

    async def _decide(self, request: p.ActRequest) -> dict[str, Any]:
        name = request.bot or self._default
        if name not in self._names:
            raise ApiError("unknown_bot", f"there is no bot {name[:80]!r}", bots=self._names)
        view = request.view
        if view is not None and request.legal is not None:
            view = view | {"legal": request.legal}
        position = request.position
        given = None if position is None else position.model_dump(exclude_none=True)
        pending = await asyncio.to_thread(read_request, view, given)
        decision = await self._batched((name, pending, request.advice))
        if isinstance(decision, ApiError):
            raise decision
        if request.advice:
            return advice_response(name, pending, decision)
        phase, players = pending.view["phase"], pending.view["num_players"]
        return plain_response(name, decision.action, phase, pending.seat, players)

    @serve.batch
    async def _batched(self, work: list[Work]) -> list[Decision | ApiError]:
        """The decisions of a batch that Ray Serve has collected, one call for each bot."""
        self._largest = max(self._largest, len(work))
        groups: dict[tuple[str, bool], list[int]] = defaultdict(list)
        for index, (name, _, advice) in enumerate(work):
            groups[name, advice].append(index)
        results: list[Any] = [None] * len(work)
        for (name, advice), indices in groups.items():
            bot = await self._bots.get(name)
            decided = await asyncio.gather(
                *(bot.decide(work[index][1], advice) for index in indices), return_exceptions=True
            )
            for index, result in zip(indices, decided, strict=True):
                is_known = isinstance(result, Decision | ApiError)
                results[index] = result if is_known else ApiError("bot_failed", "the bot failed")
        return results


def build(options: dict[str, str]) -> serve.Application:
    """The application of `serve run uno_serve.ray_serve:build key=value ...`."""
    given = RayOptions.model_validate(options)
    # The decorator's type is that of the class.
    deployment = cast(Any, Decisions).options(
        ray_actor_options={"num_cpus": given.cpus},
        max_ongoing_requests=max(8, int(given.ongoing_requests * 4)),
        autoscaling_config={
            "min_replicas": given.min_replicas,
            "max_replicas": given.max_replicas,
            "target_ongoing_requests": given.ongoing_requests,
        },
    )
    application: serve.Application = deployment.bind(given.model_dump())
    return application
