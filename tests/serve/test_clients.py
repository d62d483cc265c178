"""The clients of docs/serving.md, run as they stand there, and the rest of the Python one."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from uno_agents.registry import make_agent
from uno_serve.client import Client, ServerError

from uno_env import Game

PAGE = Path(__file__).parents[2] / "docs" / "serving.md"


def block(language: str) -> str:
    """The code block of a language on the page."""
    found = re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(found) == 1
    return found[0]


def test_the_python_client_of_the_page(server, capsys):
    exec(block("python"), {"URL": server.url})  # noqa: S102 - our own page
    winners, rounds = capsys.readouterr().out.rsplit(" ", 1)
    assert winners in ("[0]", "[1]") and rounds == "1\n"


def test_the_javascript_client_of_the_page(server, tmp_path):
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node on this machine")
    code = block("js")
    assert len(code.splitlines()) <= 30
    script = tmp_path / "client.mjs"
    script.write_text(code, encoding="utf-8")
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    flags = ["--experimental-websocket"] if int(version[1:].split(".")[0]) < 22 else []
    run = subprocess.run([node, *flags, str(script), server.url], capture_output=True, text=True,
                         timeout=60, check=True)  # fmt: skip
    said = run.stdout.splitlines()
    assert said[0].endswith("dealt round 1.")
    assert any(line.endswith(" won round 1.") for line in said[-5:])


def test_decisions(client):
    game = Game("teams", 4, seed=2)
    view = game.view(game.actor)
    answer = client.act(view=view, bot="greedy", advice=True)
    assert answer.action in view["legal"] and answer.legal is not None
    assert sum(option.probability for option in answer.legal) == pytest.approx(1)
    many = client.act_batch([{"view": view}, {"bot": "nobody", "view": view}])
    assert many[0].action in view["legal"] and many[1].error.code == "unknown_bot"
    assert "heuristic" in [bot.name for bot in client.bots()]
    assert len(client.variants().switches) > 50


def test_a_refusal_is_an_exception(client):
    with pytest.raises(ServerError, match="unknown_bot") as caught:
        client.act(position={"hand": ["red-1"], "hand_sizes": [1, 1], "top_card": "red-2"}, bot="x")
    assert caught.value.status == 422 and "heuristic" in caught.value.details["bots"]
    with pytest.raises(ServerError) as caught:
        list(client.watch("nowhere"))
    assert caught.value.code == "no_such_table"


def test_two_clients_at_one_table_and_one_who_watches(server, client):
    """Each in a thread of its own, as programs would."""
    from concurrent.futures import ThreadPoolExecutor

    table = client.new_table("ig2000", bot_delay=0, seats=[{"name": "Ana"}, {"open": True}])
    ana = client.seat(table.table, 0, table.seats[0].token)
    assert ana.view().status == "waiting"
    bo = Client(server.url).join(table.table, "Bo")
    with ThreadPoolExecutor(3) as pool:
        plays = [
            pool.submit(seat.play, make_agent("greedy", seed=seat.number)) for seat in (ana, bo)
        ]
        seen = pool.submit(lambda: list(client.watch(table.table)))
        final = [play.result(60) for play in plays]
        assert seen.result(60)[-1].status == "over"
    assert final[0].view["winners"] == final[1].view["winners"]
    replay = client.replay(table.table)
    assert list(Game.replay(replay.record).winners) == final[0].view["winners"]
    ana.rematch()
    bo.rematch()
    assert ana.view().game == 2
    bo.leave()
    with pytest.raises(ServerError, match="wrong_token"):
        bo.view()
    bo.client.close()
    ana.leave()


def test_an_agent_of_your_own_is_shown_everything_that_happened(client):
    stories = []

    class Listener:
        def act(self, view, legal):
            stories.append([event["type"] for event in view["events"]])
            return legal[0]

    seats = [{"name": "Ana"}, {"kind": "bot", "bot": "greedy"}]
    # A deal of its own and whole hands: with three cards one round in thirty ends before the
    # second decision.
    with client.create_table("classic", seats=seats, bot_delay=0, seed=1) as seat:
        seat.play(Listener())
        whole = [event["type"] for event in seat.view().view["events"]]
    assert len(stories) > 1
    for story in stories:
        assert story == whole[: len(story)]
    assert [len(story) for story in stories] == sorted({len(story) for story in stories})
