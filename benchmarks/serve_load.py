"""Load on a server over loopback: connections that ask for decisions, and how long they waited."""

import asyncio
import json
import time
from collections import deque
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.serve_process import ServerProcess
from uno_env import VARIANTS, Game

WARM_SECONDS = 0.5
FIRST_SECONDS = 120.0
"""The first request may have to wait until a bot is compiled."""


@dataclass
class Lap:
    """One measurement."""

    connections: int
    seconds: float
    cpu_seconds: float
    latencies: list[float]

    @property
    def rate(self) -> float:
        return len(self.latencies) / self.seconds

    @property
    def cpu(self) -> float:
        return self.cpu_seconds / max(len(self.latencies), 1)

    @property
    def busy(self) -> float:
        """Share of its core the server had: less than 1 if other work, or the load, held it up."""
        return self.cpu_seconds / self.seconds

    def percentile(self, share: float) -> float:
        return sorted(self.latencies)[int(share * (len(self.latencies) - 1))]


POSITION_KEYS = (
    "variant", "seat", "hand", "hand_sizes", "top_card", "active_color", "direction", "uno_called",
    "phase", "pending", "drawn_card", "eliminated",
)  # fmt: skip
"""What a front end with a game of its own sends of a view."""


def requests(bot: str, count: int = 400, as_positions: bool = False) -> list[bytes]:
    """Requests of many games of all variants, as a front end would send them."""
    rng = np.random.default_rng(0)
    made: list[bytes] = []
    while len(made) < count:
        variant = VARIANTS[len(made) % len(VARIANTS)]
        game = Game(variant, 4, seed=int(rng.integers(2**32)))
        for _ in range(int(rng.integers(5, 60))):
            if not game.over:
                game.step(int(rng.choice(game.legal_ids())))
        if game.over:
            continue
        view = game.view(game.actor or 0)
        del view["events"]
        what: dict[str, Any] = {"view": view}
        if as_positions:
            position = {key: view[key] for key in POSITION_KEYS if view[key] not in (None, [])}
            what = {"position": position}
        body = json.dumps({"bot": bot, **what}).encode()
        head = (
            "POST /v1/act HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        made.append(head.encode() + body)
    return made


class Caller(asyncio.Protocol):
    """One connection: sends a request when it is told to, notes how long the answer took."""

    def __init__(self, load: "Load") -> None:
        self.load = load
        self.received = b""
        self.started = 0.0

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        self.load.idle(self)

    def send(self, request: bytes, started: float) -> None:
        self.started = started
        self.transport.write(request)

    def data_received(self, data: bytes) -> None:
        self.received += data
        head, _, body = self.received.partition(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0] or -1)
        if len(body) < length or length < 0:
            return
        if not head.startswith(b"HTTP/1.1 200"):
            self.load.fail(f"the server said {self.received!r}")
        self.received = b""
        self.load.latencies.append(time.perf_counter() - self.started)
        self.load.idle(self)

    def connection_lost(self, error: Exception | None) -> None:
        if self.load.is_running:
            self.load.fail("the server closed a connection")


class Load:
    """Closed loop: every connection asks again at once. Open loop: requests come by the clock.

    In the open loop a request that has to wait for a free connection is timed from when it was
    due, so a slow server cannot hide behind slow callers.
    """

    def __init__(self, port: int, bodies: list[bytes], rate: float | None = None) -> None:
        self.port, self.bodies, self.rate = port, bodies, rate
        self.latencies: list[float] = []
        # In turn, or the server would close those that are never used.
        self.free: deque[Caller] = deque()
        self.due: deque[float] = deque()
        self.is_running = True
        self.sent = 0
        self.problem: str | None = None

    def fail(self, problem: str) -> None:
        self.problem = self.problem or problem

    def _next(self) -> bytes:
        self.sent += 1
        return self.bodies[self.sent % len(self.bodies)]

    def idle(self, caller: Caller) -> None:
        if not self.is_running:
            caller.transport.close()
        elif self.rate is None:
            caller.send(self._next(), time.perf_counter())
        elif self.due:
            caller.send(self._next(), self.due.popleft())
        else:
            self.free.append(caller)

    async def _tick(self) -> None:
        """Open loop: give each request its moment, Poisson distributed."""
        rng = np.random.default_rng(1)
        moment = time.perf_counter()
        while self.is_running and self.rate is not None:
            moment += float(rng.exponential(1 / self.rate))
            wait = moment - time.perf_counter()
            if wait > 0:
                await asyncio.sleep(wait)
            if self.free:
                self.free.popleft().send(self._next(), moment)
            else:
                self.due.append(moment)

    async def run(self, server: ServerProcess, connections: int, seconds: float) -> Lap:
        """One lap, after a short time to settle."""
        loop = asyncio.get_running_loop()
        for _ in range(connections):
            await loop.create_connection(lambda: Caller(self), "127.0.0.1", self.port)
        ticker = asyncio.create_task(self._tick())
        await self._settle()
        cpu, started = server.cpu_seconds(), time.perf_counter()
        await asyncio.sleep(seconds)
        taken, passed = list(self.latencies), time.perf_counter() - started
        lap = Lap(connections, passed, server.cpu_seconds() - cpu, taken)
        self.is_running = False
        ticker.cancel()
        await asyncio.sleep(0.2)
        if self.problem is not None:
            raise RuntimeError(self.problem)
        return lap

    async def _settle(self) -> None:
        end = time.perf_counter() + FIRST_SECONDS
        while not self.latencies and self.problem is None and time.perf_counter() < end:
            await asyncio.sleep(0.05)
        await asyncio.sleep(WARM_SECONDS)
        self.latencies.clear()


def measure(
    server: ServerProcess, bodies: list[bytes], connections: int, seconds: float,
    rate: float | None = None,
) -> Lap:  # fmt: skip
    """One lap, in a fresh event loop."""
    import uvloop

    return uvloop.run(Load(server.port, bodies, rate).run(server, connections, seconds))
