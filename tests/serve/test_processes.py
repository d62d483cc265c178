"""Two processes on one PostgreSQL: each table is driven by one of them, whoever is asked."""

import asyncio
import contextlib
import json
import random
import signal
import time
from collections.abc import Iterator

import httpx
import pytest
import websockets

import uno_env as uno

from .cluster import TAKEOVER_SECONDS, Cluster
from .playing import Person, bearer, eventually, new_table, people, play_together
from .test_secrecy import CARD, Witness

pytestmark = pytest.mark.slow
ALONE = [{"name": "Ana"}, {"kind": "bot"}]
KEY = {"Idempotency-Key": "a-random-text-of-mine-7"}


@pytest.fixture(scope="module")
def cluster(tmp_path_factory) -> Iterator[Cluster]:
    with Cluster(tmp_path_factory.mktemp("two"), 2) as running:
        yield running
        assert "Traceback" not in running.log


@pytest.fixture
def both(cluster) -> Iterator[list[httpx.Client]]:
    clients = [httpx.Client(base_url=server.url, timeout=30) for server in cluster.servers]
    yield clients
    for client in clients:
        client.close()


def test_no_stand_in_plays_for_a_person_who_came_by_another_process(cluster, both):
    """The process that has the table knows of people whose streams end elsewhere."""
    table = new_table(both[0], seats=ALONE, absent_seconds=1)
    token = table["seats"][0]["token"]

    def seats() -> list[dict]:
        return [http.get(f"/v1/tables/{table['table']}").json()["seats"][0] for http in both]

    async def wait_and_see() -> tuple[list[dict], list[dict]]:
        url = f"{cluster.servers[1].stream_url}/{table['table']}/stream"
        async with websockets.connect(url) as socket:
            await socket.send(json.dumps({"type": "hello", "token": token}))
            states = []
            end = time.monotonic() + 4
            while (left := end - time.monotonic()) > 0:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(left):
                        states.append(json.loads(await socket.recv()))
            return states, await asyncio.to_thread(seats)

    states, found = asyncio.run(wait_and_see())
    asked = [state for state in states if state["move"] is not None]
    assert asked and {state["move"] for state in asked} == {1}, "nobody decided for Ana"
    assert all(seat["present"] and not seat["stand_in"] for seat in found)


def test_requests_may_go_to_either_process(both):
    """A whole game, each request to a process at random: none is refused."""
    rng = random.Random(5)  # noqa: S311 - no secret
    table = new_table(both[0], seats=ALONE, absent_seconds=None)
    me, path = bearer(table["seats"][0]["token"]), f"/v1/tables/{table['table']}"
    refused, moves = [], 0
    while True:
        state = rng.choice(both).get(f"{path}/view", headers=me).json()
        if state["status"] == "over":
            break
        if state["move"] is None:
            continue
        plays = [option for option in state["legal"] if option["action"].startswith("play")]
        action = rng.choice(plays or state["legal"])["action"]
        body = {"action": action, "move": state["move"]}
        answer = rng.choice(both).post(f"{path}/act", headers=me, json=body)
        refused += [answer.text] if answer.is_error else []
        moves += 1
    assert moves > 3 and refused == []
    records = [http.get(f"{path}/replay").json()["record"] for http in both]
    assert records[0] == records[1] and uno.Game.replay(records[0]).over


def test_one_row_of_leases_names_one_owner(cluster, both):
    tables = [new_table(http, seats=ALONE)["table"] for http in both]
    for table in tables:
        for http in both:
            assert http.get(f"/v1/tables/{table}").status_code == 200
    assert len({cluster.owner_of(table) for table in tables}) == 2


def test_a_table_that_does_not_exist_leaves_no_lease(cluster, both):
    for http in both:
        assert http.get("/v1/tables/nothing").json()["error"]["code"] == "no_such_table"
    assert cluster.owner_of("nothing") is None


def test_all_calls_are_relayed(both):
    here, there = both
    seats = [{"name": "Ana"}, {"open": True}]
    table = new_table(here, seats=seats)
    path, me = f"/v1/tables/{table['table']}", bearer(table["seats"][0]["token"])
    joined = there.post(f"{path}/join", json={"name": "Bo"}).json()
    assert joined["seat"] == 1
    wrong = there.get(f"{path}/view", headers=bearer("nonsense"))
    assert (wrong.status_code, wrong.json()["error"]["code"]) == (403, "wrong_token")
    assert wrong.json()["error"]["request_id"] == wrong.headers["x-request-id"]
    assert len(wrong.headers.get_list("x-request-id")) == 1
    assert len(wrong.headers.get_list("content-security-policy")) == 1
    turns = {0: me, 1: bearer(joined["token"])}
    actor = next(
        seat for seat, token in turns.items()
        if there.get(f"{path}/view", headers=token).json()["move"] is not None
    )  # fmt: skip
    assert there.post(f"{path}/advice", headers=turns[actor], json={}).json()["legal"]
    assert there.get(f"{path}/replay").json()["error"]["code"] == "not_over"
    assert there.post(f"{path}/leave", headers=turns[1]).status_code == 200
    host = bearer(table["host_token"])
    assert there.post(f"{path}/pace", headers=host, json={"bot_delay": 0}).status_code == 200
    assert there.delete(path, headers=host).status_code == 200
    for http in both:
        assert http.get(path).status_code == 404


