"""Many tables of bots on one server: moves a second, and memory over time."""

import contextlib
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.serve_process import ServerProcess
from uno_env import VARIANTS

MOVES_PER_SECOND = 400
"""Of all tables together; about a third of a core."""
HAND_SIZE = 3
"""Short games: memory grows with the events of a game, and must not grow with games."""
READING_SECONDS = 15


def table_page(tables: int, minutes: float, core: int) -> None:
    """Many tables of bots at once: moves a second, and memory over time."""
    import httpx

    options = {"max_tables": tables + 10, "default_bot": "heuristic"}
    delay = max(0.5, tables / MOVES_PER_SECOND)
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        server = stack.enter_context(ServerProcess(Path(folder), options, [core]))
        address = f"http://127.0.0.1:{server.port}"
        http = stack.enter_context(httpx.Client(base_url=address, timeout=600))
        empty = server.memory()
        made = [_new_table(http, number, delay) for number in range(tables)]
        print(f"\n{tables} tables of four bots, a move every {delay:g} s each; "
              f"{empty / 2**20:.1f} MB before\n")  # fmt: skip
        print("| minute | memory MB | moves/s | games dealt | tables playing | core busy |")
        print("| ---: | ---: | ---: | ---: | ---: | ---: |")
        sizes = _readings(server, http, made, 60 * minutes)
    _print_growth(sizes)


def _readings(
    server: ServerProcess, http: Any, made: list[dict[str, Any]], seconds: float
) -> list[float]:
    """Memory in MB, read again and again while the tables play."""
    sizes: list[float] = []
    dealt, began = len(made), time.perf_counter()
    while len(sizes) < 2 or time.perf_counter() - began < seconds:
        cpu, moves, started = server.cpu_seconds(), _moves(http), time.perf_counter()
        time.sleep(READING_SECONDS)
        dealt += _deal_again(http, made)
        passed = time.perf_counter() - started
        sizes.append(server.memory() / 2**20)
        rate = (_moves(http) - moves) / passed
        busy = 100 * (server.cpu_seconds() - cpu) / passed
        playing = _gauge(http, 'uno_tables{status="playing"}')
        minute = (time.perf_counter() - began) / 60
        print(f"| {minute:.2f} | {sizes[-1]:.1f} | {rate:.0f} | {dealt} | {playing:.0f} "
              f"| {busy:.0f} % |", flush=True)  # fmt: skip
    return sizes


def _print_growth(sizes: Sequence[float]) -> None:
    half = len(sizes) // 2
    first, last = statistics.median(sizes[:half]), statistics.median(sizes[half:])
    print(f"\nmemory at the start {sizes[0]:.1f} MB, in the middle {sizes[half]:.1f} MB, at the "
          f"end {sizes[-1]:.1f} MB; median of the first half {first:.1f} MB, of the second "
          f"{last:.1f} MB")  # fmt: skip


def _new_table(http: Any, number: int, bot_delay: float) -> dict[str, Any]:
    rules = {"variant": VARIANTS[number % len(VARIANTS)], "hand_size": HAND_SIZE}
    body = {"rules": rules, "seats": [{"kind": "bot"}] * 4, "bot_delay": bot_delay}
    made: dict[str, Any] = http.post("/v1/tables", json=body).raise_for_status().json()
    return made


def _deal_again(http: Any, made: list[dict[str, Any]]) -> int:
    """Tables whose game is over play another; how many."""
    dealt = 0
    for table in made:
        headers = {"Authorization": f"Bearer {table['host_token']}"}
        answer = http.post(f"/v1/tables/{table['table']}/rematch", headers=headers)
        dealt += answer.is_success
    return dealt


def _gauge(http: Any, name: str) -> float:
    lines = http.get("/metrics").text.splitlines()
    return sum(float(line.split()[-1]) for line in lines if line.startswith(name))


def _moves(http: Any) -> float:
    return _gauge(http, "uno_moves_total")
