"""Decisions apart from tables: a server of tables whose bots decide in processes of their own."""

from collections.abc import Iterator

import httpx
import pytest

import uno_env as uno

from .playing import eventually, new_table, people, play_together
from .server import Server

CONFIG = "requests_per_second: 0\nwork_per_second: 0\nreact_seconds: null\n"
GAME = uno.Game("classic", 3, seed=5)
VIEW = GAME.view(GAME.actor)


@pytest.fixture(scope="module")
def replica(tmp_path_factory) -> Iterator[Server]:
    """It needs no database, and has no tables and no page."""
    server = Server(tmp_path_factory.mktemp("replica"), f"{CONFIG}serves: act\n")
    yield server.start()
    if server.process is not None:
        server.stop()


@pytest.fixture(scope="module")
def host(tmp_path_factory, replica) -> Iterator[Server]:
    config = f"{CONFIG}act_url: {replica.url}\nfallback_bot: random\nbot_seconds: 2\n"
    server = Server(tmp_path_factory.mktemp("host"), config)
    yield server.start()
    server.stop()


def decided(server: Server) -> float:
    lines = httpx.get(server.url + "/metrics").text.splitlines()
    name = 'uno_requests_total{route="/v1/act",status="200"}'
    return sum(float(line.split()[-1]) for line in lines if line.startswith(name))


def test_a_replica_serves_decisions_and_nothing_else(replica):
    with httpx.Client(base_url=replica.url) as http:
        assert http.post("/v1/act", json={"view": VIEW}).status_code == 200
        batch = {"requests": [{"view": VIEW}] * 3}
        assert len(http.post("/v1/act/batch", json=batch).json()["answers"]) == 3
        assert http.get("/readyz").status_code == 200
        for path in ("/", "/v1/tables/x"):
            assert http.get(path).status_code == 404
        assert http.post("/v1/tables", json={}).status_code == 404
        assert "/v1/tables" not in http.get("/openapi.json").json()["paths"]


def test_bots_of_tables_decide_in_the_replica(host, replica):
    before = decided(replica)
    with httpx.Client(base_url=host.url, timeout=30) as http:
        table = new_table(http, seats=[{"name": "Ana"}, {"kind": "bot"}], seed=3)
        (last,) = play_together(*people(host, table))
        assert last["status"] == "over" and decided(replica) - before > 3
        advice = http.post("/v1/act", json={"view": VIEW, "advice": True}).json()
        assert sum(option["probability"] for option in advice["legal"]) == pytest.approx(1)
        named = http.post("/v1/act", json={"bot": "search:sims=50", "view": VIEW}).json()
        assert named["bot"] == "search:sims=50" and named["action"] in GAME.legal()


def test_without_replicas_the_fallback_decides_and_the_game_goes_on(host, replica):
    """The last test of this file: the replica is gone afterwards."""
    replica.kill()
    with httpx.Client(base_url=host.url, timeout=30) as http:
        refused = http.post("/v1/act", json={"view": VIEW})
        assert (refused.status_code, refused.json()["error"]["code"]) == (502, "bot_failed")
        assert http.post("/v1/act", json={"bot": "random", "view": VIEW}).status_code == 200
        table = new_table(http, seats=[{"kind": "bot"}] * 2)
        path = f"/v1/tables/{table['table']}"
        eventually(lambda: len(http.get(f"{path}/view").json()["events"]) > 6)
