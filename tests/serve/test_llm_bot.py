"""A language model as a bot of the server: by its configuration, never by a request."""

import httpx
import pytest

from ..agents.llm_server import ChatServer
from .server import Server

pytest.importorskip("openai")


@pytest.fixture
def served(tmp_path, monkeypatch):
    chat = ChatServer()
    monkeypatch.setenv("UNO_LLM_BASE_URL", chat.url)
    running = Server(tmp_path, 'bots: {model: {spec: "llm:greedy"}}\n').start()
    with httpx.Client(base_url=running.url, timeout=60) as http:
        yield chat, http
    running.stop()
    chat.close()


def test_a_configured_model_decides_and_nobody_can_name_another(served):
    chat, http = served
    position = {
        "variant": "classic", "seat": 0, "hand": ["red-1", "blue-2", "wild"], "hand_sizes": [3, 5],
        "discard": ["red-5"], "active_color": "red",
    }  # fmt: skip
    answer = http.post("/v1/act", json={"bot": "model", "position": position})
    assert answer.status_code == 200, answer.text
    assert answer.json()["action"] == "play red-1" and len(chat.requests) == 1
    refused = http.post("/v1/act", json={"bot": "llm:greedy", "position": position})
    assert refused.status_code >= 400 and len(chat.requests) == 1
