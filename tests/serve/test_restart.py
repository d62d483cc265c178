"""The server dies without a word and comes back: no accepted move is lost."""

import asyncio
import json

import httpx
import websockets

import uno_env as uno

from .playing import Person, bearer, eventually, new_table, people, play_together
from .server import Server

CONFIG = """
requests_per_second: 0
tables_per_minute: 0
messages_per_second: 0
max_tables: 20
react_seconds: 0.1
bot_react_seconds: 0.02
default_bot: greedy
fallback_bot: random
"""
SEATS = [{"name": "Ana"}, {"kind": "bot"}, {"name": "Bo"}, {"kind": "bot"}]


def accepted_moves(person: Person) -> list[int]:
    return [json.loads(text)["move"] for text in person.heard if '"accepted"' in text[:30]]


def test_it_dies_in_the_middle_of_play_and_goes_on_where_it_was(tmp_path):
    mortal = Server(tmp_path, CONFIG).start()
    try:
        with httpx.Client(base_url=mortal.url, timeout=30) as http:
            tables = [
                new_table(http, variant=variant, seats=SEATS, absent_seconds=None)
                for variant in uno.VARIANTS
            ]
            lonely = new_table(http, episode="match", seats=[{"kind": "bot"}] * 3, bot_delay=0.05)
            retold = Retold(http)
            before = http.get(f"/v1/tables/{lonely['table']}/view").json()
        players = [person for table in tables for person in people(mortal, table)]
        ends = asyncio.run(play_until_it_dies(mortal, players))
        assert any(isinstance(end, websockets.ConnectionClosed) for end in ends)
        mortal.start()
        with httpx.Client(base_url=mortal.url, timeout=30) as http:
            retold.check(http)
            for player in players:
                check_nothing_lost(http, player)
            play_to_the_end(http, mortal, tables, players)
            assert eventually(lambda: has_grown(http, lonely, before)), "bots go on by themselves"
            check_full_house(http)
        check_goodbye(mortal, lonely["table"])
    finally:
        if mortal.process is not None:
            mortal.kill()


async def play_until_it_dies(mortal: Server, players: list[Person]) -> list:
    tasks = [asyncio.create_task(player.play()) for player in players]
    while not (in_the_middle(players) or any(task.done() for task in tasks)):
        await asyncio.sleep(0.001)
    mortal.kill()
    return await asyncio.gather(*tasks, return_exceptions=True)


def in_the_middle(players: list[Person]) -> bool:
    """Everybody is at a table, and some moves were made: by no clock, for games may be quick."""
    made = sum(len(accepted_moves(player)) for player in players)
    has_begun = [any(state["events"] for state in player.states) for player in players]
    return made >= 12 and all(has_begun)


class Retold:
    """A move that was accepted before, told again after the restart."""

    def __init__(self, http: httpx.Client) -> None:
        table = new_table(http, seats=[{"name": "Ana"}, {"kind": "bot"}], absent_seconds=None)
        self.me = bearer(table["seats"][0]["token"])
        self.path = f"/v1/tables/{table['table']}"
        state = eventually(lambda: self._asked(http))
        self.move = {"action": state["legal"][0]["action"], "move": state["move"]}
        self.first = http.post(f"{self.path}/act", headers=self.me, json=self.move).json()

    def _asked(self, http: httpx.Client) -> dict | None:
        state = http.get(f"{self.path}/view", headers=self.me).json()
        return state if state["move"] is not None else None

    def check(self, http: httpx.Client) -> None:
        again = http.post(f"{self.path}/act", headers=self.me, json=self.move)
        assert again.json() == self.first == {"accepted": True, "move": self.move["move"]}
        assert http.get(self.path).json()["seats"][0]["name"] == "Ana"


def check_nothing_lost(http: httpx.Client, player: Person) -> None:
    """Everything the seat was told is still so, and every accepted move was made."""
    told = [event for old in player.states for event in old["events"]]

    def retold() -> dict | None:
        state = http.get(f"/v1/tables/{player.table}/view", headers=bearer(player.token)).json()
        return state if state["events"][: len(told)] == told else None

    # A reaction window begins anew, so what came at its end before is told at its end again.
    state = eventually(retold)
    assert told and state
    accepted = accepted_moves(player)
    if accepted and state["move"] is not None:
        assert state["move"] > accepted[-1]


def play_to_the_end(http: httpx.Client, server: Server, tables: list, players: list) -> None:
    again = [Person(server, player.table, player.token, seed=9) for player in players]
    assert {state["status"] for state in play_together(*again)} == {"over"}
    for table in tables:
        record = http.get(f"/v1/tables/{table['table']}/replay").json()["record"]
        assert uno.Game.replay(record).over


def has_grown(http: httpx.Client, table: dict, before: dict) -> bool:
    state = http.get(f"/v1/tables/{table['table']}/view").json()
    return len(state["events"]) > len(before["events"]) or state["status"] == "over"


def check_full_house(http: httpx.Client) -> None:
    """Tables somebody was at a moment ago are kept, so a full server refuses more."""
    answers = [http.post("/v1/tables", json={}) for _ in range(30)]
    refused = [answer for answer in answers if answer.status_code != 201]
    assert refused and all(a.json()["error"]["code"] == "too_many_tables" for a in refused)
    assert all("retry-after" in answer.headers for answer in refused)
    assert http.get("/healthz").json()["tables"] == 20


def check_goodbye(server: Server, table: str) -> None:
    """Stopped politely it says so on every stream, and leaves with code 0."""

    async def listen() -> tuple:
        async with websockets.connect(f"{server.stream_url}/{table}/stream") as socket:
            await socket.send(json.dumps({"type": "hello"}))
            await socket.recv()
            code = await asyncio.to_thread(server.stop)
            heard = [json.loads(text) async for text in socket]
            return code, heard[-1], socket.close_code

    ended = asyncio.run(listen())
    assert ended == (0, {"type": "bye", "reason": "stopping"}, 1001)
