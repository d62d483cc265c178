"""People around a table: names, the waiting room, the host, presence, reactions, invitations."""

import asyncio
import json

import httpx
import pytest
import segno
import websockets
from uno_serve.api.invitation import local_addresses, reachable
from uno_serve.bots.registry import BotRegistry
from uno_serve.client import Client
from uno_serve.config import ServeConfig
from uno_serve.levels import LEVELS
from uno_serve.tables.names import distinct_name

from .playing import bearer, new_table
from .server import Server
from .test_lobby import three_people, with_lobby

ANA = {"kind": "human", "name": "Ana"}
OPEN = {"kind": "human", "open": True}
BOT = {"kind": "bot", "bot": "greedy"}


def room(http: httpx.Client, *seats: dict, **options) -> tuple[dict, str]:
    table = new_table(http, seats=list(seats), waiting_room=True, **options)
    return table, f"/v1/tables/{table['table']}"


def seats_of(http: httpx.Client, path: str) -> list[dict]:
    return http.get(path).json()["seats"]


def status(http: httpx.Client, path: str) -> str:
    return http.get(path).json()["status"]


def join(http: httpx.Client, path: str, name: str | None = None) -> dict[str, str]:
    joined = http.post(f"{path}/join", json={"name": name}).json()
    return bearer(joined["token"])


# Names.


@pytest.mark.parametrize("name", [None, "You", "you", "VOUS", "Moi"])
def test_nobody_is_called_you(http: httpx.Client, name: str | None):
    """A guest once read "You won!" of the host, whose name was "You"."""
    table = new_table(http, seats=[{"kind": "human", "name": name}, BOT])
    given = seats_of(http, f"/v1/tables/{table['table']}")[0]["name"]
    assert given and given.casefold() not in ("you", "vous", "moi")


def test_equal_names_are_told_apart(http: httpx.Client):
    _, path = room(http, ANA, OPEN, OPEN)
    join(http, path, "Ana")
    join(http, path, "ana")
    assert [seat["name"] for seat in seats_of(http, path)] == ["Ana", "Ana 2", "ana 3"]
    assert distinct_name("x" * 40, ["x" * 40]) == "x" * 37 + " 2"


# The waiting room.


def test_a_waiting_room_begins_when_all_seats_are_taken_and_all_are_ready(http: httpx.Client):
    table, path = room(http, ANA, OPEN, BOT)
    host = bearer(table["seats"][0]["token"])
    assert seats_of(http, path)[0]["host"] is True
    http.post(f"{path}/ready", json={}, headers=host)
    assert status(http, path) == "waiting"
    bo = join(http, path, "Bo")
    assert status(http, path) == "waiting"
    http.post(f"{path}/ready", json={"ready": False}, headers=host)
    http.post(f"{path}/ready", json={}, headers=bo)
    assert [seat["ready"] for seat in seats_of(http, path)] == [False, True, False]
    http.post(f"{path}/ready", json={}, headers=host)
    assert status(http, path) == "playing"
    late = http.post(f"{path}/ready", json={}, headers=host)
    assert late.status_code == 409 and late.json()["error"]["code"] == "not_waiting"


def test_without_a_waiting_room_a_full_table_begins_as_before(http: httpx.Client):
    table = new_table(http, seats=[ANA, OPEN])
    path = f"/v1/tables/{table['table']}"
    join(http, path, "Bo")
    assert status(http, path) == "playing"


def test_a_program_that_joins_a_waiting_room_is_ready(http: httpx.Client, client: Client):
    table, path = room(http, ANA, OPEN)
    http.post(f"{path}/ready", json={}, headers=bearer(table["seats"][0]["token"]))
    client.join(table["table"], "Bot of mine")
    assert status(http, path) == "playing"


def test_the_host_fills_and_clears_seats(http: httpx.Client):
    table, path = room(http, ANA, OPEN, OPEN)
    host, bo = bearer(table["host_token"]), join(http, path, "Bo")
    refused = http.post(f"{path}/seats/2", json={"kind": "bot"}, headers=bo)
    assert refused.status_code == 403
    http.post(f"{path}/seats/2", json={"kind": "bot", "bot": "greedy"}, headers=host)
    assert seats_of(http, path)[2]["bot"] == "greedy"
    assert seats_of(http, path)[2]["name"] not in (None, "Ana", "Bo")
    http.post(f"{path}/seats/1", json={"kind": "open"}, headers=host)
    assert seats_of(http, path)[1] | {"present": None} == {
        "seat": 1, "kind": "human", "name": None, "bot": None, "open": True, "present": None,
        "stand_in": False, "ready": False, "left": False, "host": False,
        "replaced": None,
    }  # fmt: skip
    assert http.post(f"{path}/ready", json={}, headers=bo).status_code == 403, "Bo was removed"
    own = http.post(f"{path}/seats/0", json={"kind": "bot"}, headers=host)
    assert own.status_code == 422
    assert http.post(f"{path}/seats/7", json={"kind": "bot"}, headers=host).status_code == 422
    unknown = http.post(f"{path}/seats/1", json={"kind": "bot", "bot": "nobody"}, headers=host)
    assert unknown.json()["error"]["code"] == "unknown_bot"


