"""Speed of `uno-serve`: decisions a second with and without micro-batching, and many tables.

    python -m benchmarks.serve [--seconds 2] [--runs 3] [--bots heuristic 2x512 big=big.onnx]
    python -m benchmarks.serve --only workers moves tables

Real server processes on one core, the load from this process on another if it may use one, over
loopback with connections that are kept open. "One at a time" is the same server with
`max_batch: 1`: one call of the bot for each request. Both run side by side and take turns with the
same numbers of connections, so that other work on the machine meets both alike. CPU is that of
each one's cheapest lap: at a low rate a request costs more. `2x512` is a network
of two hidden layers of 512 with random weights, made in a temporary folder. "Plain" is a bot that
only knows `act(view, legal)`, in a process of its own.
"""

import argparse
import contextlib
import os
import re
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.serve_load import Lap, measure, requests
from benchmarks.serve_moves import moves_page
from benchmarks.serve_networks import write_network
from benchmarks.serve_process import ServerProcess
from benchmarks.serve_tables import table_page
from benchmarks.serve_workers import workers_page

LADDER = ("heuristic", "2x256", "2x512", "2x1024", "2x2048", "2x4096")
CONNECTIONS = (16, 64, 128)
HALF_CONNECTIONS = 64
POSITION_CONNECTIONS = 16
PAGES = ("workers", "bots", "positions", "plain", "moves", "tables")
MANY_TABLES = 2000
PLAIN = Path(__file__).parent / "plain_bot.py"


@dataclass
class Run:
    """One bot measured once: laps of both servers, and the batched one at half its rate."""

    batched: list[Lap]
    alone: list[Lap]
    half: Lap

    @property
    def best(self) -> Lap:
        return fastest(self.batched)

    @property
    def rival(self) -> Lap:
        """The fastest lap one at a time whose p99 is not above that of the batched one."""
        bound = self.best.percentile(0.99)
        return fastest([lap for lap in self.alone if lap.percentile(0.99) <= bound] or self.alone)


def cheapest(laps: Sequence[Lap]) -> float:
    """The least processor time of a request, in microseconds."""
    return 1e6 * min(lap.cpu for lap in laps)


def fastest(laps: Sequence[Lap]) -> Lap:
    """The lap with the most requests a second."""
    return max(laps, key=lambda lap: lap.rate)


@contextlib.contextmanager
def serving(name: str, spec: str | None, max_batch: int, core: int) -> Iterator[ServerProcess]:
    """A fresh server that offers the bot."""
    options: dict[str, Any] = {"max_batch": max_batch, "default_bot": "greedy"}
    if spec is not None:
        options["bots"] = {name: {"spec": spec}}
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        yield stack.enter_context(ServerProcess(Path(folder), options, [core]))


def run_bot(name: str, spec: str | None, seconds: float, runs: int, core: int) -> list[Run]:
    """Measure one bot both ways, lap by lap in turn."""
    bodies = requests(name)
    with serving(name, spec, 256, core) as batched, serving(name, spec, 1, core) as alone:
        for server in (batched, alone):
            measure(server, bodies, 2, 0.5)
        found = []
        for _ in range(runs):
            both = (
                [measure(batched, bodies, count, seconds) for count in CONNECTIONS],
                [measure(alone, bodies, count, seconds) for count in CONNECTIONS],
            )
            rate = fastest(both[0]).rate / 2
            half = measure(batched, bodies, HALF_CONNECTIONS, seconds, rate)
            found.append(Run(*both, half))
    return found


def middle(values: Sequence[float], digits: int = 0) -> str:
    """The median, and the smallest and largest in brackets."""
    low, high = min(values), max(values)
    text = f"{statistics.median(values):,.{digits}f}"
    return text if len(values) == 1 else f"{text} ({low:,.{digits}f}-{high:,.{digits}f})"


HEAD = (
    "bot", "batched: req/s", "p99 ms", "µs CPU", "alone: req/s", "p99 ms", "µs CPU",
    "req/s ratio", "CPU ratio", "p99 ms at half", "core busy",
)  # fmt: skip


def row(name: str, runs: list[Run]) -> str:
    """A line of the ladder."""
    bests, rivals = [run.best for run in runs], [run.rival for run in runs]
    p99 = [middle([1e3 * lap.percentile(0.99) for lap in laps], 1)
           for laps in (bests, rivals, [run.half for run in runs])]  # fmt: skip
    batched, alone = ([cheapest(laps) for laps in both] for both in
                      ([run.batched for run in runs], [run.alone for run in runs]))  # fmt: skip
    cells = [
        name,
        middle([lap.rate for lap in bests]), p99[0], middle(batched),
        middle([lap.rate for lap in rivals]), p99[1], middle(alone),
        middle([run.best.rate / run.rival.rate for run in runs], 1),
        middle([one / many for one, many in zip(alone, batched, strict=True)], 1),
        p99[2],
        middle([100 * lap.busy for lap in (*bests, *rivals)]) + " %",
    ]  # fmt: skip
    return f"| {' | '.join(cells)} |"


