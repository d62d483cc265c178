"""The short cut from the wire to the bot: what takes it, and that nothing is lost on the way."""

import asyncio
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest
import uvicorn
from uno_serve.api.app import create_app
from uno_serve.api.errors import ApiError
from uno_serve.api.fast_path import Lane, Turn
from uno_serve.api.http_protocol import wire_protocol
from uno_serve.config import ServeConfig

import uno_env as uno

KEY = "k" * 20
GAME = uno.Game("classic", 3, seed=5)
VIEW = GAME.view(GAME.actor)
QUESTION = json.dumps({"bot": "heuristic", "view": VIEW}).encode()
UNUSUAL = json.dumps({"bot": "heuristic", "view": VIEW, "advice": True}).encode()


class CountingLane(Lane):
    """Knows how many requests it took."""

    taken = 0

    def take(self, *given) -> bool:
        took = super().take(*given)
        self.taken += took
        return took


class Site:
    """A server in a thread, and its lane."""

    def __init__(self, folder, **options) -> None:
        self._ready = threading.Event()
        config = ServeConfig(db=str(folder / "wire.db"), **options)
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run(config)))
        self._thread.start()
        assert self._ready.wait(120)

    async def _run(self, config: ServeConfig) -> None:
        app, _, lane = create_app(config)
        lane.__class__ = CountingLane
        self.lane = lane
        listener = socket.create_server(("127.0.0.1", 0))
        self.port = listener.getsockname()[1]
        wire = wire_protocol(lane, config.max_body, config.trusted_proxies)
        proxies = config.trusted_proxies
        self.server = uvicorn.Server(
            uvicorn.Config(app, http=wire, log_config=None, proxy_headers=bool(proxies),
                           forwarded_allow_ips=proxies or None)
        )  # fmt: skip
        running = asyncio.create_task(self.server.serve(sockets=[listener]))
        while not self.server.started and not running.done():
            await asyncio.sleep(0.01)
        self._ready.set()
        await running

    def stop(self) -> None:
        self.server.should_exit = True
        self._thread.join(60)
        assert not self._thread.is_alive()

    def client(self) -> httpx.Client:
        return httpx.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=30)

    @contextmanager
    def line(self) -> Iterator[socket.socket]:
        with socket.create_connection(("127.0.0.1", self.port), timeout=30) as line:
            yield line


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Iterator[Site]:
    site = Site(tmp_path_factory.mktemp("wire"), requests_per_second=0)
    yield site
    site.stop()


def request(body: bytes = QUESTION, *more: str, version: str = "1.1") -> bytes:
    lines = [f"POST /v1/act HTTP/{version}", "Host: x", "Content-Type: application/json",
             f"Content-Length: {len(body)}", *more]  # fmt: skip
    return "\r\n".join([*lines, "", ""]).encode() + body


def read(line: socket.socket, count: int = 1) -> list[tuple[bytes, bytes]]:
    """Head and body of the next answers."""
    found, text = [], b""
    while len(found) < count:
        head, end, rest = text.partition(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0] or 0)
        if end and len(rest) >= length:
            found.append((head, rest[:length]))
            text = rest[length:]
            continue
        more = line.recv(65_536)
        assert more, f"the server hung up after {text!r}"
        text += more
    assert not text
    return found


def action(answer: tuple[bytes, bytes]) -> str:
    head, body = answer
    assert head.startswith(b"HTTP/1.1 200 "), head
    return json.loads(body)["action"]


def test_a_usual_question_takes_the_lane_and_an_unusual_one_does_not(site):
    before = site.lane.taken
    with site.line() as line:
        for body, taken in ((QUESTION, 1), (UNUSUAL, 1), (QUESTION, 2)):
            line.sendall(request(body))
            assert action(read(line)[0]) in VIEW["legal"]
            assert site.lane.taken - before == taken


def test_both_roads_answer_with_the_same_headers(site):
    with site.line() as line:
        line.sendall(request())
        ((quick, _),) = read(line)
        line.sendall(request(UNUSUAL))
        ((slow, _),) = read(line)
    names = [
        sorted(row.partition(b":")[0] for row in head.split(b"\r\n")) for head in (quick, slow)
    ]
    assert names[0] == names[1] and b"content-security-policy" in names[0] and b"date" in names[0]


def test_a_question_may_come_in_pieces(site):
    before, text = site.lane.taken, request()
    with site.line() as line:
        for start in range(0, len(text), 700):
            line.sendall(text[start : start + 700])
            time.sleep(0.02)
        assert action(read(line)[0]) in VIEW["legal"]
    assert site.lane.taken == before + 1


