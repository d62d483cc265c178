"""`uno-serve --workers N`: one address, several processes."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

import uno_env as uno

from .cluster import CONFIG
from .playing import bearer, eventually, new_table, people, play_together
from .postgres import Postgres
from .server import ROOT, Server

GAME = uno.Game("classic", 3, seed=5)
VIEW = GAME.view(GAME.actor)


def workers_of(server: Server) -> list[int]:
    """The process ids of a supervisor's workers."""
    # A process is the child of the thread that started it.
    lists = Path(f"/proc/{server.process.pid}/task").glob("*/children")
    return [int(worker) for path in lists for worker in path.read_text().split()]


def get(server: Server, path: str, **options) -> httpx.Response:
    """A request by a connection of its own, to whichever worker."""
    return httpx.get(server.url + path, timeout=30, **options)


@pytest.fixture(scope="module")
def embedded(tmp_path_factory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("workers"), CONFIG)
    yield server.start(options=("--workers", "2"))
    workers = workers_of(server)
    assert server.stop() == 0
    assert not any(is_running(worker) for worker in workers)
    assert "Traceback" not in "".join(server.log), "".join(server.log)


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_with_sqlite_one_worker_hosts_the_tables_of_all(embedded):
    assert len(workers_of(embedded)) == 2
    assert any("worker 0 hosts all tables" in line for line in embedded.log)
    with httpx.Client(base_url=embedded.url, timeout=30) as http:
        tables = [
            new_table(http, seats=[{"name": "Ana"}, {"kind": "bot"}], absent_seconds=None)
            for _ in range(4)
        ]
    # Each of these connections may end at either worker.
    for table in tables:
        for _ in range(4):
            assert get(embedded, f"/v1/tables/{table['table']}").status_code == 200
    players = [person for table in tables for person in people(embedded, table)]
    assert {state["status"] for state in play_together(*players)} == {"over"}
    view = {"bot": "greedy", "view": VIEW}
    answers = [httpx.post(f"{embedded.url}/v1/act", json=view) for _ in range(6)]
    assert {answer.status_code for answer in answers} == {200}


@pytest.mark.slow
def test_a_worker_that_dies_is_replaced(embedded):
    with httpx.Client(base_url=embedded.url, timeout=30) as http:
        table = new_table(http, seats=[{"name": "Ana"}, {"kind": "bot"}], absent_seconds=None)
    path, me = f"/v1/tables/{table['table']}/view", bearer(table["seats"][0]["token"])
    before = workers_of(embedded)
    for worker in before:
        os.kill(worker, signal.SIGKILL)
    eventually(lambda: len(set(workers_of(embedded)) - set(before)) == 2, 30)

    def answers() -> bool:
        try:
            return get(embedded, path, headers=me).status_code == 200
        except httpx.TransportError:
            return False  # nobody listens yet

    eventually(answers, 60)
    # The other worker may still be starting, and has then no part in this.
    assert all(get(embedded, path, headers=me).status_code == 200 for _ in range(4))


@pytest.mark.slow
def test_workers_end_with_their_supervisor(tmp_path):
    server = Server(tmp_path, CONFIG).start(options=("--workers", "2", "--serves", "act"))
    workers = workers_of(server)
    assert len(workers) == 2
    assert get(server, "/readyz").status_code == 200
    assert httpx.post(f"{server.url}/v1/tables", json={}).status_code == 404
    assert not (tmp_path / "tables.db").exists(), "decisions need no database"
    server.kill()
    eventually(lambda: not any(is_running(worker) for worker in workers), 30)


def test_what_can_never_start_is_said_once(tmp_path):
    command = [sys.executable, "-m", "uno_serve", "--workers", "2", "--port", "0", "--db"]
    done = subprocess.run(
        [*command, str(tmp_path / "no" / "x.db")], cwd=ROOT, capture_output=True, text=True,
        timeout=120,
    )  # fmt: skip
    assert done.returncode == 2 and "cannot open sqlite" in done.stderr


@pytest.mark.slow
def test_with_postgresql_every_worker_hosts_tables(tmp_path):
    with Postgres() as postgres:
        server = Server(tmp_path, f'{CONFIG}\ndb: "{postgres.url}"\n', db=None)
        server.start(options=("--workers", "2"))
        try:
            tables = []
            for _ in range(12):
                with httpx.Client(base_url=server.url, timeout=30) as http:
                    seats = [{"name": "Ana"}, {"kind": "bot"}]
                    tables.append(new_table(http, seats=seats, absent_seconds=None))
            owners = postgres.query("SELECT DISTINCT owner FROM uno_leases")
            assert len(owners) == 2
            players = [person for table in tables for person in people(server, table)]
            assert {state["status"] for state in play_together(*players)} == {"over"}
        finally:
            server.stop()
