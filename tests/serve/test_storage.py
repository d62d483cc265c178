"""The store: what is awaited is kept; SQLite here, PostgreSQL in a slow test."""

import asyncio
import time
from collections.abc import Iterator

import pytest
from uno_serve.config import database_url
from uno_serve.errors import ApiError
from uno_serve.tables.schema import StoredTable
from uno_serve.tables.storage import Store

from .postgres import Postgres

RECORD = {"rules": "classic", "num_players": 2, "episode": "round", "seed": 2**64 - 1}


def stored(table_id="t", status="playing", unattended=True):
    return StoredTable(table_id, status, unattended, {"rules": "classic"}, [{"number": 0}], 0.0)


async def use_store(url: str) -> None:
    """Everything the server does with it."""
    store = Store(url)
    assert await store.load("t") is None
    await store.save_table(stored())
    assert (await store.load("t")).record is None
    await store.add_game("t", 1, RECORD)
    await asyncio.gather(*(store.add_move("t", 1, n, n % 7 - 1) for n in range(300)))
    kept = await store.load("t")
    assert kept.record == RECORD | {"actions": [n % 7 - 1 for n in range(300)]}
    with pytest.raises(ApiError) as caught:
        await store.add_move("t", 1, 5, 3)
    assert caught.value.code == "storage"
    assert len((await store.load("t")).record["actions"]) == 300
    await store.add_game("t", 2, RECORD)
    assert (await store.load("t")).game == 2 and (await store.load("t")).record["actions"] == []
    await store.save_table(stored("o", "over"))
    await store.save_table(stored("p", "playing", False))
    assert await store.unattended(10) == ["t"]
    await store.close()
    again = Store(url)
    assert (await again.load("o")).status == "over"
    assert await again.delete_older(time.time() - 60) == 0
    await again.delete("t")
    assert await again.load("t") is None
    assert await again.delete_older(time.time() + 60) == 2
    await again.close()


def test_sqlite_keeps_everything(tmp_path):
    asyncio.run(use_store(database_url(str(tmp_path / "x.db"))))


def test_one_bad_change_spoils_no_other(tmp_path):
    """Changes that are committed together fail apart."""

    async def run():
        store = Store(database_url(str(tmp_path / "x.db")))
        await store.add_move("t", 1, 0, 1)
        jobs = [store.add_move("t", 1, n % 10, 1) for n in range(1, 12)]
        results = await asyncio.gather(*jobs, return_exceptions=True)
        await store.close()
        return results

    results = asyncio.run(run())
    assert [isinstance(result, ApiError) for result in results] == [False] * 9 + [True, True]


def test_a_database_that_cannot_be_opened_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"cannot open sqlite.*; choose a file .*: --db"):
        Store(database_url(str(tmp_path / "no" / "folder" / "x.db")))
    with pytest.raises(ValueError, match="not supported"):
        database_url("mysql://host/name")
    assert database_url("postgres://u:p@h/n") == "postgresql+psycopg://u:p@h/n"


@pytest.fixture
def postgres() -> Iterator[str]:
    """The address of a PostgreSQL server of our own."""
    with Postgres() as running:
        yield running.url


@pytest.mark.slow
def test_postgresql_keeps_everything(postgres):
    asyncio.run(use_store(database_url(postgres)))


@pytest.mark.slow
def test_a_server_on_postgresql_survives_a_kill(postgres, tmp_path):
    import httpx

    from .playing import new_table, people, play_together
    from .server import Server

    config = f'requests_per_second: 0\ndefault_bot: greedy\ndb: "{postgres}"\n'
    server = Server(tmp_path, config, db=None).start()
    with httpx.Client(base_url=server.url, timeout=30) as http:
        table = new_table(http, seats=[{"name": "Ana"}, {"kind": "bot"}], absent_seconds=None)
    play_together(*people(server, table), most_moves=3)
    server.kill()
    server.start()
    (last,) = play_together(*people(server, table))
    assert last["status"] == "over"
    server.stop()
