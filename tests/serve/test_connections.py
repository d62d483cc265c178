"""Connections that never finish a request: they time out, and health is answered meanwhile."""

import contextlib
import json
import os
import select
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator

import httpx
import pytest
import websockets.sync.client
from uno_serve.api.connections import (
    HEALTH_RESERVE,
    ConnectionLimits,
    RateLimitedLog,
    fit_to_descriptors,
)
from uno_serve.api.guarded_protocol import MAX_HEADER_BYTES
from uno_serve.config import ServeConfig

from .playing import eventually, new_table
from .server import Server

LIMITS = """
idle_seconds: 1
max_connections_per_address: 40
requests_per_second: 0
tables_per_minute: 0
"""
UNFINISHED = b"GET /v1/bots HTTP/1.1\r\nHost: x\r\nX-Slow: "


@pytest.fixture(scope="module", params=[True, False], ids=["fast_path", "route"])
def fast_path(request) -> str:
    return f"fast_path: {str(request.param).lower()}\n"


@pytest.fixture(scope="module")
def limited(fast_path, tmp_path_factory) -> Iterator[Server]:
    """Headers have to be there within two seconds."""
    config = f"{LIMITS}{fast_path}header_seconds: 2\n"
    server = Server(tmp_path_factory.mktemp("limited"), config).start()
    yield server
    server.stop()


@pytest.fixture
def patient(fast_path, tmp_path) -> Iterator[Server]:
    """On a slow machine the first of many connections is still open when the last one is."""
    server = Server(tmp_path, f"{LIMITS}{fast_path}header_seconds: 120\n").start()
    yield server
    server.stop()


@contextlib.contextmanager
def half_open(server: Server, count: int, sends: bytes = UNFINISHED) -> Iterator[list]:
    """So many connections whose headers never end."""
    with contextlib.ExitStack() as stack:
        lines = []
        for _ in range(count):
            line = socket.create_connection(("127.0.0.1", server.port), timeout=60)
            lines.append(stack.enter_context(line))
            with contextlib.suppress(OSError):
                line.sendall(sends)
        yield lines


def status(server: Server, path: str) -> int:
    """The status of one request on a connection of its own; 0 if it was cut off."""
    try:
        return httpx.get(server.url + path, timeout=60).status_code
    except httpx.TransportError:
        return 0


def answer(line: socket.socket) -> tuple[int, dict]:
    """The status and error of the response on a raw connection, which the server then closes."""
    data = b""
    with contextlib.suppress(ConnectionResetError):
        while chunk := line.recv(65_536):
            data += chunk
    head, _, body = data.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)["error"]


def test_health_is_answered_while_one_address_holds_all_it_may(patient):
    with half_open(patient, 300):
        found = [status(patient, path) for path in ("/healthz", "/readyz") * 5]
        refused = httpx.get(patient.url + "/v1/bots", timeout=60)
    assert found == [200] * 10
    assert refused.status_code == 429 and "retry-after" in refused.headers
    assert refused.json()["error"]["code"] == "too_many_connections"
    assert refused.headers["content-type"] == "application/json"
    eventually(lambda: status(patient, "/v1/bots") == 200)
    lines = [line for line in patient.log if "too_many_connections" in line]
    assert 1 <= len(lines) <= 12, "a clear line, not one for each connection"
    assert "40 connections" in lines[0] and "127.0.0.1" in lines[0]


def test_half_open_connections_time_out_and_others_recover(limited):
    with half_open(limited, 60) as lines:
        eventually(lambda: status(limited, "/v1/bots") == 200)
        code, error = answer(lines[0])
    assert (code, error["code"]) == (408, "header_timeout")
    assert any("header_timeout" in line for line in limited.log)


def test_trickled_headers_gain_no_time(limited):
    started = time.monotonic()
    with half_open(limited, 1) as (line,):
        while not select.select([line], [], [], 0.2)[0] and time.monotonic() - started < 60:
            line.sendall(b"x")
        assert answer(line)[1]["code"] == "header_timeout"
    assert 1.5 < time.monotonic() - started < 60


