"""Who plays: the bots of this server by name, and one way to ask any of them.

The network names bots, never paths, code or addresses; those only the operator's configuration
can. A bot is made when it is first asked for, away from the event loop.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from uno_agents.advice import ProbableAgent, advise, win_estimate
from uno_agents.base import AgentError, BatchAgent
from uno_agents.registry import list_agents, make_agent

from uno_env.array_types import Bytes

from ..api.errors import ApiError
from ..api.metrics import BATCH_SIZE
from ..api.question import Question, checked_view
from ..config import BotConfig, ConfigError, ServeConfig
from .batcher import Batcher
from .isolated import IsolatedAgent

_log = logging.getLogger("uno_serve.bots")
SAMPLES = 64
"""Times a bot that does not tell its probabilities is asked the same to find them."""
MOST_BOTS = 64
"""Bots in memory at a time; the network may ask for `search` with many different options."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What a bot answered; probabilities by action id."""

    action: int
    probabilities: dict[int, float] | None = None
    win_estimate: float | None = None


@dataclass(frozen=True, slots=True)
class BotInfo:
    """A line of the list of bots."""

    name: str
    description: str


class Bot(Protocol):
    """One bot, however it is asked."""

    name: str
    batched: bool
    timeout: float

    async def decide(self, question: Question, advice: bool = False) -> Decision:
        """Its decision; raises ApiError `bot_timeout`, `bot_failed` or `busy`."""

    async def close(self) -> None:
        """Let go of threads and processes."""


class RowBot:
    """A bot that decides rows of bytes, many in one call."""

    batched = True

    def __init__(self, name: str, agent: BatchAgent, config: ServeConfig, timeout: float) -> None:
        self.name, self.timeout = name, timeout
        self._agent = agent
        self._thread = ThreadPoolExecutor(1, f"bot {name}")
        batch = (config.max_batch, config.batch_wait / 1000, config.max_waiting, timeout)
        size = BATCH_SIZE.labels(name).observe
        self.choices: Batcher[int] = Batcher(self._choose, self._thread, *batch, size)
        self._advices: Batcher[Decision] = Batcher(self._advise, self._thread, *batch, size)

    async def decide(self, question: Question, advice: bool = False) -> Decision:
        if not advice:
            return Decision(await self.choices.submit(question.obs, question.mask))
        found = await self._advices.submit(question.obs, question.mask)
        if found.win_estimate is None:
            return found
        chance = win_estimate(found.win_estimate, question.view)
        return Decision(found.action, found.probabilities, chance)

    def _choose(self, obs: Bytes, mask: Bytes) -> Sequence[int]:
        ids = np.asarray(self._agent.act_batch(obs, mask))
        if ids.shape != (len(obs),) or not mask[np.arange(len(obs)), ids].all():
            raise AgentError("an action that is not legal")
        answers: list[int] = ids.tolist()
        return answers

    def _advise(self, obs: Bytes, mask: Bytes) -> Sequence[Decision]:
        ids = self._choose(obs, mask)
        if isinstance(self._agent, ProbableAgent):
            shares, found = self._agent.probabilities_batch(obs, mask)
            values: list[float | None] = found.tolist()
        else:
            shares, values = self._sampled(obs, mask), [None] * len(obs)
        legal = [np.flatnonzero(row).tolist() for row in mask]
        return [
            Decision(action, {i: float(share[i]) for i in options}, value)
            for action, share, options, value in zip(ids, shares, legal, values, strict=True)
        ]

    def _sampled(self, obs: Bytes, mask: Bytes) -> Any:
        """How often the bot takes each action when it is asked the same many times."""
        often = (np.repeat(rows, SAMPLES, axis=0) for rows in (obs, mask))
        shares = np.zeros(mask.shape)
        rows = np.repeat(np.arange(len(obs)), SAMPLES)
        ids = np.array(self._choose(*often))
        np.add.at(shares, (rows, ids), 1 / SAMPLES)
        return shares

    async def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)


class ViewBot:
    """A bot that is asked with one view at a time, in a thread."""

    batched = False

    def __init__(self, name: str, agent: Any, timeout: float) -> None:
        self.name, self.timeout = name, timeout
        self._agent = agent
        self._thread = ThreadPoolExecutor(1, f"bot {name}")
        self._waiting = 0

    async def decide(self, question: Question, advice: bool = False) -> Decision:
        if self._waiting >= 2 * MOST_BOTS:
            raise ApiError("busy", "too many decisions are waiting for this bot", retry_after=1)
        call = asyncio.get_running_loop().run_in_executor(self._thread, self._decide, question)
        self._waiting += 1
        # A thread that hangs keeps its place in the queue until it comes back.
        call.add_done_callback(self._one_less)
        try:
            async with asyncio.timeout(self.timeout):
                return await asyncio.shield(call)
        except TimeoutError:
            raise ApiError("bot_timeout", "the bot took too long") from None
        except ApiError:
            raise
        except Exception as error:  # whatever a bot raises is its failure, not the server's
            _log.warning("bot %s failed: %s", self.name, type(error).__name__)
            raise ApiError("bot_failed", f"the bot failed: {type(error).__name__}") from None

    def _one_less(self, call: "asyncio.Future[Decision]") -> None:
        self._waiting -= 1
        if not call.cancelled():
            call.exception()

    def _decide(self, question: Question) -> Decision:
        view = checked_view(question)
        found = advise(self._agent, view, view["legal"])
        ids = dict(zip(question.legal, question.ids, strict=True))
        shares = found.probabilities
        weighed = None if shares is None else {ids[text]: shares.get(text, 0.0) for text in ids}
        return Decision(ids[found.action], weighed, found.win_estimate)

    async def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)


