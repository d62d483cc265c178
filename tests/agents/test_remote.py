"""Remote agents over real HTTP: the server of the docs, and servers that misbehave."""

import json
import re
import socket
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from uno_agents.registry import make_agent
from uno_agents.remote import LONGEST_ANSWER, RemoteError

import uno_env

PAGE = Path(__file__).parents[2] / "docs" / "plug-in.md"


def python_blocks():
    return re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)


def block(mark):
    """The Python on the page that holds a mark."""
    return next(code for code in python_blocks() if mark in code)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """The server of the page in a process of its own."""
    file = tmp_path_factory.mktemp("server") / "my_server.py"
    file.write_text(block("ThreadingHTTPServer"))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen([sys.executable, file, str(port)], stderr=subprocess.DEVNULL)
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.05)
    yield f"http://127.0.0.1:{port}/bot"
    process.terminate()
    process.wait()


@pytest.mark.parametrize("variant", uno_env.VARIANTS)
def test_the_server_of_the_page_plays_whole_games(server, variant):
    agent = make_agent(server)
    game = uno_env.Game(variant, seed=3)
    for _ in range(60):
        if game.over:
            break
        legal = game.legal()
        action = agent.act(game.view(game.actor), legal)
        plays = [text for text in legal if text.startswith("play")]
        assert action == (plays or legal)[0]
        game.step(action)
    agent.close()


def test_it_sits_in_the_gymnasium_environment(server):
    env = gymnasium.make("uno_env/Uno-v0", num_players=2, opponents=f"{server}:timeout=20")
    env.reset(seed=1)
    for _ in range(5):
        _, _, terminated, truncated, _ = env.step(
            int(np.flatnonzero(env.unwrapped.action_masks())[0])
        )
        if terminated or truncated:
            break
    env.close()


class Rude(BaseHTTPRequestHandler):
    """Answers as its server's `script` says."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.client_address, asked))
        self.server.script(self, asked)

    def answer(self, body, status=200):
        octets = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(octets)))
        self.end_headers()
        self.wfile.write(octets)

    def log_message(self, *args):
        pass


@pytest.fixture
def rude():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Rude)
    server.daemon_threads, server.asked = True, []
    server.url = f"http://127.0.0.1:{server.server_port}/any/path?level=3"
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def ask(server, timeout=5):
    game = uno_env.Game("classic", 2, seed=1)
    return make_agent(f"{server.url}:timeout={timeout}").act(game.view(game.actor), game.legal())


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"action": "play blue-99"}, r"chose 'play blue-99', which is not legal; allowed: "),
        ({"action": 9999}, "chose '9999', which is not legal"),
        ({"action": True}, "chose 'True', which is not legal"),
        ({"action": None}, "chose 'None', which is not legal"),
        ({"choice": 1}, r"answered .*choice.*; \{\"action\": \.\.\.\} is needed"),
        (["draw"], r"\{\"action\": \.\.\.\} is needed"),
        (b"draw", "answered 'draw', which is not JSON"),
        (b"[" * 100_000, "which is not JSON"),
        (b"\xff\xfe", "which is not JSON"),
        (b"x" * (LONGEST_ANSWER + 1), "answered more than"),
    ],
)
def test_wrong_answers_are_named(rude, body, message):
    rude.script = lambda handler, asked: handler.answer(body)
    with pytest.raises(RemoteError, match=message) as caught:
        ask(rude)
    assert rude.url in str(caught.value)
    assert len(str(caught.value)) < 1000


def test_a_status_is_named_with_its_text(rude):
    rude.script = lambda handler, asked: handler.answer(b"out of cards", 503)
    with pytest.raises(RemoteError, match="answered 503 Service Unavailable: 'out of cards'"):
        ask(rude)


def test_it_sends_the_view_and_the_legal_actions_and_nothing_else(rude):
    rude.script = lambda handler, asked: handler.answer(
        {"action": uno_env.action_id(asked["legal"][-1])}
    )
    game = uno_env.Game("classic", 3, seed=1)
    agent = make_agent(rude.url)
    for _ in range(3):
        view, legal = game.view(game.actor), game.legal()
        assert agent.act(view, legal) == legal[-1]
        assert rude.asked[-1][1] == json.loads(json.dumps({"view": view, "legal": legal}))
        game.step(legal[-1])
    # One connection was kept for all of them.
    assert len({address for address, _ in rude.asked}) == 1


def test_silence_and_trickles_end_in_time(rude):
    gate = threading.Event()

    def silent(handler, asked):
        gate.wait(10)

    def trickle(handler, asked):
        handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
        while not gate.wait(0.05):
            handler.wfile.write(b"X-Wait: 1\r\n")
            handler.wfile.flush()

    for rude.script in (silent, trickle):
        started = time.monotonic()
        with pytest.raises(RemoteError, match=r"did not answer within 0\.5 seconds"):
            ask(rude, timeout=0.5)
        assert time.monotonic() - started < 5
    gate.set()


def test_a_connection_that_was_closed_is_opened_anew(rude):
    def close_after(handler, asked):
        handler.answer({"action": asked["legal"][0]})
        handler.close_connection = True

    rude.script = close_after
    agent, game = make_agent(rude.url), uno_env.Game("classic", 2, seed=1)
    for _ in range(3):
        assert agent.act(game.view(game.actor), game.legal()) == game.legal()[0]
    assert len({address for address, _ in rude.asked}) == 3


def test_a_server_that_is_gone_is_named(rude):
    def leave(handler, asked):
        handler.connection.shutdown(socket.SHUT_RDWR)
        handler.close_connection = True

    rude.script = leave
    with pytest.raises(RemoteError, match="cannot be reached"):
        ask(rude)
    agent, game = make_agent("http://127.0.0.1:9/bot:timeout=5"), uno_env.Game("classic", seed=1)
    with pytest.raises(RemoteError, match=r"127\.0\.0\.1:9/bot cannot be reached"):
        agent.act(game.view(game.actor), game.legal())