def test_silent_and_idle_connections_are_closed(limited):
    with half_open(limited, 1, b"") as (silent,):
        assert silent.recv(1) == b""
    with half_open(limited, 1, b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n") as (idle,):
        assert idle.recv(65_536).startswith(b"HTTP/1.1 200")
        while idle.recv(65_536):
            pass


def test_a_second_request_on_a_connection_has_its_own_time_limit(limited):
    with half_open(limited, 1, b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n") as (line,):
        assert line.recv(65_536).startswith(b"HTTP/1.1 200")
        line.sendall(UNFINISHED)
        assert answer(line)[1]["code"] == "header_timeout"


def test_endless_headers_and_nonsense_are_refused_in_the_documented_form(limited):
    with half_open(limited, 1, UNFINISHED + b"x" * 2 * MAX_HEADER_BYTES) as (line,):
        code, error = answer(line)
    assert (code, error["code"]) == (431, "headers_too_large")
    with half_open(limited, 1, b"hello\r\n\r\n") as (line,):
        code, error = answer(line)
    assert (code, error["code"]) == (400, "bad_request")


def test_streams_count_until_they_end(limited):
    with httpx.Client(base_url=limited.url) as http:
        table = new_table(http)
    address = f"{limited.stream_url}/{table['table']}/stream"
    with contextlib.ExitStack() as stack:
        for _ in range(40):
            stack.enter_context(websockets.sync.client.connect(address))
        assert status(limited, "/v1/bots") == 429
        refused = pytest.raises(websockets.exceptions.InvalidStatus)
        with refused, websockets.sync.client.connect(address):
            pass
        assert status(limited, "/healthz") == 200
    eventually(lambda: status(limited, "/v1/bots") == 200)


def test_the_server_as_a_whole_has_a_limit_too(tmp_path):
    server = Server(tmp_path, "max_connections: 1\nextra_connections: 20\nheader_seconds: 30\n")
    server.start()
    try:
        with half_open(server, 60):
            refused = httpx.get(server.url + "/v1/bots", timeout=60)
            assert status(server, "/healthz") == 200
        assert refused.status_code == 503 and refused.json()["error"]["code"] == "busy"
    finally:
        server.stop()


@pytest.mark.skipif(shutil.which("prlimit") is None, reason="prlimit is not installed")
def test_few_file_descriptors_lower_the_limit_and_are_logged(tmp_path):
    server = Server(tmp_path, "header_seconds: 2\nmax_connections_per_address: 0\n")
    server.start("prlimit", "--nofile=256:256")
    try:
        assert any("file descriptors are limited to 256" in line for line in server.log)
        with half_open(server, 400, b""):
            assert [status(server, "/healthz") for _ in range(5)] == [200] * 5
            eventually(lambda: status(server, "/v1/bots") == 200)
    finally:
        server.stop()


# The accounting itself.


class Line:
    abandoned = False

    def abandon(self) -> None:
        self.abandoned = True


def test_a_client_that_never_reads_is_cut_off(tmp_path):
    server = Server(tmp_path, "{write_seconds: 0.5, requests_per_second: 0}").start()
    try:
        line = socket.socket()
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.connect(("127.0.0.1", server.port))
        with line:
            # One after another, so that each is answered as soon as it is written.
            for _ in range(200):
                line.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n")
            eventually(lambda: any("unread" in one for one in server.log))
        assert status(server, "/v1/bots") == 200
    finally:
        server.stop()


@pytest.mark.skipif(shutil.which("prlimit") is None, reason="needs prlimit")
def test_a_connection_that_cannot_be_accepted_is_logged(tmp_path):
    """Without file descriptors the server is silent to clients, not in its log."""
    server = Server(tmp_path, "{}").start()
    try:
        assert server.process is not None
        pid = server.process.pid
        used = len(os.listdir(f"/proc/{pid}/fd"))
        prlimit = [str(shutil.which("prlimit")), "--pid", str(pid)]
        subprocess.run([*prlimit, f"--nofile={used}:"], check=True)
        with half_open(server, 3):
            eventually(lambda: any("EMFILE" in one for one in server.log))
        subprocess.run([*prlimit, "--nofile=4096:"], check=True)
        assert eventually(lambda: status(server, "/healthz") == 200)
        lines = [one for one in server.log if "EMFILE" in one]
        assert len(lines) == 1, "one line, however many"
    finally:
        server.kill()


def test_the_oldest_connection_of_the_reserve_gives_way():
    limits = ConnectionLimits(ServeConfig(max_connections_per_address=1))
    lines = [Line() for _ in range(HEALTH_RESERVE + 3)]
    assert limits.open("first", "a", Line()) is None
    for number, line in enumerate(lines):
        assert limits.open(number, "a", line).code == "too_many_connections"
    assert [line.abandoned for line in lines] == [True] * 3 + [False] * HEALTH_RESERVE
    assert limits.open("other", "b", Line()) is None
    limits.close("first")
    assert limits.open("again", "a", Line()) is None and len(limits) == 2


def test_trusted_proxies_have_no_limit_of_their_own():
    limits = ConnectionLimits(ServeConfig(max_connections_per_address=1), exempt={"proxy"})
    assert [limits.open(number, "proxy", Line()) for number in range(5)] == [None] * 5


def test_repeated_warnings_are_counted_not_written(caplog):
    log = RateLimitedLog(seconds=0.5)
    for _ in range(5):
        log.warn("kind", "message")
    time.sleep(0.6)
    log.warn("kind", "message")
    assert [record.getMessage() for record in caplog.records] == [
        "kind: message",
        "kind: message (4 more since the last line)",
    ]


def test_the_soft_limit_of_descriptors_is_raised_first(monkeypatch, caplog):
    import resource

    raised = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (1024, 1_000_000))
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: raised.append(limits))
    limits = ConnectionLimits(ServeConfig())
    fit_to_descriptors(limits)
    assert raised == [(limits.most + HEALTH_RESERVE + 64, 1_000_000)]
    assert limits.most == 3_000 and not caplog.records