class ProcessBot:
    """A bot of local code, in a process of its own."""

    batched = False

    def __init__(self, name: str, spec: str, seed: int, timeout: float) -> None:
        self.name, self.timeout = name, timeout
        self._agent = IsolatedAgent(spec, seed, timeout)

    async def decide(self, question: Question, advice: bool = False) -> Decision:
        view = await asyncio.get_running_loop().run_in_executor(None, checked_view, question)
        action = await self._agent.act(view, question.legal, question.story)
        if action not in question.legal:
            raise ApiError("bot_failed", "the bot chose an action that is not legal")
        return Decision(question.ids[question.legal.index(action)])

    async def start(self) -> None:
        """Have it ready before it is asked."""
        await self._agent.start()

    async def close(self) -> None:
        await self._agent.stop()


class BotShelf:
    """All bots of this server.

    Args:
        config: which bots there are, their timeouts and how they are batched.
    """

    def __init__(self, config: ServeConfig) -> None:
        self._config = config
        self._bots: OrderedDict[str, Bot] = OrderedDict()
        self._making: dict[str, asyncio.Future[Bot]] = {}
        seeds = np.random.SeedSequence(config.seed)
        self._seed = int(seeds.generate_state(1, np.uint64)[0] >> 1)
        self._listed = self._list()
        self.names = [info.name for info in self._listed]
        for option in ("default_bot", "fallback_bot"):
            name = getattr(config, option)
            if name not in self.names:
                raise ConfigError(f"{option} is {name!r}; allowed: {', '.join(self.names)}")

    def _list(self) -> list[BotInfo]:
        listed = [BotInfo(name, bot.description) for name, bot in self._config.bots.items()]
        for info in list_agents(allow_local=False):
            # What needs more packages is offered only if the operator says so.
            known = info.name in (*self._config.bots, *self._config.hide_bots)
            if not (known or info.cheats or info.extra):
                listed.append(BotInfo(info.name, info.description))
        return listed

    @property
    def listed(self) -> list[BotInfo]:
        """What `GET /v1/bots` shows."""
        return self._listed

    def ready(self, name: str) -> Bot | None:
        """A bot that has been made already."""
        return self._bots.get(name)

    def check(self, name: str) -> None:
        """Raise unless there is such a bot."""
        if name in self.names:
            return
        base = name.partition(":")[0]
        offered = {info.name.partition(":")[0] for info in self._listed} - {*self._config.bots}
        # `search:sims=200` where `search:sims=500` is offered: same bot, another option.
        if base not in offered or base == "pretrained" or len(name) > 80:
            raise ApiError("unknown_bot", f"there is no bot {name[:80]!r}", bots=self.names)
        try:
            make_agent(name, allow_local=False)
        except (AgentError, ImportError) as error:
            raise ApiError("unknown_bot", str(error), bots=self.names) from None

    async def get(self, name: str) -> Bot:
        """The bot of a name, made now if need be."""
        bot = self._bots.get(name)
        if bot is not None:
            self._bots.move_to_end(name)
            return bot
        self.check(name)
        if name not in self._making:
            task = asyncio.create_task(self._make(name))
            self._making[name] = task
            task.add_done_callback(lambda _: self._making.pop(name, None))
        return await asyncio.shield(self._making[name])

    async def _make(self, name: str) -> Bot:
        own = self._config.bots.get(name)
        timeout = (own.timeout if own else None) or self._config.bot_seconds
        bot: Bot
        if own is not None and _is_local_code(own):
            bot = ProcessBot(name, own.spec, self._seed, timeout)
        else:
            agent = await asyncio.get_running_loop().run_in_executor(
                None, self._agent, name, own, timeout
            )
            if isinstance(agent, BatchAgent):
                bot = RowBot(name, agent, self._config, timeout)
            else:
                bot = ViewBot(name, agent, timeout)
        self._bots[name] = bot
        while len(self._bots) > MOST_BOTS:
            _, oldest = self._bots.popitem(last=False)
            await oldest.close()
        return bot

    def _agent(self, name: str, own: BotConfig | None, timeout: float) -> Any:
        """The agent of a name, warmed up: compiling happens here, not in the first decision."""
        try:
            spec = own.spec if own else name
            if own and spec.startswith("http") and ":timeout=" not in spec:
                # A call that the server has given up must not hold the bot's thread.
                spec = f"{spec}:timeout={timeout:g}"
            agent: Any = make_agent(spec, seed=self._seed, allow_local=own is not None)
        except (AgentError, ImportError) as error:
            if own is None:
                raise ApiError("unknown_bot", str(error), bots=self.names) from None
            _log.error("bot %s cannot be made: %s", name, error)
            raise ApiError("bot_failed", f"bot {name!r} cannot be made") from None
        if getattr(agent, "cheats", False):
            raise ApiError("unknown_bot", f"bot {name!r} looks at hidden cards", bots=self.names)
        if own is None or isinstance(agent, BatchAgent):
            _warm_up(agent)
        return agent

    async def close(self) -> None:
        """Let go of every bot."""
        for bot in self._bots.values():
            await bot.close()


def _is_local_code(own: BotConfig) -> bool:
    return ".py:" in own.spec or own.spec.endswith(".py")


def _warm_up(agent: Any) -> None:
    from uno_env import Game

    game = Game("classic", 2, seed=1)
    seat = game.actor or 0
    if isinstance(agent, BatchAgent):
        agent.act_batch(game.observe(seat)[None], game.mask()[None])
    else:
        agent.act(game.view(seat), game.legal())
