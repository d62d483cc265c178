"""Bots whose decisions are made elsewhere: by replicas that serve `/v1/act` and nothing else."""

import asyncio
from typing import Any

import httpx
from pydantic_core import to_json

from ..config import ServeConfig
from ..errors import ApiError
from .decision import Decision, DecisionRequest
from .work import WorkEstimate

MAX_CONNECTIONS = 64
"""To the replicas, from one process; more decisions wait for one of them."""

MAX_SECONDS = 600.0
"""For a response; a bot has a limit of its own."""


class Replicas:
    """The connection to the replicas, shared by all bots.

    Args:
        config: where they are (`act_url`), and a key if they ask for one.
    """

    def __init__(self, config: ServeConfig) -> None:
        self._url = config.act_url.rstrip("/") + "/v1/act"
        limits = httpx.Limits(max_connections=MAX_CONNECTIONS)
        headers = {"Content-Type": "application/json"}
        if config.act_key:
            headers["X-API-Key"] = config.act_key
        self._http = httpx.AsyncClient(
            limits=limits, headers=headers, trust_env=False, timeout=MAX_SECONDS
        )

    async def decide(self, body: bytes) -> dict[str, Any]:
        """The response to a request, or an error that names what went wrong."""
        try:
            response = await self._http.post(self._url, content=body)
            found = response.json()
        except (httpx.HTTPError, ValueError) as error:
            raise ApiError("bot_failed", f"no replica answers: {type(error).__name__}") from None
        if response.is_error:
            code = found.get("error", {}).get("code", "")
            is_busy = response.status_code in (429, 503)
            raise ApiError("busy" if is_busy else "bot_failed", f"the replica refused: {code}")
        answer: dict[str, Any] = found
        return answer

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()


class ReplicaBot:
    """A bot that decides in whichever replica is free.

    Args:
        name: the bot's name, here and there.
        replicas: where it decides.
        estimate: what a decision costs there.
        timeout: seconds for a decision.
    """

    is_batched = False

    def __init__(
        self, name: str, replicas: Replicas, estimate: WorkEstimate, timeout: float
    ) -> None:
        self.name, self.timeout = name, timeout
        self._replicas, self._estimate = replicas, estimate

    def work(self, num_players: int, advice: bool = False) -> float:
        """Processor seconds that a decision is expected to need."""
        return self._estimate.seconds(num_players)

    async def decide(self, request: DecisionRequest, advice: bool = False) -> Decision:
        """Its decision; raises ApiError `bot_timeout`, `bot_failed` or `busy`."""
        # Replicas keep nothing of a game, and decide from what the seat sees now.
        view = {**request.view, "events": []}
        body = to_json({"bot": self.name, "view": view, "legal": request.legal, "advice": advice})
        try:
            async with asyncio.timeout(self.timeout):
                answer = await self._replicas.decide(body)
        except TimeoutError:
            raise ApiError("bot_timeout", "the bot took too long") from None
        action = answer.get("id")
        if action not in request.ids:
            raise ApiError("bot_failed", "the bot chose an action that is not legal")
        if not advice:
            return Decision(int(action))
        chances = {option["id"]: option["probability"] for option in answer["legal"]}
        return Decision(int(action), chances, answer["win_estimate"])

    async def close(self) -> None:
        """Nothing of its own to release."""
