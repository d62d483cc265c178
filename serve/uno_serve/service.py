"""Everything the routes need, in one place: configuration, bots, tables, open streams."""

import asyncio
import time
from dataclasses import dataclass

from fastapi import Request

from .bots.bots import BotShelf
from .config import ServeConfig
from .tables.lobby import Lobby
from .tables.storage import Store

GOODBYE_SECONDS = 2.0


@dataclass
class Service:
    """What is behind the API while the server runs."""

    config: ServeConfig
    store: Store
    bots: BotShelf
    lobby: Lobby
    connections: int = 0
    is_stopping: bool = False

    async def say_goodbye(self) -> None:
        """Tell everybody on a stream that the server stops, and let them go."""
        self.is_stopping = True
        for table in self.lobby.tables.values():
            table.ring()
        end = time.monotonic() + GOODBYE_SECONDS
        while self.connections and time.monotonic() < end:
            await asyncio.sleep(0.02)


def service_of(request: Request) -> Service:
    """The service behind a request."""
    service: Service = request.app.state.service
    return service