def ladder_page(bots: Sequence[str], seconds: float, runs: int, core: int) -> None:
    """Measure bot after bot and print a line for each as it is done."""
    print(f"\nMedian (least-most) of {runs} runs of {seconds:g} s a lap\n")
    print(f"| {' | '.join(HEAD)} |\n| --- |{' ---: |' * (len(HEAD) - 1)}")
    for bot in bots:
        name, _, spec = bot.partition("=")
        with tempfile.TemporaryDirectory() as folder:
            size = re.fullmatch(r"(\d+)x(\d+)", name)
            if size is not None:
                layers, width = map(int, size.groups())
                spec = str(write_network(Path(folder), width, layers))
            print(row(name, run_bot(name, spec or None, seconds, runs, core)), flush=True)


def position_page(seconds: float, runs: int, core: int) -> None:
    """Positions beside views, lap by lap in turn."""
    kinds = {"view": requests("heuristic"), "position": requests("heuristic", 1000, True)}
    with serving("heuristic", None, 256, core) as server:
        laps: dict[str, list[Lap]] = {kind: [] for kind in kinds}
        for bodies in kinds.values():
            measure(server, bodies, POSITION_CONNECTIONS, seconds)
        for _ in range(runs):
            for kind, bodies in kinds.items():
                laps[kind].append(measure(server, bodies, POSITION_CONNECTIONS, seconds))
    print(f"\n`heuristic`, {POSITION_CONNECTIONS} connections, {runs} runs\n")
    print("| request | req/s | p99 ms | µs CPU |\n| --- | ---: | ---: | ---: |")
    for kind, found in laps.items():
        rate, cpu = middle([lap.rate for lap in found]), middle([1e6 * lap.cpu for lap in found])
        p99 = middle([1e3 * lap.percentile(0.99) for lap in found], 1)
        print(f"| `{kind}` | {rate} | {p99} | {cpu} |")
    ratios = [a.rate / b.rate for a, b in zip(laps["position"], laps["view"], strict=True)]
    print(f"\npositions at {middle(ratios, 2)} of the rate of views")


def plain_page(seconds: float, core: int) -> None:
    """The same decisions by a bot that is asked one view at a time."""
    with serving("plain", f"{PLAIN}:PlainBot", 256, core) as server:
        server.wait_for("plain")
        lap = measure(server, requests("plain"), 16, seconds)
    print(f"\nplain, act(view, legal): {lap.rate:,.0f} requests/s, {1e6 * lap.cpu:.0f} µs CPU")


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="of each lap")
    parser.add_argument("--runs", type=int, default=3, help="of each bot")
    parser.add_argument("--bots", nargs="*", default=LADDER, help="names, 2x512, or NAME=SPEC")
    parser.add_argument("--core", type=int, default=0, help="of the server; the load takes another")
    parser.add_argument(
        "--positions", action=argparse.BooleanOptionalAction, default=True,
        help="also positions beside views",
    )  # fmt: skip
    parser.add_argument("--plain", action="store_true", help="also a bot without a batch form")
    parser.add_argument("--workers", action="store_true", help="also two workers against one")
    parser.add_argument("--moves", action="store_true", help="also moves beside anonymous batches")
    parser.add_argument("--tables", type=int, default=0, help="also measure so many tables")
    parser.add_argument("--minutes", type=float, default=3.0, help="how long tables play")
    parser.add_argument("--only", nargs="+", choices=PAGES, help="these pages, and no others")
    options = parser.parse_args()
    pages = set(options.only or _pages(options))
    if "workers" in pages:
        workers_page(options.seconds, options.runs)
    others = sorted(os.sched_getaffinity(0) - {options.core})
    os.sched_setaffinity(0, others[-1:] or {options.core})
    if "bots" in pages:
        ladder_page(options.bots, options.seconds, options.runs, options.core)
    if "positions" in pages:
        position_page(options.seconds, options.runs, options.core)
    if "plain" in pages:
        plain_page(options.seconds, options.core)
    if "moves" in pages:
        moves_page(5 * options.seconds, options.core)
    if "tables" in pages:
        table_page(options.tables or MANY_TABLES, options.minutes, options.core)


def _pages(options: argparse.Namespace) -> list[str]:
    """The pages that options ask for one by one."""
    return [page for page in PAGES if getattr(options, page)]


if __name__ == "__main__":
    main()
