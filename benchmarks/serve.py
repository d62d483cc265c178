"""Speed of `uno-serve`: decisions a second with and without micro-batching, and many tables.

    python -m benchmarks.serve [--seconds 5] [--bots heuristic big=big.onnx] [--tables 200]

A real server process on one core, the load from this process on another, over loopback with
connections that are kept open. "One at a time" is the same server with `max_batch: 1`: one call of
the bot for each request. "Plain" is a bot that only knows `act(view, legal)`, in a process of its
own on the same core.
"""

import argparse
import asyncio
import contextlib
import json
import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.serve_process import ServerProcess
from uno_env import VARIANTS, Game

CONNECTIONS = (1, 4, 16, 64, 128)
WARM_SECONDS = 1.0
PLAIN = Path(__file__).parent / "plain_bot.py"


@dataclass
class Lap:
    """One measurement."""

    connections: int
    requests: int
    seconds: float
    cpu_seconds: float
    latencies: list[float]

    @property
    def rate(self) -> float:
        return self.requests / self.seconds

    def percentile(self, share: float) -> float:
        return sorted(self.latencies)[int(share * (len(self.latencies) - 1))]

    @property
    def cpu(self) -> float:
        return self.cpu_seconds / max(self.requests, 1)

    def row(self) -> str:
        busy = 100 * self.cpu_seconds / self.seconds
        return (
            f"| {self.connections} | {self.rate:,.0f} | {1e3 * self.percentile(0.5):.2f} "
            f"| {1e3 * self.percentile(0.99):.2f} | {1e6 * self.cpu:.0f} | {busy:.0f} % |"
        )


def requests(bot: str, count: int = 400) -> list[bytes]:
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
        body = json.dumps({"bot": bot, "view": view}).encode()
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
            raise RuntimeError(f"the server said {self.received!r}")
        self.received = b""
        self.load.latencies.append(time.perf_counter() - self.started)
        self.load.idle(self)


class Load:
    """Closed loop: every connection asks again at once. Open loop: requests come by the clock.

    In the open loop a request that has to wait for a free connection is timed from when it was
    due, so a slow server cannot hide behind slow callers.
    """

    def __init__(self, port: int, bodies: list[bytes], rate: float | None = None) -> None:
        self.port, self.bodies, self.rate = port, bodies, rate
        self.latencies: list[float] = []
        self.free: list[Caller] = []
        self.due: list[float] = []
        self.is_running = True
        self.sent = 0

    def _next(self) -> bytes:
        self.sent += 1
        return self.bodies[self.sent % len(self.bodies)]

    def idle(self, caller: Caller) -> None:
        if not self.is_running:
            caller.transport.close()
        elif self.rate is None:
            caller.send(self._next(), time.perf_counter())
        elif self.due:
            caller.send(self._next(), self.due.pop(0))
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
                self.free.pop().send(self._next(), moment)
            else:
                self.due.append(moment)

    async def run(self, server: ServerProcess, connections: int, seconds: float) -> Lap:
        loop = asyncio.get_running_loop()
        ticker = asyncio.create_task(self._tick())
        for _ in range(connections):
            await loop.create_connection(lambda: Caller(self), "127.0.0.1", self.port)
        await asyncio.sleep(WARM_SECONDS)
        self.latencies.clear()
        cpu, started = server.cpu_seconds(), time.perf_counter()
        await asyncio.sleep(seconds)
        taken = list(self.latencies)
        lap = Lap(connections, len(taken), time.perf_counter() - started,
                  server.cpu_seconds() - cpu, taken)  # fmt: skip
        self.is_running = False
        ticker.cancel()
        await asyncio.sleep(0.2)
        return lap


def measure(
    server: ServerProcess, bodies: list[bytes], connections: int, seconds: float,
    rate: float | None = None,
) -> Lap:  # fmt: skip
    """One lap, in a fresh event loop."""
    import uvloop

    return uvloop.run(Load(server.port, bodies, rate).run(server, connections, seconds))


def act_page(bot: str, spec: str | None, seconds: float) -> None:
    """Measure one bot both ways and print the tables."""
    laps: dict[str, list[Lap]] = {}
    for name, max_batch in (("batched", 256), ("one at a time", 1)):
        with serving(bot, spec, max_batch) as server:
            laps[name] = sweep(server, bot, seconds, CONNECTIONS)
            if name == "batched":
                top = fastest(laps[name]).rate
                half = measure(server, requests(bot), 256, seconds, rate=top / 2)
        show(f"{bot}, {name}", laps[name])
    best, alone = fastest(laps["batched"]), fastest(laps["one at a time"])
    bound = best.percentile(0.99)
    equal = [lap.rate for lap in laps["one at a time"] if lap.percentile(0.99) <= bound]
    ratio = best.rate / max(equal, default=float("nan"))
    print(f"\nBatched: {ratio:.2f}x the requests/s at a p99 of at most {1e3 * bound:.1f} ms, "
          f"{alone.cpu / best.cpu:.2f}x by CPU time a request.")  # fmt: skip
    p50, p99 = (1e3 * half.percentile(share) for share in (0.5, 0.99))
    print(f"At half of saturation ({half.rate:,.0f} requests/s): p50 {p50:.2f}, p99 {p99:.2f} ms.")


