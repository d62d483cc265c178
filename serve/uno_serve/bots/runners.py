"""How bots are run: in batches, one view at a time in a thread, or in a process of their own."""

import asyncio
import functools
import logging
import time
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
from .work import WorkEstimate
from .work_queue import Priority, WorkQueue

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

    def work(self, num_players: int, advice: bool = False) -> float:
        """Processor seconds that a decision is expected to cost."""

    async def close(self) -> None:
        """Release threads and processes."""


class BatchedBot:
    """A bot that decides batches of encoded observations."""

    is_batched = True

    def __init__(self, name: str, agent: BatchAgent, config: ServeConfig, timeout: float) -> None:
        self.name, self.timeout = name, timeout
        self._agent = agent
        self._estimate = WorkEstimate()
        self._thread = ThreadPoolExecutor(1, f"bot {name}")
        limits = (config.max_batch, config.batch_wait / 1000, config.max_waiting, timeout)
        size = BATCH_SIZE.labels(name).observe
        self._actions: Batcher[int] = Batcher(
            self._act, self._thread, *limits, size, self._estimate.seconds
        )
        self._advice: Batcher[Decision] = Batcher(
            self._advise, self._thread, *limits, size, self._advice_seconds
        )

    async def decide(self, request: DecisionRequest, advice: bool = False) -> Decision:
        is_urgent = request.priority is Priority.TABLE
        if not advice:
            return Decision(await self._actions.submit(request.obs, request.mask, is_urgent))
        found = await self._advice.submit(request.obs, request.mask, is_urgent)
        if found.win_estimate is None:
            return found
        chance = win_estimate(found.win_estimate, request.view)
        return Decision(found.action, found.probabilities, chance)

    def work(self, num_players: int, advice: bool = False) -> float:
        return self._advice_seconds() if advice else self._estimate.seconds()

    def _advice_seconds(self) -> float:
        is_sampled = not isinstance(self._agent, PolicyValueAgent)
        return self._estimate.seconds() * (1 + NUM_SAMPLES if is_sampled else 1)

    def _act(self, obs: Bytes, mask: Bytes) -> Sequence[int]:
        started = time.perf_counter()
        ids = np.asarray(self._agent.act_batch(obs, mask))
        self._estimate.measured((time.perf_counter() - started) / len(obs))
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
    """A bot that decides one view at a time, in a thread.

    Args:
        queue: shared with others, if the bot can be stopped between chunks; else it has its own.
    """

    is_batched = False

    def __init__(
        self, name: str, agent: Any, timeout: float, queue: WorkQueue | None = None
    ) -> None:
        self.name, self.timeout = name, timeout
        self._agent = agent
        self._estimate = WorkEstimate(agent)
        self._own_queue = WorkQueue(f"bot {name}", max_waiting=MAX_THREAD_QUEUE, reserves=False)
        self._queue = queue or self._own_queue

    def work(self, num_players: int, advice: bool = False) -> float:
        return self._estimate.seconds(num_players)

    async def decide(self, request: DecisionRequest, advice: bool = False) -> Decision:
        work = self.work(request.num_players)
        try:
            return await self._queue.run(
                functools.partial(self._decide, request),
                self.timeout, request.priority, request.client, work,
            )  # fmt: skip
        except ApiError:
            raise
        except Exception as error:  # whatever a bot raises is its failure, not the server's
            _log.warning("bot %s failed: %s", self.name, _causes(error))
            raise ApiError("bot_failed", f"the bot failed: {type(error).__name__}") from None

    def _decide(self, request: DecisionRequest) -> Decision:
        started = time.thread_time()
        view = trusted_view(request)
        found = advise(self._agent, view, view["legal"])
        self._estimate.measured(time.thread_time() - started, request.num_players)
        ids = dict(zip(request.legal, request.ids, strict=True))
        by_text = found.probabilities
        by_id = None if by_text is None else {ids[text]: by_text.get(text, 0.0) for text in ids}
        return Decision(ids[found.action], by_id, found.win_estimate)

    async def close(self) -> None:
        self._own_queue.close()


class ProcessBot:
    """A bot of local code, in a process of its own."""

    is_batched = False

    def __init__(self, name: str, spec: str, seed: int, timeout: float) -> None:
        self.name, self.timeout = name, timeout
        self._agent = IsolatedAgent(spec, seed, timeout)
        self._estimate = WorkEstimate()

    def work(self, num_players: int, advice: bool = False) -> float:
        return self._estimate.seconds()

    async def decide(self, request: DecisionRequest, advice: bool = False) -> Decision:
        view = await asyncio.get_running_loop().run_in_executor(None, trusted_view, request)
        started = time.perf_counter()
        action = await self._agent.act(view, request.legal, request.session)
        self._estimate.measured(time.perf_counter() - started)
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
