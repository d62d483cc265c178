"""Many tables of bots on one server: moves a second, and memory over time."""

import contextlib
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.serve_process import ServerProcess
from uno_env import VARIANTS


def table_page(tables: int, minutes: float, core: int) -> None:
    """Many tables of bots at once: moves a second, and memory over time."""
    import httpx

    options = {"max_tables": tables + 10, "default_bot": "heuristic"}
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        server = stack.enter_context(ServerProcess(Path(folder), options, [core]))
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