def plain_page(seconds: float) -> None:
    """The same decisions by a bot that is asked one view at a time."""
    with serving("plain", f"{PLAIN}:PlainBot", 256) as server:
        asyncio.run(_until_started(server))
        show("plain, act(view, legal)", sweep(server, "plain", seconds, (1, 16)))


async def _until_started(server: ServerProcess) -> None:
    import httpx

    position = {"hand": ["red-5"], "top_card": "red-9", "hand_sizes": [1, 2]}
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{server.port}", timeout=60) as http:
        body = {"bot": "plain", "position": position}
        while (await http.post("/v1/act", json=body)).status_code != 200:
            await asyncio.sleep(0.5)


@contextlib.contextmanager
def serving(bot: str, spec: str | None, max_batch: int) -> Iterator[ServerProcess]:
    """A fresh server that offers the bot."""
    options: dict[str, Any] = {"max_batch": max_batch, "default_bot": "greedy"}
    if spec is not None:
        options["bots"] = {bot: {"spec": spec}}
    with tempfile.TemporaryDirectory() as folder, ServerProcess(Path(folder), options) as server:
        yield server


def sweep(
    server: ServerProcess, bot: str, seconds: float, connections: tuple[int, ...]
) -> list[Lap]:
    """Laps with more and more connections."""
    bodies = requests(bot)
    return [measure(server, bodies, count, seconds) for count in connections]


def fastest(laps: list[Lap]) -> Lap:
    """The lap with the most requests a second."""
    return max(laps, key=lambda lap: lap.rate)


def show(title: str, laps: list[Lap]) -> None:
    """Print laps as a table."""
    print(f"\n{title}\n")
    print("| connections | requests/s | p50 ms | p99 ms | server \u00b5s CPU/request | core busy |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: |")
    print("\n".join(lap.row() for lap in laps))


def table_page(tables: int, minutes: float) -> None:
    """Many tables of bots at once: moves a second, and memory over time."""
    import httpx

    options = {"max_tables": tables + 10, "default_bot": "heuristic"}
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        server = stack.enter_context(ServerProcess(Path(folder), options))
        address = f"http://127.0.0.1:{server.port}"
        http = stack.enter_context(httpx.Client(base_url=address, timeout=60))
        made = [_new_table(http, number) for number in range(tables)]
        print(f"\n{tables} tables of four bots, a move every half second each\n")
        print("| minute | memory MB | moves/s | tables playing | core busy |")
        print("| ---: | ---: | ---: | ---: | ---: |")
        sizes = []
        for minute in range(round(minutes * 4)):
            cpu, moves, started = server.cpu_seconds(), _moves(http), time.perf_counter()
            time.sleep(15)
            passed = time.perf_counter() - started
            _deal_again(http, made)
            sizes.append(server.memory() / 2**20)
            rate = (_moves(http) - moves) / passed
            busy = 100 * (server.cpu_seconds() - cpu) / passed
            playing = _gauge(http, 'uno_tables{status="playing"}')
            print(f"| {(minute + 1) / 4:.2f} | {sizes[-1]:.1f} | {rate:.0f} | {playing:.0f} "
                      f"| {busy:.0f} % |")  # fmt: skip
    half = len(sizes) // 2
    print(f"\nmedian of the first half {statistics.median(sizes[:half]):.1f} MB, "
          f"of the second {statistics.median(sizes[half:]):.1f} MB")  # fmt: skip


def _new_table(http: Any, number: int) -> dict[str, Any]:
    body = {"variant": VARIANTS[number % len(VARIANTS)], "seats": [{"kind": "bot"}] * 4,
            "bot_delay": 0.5}  # fmt: skip
    made: dict[str, Any] = http.post("/v1/tables", json=body).raise_for_status().json()
    return made


def _deal_again(http: Any, made: list[dict[str, Any]]) -> None:
    """Tables whose game is over play another."""
    for table in made:
        headers = {"Authorization": f"Bearer {table['host_token']}"}
        http.post(f"/v1/tables/{table['table']}/rematch", headers=headers)


def _gauge(http: Any, name: str) -> float:
    lines = http.get("/metrics").text.splitlines()
    return sum(float(line.split()[-1]) for line in lines if line.startswith(name))


def _moves(http: Any) -> float:
    return _gauge(http, "uno_moves_total")


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=5.0, help="of each measurement")
    parser.add_argument("--bots", nargs="*", default=["heuristic"], help="names, or NAME=SPEC")
    parser.add_argument("--plain", action="store_true", help="also a bot without a batch form")
    parser.add_argument("--tables", type=int, default=0, help="also measure so many tables")
    parser.add_argument("--minutes", type=float, default=3.0, help="how long tables play")
    options = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[-1]})
    for bot in options.bots:
        name, _, spec = bot.partition("=")
        act_page(name, spec or None, options.seconds)
    if options.plain:
        plain_page(options.seconds)
    if options.tables:
        table_page(options.tables, options.minutes)


if __name__ == "__main__":
    main()
