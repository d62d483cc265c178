"""The fast path of `/v1/act`: which requests take it, and that it answers like the route."""

import asyncio
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import numpy as np
import pytest
import uvicorn
from uno_serve.api.app import create_app
from uno_serve.api.connections import ConnectionLimits
from uno_serve.api.fast_path import Exchange, FastPath
from uno_serve.api.http_protocol import fast_path_protocol
from uno_serve.config import ServeConfig
from uno_serve.errors import ApiError

import uno_env as uno

KEY = "k" * 20
GAME = uno.Game("classic", 3, seed=5)
VIEW = GAME.view(GAME.actor)
REQUEST = json.dumps({"bot": "heuristic", "view": VIEW}).encode()
ADVICE_REQUEST = json.dumps({"bot": "heuristic", "view": VIEW, "advice": True}).encode()


class CountingFastPath(FastPath):
    """Knows how many requests it took."""

    taken = 0

    def start(self, *given) -> bool:
        took = super().start(*given)
        self.taken += took
        return took


class Site:
    """A server in a thread, and its fast path."""

    def __init__(self, folder, **options) -> None:
        self._ready = threading.Event()
        config = ServeConfig(db=str(folder / "tables.db"), **options)
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run(config)))
        self._thread.start()
        assert self._ready.wait(120)

    async def _run(self, config: ServeConfig) -> None:
        app, service = create_app(config)
        self.fast_path = CountingFastPath(app, service)
        listener = socket.create_server(("127.0.0.1", 0))
        self.port = listener.getsockname()[1]
        proxies = config.trusted_proxies
        http = "auto"
        if config.fast_path:
            limits = ConnectionLimits(config)
            http = fast_path_protocol(self.fast_path, limits, config.max_body, proxies)
        self.server = uvicorn.Server(
            uvicorn.Config(app, http=http, log_config=None, proxy_headers=bool(proxies),
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
    site = Site(tmp_path_factory.mktemp("fast_path"), requests_per_second=0)
    yield site
    site.stop()


def request(body: bytes = REQUEST, *more: str, version: str = "1.1") -> bytes:
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


def test_a_plain_request_takes_the_fast_path_and_one_for_advice_does_not(site):
    before = site.fast_path.taken
    with site.line() as line:
        for body, taken in ((REQUEST, 1), (ADVICE_REQUEST, 1), (REQUEST, 2)):
            line.sendall(request(body))
            assert action(read(line)[0]) in VIEW["legal"]
            assert site.fast_path.taken - before == taken


def test_both_paths_respond_with_the_same_headers(site):
    with site.line() as line:
        line.sendall(request())
        ((quick, _),) = read(line)
        line.sendall(request(ADVICE_REQUEST))
        ((slow, _),) = read(line)
    names = [
        sorted(row.partition(b":")[0] for row in head.split(b"\r\n")) for head in (quick, slow)
    ]
    assert names[0] == names[1] and b"content-security-policy" in names[0] and b"date" in names[0]


def test_a_request_may_come_in_pieces(site):
    before, text = site.fast_path.taken, request()
    with site.line() as line:
        for start in range(0, len(text), 700):
            line.sendall(text[start : start + 700])
            time.sleep(0.02)
        assert action(read(line)[0]) in VIEW["legal"]
    assert site.fast_path.taken == before + 1


def test_pipelined_requests_are_answered_in_order(site):
    """Some by the fast path, some not: none may overtake another."""
    bodies = [REQUEST, ADVICE_REQUEST, REQUEST, REQUEST, b"{", REQUEST]
    with site.line() as line:
        line.sendall(b"".join(request(body) for body in bodies))
        answers = read(line, len(bodies))
    kinds = ["error" if b'"error"' in body else "legal" if b'"legal"' in body else "plain"
             for _, body in answers]  # fmt: skip
    assert kinds == ["plain", "legal", "plain", "plain", "error", "plain"]


@pytest.mark.parametrize(
    ("more", "version"), [(("Connection: close",), "1.1"), ((), "1.0")], ids=["close", "1.0"]
)
def test_a_connection_to_be_closed_is_closed(site, more, version):
    with site.line() as line:
        line.sendall(request(REQUEST, *more, version=version))
        assert action(read(line)[0]) in VIEW["legal"]
        assert line.recv(1) == b""


def test_a_chunked_body_is_read(site):
    with site.line() as line:
        head = request(b"").replace(b"Content-Length: 0", b"Transfer-Encoding: chunked")
        line.sendall(head + b"%x\r\n%s\r\n0\r\n\r\n" % (len(REQUEST), REQUEST))
        assert action(read(line)[0]) in VIEW["legal"]


def test_a_client_that_disconnects_during_a_decision_does_no_harm(site):
    for _ in range(20):
        with site.line() as line:
            line.sendall(request() * 3)
    with site.line() as line:
        line.sendall(request())
        assert action(read(line)[0]) in VIEW["legal"]


def test_an_invalid_view_is_refused(site):
    body = json.loads(REQUEST)
    # None of these numbers fits a byte.
    body["view"]["cards_played"] = [10**10] * 10
    with site.client() as http:
        answer = http.post("/v1/act", json=body)
    assert answer.status_code == 422 and answer.json()["error"]["code"] == "position"


def test_the_fast_path_counts_its_responses(site):
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
def limited(tmp_path) -> Iterator[Site]:
    """A careful server behind a proxy."""
    site = Site(
        tmp_path, api_keys=(KEY,), requests_per_second=0.001, requests_burst=4,
        trusted_proxies="127.0.0.1", cors_origins=("https://front.example",),
    )  # fmt: skip
    yield site
    site.stop()


def test_the_fast_path_keeps_keys_limits_and_origins(limited):
    def ask(client: str, **headers: str) -> httpx.Response:
        given = {"X-API-Key": KEY, "X-Forwarded-For": client, "Content-Type": "application/json"}
        return http.post("/v1/act", content=REQUEST, headers={**given, **headers})

    with limited.client() as http:
        assert ask("1.1.1.1", **{"X-API-Key": "x" * 20}).status_code == 401
        assert [ask("1.1.1.2").status_code for _ in range(6)] == [200] * 4 + [429] * 2
        assert limited.fast_path.taken == 4
        assert ask("1.1.1.3").status_code == 200, "another client has limits of its own"
        allowed = ask("1.1.1.4", Origin="https://front.example")
        assert allowed.headers["access-control-allow-origin"] == "https://front.example"
        assert ask("1.1.1.4", **{"Content-Type": "text/plain"}).status_code == 415


def test_a_bot_that_fails_is_reported_on_the_fast_path(site):
    responses = []

    class Recorded(Exchange):
        def respond(self, status: int, response: bytes) -> None:
            responses.append((status, response))

    error = ApiError("bot_timeout", "the bot hangs", retry_after=3)
    site.fast_path._refuse(error, Recorded())
    ((status, response),) = responses
    head, _, body = response.partition(b"\r\n\r\n")
    assert status == 504 and b"retry-after: 3" in head
    assert json.loads(body)["error"]["code"] == "bot_timeout"


@pytest.fixture
def twins(tmp_path) -> Iterator[tuple[Site, Site]]:
    """Two servers of the same seed, with the fast path and without."""
    options = {"requests_per_second": 0, "seed": 1}
    folders = [tmp_path / name for name in ("fast", "plain")]
    for folder in folders:
        folder.mkdir()
    sites = Site(folders[0], **options), Site(folders[1], **options, fast_path=False)
    yield sites
    for site in sites:
        site.stop()


def bodies() -> list[bytes]:
    """Views of every variant and many phases, and requests that are wrong in one way each."""
    rng, made = np.random.default_rng(3), []
    for variant in uno.VARIANTS:
        game = uno.Game(variant, 4, seed=7)
        while not game.over and len(made) % 40 != 39:
            made.append({"bot": "heuristic", "view": game.view(game.actor)})
            game.step(int(rng.choice(game.legal_ids())))
        made.append({"view": VIEW})
    made += [
        {"bot": "nobody", "view": VIEW},
        {"bot": "heuristic", "view": {**VIEW, "hand": []}},
        {"bot": "heuristic", "view": {**VIEW, "legal": []}},
        {"bot": "heuristic", "view": {**VIEW, "phase": "tea"}},
        {"bot": "heuristic", "view": VIEW, "extra": 1},
        {"bot": "heuristic", "view": VIEW, "advice": "yes"},
        {"bot": "heuristic", "view": VIEW, "legal": VIEW["legal"][:1]},
        {"bot": "heuristic", "view": VIEW, "position": {"hand": [], "hand_sizes": [0, 1]}},
        {"bot": "heuristic"},
        [],
    ]
    return [json.dumps(body).encode() for body in made] + [b"{", b'{"view": NaN}']


def test_both_paths_give_equal_responses(twins):
    """The same seed and the same requests: the same bytes, with the fast path and without."""
    statuses = set()
    with twins[0].line() as fast, twins[1].line() as plain:
        for body in bodies():
            both = []
            for line in (fast, plain):
                line.sendall(request(body, "X-Request-Id: trace-1"))
                ((head, content),) = read(line)
                fields = sorted(row for row in head.split(b"\r\n") if not row.startswith(b"date"))
                both.append((fields, content))
            assert both[0] == both[1], body
            statuses.add(both[0][0][0])
    assert twins[0].fast_path.taken > 200 and twins[1].fast_path.taken == 0
    assert len(statuses) >= 3
