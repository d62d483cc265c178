"""What an operator needs: readiness, request ids, logs that tell one failure from another."""

import asyncio
import json
import logging
import os
from collections.abc import Iterator

import httpx
import pytest
from sqlalchemy import text
from uno_serve.config import ServeConfig
from uno_serve.errors import ApiError
from uno_serve.logs import REQUEST_ID, JsonFormatter, request_id
from uno_serve.readiness import readiness
from uno_serve.tables.schema import StoredTable
from uno_serve.tables.storage import Store

import uno_env as uno

from .playing import eventually
from .server import Server

GAME = uno.Game("classic", 3, seed=5)
VIEW = GAME.view(GAME.actor)
FAR_AWAY = {"bot": "far-away", "view": VIEW}


@pytest.fixture(scope="module")
def logged(tmp_path_factory) -> Iterator[Server]:
    """A server whose log is JSON, with a bot that nobody serves."""
    config = 'bots: {far-away: {spec: "http://127.0.0.1:9/bot"}}\nrequests_per_second: 0\n'
    server = Server(tmp_path_factory.mktemp("logged"), config)
    yield server.start(options=("--log-format", "json"))
    server.stop()


def log_lines(server: Server) -> list[dict]:
    return [json.loads(line) for line in server.log if line.startswith("{")]


def test_readiness_names_each_check(http):
    answer = http.get("/readyz")
    assert answer.status_code == 200
    checks = {name: {"ok": True} for name in ("database", "disk", "bots")}
    assert answer.json() == {"status": "ready", "checks": checks}


class FakeService:
    """A service of which a check fails."""

    is_stopping = False

    def __init__(self, folder, loaded=True, database=None) -> None:
        self.config = ServeConfig(db=str(folder / "x.db"))
        self.bots = self.store = self
        self._loaded, self._database = loaded, database

    def ready(self, name: str) -> object:
        return self._loaded or None

    async def ping(self) -> None:
        if self._database is not None:
            raise self._database


@pytest.mark.parametrize(
    ("name", "options", "reason"),
    [
        ("bots", {"loaded": False}, "bot 'heuristic' is not loaded"),
        ("database", {"database": ApiError("storage", "it is gone")}, "it is gone"),
        ("database", {"database": TimeoutError()}, "no answer within 2 s"),
    ],
)
def test_each_check_can_fail_alone(tmp_path, name, options, reason):
    found = asyncio.run(readiness(FakeService(tmp_path, **options)))
    failed = {key: check for key, check in found["checks"].items() if not check["ok"]}
    assert found["status"] == "not_ready" and failed == {name: {"ok": False, "reason": reason}}


def test_a_folder_that_cannot_be_written_is_reported(tmp_path):
    found = asyncio.run(readiness(FakeService(tmp_path / "missing")))
    assert found["checks"]["disk"] == {"ok": False, "reason": os.strerror(2)}


def test_a_server_that_lost_its_folder_is_alive_but_not_ready(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    server = Server(folder, "bot_delay: 0\n").start()
    try:
        assert httpx.get(server.url + "/readyz").status_code == 200
        folder.rename(tmp_path / "elsewhere")
        answer = httpx.get(server.url + "/readyz")
        assert answer.status_code == 503 and not answer.json()["checks"]["disk"]["ok"]
        assert httpx.get(server.url + "/healthz").status_code == 200
    finally:
        server.stop()


# Request ids.


def test_a_request_id_comes_back_in_header_and_error(http):
    sent = {"X-Request-Id": "trace-42"}
    assert http.get("/v1/bots", headers=sent).headers["x-request-id"] == "trace-42"
    refused = http.get("/v1/nothing", headers=sent)
    assert refused.json()["error"]["request_id"] == "trace-42"
    fast = http.post("/v1/act", json={"bot": "heuristic", "view": VIEW}, headers=sent)
    assert fast.status_code == 200 and fast.headers["x-request-id"] == "trace-42"


def test_every_response_has_an_id_of_its_own(http):
    ids = [http.get("/v1/bots").headers["x-request-id"] for _ in range(3)]
    ids += [http.post("/v1/act", json={"view": VIEW}).headers["x-request-id"] for _ in range(3)]
    assert len(set(ids)) == 6
    refused = http.get("/v1/nothing")
    assert refused.json()["error"]["request_id"] == refused.headers["x-request-id"]


@pytest.mark.parametrize("given", [b"", b"a b", b"x" * 65, b'"}', b"\xff"])
def test_ids_that_could_forge_a_log_line_are_replaced(given):
    assert request_id(given).encode() != given


# Logs.


def test_a_failing_remote_bot_is_named_with_the_request(logged):
    sent = {"X-Request-Id": "trace-7"}
    answer = httpx.post(logged.url + "/v1/act", json=FAR_AWAY, headers=sent, timeout=30)
    assert (answer.status_code, answer.json()["error"]["code"]) == (502, "bot_failed")

    def lines() -> list[str]:
        return [line["message"] for line in log_lines(logged) if line["request_id"] == "trace-7"]

    eventually(lambda: len(lines()) >= 2)
    cause, summary = lines()
    assert cause.startswith("bot far-away failed: ") and "Connect" in cause
    assert summary == "/v1/act answered 502 bot_failed"


def test_a_full_disk_has_a_code_and_a_line_of_its_own(tmp_path, caplog):
    async def run() -> str:
        store = Store(f"sqlite:///{tmp_path}/x.db")
        await store._run(lambda connection: connection.execute(text("PRAGMA max_page_count=1")))
        table = StoredTable("t", "over", False, {"text": "x" * 500_000}, [], 0.0)
        with pytest.raises(ApiError) as caught:
            await store.save_table(table)
        await store.close()
        return caught.value

    error = asyncio.run(run())
    assert (error.code, error.status) == ("disk_full", 507)
    assert "the disk of the database is full (SQLITE_FULL)" in caplog.text


def test_other_database_errors_are_named_without_their_text(tmp_path, caplog):
    async def run() -> ApiError:
        store = Store(f"sqlite:///{tmp_path}/x.db")
        with pytest.raises(ApiError) as caught:
            await store._run(lambda connection: connection.execute(text("SELECT secret FROM x")))
        await store.close()
        return caught.value

    error = asyncio.run(run())
    assert error.code == "storage" and "the database failed: SQLITE_ERROR" in caplog.text
    assert "secret" not in caplog.text and "secret" not in error.message


def test_json_lines_are_whole_objects():
    record = logging.LogRecord("uno_serve", logging.WARNING, "", 0, "a\n%s", ("b",), None)
    line = JsonFormatter().format(record)
    assert "\n" not in line
    found = json.loads(line)
    assert (found["level"], found["message"], found["logger"]) == ("warning", "a\nb", "uno_serve")


def test_errors_outside_a_request_have_no_id():
    assert "request_id" not in ApiError("busy", "x").body()["error"]
    context = REQUEST_ID.set("abc")
    assert ApiError("busy", "x").body()["error"]["request_id"] == "abc"
    REQUEST_ID.reset(context)
