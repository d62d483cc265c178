"""How bots are run: in batches, one view at a time in a thread, or in a process of their own."""

import asyncio
import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

import numpy as np
from uno_agents.advice import PolicyValueAgent, advise, win_estimate
from uno_agents.base import AgentError, BatchAgent

from uno_env.array_types import Bytes

from ..config import ServeConfig
from ..errors import ApiError
from ..metrics import BATCH_SIZE
from .batcher import Batcher
from .decision import Decision, DecisionRequest, trusted_view
from .isolated import IsolatedAgent

_log = logging.getLogger("uno_serve.bots")
NUM_SAMPLES = 64
"""Samples from which the probabilities of a bot that does not report them are estimated."""
MAX_THREAD_QUEUE = 128


class Bot(Protocol):
    """One bot, however it is run."""

    name: str
    is_batched: bool
    timeout: float

    async def decide(self, request: DecisionRequest, advice: bool = False) -> Decision:
        """Its decision; raises ApiError `bot_timeout`, `bot_failed` or `busy`."""

    async def close(self) -> None:
        """Release threads and processes."""


class BatchedBot:
    """A bot that decides batches of encoded observations."""

    is_batched = True

    def __init__(self, name: str, agent: BatchAgent, config: ServeConfig, timeout: float) -> None:
        self.name, self.timeout = name, timeout
        self._agent = agent
        self._thread = ThreadPoolExecutor(1, f"bot {name}")
        limits = (config.max_batch, config.batch_wait / 1000, config.max_waiting, timeout)
        size = BATCH_SIZE.labels(name).observe
        self._actions: Batcher[int] = Batcher(self._act, self._thread, *limits, size)
        self._advice: Batcher[Decision] = Batcher(self._advise, self._thread, *limits, size)

    async def decide(self, request: DecisionRequest, advice: bool = False) -> Decision:
        if not advice:
            return Decision(await self._actions.submit(request.obs, request.mask))
        found = await self._advice.submit(request.obs, request.mask)
        if found.win_estimate is None:
            return found
        chance = win_estimate(found.win_estimate, request.view)
        return Decision(found.action, found.probabilities, chance)

    def _act(self, obs: Bytes, mask: Bytes) -> Sequence[int]:
        ids = np.asarray(self._agent.act_batch(obs, mask))
        if ids.shape != (len(obs),) or not mask[np.arange(len(obs)), ids].all():
            raise AgentError("an action that is not legal")
        actions: list[int] = ids.tolist()
        return actions

    def _advise(self, obs: Bytes, mask: Bytes) -> Sequence[Decision]:
        ids = self._act(obs, mask)
        if isinstance(self._agent, PolicyValueAgent):
            probabilities, found = self._agent.probabilities_batch(obs, mask)
            values: list[float | None] = found.tolist()
        else:
            probabilities, values = self._sampled(obs, mask), [None] * len(obs)
        legal = [np.flatnonzero(row).tolist() for row in mask]
        return [
            Decision(action, {i: float(row[i]) for i in options}, value)
            for action, row, options, value in zip(ids, probabilities, legal, values, strict=True)
        ]

    def _sampled(self, obs: Bytes, mask: Bytes) -> Any:
        """Action frequencies over repeated decisions of the same observations."""
        repeated = (np.repeat(rows, NUM_SAMPLES, axis=0) for rows in (obs, mask))
        frequencies = np.zeros(mask.shape)
        rows = np.repeat(np.arange(len(obs)), NUM_SAMPLES)
        ids = np.array(self._act(*repeated))
        np.add.at(frequencies, (rows, ids), 1 / NUM_SAMPLES)
        return frequencies

    async def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)


class ViewBot:
    """A bot that decides one view at a time, in a thread."""

    is_batched = False

    def __init__(self, name: str, agent: Any, timeout: float) -> None:
        self.name, self.timeout = name, timeout
        self._agent = agent
        self._thread = ThreadPoolExecutor(1, f"bot {name}")
        self._waiting = 0

    async def decide(self, request: DecisionRequest, advice: bool = False) -> Decision:
        if self._waiting >= MAX_THREAD_QUEUE:
            raise ApiError("busy", "too many decisions are waiting for this bot", retry_after=1)
        call = asyncio.get_running_loop().run_in_executor(self._thread, self._decide, request)
        self._waiting += 1
        # A call that hangs counts until it returns.
        call.add_done_callback(self._call_ended)
        try:
            async with asyncio.timeout(self.timeout):
                return await asyncio.shield(call)
        except TimeoutError:
            raise ApiError("bot_timeout", "the bot took too long") from None
        except ApiError:
            raise
        except Exception as error:  # whatever a bot raises is its failure, not the server's
            _log.warning("bot %s failed: %s", self.name, _causes(error))
            raise ApiError("bot_failed", f"the bot failed: {type(error).__name__}") from None

    def _call_ended(self, call: "asyncio.Future[Decision]") -> None:
        self._waiting -= 1
        if not call.cancelled():
            call.exception()

    def _decide(self, request: DecisionRequest) -> Decision:
        view = trusted_view(request)
        found = advise(self._agent, view, view["legal"])
        ids = dict(zip(request.legal, request.ids, strict=True))
        by_text = found.probabilities
        by_id = None if by_text is None else {ids[text]: by_text.get(text, 0.0) for text in ids}
        return Decision(ids[found.action], by_id, found.win_estimate)

    async def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)


class ProcessBot:
    """A bot of local code, in a process of its own."""

    is_batched = False

    def __init__(self, name: str, spec: str, seed: int, timeout: float) -> None:
        self.name, self.timeout = name, timeout
        self._agent = IsolatedAgent(spec, seed, timeout)

    async def decide(self, request: DecisionRequest, advice: bool = False) -> Decision:
        view = await asyncio.get_running_loop().run_in_executor(None, trusted_view, request)
        action = await self._agent.act(view, request.legal, request.session)
        if action not in request.legal:
            raise ApiError("bot_failed", "the bot chose an action that is not legal")
        return Decision(request.ids[request.legal.index(action)])

    async def close(self) -> None:
        await self._agent.stop()


def _causes(error: BaseException | None) -> str:
    """The types of an error and of what caused it; texts may name cards."""
    names: list[str] = []
    while error is not None and len(names) < 4:
        names.append(type(error).__name__)
        error = error.__cause__ or error.__context__
    return " from ".join(names)
