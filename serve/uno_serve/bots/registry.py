"""The bots of this server by name, each made when it is first asked for, off the event loop.

Clients name bots, never paths, code or addresses; only the operator's configuration can.
"""

import asyncio
import logging
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

import numpy as np
from uno_agents.base import AgentError, BatchAgent
from uno_agents.registry import list_agents, make_agent

from uno_env import Game

from ..config import BotConfig, ConfigError, ServeConfig
from ..errors import ApiError
from .replica import ReplicaBot, Replicas
from .runners import BatchedBot, Bot, ProcessBot, ViewBot
from .work import WorkBudget, WorkEstimate
from .work_queue import WorkQueue, usable_cores

_log = logging.getLogger("uno_serve.bots")
_LISTED_ONE_BY_ONE = ("pretrained", "level")
"""Kinds whose bots are all in the list, so that one which is hidden cannot be asked for."""
MAX_BOTS = 64
"""Bots in memory at a time; clients may ask for `search` with many different options."""


@dataclass(frozen=True, slots=True)
class BotInfo:
    """An entry of the list of bots."""

    name: str
    description: str


class BotRegistry:
    """The bots this server offers.

    Args:
        config: which bots there are, their timeouts and how they are batched.

    Attributes:
        budget: what each client may ask of them.
    """

    def __init__(self, config: ServeConfig) -> None:
        self._config = config
        self._bots: OrderedDict[str, Bot] = OrderedDict()
        self._making: dict[str, asyncio.Future[Bot]] = {}
        self._searches = WorkQueue("search", usable_cores(), config.max_waiting)
        self.budget = WorkBudget(config)
        self._replicas = Replicas(config) if config.act_url else None
        seeds = np.random.SeedSequence(config.seed)
        self._seed = int(seeds.generate_state(1, np.uint64)[0] >> 1)
        self._listed = self._list()
        self.names = [info.name for info in self._listed]
        self.levels = [level for level in config.levels if self._offers(level.bot)]
        for option in ("default_bot", "fallback_bot"):
            name = getattr(config, option)
            if name not in self.names:
                raise ConfigError(f"{option} is {name!r}; allowed: {', '.join(self.names)}")

    def _list(self) -> list[BotInfo]:
        listed = [BotInfo(name, bot.description) for name, bot in self._config.bots.items()]
        for info in list_agents(allow_local=False):
            # A bot that needs more packages is offered only if the operator configures it.
            known = info.name in (*self._config.bots, *self._config.hide_bots)
            if not (known or info.cheats or info.extra):
                listed.append(BotInfo(info.name, info.description))
        return listed

    def _offers(self, name: str) -> bool:
        try:
            self.check(name)
        except ApiError:
            return False
        return True

    @property
    def listed(self) -> list[BotInfo]:
        """What `GET /v1/bots` returns."""
        return self._listed

    def ready(self, name: str) -> Bot | None:
        """The bot of a name, if it has been made already."""
        return self._bots.get(name)

    def check(self, name: str) -> None:
        """Raise unless there is such a bot."""
        if name in self.names:
            return
        base = name.partition(":")[0]
        offered = {info.name.partition(":")[0] for info in self._listed} - {*self._config.bots}
        # `search:sims=200` where `search:sims=500` is offered: same bot, another option.
        if base not in offered or base in _LISTED_ONE_BY_ONE or len(name) > 80:
            raise ApiError("unknown_bot", f"there is no bot {name[:80]!r}", bots=self.names)
        try:
            make_agent(name, allow_local=False)
        except (AgentError, ImportError) as error:
            raise ApiError("unknown_bot", str(error), bots=self.names) from None

    async def get(self, name: str) -> Bot:
        """The bot of a name, made now unless it is ready."""
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
        if self._replicas is not None and own is None and name != self._config.fallback_bot:
            agent = await asyncio.to_thread(make_agent, name, allow_local=False)
            bot = ReplicaBot(name, self._replicas, WorkEstimate(agent), timeout)
        elif own is not None and _is_local_code(own):
            bot = ProcessBot(name, own.spec, self._seed, timeout)
        else:
            agent = await asyncio.get_running_loop().run_in_executor(
                None, self._agent, name, own, timeout
            )
            if isinstance(agent, BatchAgent):
                bot = BatchedBot(name, agent, self._config, timeout)
            else:
                # A search can be stopped between chunks, so one cannot hold up the others.
                is_search = getattr(agent, "budget", None) is not None
                bot = ViewBot(name, agent, timeout, self._searches if is_search else None)
        self._bots[name] = bot
        while len(self._bots) > MAX_BOTS:
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
        """Close every bot."""
        for bot in self._bots.values():
            await bot.close()
        self._searches.close()
        if self._replicas is not None:
            await self._replicas.close()


def _is_local_code(own: BotConfig) -> bool:
    return ".py:" in own.spec or own.spec.endswith(".py")


def _warm_up(agent: Any) -> None:
    game = Game("classic", 2, seed=1)
    seat = game.actor or 0
    if isinstance(agent, BatchAgent):
        agent.act_batch(game.observe(seat)[None], game.mask()[None])
    else:
        agent.act(game.view(seat), game.legal())
