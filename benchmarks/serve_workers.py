"""Two workers against one: rows of `benchmarks.serve`.

The load needs processors, too. Where it shares those of the workers, the rate of single decisions
says more about the load than about them. So batches are measured as well, whose bytes are made
beforehand: sending one takes a hundredth of what answering it does. Beside the rates stand the
processor time of a decision, whatever the machine does meanwhile, and that of the load.
"""

import contextlib
import os
import statistics
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.serve_load import measure, requests
from benchmarks.serve_process import ServerProcess

CONNECTIONS = {1: 64, 64: 16}
"""For each worker, by the number of decisions in a request."""
WORKERS = (1, 2)


@dataclass
class Rate:
    """One lap: decisions a second, and processors that the workers and the load were busy on."""

    decisions: float
    busy: float
    load: float

    @property
    def cpu(self) -> float:
        """Processor seconds of a decision."""
        return self.busy / max(self.decisions, 1e-9)


def batches(size: int) -> list[bytes]:
    """Requests of `/v1/act/batch`, or of `/v1/act` if the size is 1."""
    single = requests("heuristic")
    if size == 1:
        return single
    bodies = [request.partition(b"\r\n\r\n")[2] for request in single]
    made = []
    for start in range(0, len(bodies) - size + 1, size):
        body = b'{"requests":[' + b",".join(bodies[start : start + size]) + b"]}"
        head = (
            "POST /v1/act/batch HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        made.append(head.encode() + body)
    return made


def lap(server: ServerProcess, bodies: list[bytes], size: int, count: int, seconds: float) -> Rate:
    """One measurement of a server with so many workers."""
    cpu, started = time.process_time(), time.perf_counter()
    found = measure(server, bodies, CONNECTIONS[size] * count, seconds)
    load = (time.process_time() - cpu) / (time.perf_counter() - started)
    return Rate(size * found.rate, found.busy, load)


def workers_page(seconds: float, runs: int) -> None:
    """Decisions a second of two workers against one, in turn, both on two cores."""
    cores = sorted(os.sched_getaffinity(0) | {0, 1})[:2]
    with contextlib.ExitStack() as stack:
        servers = {}
        for count in WORKERS:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            options = {"workers": count, "serves": "act", "default_bot": "heuristic"}
            server = ServerProcess(Path(folder), options, cores)
            servers[count] = stack.enter_context(server)
        for size in CONNECTIONS:
            bodies = batches(size)
            laps: dict[int, list[Rate]] = {count: [] for count in WORKERS}
            for _ in range(runs):
                for count, server in servers.items():
                    laps[count].append(lap(server, bodies, size, count, seconds))
            _print(size, laps)


def _print(size: int, laps: dict[int, list[Rate]]) -> None:
    print(f"\n`heuristic`, {size} decisions per request, median of {len(laps[1])} laps\n")
    print("| workers | decisions/s | µs CPU | cores used | by the load generator |")
    print("| ---: | ---: | ---: | ---: | ---: |")
    middle: dict[int, dict[str, float]] = {}
    for count, found in laps.items():
        middle[count] = at = {
            name: statistics.median(getattr(rate, name) for rate in found)
            for name in ("decisions", "cpu", "busy", "load")
        }
        print(f"| {count} | {at['decisions']:,.0f} | {1e6 * at['cpu']:.0f} | {at['busy']:.2f} "
              f"| {at['load']:.2f} |")  # fmt: skip
    decisions, busy, cpu = (
        middle[2][name] / middle[1][name] for name in ("decisions", "busy", "cpu")
    )
    print(f"\ntwo workers: {decisions:.2f}x the decisions of one, with {busy:.2f}x its processors "
          f"and {cpu:.2f}x its processor time a decision", flush=True)  # fmt: skip
