"""A decision that was refused is still open: whoever made it is asked again, by the same number."""

import asyncio
import json
import threading

import websockets
from uno_serve.client import Seat

from .playing import bearer, eventually, new_table
from .test_windows import TWO_ASKED, deal_that_asks_two

WINDOW_SECONDS = 4.0
"""Long enough for two answers on a slow machine."""


def three_people(http) -> tuple[list[str], str, int]:
    """A table in a window that asks two of its people: tokens, path, and who is second."""
    seed, moves, (_, second) = deal_that_asks_two()
    table = new_table(http, rules=TWO_ASKED, seed=seed, seats=[{"kind": "human"}] * 3,
                      absent_seconds=None, react_seconds=WINDOW_SECONDS)  # fmt: skip
    tokens = [seat["token"] for seat in table["seats"]]
    path = f"/v1/tables/{table['table']}"
    for seat, action in moves:
        answer = http.post(f"{path}/act", headers=bearer(tokens[seat]), json={"action": action})
        assert answer.status_code == 200, answer.text
    return tokens, path, second


class Asked(Exception):
    """An agent has been asked twice."""


class JumpsIn:
    """Jumps in at once, and stops the game when it is asked again."""

    def __init__(self) -> None:
        self.has_answered = threading.Event()
        self.moves: list[list[str]] = []

    def act(self, view, legal):
        self.moves.append(legal)
        if len(self.moves) == 2:
            raise Asked
        self.has_answered.set()
        return "jump-in"


def test_the_client_plays_on_when_somebody_else_was_first(server, client, http):
    tokens, path, second = three_people(http)
    agent, ends = JumpsIn(), []
    seat = Seat(client, path.rpartition("/")[2], second, tokens[second])

    def play() -> None:
        try:
            seat.play(agent)
        except Exception as error:
            ends.append(error)

    thread = threading.Thread(target=play)
    thread.start()
    assert agent.has_answered.wait(60)
    others = [token for number, token in enumerate(tokens) if number != second]
    eventually(lambda: ends or move_on(http, path, others), 60)
    thread.join(60)
    assert [type(end) for end in ends] == [Asked], ends
    assert "jump-in" in agent.moves[0] and agent.moves[1]


def move_on(http, path: str, tokens: list[str]) -> None:
    """Whoever is asked decides; who can jump in does."""
    for token in tokens:
        state = http.get(f"{path}/view", headers=bearer(token)).json()
        actions = [option["action"] for option in state["legal"]]
        if actions:
            action = "jump-in" if "jump-in" in actions else actions[0]
            http.post(f"{path}/act", headers=bearer(token), json={"action": action})


def test_a_stream_repeats_the_state_after_a_refusal(server, http):
    """It may have overtaken the refusal, and been skipped as decided."""
    table = new_table(http, seats=[{"name": "Ana"}, {"kind": "bot"}], absent_seconds=None)

    async def listen() -> list[dict]:
        address = f"{server.stream_url}/{table['table']}/stream"
        async with websockets.connect(address) as socket, asyncio.timeout(60):
            hello = {"type": "hello", "token": table["seats"][0]["token"]}
            await socket.send(json.dumps(hello))
            heard = [json.loads(await socket.recv())]
            while heard[-1].get("move") is None:
                heard.append(json.loads(await socket.recv()))
            asked = heard[-1]
            move = {"type": "act", "action": asked["legal"][0]["id"], "move": asked["move"] + 7}
            await socket.send(json.dumps(move))
            heard = [json.loads(await socket.recv()) for _ in range(2)]
            return [asked, *heard]

    asked, refusal, again = asyncio.run(listen())
    assert refusal["error"]["code"] == "stale_move"
    assert again["type"] == "state" and again["move"] == asked["move"]
