"""Everything the API needs, in one place: configuration, store, bots, tables, open streams."""

import asyncio
import time
from dataclasses import dataclass, field
from typing import Any

from .bots.quick_position import QuickPositions
from .bots.registry import BotRegistry
from .config import ServeConfig
from .tables.idempotency import IdempotentResponses
from .tables.lobby import Lobby
from .tables.replay_frames import ReplayCache
from .tables.review import Reviewer
from .tables.storage import Store

DRAIN_SECONDS = 2.0


@dataclass
class Service:
    """The state behind the API while the server runs."""

    config: ServeConfig
    store: Store
    bots: BotRegistry
    lobby: Lobby
    replays: ReplayCache
    reviews: Reviewer
    site: Any = None
    """The ASGI application without limits and relays."""
    positions: QuickPositions = field(default_factory=QuickPositions)
    created_tables: IdempotentResponses = field(default_factory=IdempotentResponses)
    connections: int = 0
    is_stopping: bool = False
    stopping: asyncio.Event = field(default_factory=asyncio.Event)

    async def drain(self) -> None:
        """Hand the tables over, tell every stream that the server stops, and wait for them."""
        self.is_stopping = True
        self.stopping.set()
        await self.lobby.pool.hand_over()
        end = time.monotonic() + DRAIN_SECONDS
        while self.connections and time.monotonic() < end:
            await asyncio.sleep(0.02)