def test_a_bot_on_the_last_open_seat_begins_the_game(http: httpx.Client):
    table, path = room(http, ANA, OPEN)
    http.post(f"{path}/ready", json={}, headers=bearer(table["seats"][0]["token"]))
    http.post(f"{path}/seats/1", json={"kind": "bot"}, headers=bearer(table["host_token"]))
    assert status(http, path) == "playing"


def test_the_next_person_becomes_host_when_the_host_leaves(http: httpx.Client):
    table, path = room(http, ANA, OPEN, OPEN)
    bo = join(http, path, "Bo")
    http.post(f"{path}/leave", headers=bearer(table["seats"][0]["token"]))
    seats = seats_of(http, path)
    assert seats[0]["open"] and seats[1]["host"]
    assert http.post(f"{path}/seats/0", json={"kind": "bot"}, headers=bo).status_code == 200
    http.post(f"{path}/leave", headers=bo)
    assert http.get(path).status_code == 404, "nobody is left who could be waited for"


def test_the_host_replaces_somebody_in_mid_game(http: httpx.Client):
    table = new_table(http, seats=[ANA, {"kind": "human", "name": "Bo"}, BOT])
    path, host = f"/v1/tables/{table['table']}", bearer(table["host_token"])
    opened = http.post(f"{path}/seats/1", json={"kind": "open"}, headers=host)
    assert opened.json()["error"]["code"] == "not_waiting"
    http.post(f"{path}/seats/1", json={"kind": "bot", "bot": "random"}, headers=host)
    seat = seats_of(http, path)[1]
    assert (seat["kind"], seat["bot"], seat["name"], seat["left"]) == ("bot", "random", "Bo", True)
    assert http.get(f"{path}/view", headers=bearer(table["seats"][1]["token"])).status_code == 403


# Presence and reactions.


async def _hello(server: Server, table: dict, token: str | None) -> websockets.ClientConnection:
    socket = await websockets.connect(f"{server.stream_url}/{table['table']}/stream")
    await socket.send(json.dumps({"type": "hello", "token": token}))
    assert json.loads(await socket.recv())["type"] == "state"
    return socket


async def _next(socket: websockets.ClientConnection, kind: str) -> dict:
    async with asyncio.timeout(20):
        while True:
            message = json.loads(await socket.recv())
            if message["type"] == kind:
                return message


def test_who_closes_the_page_is_away_at_once_and_back_at_once(server: Server, http: httpx.Client):
    """Until now such a person counted as present for another 30 seconds."""
    table = new_table(http, seats=[ANA, {"kind": "human", "name": "Bo"}])

    async def run() -> None:
        ana = await _hello(server, table, table["seats"][0]["token"])
        for _ in range(2):
            bo = await _hello(server, table, table["seats"][1]["token"])
            while not (await _next(ana, "state"))["seats"][1]["present"]:
                pass
            await bo.close()
            while (await _next(ana, "state"))["seats"][1]["present"]:
                pass
        await ana.close()

    asyncio.run(run())


def test_a_program_without_a_stream_is_present_while_it_calls(http: httpx.Client):
    table = new_table(http, seats=[ANA, BOT])
    path = f"/v1/tables/{table['table']}"
    http.get(f"{path}/view", headers=bearer(table["seats"][0]["token"]))
    assert seats_of(http, path)[0]["present"] is True


def test_reactions_reach_everybody_once(server: Server, http: httpx.Client):
    table = new_table(http, seats=[ANA, {"kind": "human", "name": "Bo"}])

    async def run() -> None:
        ana = await _hello(server, table, table["seats"][0]["token"])
        bo = await _hello(server, table, table["seats"][1]["token"])
        watcher = await _hello(server, table, None)
        await ana.send(json.dumps({"type": "reaction", "symbol": "wow"}))
        for socket in (ana, bo, watcher):
            heard = await _next(socket, "reaction")
            assert heard == {"type": "reaction", "seat": 0, "symbol": "wow"}
        await ana.send(json.dumps({"type": "reaction", "symbol": "wow"}))
        assert (await _next(ana, "error"))["error"]["code"] == "too_many_requests"
        await bo.send(json.dumps({"type": "reaction", "symbol": "anything I like"}))
        assert (await _next(bo, "error"))["error"]["code"] == "invalid"
        await watcher.send(json.dumps({"type": "reaction", "symbol": "wow"}))
        assert (await _next(watcher, "error"))["error"]["code"] == "token"
        for socket in (ana, bo, watcher):
            await socket.close()

    asyncio.run(run())


def test_who_is_removed_hears_it(server: Server, http: httpx.Client):
    table, path = room(http, ANA, {"kind": "human", "name": "Bo"}, OPEN)

    async def run() -> None:
        bo = await _hello(server, table, table["seats"][1]["token"])
        change = {"kind": "open"}
        http.post(f"{path}/seats/1", json=change, headers=bearer(table["host_token"]))
        assert (await _next(bo, "bye"))["reason"] == "left"
        await bo.wait_closed()

    asyncio.run(run())


