"""Small holes that are closed: one client's share, foreign names and scripts, requests that lie."""

import asyncio
import re

import httpx
import pytest
from uno_serve.api.app import create_app
from uno_serve.api.hosts import HostAllowList
from uno_serve.api.middleware import NEEDS_KEY
from uno_serve.config import ServeConfig
from uno_serve.errors import ApiError
from uno_serve.tables.replay_frames import ReplayCache
from uno_serve.tables.schema import StoredTable
from uno_serve.tables.storage import Store
from uno_serve.tables.table_pool import TablePool

import uno_env as uno

from .playing import bearer, new_table
from .server import ROOT
from .test_lobby import setup, with_lobby
from .test_safety import guarded, statuses

POSITION = {"hand": ["red-5", "blue-skip", "wild"], "hand_sizes": [3, 5], "top_card": "red-9"}
PEOPLE = {"seats": [{"name": "Ana"}, {"name": "Bo"}]}


def error(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


# A client's share.


def test_a_client_has_only_so_many_live_tables(tmp_path):
    from uno_serve.tables.setup import Seat

    async def test(lobby):
        def seats():
            return [Seat(number, "human", is_open=True) for number in range(3)]

        tables = [await lobby.create(setup(), seats(), "ana") for _ in range(2)]
        with pytest.raises(ApiError) as caught:
            await lobby.create(setup(), seats(), "ana")
        assert (caught.value.code, caught.value.status) == ("too_many_own_tables", 429)
        await lobby.create(setup(), seats(), "bo")
        await lobby.close_table(tables[0])
        await lobby.create(setup(), seats(), "ana")

    with_lobby(tmp_path, test, max_tables_per_client=2)


def test_replays_have_a_rate_of_their_own():
    client = guarded(replays_per_minute=2)
    found = statuses(client, *[client.build_request("POST", "/v1/replay")] * 4)
    assert found == [200, 200, 429, 429]


def test_replays_are_limited_in_size_and_cached():
    game = uno.Game("classic", 4, seed=3)
    while not game.over:
        game.step(game.legal_ids()[0])
    record = game.record()

    async def run() -> list[bytes]:
        cache = ReplayCache(most_actions=len(record["actions"]))
        bodies = [await cache.frames(record, 0, 200) for _ in range(2)]
        with pytest.raises(ApiError, match="at most"):
            await cache.frames(record | {"actions": [*record["actions"], 1]}, 0, 1)
        cache.close()
        return bodies

    bodies = asyncio.run(run())
    assert bodies[0] is bodies[1], "not made again"


def test_the_cache_of_replays_is_bounded():
    record = uno.Game("classic", 2, seed=3).record()

    async def run() -> None:
        cache = ReplayCache(most_actions=10, cached_bytes=20_000)
        for seed in range(30):
            await cache.frames(record | {"seed": seed}, 0, 1)
        assert 0 < sum(map(len, cache._bodies.values())) <= 20_000
        cache.close()

    asyncio.run(run())


def test_all_expired_tables_are_deleted(tmp_path):
    async def run() -> tuple[int, list]:
        config = ServeConfig(db=str(tmp_path / "x.db"))
        store = Store(config.db)
        old = [StoredTable(f"t{n}", "over", False, {}, [], 0.0) for n in range(1_200)]
        await asyncio.gather(*(store.save_table(table) for table in old))
        pool = TablePool(config.replace(keep_days=1e-9), store, None, None)
        deleted = await pool.purge()
        left = [await store.load(name) for name in ("t0", "t1199")]
        await store.close()
        return deleted, left

    assert asyncio.run(run()) == (1_200, [None, None])


def test_the_public_configuration_has_no_public_metrics():
    assert ServeConfig.from_file("public").metrics is False


# Foreign names and scripts.


def test_only_the_allowed_hosts_are_served():
    client = guarded(allowed_hosts=("uno.example.org", "*.uno.example.org"))
    hosts = ["uno.example.org", "UNO.example.org:8000", "a.uno.example.org", "evil.example", ""]
    requests = [client.build_request("GET", "/v1/bots", headers={"Host": host}) for host in hosts]
    health = client.build_request("GET", "/healthz", headers={"Host": "10.0.0.7"})
    assert statuses(client, *requests, health) == [200, 200, 200, 421, 421, 200]


def test_hosts_are_compared_without_port_and_any_is_allowed_by_default():
    assert HostAllowList(()).allows(b"anything")
    assert HostAllowList(("::1",)).allows(b"[::1]:8000")
    assert not HostAllowList(("*.a.b",)).allows(b"xa.b")


def test_the_api_page_has_no_scripts(http):
    page = http.get("/docs")
    assert page.status_code == 200
    assert "default-src 'self'" in page.headers["content-security-policy"]
    assert "<script" not in page.text
    assert not re.search(r"""(src|href)=["'](https?:)?//""", page.text)
    for path in http.get("/openapi.json").json()["paths"]:
        assert path in page.text
    assert http.get("/redoc").status_code == 404


@pytest.mark.parametrize("mark", ["\u202e", "\u2066", "\u200f", "\x85", "\u2028", "\ufeff", "\n"])
def test_names_cannot_turn_or_break_the_text_around_them(http, mark):
    answer = http.post("/v1/tables", json={"seats": [{"name": f"An{mark}a"}, {"kind": "bot"}]})
    assert error(answer) == (422, "invalid")


@pytest.mark.parametrize("name", ["Ana", "Žofie", "אנה", "アナ", "Ana 🃏", "👩\u200d🎓"])
def test_names_of_all_languages_are_welcome(http, name):
    table = new_table(http, seats=[{"name": name}, {"kind": "bot"}])
    assert table["seats"][0]["name"] == name


# Who asks.


@pytest.mark.parametrize("value", ["", "Bearer", "Basic eDp5", "nonsense"])
def test_an_authorization_without_a_token_is_refused(http, value):
    table = new_table(http)
    path = f"/v1/tables/{table['table']}/view"
    assert error(http.get(path, headers={"Authorization": value})) == (401, "token")
    assert http.get(path).json()["seat"] is None, "without the header, a spectator"
    assert http.get(path, headers=bearer(table["seats"][0]["token"])).json()["seat"] == 0


def key_operations(document: dict) -> set[tuple[str, str]]:
    return {
        (method.upper(), path)
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
        if {"ApiKey": []} in operation.get("security", [])
    }


def test_the_document_of_a_server_with_keys_says_where_they_are_needed(http):
    config = ServeConfig(db="sqlite://", api_keys=("k" * 20,))
    client = httpx.AsyncClient(
        transport=httpx.ASGITransport(create_app(config)[0]), base_url="http://test"
    )

    async def get() -> dict:
        async with client:
            return (await client.get("/openapi.json")).json()

    document, without = asyncio.run(get()), http.get("/openapi.json").json()
    assert key_operations(document) == NEEDS_KEY and key_operations(without) == set()
    for found in (document, without):
        scheme = found["components"]["securitySchemes"]["ApiKey"]
        assert (scheme["type"], scheme["in"], scheme["name"]) == ("apiKey", "header", "X-API-Key")


# Requests that come twice, or contradict themselves.


def test_a_repeated_creation_gets_the_same_table(http):
    key = {"Idempotency-Key": "a-random-text-of-mine-1"}
    first, second = (http.post("/v1/tables", json=PEOPLE, headers=key) for _ in range(2))
    assert first.status_code == second.status_code == 201
    assert first.json() == second.json()
    other = http.post("/v1/tables", json=PEOPLE | {"variant": "no_mercy"}, headers=key)
    assert error(other) == (409, "key_in_use")
    assert http.post("/v1/tables", json=PEOPLE).json()["table"] != first.json()["table"]
    short = http.post("/v1/tables", json=PEOPLE, headers={"Idempotency-Key": "short"})
    assert error(short) == (422, "invalid")


def test_a_failed_creation_can_be_repeated_under_its_key(http):
    key = {"Idempotency-Key": "a-random-text-of-mine-2"}
    refused = http.post("/v1/tables", json={"stand_in": "nobody"}, headers=key)
    assert error(refused) == (422, "unknown_bot")
    assert http.post("/v1/tables", json=PEOPLE, headers=key).status_code == 201


def test_a_seed_is_honoured_when_the_last_open_seat_is_taken(http):
    hands = []
    for _ in range(2):
        seats = [{"name": "Ana"}, {"kind": "human", "open": True}]
        table = new_table(http, seats=seats, seed=2**63 + 5)
        path = f"/v1/tables/{table['table']}"
        assert http.post(f"{path}/join", json={"name": "Bo"}).status_code == 200
        state = http.get(f"{path}/view", headers=bearer(table["seats"][0]["token"])).json()
        assert state["seeded"]
        hands.append(state["view"]["hand"])
    assert hands[0] == hands[1] == uno.Game("classic", 2, seed=2**63 + 5).view(0)["hand"]


@pytest.mark.parametrize(
    ("rules", "variant", "status"),
    [
        ("no_mercy", "classic", 422),
        ("classic(stacking=equal_or_higher)", "no_mercy", 422),
        ({"variant": "no_mercy"}, "classic", 422),
        ("classic(stacking=equal_or_higher)", "classic", 201),
        ({"stacking": "equal_or_higher"}, "classic", 201),
    ],
)
def test_rules_and_variant_may_not_contradict_each_other(http, rules, variant, status):
    answer = http.post("/v1/tables", json=PEOPLE | {"rules": rules, "variant": variant})
    assert answer.status_code == status, answer.text
    if status == 422:
        assert answer.json()["error"]["code"] == "rules"


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"hand": ["red-5"] * 3}, "red-5 is there 3 times; the deck has 2"),
        ({"hand": ["red-9", "red-9", "wild"]}, "red-9 is there 3 times"),
        ({"hand": ["red-0", "wild", "wild"], "known": {"1": ["red-0"]}}, "red-0 is there 2"),
    ],
)
def test_impossible_hands_are_refused(http, change, named):
    answer = http.post("/v1/act", json={"position": POSITION | change})
    assert error(answer) == (422, "position")
    assert named in answer.json()["error"]["message"]
    assert http.post("/v1/act", json={"position": POSITION}).status_code == 200


def test_the_docs_name_the_key_and_the_limits():
    text = (ROOT / "docs" / "serving.md").read_text(encoding="utf-8")
    for word in ("Idempotency-Key", "allowed_hosts", "max_tables_per_client"):
        assert word in text
