"""People at tables beside an anonymous client: rows of `benchmarks.serve`."""

import asyncio
import contextlib
import json
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.serve_process import ServerProcess
from uno_env import VARIANTS, Game

STRANGER = "127.0.0.2"
"""The address of the anonymous client, by which its limits are counted apart."""
DEFAULT_LIMITS = ("requests_per_second", "messages_per_second", "work_per_second")
"""Limits that stay on. That of new tables is off: all people of this benchmark are one client, and
on a quiet machine their games end faster than one client may open tables."""


def moves_page(seconds: float, core: int) -> None:
    """How long people at tables wait for their moves while a stranger sends batches."""
    options = {"default_bot": "heuristic", "bot_delay": 0}
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        server = ServerProcess(Path(folder), options, [core], keep=DEFAULT_LIMITS)
        port = stack.enter_context(server).port
        print("\n| anonymous client | moves | p50 ms | p99 ms | batches |")
        print("| --- | ---: | ---: | ---: | ---: |")
        for bot in (None, "heuristic", "search:sims=500"):
            taken, batches = asyncio.run(_both(port, bot, seconds))
            ordered = sorted(taken)
            p50, p99 = (1e3 * ordered[int(s * (len(ordered) - 1))] for s in (0.5, 0.99))
            print(
                f"| {bot or 'none'} | {len(taken)} | {p50:.1f} | {p99:.1f} | {batches} |",
                flush=True,
            )


async def _both(port: int, bot: str | None, seconds: float) -> tuple[list[float], int]:
    end = time.monotonic() + seconds
    stranger = asyncio.create_task(_send_batches(port, bot, end))
    taken = [time for times in await asyncio.gather(*(_play(port, n, end) for n in range(4)))
             for time in times]  # fmt: skip
    return taken, await stranger


async def _play(port: int, number: int, end: float) -> list[float]:
    """A person who moves as soon as it may; how long each move took to be accepted."""
    import httpx

    taken: list[float] = []
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60) as http:
        while time.monotonic() < end:
            body = {"variant": "classic", "seats": [{"kind": "human"}, {"kind": "bot"}],
                    "absent_seconds": None, "react_seconds": None, "seed": number}  # fmt: skip
            table = (await http.post("/v1/tables", json=body)).raise_for_status().json()
            path = f"/v1/tables/{table['table']}"
            me = {"Authorization": f"Bearer {table['seats'][0]['token']}"}
            while time.monotonic() < end:
                # Within the limit of requests of one client.
                await asyncio.sleep(0.1)
                state = (await http.get(f"{path}/view", headers=me)).json()
                if state["status"] == "over":
                    break
                if state["move"] is None:
                    continue
                action = {"action": state["legal"][0]["action"], "move": state["move"]}
                started = time.perf_counter()
                answer = await http.post(f"{path}/act", headers=me, json=action)
                answer.raise_for_status()
                taken.append(time.perf_counter() - started)
            await http.delete(path, headers={"Authorization": f"Bearer {table['host_token']}"})
    return taken


async def _send_batches(port: int, bot: str | None, end: float) -> int:
    """All the batches that the server takes from one client; how many it answered."""
    import httpx

    if bot is None:
        return 0
    views = [_view(number) for number in range(256)]
    body = json.dumps({"requests": [{"bot": bot, "view": view} for view in views]}).encode()
    headers = {"Content-Type": "application/json"}
    answered = 0
    transport = httpx.AsyncHTTPTransport(local_address=STRANGER)

    async def send(http: Any) -> None:
        nonlocal answered
        while time.monotonic() < end:
            try:
                answer = await http.post("/v1/act/batch", content=body, headers=headers)
            except httpx.TransportError:
                continue
            answered += answer.is_success
            if answer.status_code in (429, 503):
                await asyncio.sleep(0.05)

    base = f"http://127.0.0.1:{port}"
    async with httpx.AsyncClient(base_url=base, transport=transport, timeout=60) as http:
        await asyncio.gather(*(send(http) for _ in range(8)))
    return answered


def _view(number: int) -> dict[str, Any]:
    game = Game(VARIANTS[number % len(VARIANTS)], 4, seed=number)
    view = game.view(game.actor or 0)
    view["events"] = []
    return view
