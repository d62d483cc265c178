"""Limits by work: charges, cancelled decisions, and tables that go first."""

import asyncio
import http.client
import json
import os
import threading
import time
from pathlib import Path

import httpx
import pytest
from uno_agents.registry import make_agent
from uno_agents.search.interrupt import checkpoint
from uno_serve.bots.batcher import SHARED_SECONDS, Batcher
from uno_serve.bots.work import WorkBudget, WorkEstimate, batch_charge, single_charge
from uno_serve.bots.work_queue import Priority, WorkQueue
from uno_serve.config import ServeConfig
from uno_serve.errors import ApiError

from uno_env import NUM_ACTIONS, OBS_SIZE, Game

from .playing import bearer, eventually, new_table, people, play_together
from .server import Server

COSTLY = "search:sims=5000"


@pytest.fixture(scope="module")
def plain_server(tmp_path_factory):
    """A server with the limits it has by default."""
    running = Server(tmp_path_factory.mktemp("plain"), "{}").start()
    yield running
    running.stop()


def views(count: int) -> list[dict]:
    """Views with several legal actions."""
    game = Game("classic", 4, seed=3)
    found: list[dict] = []
    while len(found) < count:
        if game.over:
            game = Game("classic", 4, seed=len(found))
        if len(game.legal()) > 2:
            found.append(game.view(game.actor) | {"events": []})
        game.step(game.legal_ids()[0])
    return found


def cpu_seconds(server: Server) -> float:
    assert server.process is not None
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# What is charged.


def test_a_costly_batch_is_refused_at_once(plain_server):
    """256 decisions of 5,000 simulations are no single request."""
    body = {"requests": [{"bot": COSTLY, "view": view} for view in views(256)]}
    with httpx.Client(base_url=plain_server.url, timeout=60) as client:
        answer = client.post("/v1/act/batch", json=body)
        assert answer.status_code == 429, answer.text[:200]
        error = answer.json()["error"]
        assert error["code"] == "too_much_work" and error["details"]["work"] > 10
        assert "retry-after" not in answer.headers, "it would not help"
        # A cheap batch of the same size is welcome.
        cheap = {"requests": [{"bot": "heuristic", "view": view} for view in views(256)]}
        assert client.post("/v1/act/batch", json=cheap).status_code == 200


def test_estimates_follow_simulations_players_and_measured_times():
    small, large = (WorkEstimate(make_agent(f"search:sims={n}")) for n in (500, 5000))
    assert large.seconds(4) == pytest.approx(10 * small.seconds(4))
    assert large.seconds(8) > large.seconds(2)
    assert WorkEstimate(make_agent("search:ms=50")).seconds() == pytest.approx(0.05)
    network = WorkEstimate()
    assert single_charge(network.seconds()) == 0
    for _ in range(100):
        network.measured(0.01)
    assert network.seconds() == pytest.approx(0.01, rel=0.1)
    assert single_charge(network.seconds()) > 0


def test_a_client_has_a_budget_of_work():
    budget = WorkBudget(ServeConfig(work_per_second=1, work_burst=2))
    budget.take("a", 1.5)
    with pytest.raises(ApiError) as caught:
        budget.take("a", 1.0)
    assert caught.value.code == "too_much_work" and 0 < caught.value.retry_after <= 0.5
    budget.take("b", 1.0)
    with pytest.raises(ApiError) as caught:
        budget.take("c", 2.5)
    assert caught.value.retry_after is None
    WorkBudget(ServeConfig(work_per_second=0)).take("a", 1e9)
    assert batch_charge([0.0] * 256) > 0.02


# What nobody waits for.


def test_abandoned_decisions_stop(plain_server):
    """A client that closes its connection leaves no work behind."""
    body = {"requests": [{"bot": COSTLY, "view": view} for view in views(80)]}
    text = json.dumps(body)
    with httpx.Client(base_url=plain_server.url, timeout=60) as client:
        client.post("/v1/act", json={"bot": COSTLY, "view": views(1)[0]})
    connection = http.client.HTTPConnection("127.0.0.1", plain_server.port, timeout=30)
    before = cpu_seconds(plain_server)
    connection.request("POST", "/v1/act/batch", text, {"Content-Type": "application/json"})
    eventually(lambda: cpu_seconds(plain_server) - before > 0.3)
    connection.close()

    def is_idle():
        start = cpu_seconds(plain_server)
        time.sleep(0.5)
        return cpu_seconds(plain_server) - start < 0.1

    eventually(is_idle)
    # Of some five seconds of work.
    assert cpu_seconds(plain_server) - before < 3


def queue_test(test, **options):
    async def run():
        queue = WorkQueue("test", **options)
        try:
            async with asyncio.timeout(120):
                return await test(queue)
        finally:
            queue.close()

    return asyncio.run(run())


def endless(started: threading.Event) -> None:
    started.set()
    while True:
        checkpoint()
        time.sleep(0.001)


def test_a_cancelled_decision_stops_and_a_waiting_one_never_starts():
    async def test(queue):
        started, begun = threading.Event(), []
        running = asyncio.create_task(queue.run(lambda: endless(started), 60))
        waiting = asyncio.create_task(queue.run(lambda: begun.append(1), 60))
        await asyncio.to_thread(started.wait)
        waiting.cancel()
        running.cancel()
        await asyncio.gather(running, waiting, return_exceptions=True)
        assert await queue.run(lambda: "next", 60) == "next"
        assert not begun and queue.waiting <= 1

    queue_test(test)


