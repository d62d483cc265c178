"""Every sample of docs/serving.md is sent to a real server, and its answers are held against it.

The programs among them are run by test_clients.
"""

import asyncio
import json
import re
import shlex
from typing import Any

import pytest
import websockets
from uno_serve.cli import _parser

import uno_env as uno

from .playing import bearer, new_table
from .server import ROOT

PAGE = (ROOT / "docs" / "serving.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def sample(marker: str) -> Any:
    """The JSON sample that holds a text."""
    (found,) = [text for language, text in BLOCKS if language == "json" and marker in text]
    return json.loads(found.replace("{…}", "{}"))


def actions(value: Any) -> list[dict[str, Any]]:
    """Every action that a sample shows to people."""
    if isinstance(value, list):
        return [one for part in value for one in actions(part)]
    if not isinstance(value, dict):
        return []
    own = [value] if {"action", "id", "sentence"} <= set(value) else []
    return own + [one for part in value.values() for one in actions(part)]


def keys_of(value: Any) -> Any:
    """The names in a value, with those of the first of each list."""
    if isinstance(value, dict):
        return {key: keys_of(part) for key, part in value.items()}
    return [keys_of(value[0])] if isinstance(value, list) and value else None


def test_every_json_sample_is_json_and_its_actions_exist():
    samples = [json.loads(text.replace("{…}", "{}")) for name, text in BLOCKS if name == "json"]
    assert len(samples) >= 8
    shown = actions(samples)
    assert shown
    for one in shown:
        assert one["id"] == uno.action_id(one["action"]), one


def test_the_documented_position_gets_the_documented_answer(http):
    request, documented = sample('"position": {'), sample('"win_estimate"')
    answer = http.post("/v1/act", json=request)
    assert answer.status_code == 200, answer.text
    assert answer.json() == documented
    # And that is a legal move of the rules, not only of the server.
    position = request["position"]
    game = uno.Game.from_snapshot({
        "variant": position["variant"], "discard": [position["top_card"]],
        "draw_pile": ["blue-1"] * 20,
        "hands": [position["hand"], ["green-1"] * 5, ["green-2"]],
    })  # fmt: skip
    legal = [option["action"] for option in documented["legal"]]
    assert documented["action"] in game.legal() and set(legal) <= set(game.legal())
    assert not {"play blue-skip"} & set(legal)


def test_the_documented_view_request_is_answered(http):
    game = uno.Game("classic", 3, seed=1)
    request = sample('"view": {…}') | {"view": game.view(game.actor)}
    answer = http.post("/v1/act", json=request).json()
    assert answer["action"] in game.legal()


def test_the_documented_error_has_the_form_of_errors(http):
    documented = sample('"illegal_action"')
    table = new_table(http, seats=[{"name": "Ana"}, {"name": "Bo"}], seed=1)
    token = table["seats"][uno.Game("classic", 2, seed=1).actor]["token"]
    path = f"/v1/tables/{table['table']}/act"
    answer = http.post(path, json={"action": "catch"}, headers=bearer(token))
    error = answer.json()["error"]
    assert set(error) == set(documented["error"]) and error["code"] == "illegal_action"


def test_the_documented_table_is_set_up_as_documented(http):
    request, documented = sample('"move_seconds": 60'), sample('"host_token"')
    answer = http.post("/v1/tables", json=request)
    assert answer.status_code == 201, answer.text
    made = answer.json()
    assert set(made) == set(documented)
    for seat, shown in zip(made["seats"], documented["seats"], strict=True):
        assert {key: seat[key] for key in shown if key != "token"} == {
            key: value for key, value in shown.items() if key != "token"
        }
        assert ("token" in seat) == ("token" in shown)
    http.delete(f"/v1/tables/{made['table']}", headers=bearer(made["host_token"]))


def test_the_documented_stream_messages(server, http):
    """Hello, the state with the documented keys, and every message a client may send."""
    hello, documented = sample('"hello"'), sample('"type": "state"')
    table = new_table(http, seats=[{"name": "Ana"}, {"kind": "bot"}], seed=1)
    rows = re.findall(r"^\| `(\{\"type\".*?\})`", PAGE, re.MULTILINE)
    sent = [json.loads(row) for row in rows]
    assert [message["type"] for message in sent] == [
        *("act", "advice", "rematch", "reaction", "ready", "next-round", "ping")
    ]

    async def talk() -> list[dict[str, Any]]:
        heard = []
        async with websockets.connect(f"{server.stream_url}/{table['table']}/stream") as socket:
            await socket.send(json.dumps(hello | {"token": table["seats"][0]["token"]}))
            heard.append(json.loads(await socket.recv()))
            for message in sent:
                await socket.send(json.dumps(message))
            async with asyncio.timeout(60):
                while heard[-1]["type"] != "pong":
                    heard.append(json.loads(await socket.recv()))
        return heard

    heard = asyncio.run(talk())
    state = heard[0]
    assert set(state) == set(documented)
    assert set(state["seats"][0]) == set(documented["seats"][0])
    assert set(documented["view"]) <= set(state["view"])
    unknown = [one for one in heard if one["type"] == "error"]
    assert all(one["error"]["code"] not in ("invalid", "bad_json") for one in unknown), unknown
    assert state["pause"] is None or set(state["pause"]) == {"seat", "action", "seconds"}


@pytest.mark.parametrize("command", re.findall(r"^uno-serve .*$", PAGE, re.MULTILINE))
def test_the_documented_commands_are_understood(command):
    words = shlex.split(command.partition("#")[0])
    _parser().parse_args(words[1:])