def test_a_repeated_creation_gets_the_same_table_from_both(cluster, both):
    made = [http.post("/v1/tables", json={"seats": ALONE}, headers=KEY).json() for http in both]
    assert made[0] == made[1]
    assert KEY["Idempotency-Key"] not in cluster.postgres.dump()


@pytest.mark.parametrize("variant", uno.VARIANTS)
def test_no_hidden_card_in_any_message_of_either_process(cluster, both, variant):
    """People and a spectator on streams of both processes, held against a replay."""
    seats = [{"name": "Ana"}, {"name": "Bo"}, {"name": "Cy"}, {"kind": "bot"}]
    rules = {"variant": variant, "max_steps": 120}
    table = new_table(both[0], rules=rules, seats=seats, react_seconds=0.1)
    players = people(cluster.servers[0], table)
    players[1].server = cluster.servers[1]
    players += [Person(server, table["table"]) for server in cluster.servers]
    play_together(*players)
    replay = both[1].get(f"/v1/tables/{table['table']}/replay").json()
    for player in players:
        witness = Witness(replay, player.states[0]["seat"])
        for text in player.heard:
            witness.check(text)
        assert not CARD.search("".join(player.too_late))
        assert witness.game.over, "the last message is about the end"


def test_neither_logs_nor_the_database_open_a_seat(cluster, both):
    """A reader of both finds no token, and logs name no card and no table."""
    made = [new_table(http, seats=[*ALONE, {"open": True}]) for http in both]
    tokens = [table["seats"][0]["token"] for table in made]
    tokens += [table["host_token"] for table in made]
    for table, http in zip(made, reversed(both), strict=True):
        joined = http.post(f"/v1/tables/{table['table']}/join", json={"name": "Bo"}).json()
        tokens.append(joined["token"])
        both_people = people(cluster.servers[0], table)
        both_people.append(Person(cluster.servers[1], table["table"], joined["token"]))
        play_together(*both_people)
    stored = cluster.postgres.dump() + cluster.postgres.log
    assert all(table["table"] in stored for table in made)
    assert [token for token in tokens if token in stored + cluster.log] == []
    assert not CARD.search(cluster.log)
    assert [table for table in made if table["table"] in cluster.log] == []


def test_the_entrance_for_relays_is_closed_to_others(cluster, both):
    """Without the secret nothing is answered; with it a seat still needs its token."""
    table = new_table(both[0], seats=ALONE)
    owner = cluster.owner_of(table["table"])
    ((url,),) = cluster.postgres.query(f"SELECT url FROM uno_processes WHERE id = '{owner}'")  # noqa: S608
    ((secret,),) = cluster.postgres.query("SELECT value FROM uno_secrets")
    view = uno.Game("classic", 2, seed=1).view(0)
    with httpx.Client(base_url=url) as http:
        for headers in ({}, {"X-Uno-Relay": "x"}, {"X-Uno-Relay": secret, "X-Uno-Process": "x"}):
            for path in ("/healthz", f"/v1/tables/{table['table']}", "/metrics", "/"):
                assert http.get(path, headers=headers).status_code == 421
            assert http.post("/v1/act", json={"view": view}, headers=headers).status_code == 421
        known = {"X-Uno-Relay": secret, "X-Uno-Process": owner}
        path = f"/v1/tables/{table['table']}/view"
        assert http.get(path, headers=known | bearer("guess")).status_code == 403


def test_a_process_that_was_frozen_cannot_write(cluster, both):
    """It wakes up believing in leases that have ended: others have its tables, and it notices."""
    here, there = both
    table = new_table(here, seats=ALONE, absent_seconds=None)
    path, me = f"/v1/tables/{table['table']}", bearer(table["seats"][0]["token"])
    first = cluster.owner_of(table["table"])
    state = eventually(lambda: _asked(here, path, me))
    frozen = cluster.servers[0].process
    frozen.send_signal(signal.SIGSTOP)
    try:
        started = time.monotonic()
        other = there.get(f"{path}/view", headers=me).json()
        assert time.monotonic() - started < TAKEOVER_SECONDS + 1
        assert other["move"] == state["move"] and cluster.owner_of(table["table"]) != first
        action = {"action": other["legal"][0]["action"], "move": other["move"]}
        assert there.post(f"{path}/act", headers=me, json=action).status_code == 200
    finally:
        frozen.send_signal(signal.SIGCONT)
    # The frozen one answers as the other does, and repeats nothing.
    again = here.post(f"{path}/act", headers=me, json=action)
    assert again.json() == {"accepted": True, "move": other["move"]}
    views = [http.get(f"{path}/view", headers=me).json()["events"][:4] for http in both]
    assert views[0] == views[1] != []


def _asked(http: httpx.Client, path: str, me: dict) -> dict | None:
    state = http.get(f"{path}/view", headers=me).json()
    return state if state["move"] is not None else None