def test_a_decision_that_takes_too_long_is_stopped():
    async def test(queue):
        with pytest.raises(ApiError, match="too long"):
            await queue.run(lambda: endless(threading.Event()), 0.1)
        assert await queue.run(lambda: 1, 10) == 1

    queue_test(test)


# Who goes first.


def test_tables_pause_everybody_else():
    async def test(queue):
        steps, started = [], threading.Event()

        def anonymous():
            started.set()
            while len(steps) < 10**6:
                checkpoint()
                steps.append(1)
                time.sleep(0.0005)

        def table():
            # Once both are running, the other one finishes its chunk, sooner or later.
            time.sleep(0.05)
            before = len(steps)
            time.sleep(0.1)
            return len(steps) - before

        other = asyncio.create_task(queue.run(anonymous, 60))
        await asyncio.to_thread(started.wait)
        assert await queue.run(table, 60, Priority.TABLE) <= 1
        before = len(steps)
        while len(steps) == before:
            await asyncio.sleep(0.01)
        other.cancel()
        await asyncio.gather(other, return_exceptions=True)

    queue_test(test)


def test_clients_take_turns():
    """Who has asked for much waits behind who has asked for little."""

    async def test(queue):
        gate, order = threading.Event(), []
        first = asyncio.create_task(queue.run(gate.wait, 60))
        await asyncio.sleep(0)
        jobs = [queue.run(lambda: order.append("greedy"), 60, client="g", work=1) for _ in range(5)]
        jobs.append(queue.run(lambda: order.append("modest"), 60, client="m", work=1))
        tasks = [asyncio.create_task(job) for job in jobs]
        await asyncio.sleep(0)
        gate.set()
        await asyncio.gather(first, *tasks)
        assert order.index("modest") <= 1

    queue_test(test)


def test_a_full_queue_still_takes_tables():
    async def test(queue):
        gate = threading.Event()
        waiting = [asyncio.create_task(queue.run(gate.wait, 60)) for _ in range(3)]
        await asyncio.sleep(0)
        with pytest.raises(ApiError) as caught:
            await queue.run(lambda: 1, 60)
        assert caught.value.code == "busy"
        assert await queue.run(lambda: "table", 60, Priority.TABLE) == "table"
        gate.set()
        await asyncio.gather(*waiting)

    queue_test(test, max_waiting=3)


def batched_calls(most: int, row_seconds: float, urgent: list[int]) -> list[list[int]]:
    """How a batcher groups five requests, some of which are urgent."""

    async def run():
        from concurrent.futures import ThreadPoolExecutor

        calls: list[list[int]] = []

        def decide(obs, mask):
            calls.append(obs[:, 0].tolist())
            return obs[:, 0].tolist()

        with ThreadPoolExecutor(1) as thread:
            limits = (most, 0.0, 100, 10.0)
            batcher = Batcher(decide, thread, *limits, lambda _: None, lambda: row_seconds)
            rows = [bytes([n]) + bytes(OBS_SIZE - 1) for n in range(5)]
            mask = bytes(NUM_ACTIONS)
            futures = [batcher.submit(row, mask, n in urgent) for n, row in enumerate(rows)]
            await asyncio.gather(*futures)
        return calls

    return asyncio.run(run())


def test_urgent_requests_go_ahead_of_the_others():
    """The next call of a batched bot has the decisions of tables, and no others."""
    assert batched_calls(2, 0.0, urgent=[4]) == [[4], [0, 1], [2, 3]]
    assert batched_calls(9, 0.0, urgent=[1, 3]) == [[1, 3], [0, 2, 4]]


def test_batches_are_short_while_urgent_requests_come():
    """The next urgent one would have to wait for a batch of a large network."""
    assert batched_calls(9, SHARED_SECONDS / 2, urgent=[4]) == [[4], [0, 1], [2, 3]]
    assert batched_calls(9, 9 * SHARED_SECONDS, urgent=[4]) == [[4], [0], [1], [2], [3]]
    assert batched_calls(9, SHARED_SECONDS, urgent=[]) == [[0, 1, 2, 3, 4]]


# What the table is told.


def test_the_table_is_told_that_another_bot_decides(server, http):
    seats = [{"name": "Ana"}, {"kind": "bot", "bot": "crashes"}]
    table = new_table(http, rules={"variant": "classic", "hand_size": 5}, seats=seats, seed=1)
    token = table["seats"][0]["token"]
    first = http.get(f"/v1/tables/{table['table']}/view", headers=bearer(token)).json()
    assert first["seats"][0]["replaced"] is None
    (person,) = people(server, table)
    play_together(person)
    told = [state["seats"][1]["replaced"] for state in person.states]
    last = told[-1]
    assert last["by"] == "greedy" and last["latest"]
    assert last["reason"] in ("bot_failed", "bot_timeout") and last["decisions"] > 0
    info = http.get(f"/v1/tables/{table['table']}").json()
    assert info["seats"][1]["replaced"]["by"] == "greedy"


def test_a_table_whose_creator_asks_too_much_gets_a_weaker_bot(tmp_path):
    config = "{work_per_second: 0.001, work_burst: 0.05, react_seconds: null}"
    server = Server(tmp_path, config).start()
    try:
        with httpx.Client(base_url=server.url, timeout=60) as client:
            seats = [{"name": "Ana"}, {"kind": "bot", "bot": "search:sims=2000"}]
            rules = {"variant": "classic", "max_steps": 60}
            table = new_table(client, rules=rules, seats=seats)
            (person,) = people(server, table)
            play_together(person)
        told = [state["seats"][1]["replaced"] for state in person.states]
        assert told[0] is None
        assert told[-1]["reason"] == "too_much_work" and told[-1]["by"] == "greedy"
    finally:
        server.stop()