def test_questions_sent_at_once_are_answered_in_order(site):
    """Some by the lane, some not: none may overtake another."""
    bodies = [QUESTION, UNUSUAL, QUESTION, QUESTION, b"{", QUESTION]
    with site.line() as line:
        line.sendall(b"".join(request(body) for body in bodies))
        answers = read(line, len(bodies))
    kinds = ["error" if b'"error"' in body else "legal" if b'"legal"' in body else "plain"
             for _, body in answers]  # fmt: skip
    assert kinds == ["plain", "legal", "plain", "plain", "error", "plain"]


@pytest.mark.parametrize(
    ("more", "version"), [(("Connection: close",), "1.1"), ((), "1.0")], ids=["close", "1.0"]
)
def test_who_asks_to_be_hung_up_on_is(site, more, version):
    with site.line() as line:
        line.sendall(request(QUESTION, *more, version=version))
        assert action(read(line)[0]) in VIEW["legal"]
        assert line.recv(1) == b""


def test_a_body_in_chunks_is_read(site):
    with site.line() as line:
        head = request(b"").replace(b"Content-Length: 0", b"Transfer-Encoding: chunked")
        line.sendall(head + b"%x\r\n%s\r\n0\r\n\r\n" % (len(QUESTION), QUESTION))
        assert action(read(line)[0]) in VIEW["legal"]


def test_who_hangs_up_while_the_bot_thinks_does_no_harm(site):
    for _ in range(20):
        with site.line() as line:
            line.sendall(request() * 3)
    with site.line() as line:
        line.sendall(request())
        assert action(read(line)[0]) in VIEW["legal"]


def test_a_spoilt_view_is_refused_by_the_general_road(site):
    body = json.loads(QUESTION)
    # As bytes each of these numbers would be as many zeros.
    body["view"]["clockwork"]["seats"] = [10**10] * 10
    with site.client() as http:
        answer = http.post("/v1/act", json=body)
    assert answer.status_code == 422 and answer.json()["error"]["code"] == "position"


def test_the_lane_counts_what_it_answers(site):
    def counted(http: httpx.Client) -> float:
        name = 'uno_requests_total{route="/v1/act",status="200"}'
        lines = http.get("/metrics").text.splitlines()
        return sum(float(row.split()[-1]) for row in lines if row.startswith(name))

    with site.client() as http, site.line() as line:
        before = counted(http)
        for _ in range(5):
            line.sendall(request())
            read(line)
        assert counted(http) == before + 5


@pytest.fixture
def guarded(tmp_path) -> Iterator[Site]:
    """A careful server behind a proxy."""
    site = Site(
        tmp_path, api_keys=(KEY,), requests_per_second=0.001, requests_burst=4,
        trusted_proxies="127.0.0.1", cors_origins=("https://front.example",),
    )  # fmt: skip
    yield site
    site.stop()


def test_the_lane_keeps_keys_limits_and_origins(guarded):
    def ask(client: str, **headers: str) -> httpx.Response:
        given = {"X-API-Key": KEY, "X-Forwarded-For": client, "Content-Type": "application/json"}
        return http.post("/v1/act", content=QUESTION, headers={**given, **headers})

    with guarded.client() as http:
        assert ask("1.1.1.1", **{"X-API-Key": "x" * 20}).status_code == 401
        assert [ask("1.1.1.2").status_code for _ in range(6)] == [200] * 4 + [429] * 2
        assert guarded.lane.taken == 4
        assert ask("1.1.1.3").status_code == 200, "another client has limits of its own"
        allowed = ask("1.1.1.4", Origin="https://front.example")
        assert allowed.headers["access-control-allow-origin"] == "https://front.example"
        assert ask("1.1.1.4", **{"Content-Type": "text/plain"}).status_code == 415


def test_a_bot_that_fails_is_reported_on_the_lane():
    said = []

    class Kept(Turn):
        def reply(self, status: int, answer: bytes) -> None:
            said.append((status, answer))

    turn = Kept()
    turn.failed(ApiError("bot_timeout", "the bot hangs", retry_after=3))
    ((status, answer),) = said
    head, _, body = answer.partition(b"\r\n\r\n")
    assert status == 504 and b"retry-after: 3" in head and turn.is_gone
    assert json.loads(body)["error"]["code"] == "bot_timeout"