def test_who_never_comes_back_has_no_say_in_another_game(tmp_path, monkeypatch):
    for module in ("rooms", "lobby"):
        monkeypatch.setattr(f"uno_serve.tables.{module}.PRESENT_SECONDS", 0.1)

    async def test(lobby):
        table, _ = await three_people(lobby, rules="classic(hand_size=1)")
        while table.status == "playing":
            await lobby.act(table, table.to_act, table.running.legal_ids()[0], None)
        for seat in table.seats:
            seat.had_stream, seat.streams = True, 1
        for voter in table.seats[:2]:
            await lobby.request_rematch(table, voter)
        assert table.status == "over"
        table.seats[2].streams = 0
        table.seats[2].seen()
        await lobby.rooms.presence_changed(table)
        while table.game_number == 1:
            await asyncio.sleep(0.02)

    with_lobby(tmp_path, test)


# Invitations, levels, rules in words.


def test_tables_are_looked_up_without_an_error_for_those_that_are_gone(http: httpx.Client):
    table = new_table(http, seats=[ANA, BOT])["table"]
    answer = http.post("/v1/lookup", json={"tables": ["gone", table, table]})
    assert [about["table"] for about in answer.json()["tables"]] == [table]
    assert http.post("/v1/lookup", json={"tables": ["x"] * 9}).status_code == 422


def test_a_server_for_this_machine_alone_says_so(http: httpx.Client):
    assert http.get("/v1/reach").json() == {"addresses": [], "loopback_only": True}


def test_only_this_machine_is_told_the_addresses_of_the_network(monkeypatch):
    monkeypatch.setattr("uno_serve.api.invitation.local_addresses", lambda: ["192.168.1.20"])
    every = ServeConfig(host="0.0.0.0", port=8000)  # noqa: S104 - nothing listens
    here = {"client": ("127.0.0.1", 5), "server": ("127.0.0.1", 8123)}
    assert reachable(here, every) == {
        "addresses": ["http://192.168.1.20:8123"], "loopback_only": False
    }  # fmt: skip
    assert reachable({**here, "client": ("203.0.113.9", 5)}, every)["addresses"] == []
    named = every.replace(allowed_hosts=("uno.example.org",))
    assert reachable(here, named)["loopback_only"] is True
    assert all(not address.startswith("127.") for address in local_addresses())


def test_the_qr_code_is_that_of_the_link(http: httpx.Client):
    link = "http://192.168.1.20:8000/#/table/c8Jw0mUSyh2Ko6mPpk9h1Q"
    answer = http.get("/v1/qr", params={"text": link})
    assert answer.headers["content-type"] == "image/svg+xml"
    size = 4 * (len(segno.make(link, micro=False, error="m").matrix) + 8)
    assert f'width="{size}"' in answer.text and "<script" not in answer.text
    assert http.get("/v1/qr", params={"text": "x" * 301}).status_code == 422


def test_levels_are_listed_from_beginner_to_master(http: httpx.Client):
    found = http.get("/v1/bots").json()
    levels = found["levels"]
    assert [level["name"] for level in levels] == [level.name for level in LEVELS]
    assert [level["rating"] for level in levels] == sorted(level["rating"] for level in levels)
    assert found["default"] in {level["bot"] for level in levels}
    for level in levels:
        assert level["title"].keys() == level["line"].keys() == {"en", "fr"}
        table = new_table(http, seats=[ANA, {"kind": "bot", "bot": level["bot"]}])
        assert table["seats"][1]["bot"] == level["bot"]


def test_a_level_whose_bot_is_hidden_is_not_offered():
    bots = BotRegistry(ServeConfig(hide_bots=("level:1",)))
    assert [level.name for level in bots.levels] == [level.name for level in LEVELS[1:]]


def test_rules_are_explained_on_request(http: httpx.Client):
    rules = {"variant": "classic", "stacking": "equal_or_higher"}
    assert "page" not in http.post("/v1/rules", json={"rules": rules}).json()
    told = http.post("/v1/rules", json={"rules": rules, "lang": "fr", "num_players": 4}).json()
    lines = [line for section in told["page"]["sections"] for line in section["lines"]]
    assert [line["text"] for line in lines if line["house"]]
    assert {card["kind"] for card in told["page"]["cards"]} >= {"0", "skip", "wild-draw4"}


def test_the_form_of_rules_has_words_in_both_languages(http: httpx.Client):
    catalogue = http.get("/v1/variants").json()
    assert len(catalogue["favourites"]) == 10
    switches = {switch["name"] for switch in catalogue["switches"]}
    for favourite in catalogue["favourites"]:
        assert favourite["name"] in switches
        assert favourite["title"].keys() == favourite["line"].keys() == {"en", "fr"}
    teams = next(each for each in catalogue["variants"] if each["name"] == "teams")
    assert "mercy_limit" in teams["unavailable"]
    assert teams["titles"].keys() == {"en", "fr"}
