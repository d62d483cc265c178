"""`uno-mcp` driven by the SDK's own client over both of its transports."""

import asyncio
import json
import os
import re
import socket
import subprocess
import sys
import time

import pytest

mcp = pytest.importorskip("mcp")
from mcp import Client, StdioServerParameters  # noqa: E402


def read(result):
    """What a tool said: JSON, or the text of its error."""
    if result.is_error:
        return result.content[0].text
    found = result.structured_content
    if found is None:
        return json.loads(result.content[0].text)
    return found["result"] if set(found) == {"result"} else found


async def call(client, tool, **arguments):
    return read(await client.call_tool(tool, arguments))


async def play_a_game(client, rules="classic", lang="en"):
    """A whole game by numbers; the table and everything that was shown on the way."""
    told = await call(client, "start_table", rules=rules, bots=["greedy"], seed=5, lang=lang)
    key = {name: told[name] for name in ("table", "seat", "token")}
    shown = [told["text"]]
    for _ in range(400):
        if told["status"] == "over":
            return key, shown
        told = await call(client, "act", **key, answer="1", lang=lang)
        assert told["accepted"], told
        shown.append(told["text"])
    raise AssertionError("the game did not end")


async def the_whole_round(client):
    """Every tool, resource and prompt once, around one game."""
    tools = {tool.name for tool in (await client.list_tools()).tools}
    assert tools == {
        "list_variants", "explain_rules", "list_bots", "start_table", "join_table", "look", "act",
        "leave_table", "ask_coach", "watch_table", "review_game", "compare_agents",
    }  # fmt: skip
    variants = await call(client, "list_variants")
    assert {row["variant"] for row in variants} >= {"classic", "no_mercy"}
    assert any("UNO" in line for line in await call(client, "explain_rules", rules="no_mercy"))
    assert any(bot["name"] == "heuristic" for bot in await call(client, "list_bots"))
    key, shown = await play_a_game(client)
    assert "The game is over." in shown[-1] and "Rules:" in shown[0]
    reviewed = await call(client, "review_game", table=key["table"], seat=key["seat"],
                          bot="heuristic")  # fmt: skip
    assert reviewed["decisions"] >= reviewed["agreed"] >= 0
    assert len(reviewed["disagreements"]) <= 10
    result = await call(client, "compare_agents", agent="greedy", opponent="random", deals=20)
    assert result["games"] == 40 and result["low"] <= result["rate"] <= result["high"]
    resource = await client.read_resource("uno://rules/teams")
    assert "partner" in resource.contents[0].text
    cards = await client.read_resource("uno://cards/classic")
    assert "4 x wild (wild)" in cards.contents[0].text
    prompt = await client.get_prompt("teach_me", {"variant": "hyper_speed"})
    assert "Hyper Speed" in prompt.messages[0].content.text


@pytest.fixture(scope="module")
def http_server(server):
    """`uno-mcp` over streamable HTTP, on top of the server of the other tests."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "uno_serve.mcp", "--server", server.url, "--transport", "http",
         "--port", str(port)],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    for _ in range(300):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.1)
    yield f"http://127.0.0.1:{port}/mcp"
    process.terminate()
    process.wait(timeout=60)


def over_http(url, script):
    async def run():
        async with Client(url) as client:
            return await script(client)

    return asyncio.run(run())


def test_a_whole_game_over_http(http_server):
    over_http(http_server, the_whole_round)


def test_a_whole_game_over_stdio_with_a_server_of_its_own():
    async def run():
        # The SDK hands on only a few variables; compiled kernels are found by one of the others.
        command = StdioServerParameters(
            command=sys.executable, args=["-m", "uno_serve.mcp"], env=dict(os.environ)
        )
        async with Client(command, read_timeout_seconds=120) as client:
            await the_whole_round(client)

    asyncio.run(run())


def test_two_seats_see_their_own_cards_and_no_others(http_server):
    async def script(client):
        host = await call(client, "start_table", open_seats=1, seed=3)
        guest = await call(client, "join_table", table=host["table"], name="Bea")
        texts = {}
        for who, told in (("host", host), ("guest", guest)):
            key = {name: told[name] for name in ("table", "seat", "token")}
            texts[who] = (await call(client, "look", **key, wait_seconds=0))["text"]
        watched = await call(client, "watch_table", table=host["table"])
        return texts, watched

    texts, watched = over_http(http_server, script)
    hands = {who: re.search(r"Your hand \(\d+\): (.*)", text)[1] for who, text in texts.items()}
    assert hands["host"] != hands["guest"]
    assert hands["guest"] not in texts["host"] and hands["host"] not in texts["guest"]
    assert "Your hand" not in watched["text"] and "Legal actions" not in watched["text"]


def test_wrong_tokens_and_answers_are_refused_and_change_nothing(http_server):
    async def script(client):
        told = await call(client, "start_table", bots=["greedy"], seed=5)
        key = {name: told[name] for name in ("table", "seat", "token")}
        stolen = await call(client, "look", **(key | {"token": "x" * 20}))
        nonsense = await call(client, "act", **key, answer="purple nine")
        local = await call(client, "compare_agents", agent="bad.py:Bot", opponent="random")
        many = await call(client, "compare_agents", agent="random", opponent="random", deals=10**6)
        rules = await call(client, "explain_rules", rules="chess")
        advice = await call(client, "ask_coach", **key, bot="heuristic")
        left = await call(client, "leave_table", **key)
        return stolen, nonsense, told, local, many, rules, advice, left

    stolen, nonsense, told, local, many, rules, advice, left = over_http(http_server, script)
    assert "token" in stolen
    assert not nonsense["accepted"] and "answer with a number" in nonsense["error"]
    assert nonsense["text"].splitlines()[1] in told["text"]
    assert "not allowed here" in local and "allowed: 1 to 200" in many and "chess" in rules
    assert advice["bot"] == "heuristic" and left == "left"


def test_french_texts(http_server):
    async def script(client):
        return await play_a_game(client, "no_mercy", "fr")

    _, shown = over_http(http_server, script)
    assert "Votre main" in shown[0] and "La partie est finie." in shown[-1]
