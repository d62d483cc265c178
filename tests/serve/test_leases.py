"""Leases in a real PostgreSQL: one owner, and no write by whoever was one."""

import asyncio
import time
from collections.abc import Iterator

import pytest
from uno_serve.config import database_url
from uno_serve.errors import ApiError
from uno_serve.tables import leases
from uno_serve.tables.lease_ownership import LeaseOwnership
from uno_serve.tables.leases import LeaseLost, Process
from uno_serve.tables.schema import StoredTable
from uno_serve.tables.storage import Store

from .postgres import Postgres

RECORD = {"rules": "classic", "num_players": 2, "episode": "round", "seed": 7}
SECONDS = 0.5
LONG = 60.0
"""A lease that does not end on a crowded machine, where a process may be held up for seconds."""


@pytest.fixture(scope="module")
def database() -> Iterator[Postgres]:
    with Postgres() as running:
        yield running


@pytest.fixture
def postgres(database) -> Iterator[Postgres]:
    """The database of all tests of this file, emptied after each."""
    yield database
    database.query(
        "WITH a AS (DELETE FROM uno_leases), b AS (DELETE FROM uno_processes), "
        "c AS (DELETE FROM uno_tables) SELECT 1"
    )


class Member:
    """A process of the cluster, as far as the database knows: a store and its ownership."""

    def __init__(self, postgres: Postgres, name: str, seconds: float = SECONDS) -> None:
        self.store = Store(database_url(postgres.url))
        self.ownership = LeaseOwnership(self.store, f"http://{name}", seconds)
        self.lost: list[str] = []
        self.adopted: list[str] = []

    async def __aenter__(self) -> "Member":
        await self.ownership.open(self.lost.append, self._adopt)
        return self

    async def _adopt(self, table_id: str) -> None:
        if await self.ownership.locate(table_id) is None:
            self.adopted.append(table_id)

    async def __aexit__(self, *_: object) -> None:
        await self.ownership.leave()
        await self.store.close()

    async def die(self) -> None:
        """Renew no more, as a process that was killed."""
        await self.ownership.close()

    async def new_table(self, name: str) -> None:
        await self.ownership.create(name)
        table = StoredTable(name, "playing", True, {"rules": "classic"}, [], 0.0)
        await self.store.save_table(table)
        await self.store.add_game(name, 1, RECORD)


async def soon(check, seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not check():
        assert time.monotonic() < end, "it did not happen in time"
        await asyncio.sleep(0.02)


def moves(postgres: Postgres, name: str) -> list[tuple]:
    return postgres.query(f"SELECT number FROM uno_moves WHERE table_id = '{name}'")  # noqa: S608


def test_a_live_owner_is_found_by_others(postgres):
    async def run() -> None:
        async with Member(postgres, "a", LONG) as a, Member(postgres, "b", LONG) as b:
            await a.new_table("found")
            assert await a.ownership.locate("found") is None
            assert await b.ownership.locate("found") == a.ownership.process
            assert a.ownership.secret == b.ownership.secret != ""

    asyncio.run(run())


def test_of_many_claims_one_succeeds(postgres):
    async def run() -> None:
        async with Member(postgres, "x", LONG) as x:
            await x.new_table("wanted")
            await x.ownership.release("wanted")
        members = [Member(postgres, str(number), LONG) for number in range(4)]
        for member in members:
            await member.__aenter__()
        found = await asyncio.gather(*(m.ownership.locate("wanted") for m in members))
        owners = [m for m, owner in zip(members, found, strict=True) if owner is None]
        assert len(owners) == 1
        others = {owner for owner in found if owner is not None}
        assert others == {owners[0].ownership.process}
        for member in members:
            await member.__aexit__()

    asyncio.run(run())


def test_whoever_lost_a_lease_cannot_write(postgres):
    """The old owner still believes in its lease: no change of any kind goes through."""

    async def run() -> None:
        async with Member(postgres, "a") as a, Member(postgres, "b") as b:
            await a.new_table("fenced")
            await a.store.add_move("fenced", 1, 0, 5)
            await a.die()
            await soon(lambda: "fenced" in b.adopted)
            await b.store.add_move("fenced", 1, 1, 6)
            stored = await b.store.load("fenced")
            for change in (
                a.store.add_move("fenced", 1, 2, 7),
                a.store.add_game("fenced", 2, RECORD),
                a.store.save_table(stored),
                a.store.delete("fenced"),
            ):
                with pytest.raises(LeaseLost):
                    await change
            assert (await b.store.load("fenced")).record["actions"] == [5, 6]

    asyncio.run(run())


def test_a_move_and_a_takeover_at_the_same_time_exclude_each_other(postgres):
    """However they interleave: what the old owner stored, the new one has read."""

    async def run() -> int:
        async with Member(postgres, "a", LONG) as a, Member(postgres, "b", LONG) as b:
            refused = 0
            for number in range(20):
                name = f"race{number}"
                await a.new_table(name)
                thief = Process("thief", "http://thief")

                def steal(connection, name=name, thief=thief):
                    leases.leave(connection, a.ownership.process.id)
                    taken = leases.claim(connection, name, thief)
                    return taken, leases.renew(connection, a.ownership.process, LONG)

                write = asyncio.create_task(a.store.add_move(name, 1, 0, 5))
                taken, _ = await b.store.run_apart(steal)
                assert taken.token == 2
                # What the thief reads now is all there will ever be.
                read = len((await b.store.load(name)).record["actions"])
                try:
                    await write
                    accepted = 1
                except LeaseLost:
                    accepted = 0
                assert read == accepted == len(moves(postgres, name))
                refused += 1 - accepted
            return refused

    assert 0 <= asyncio.run(run()) <= 20


async def seconds_to_adopt(
    postgres: Postgres, count: int, seconds: float, attempt: int = 0
) -> float:
    """How long so many tables of a dead process wait for another one."""
    async with Member(postgres, "a", seconds) as a, Member(postgres, "b", seconds) as b:
        names = [f"left{attempt}-{number}" for number in range(count)]
        for name in names:
            await a.new_table(name)
        await a.die()
        started = time.monotonic()
        await soon(lambda: set(names) <= set(b.adopted))
        took = time.monotonic() - started
        gone = f"SELECT 1 FROM uno_processes WHERE id = '{a.ownership.process.id}'"  # noqa: S608
        await soon(lambda: not postgres.query(gone))
        return took


def test_tables_of_a_dead_process_are_adopted(postgres):
    assert asyncio.run(seconds_to_adopt(postgres, 5, 3.0)) > 0


@pytest.mark.slow
def test_tables_of_a_dead_process_are_adopted_within_the_stated_time(postgres):
    """By a process that has a processor to itself most of the time: the best of three."""
    assert any(asyncio.run(seconds_to_adopt(postgres, 40, 1.0, n)) < 1 + 2 for n in (1, 2, 3))


def test_a_process_that_leaves_is_followed_at_once(postgres):
    async def run() -> None:
        async with Member(postgres, "a", 60) as a, Member(postgres, "b", 60) as b:
            await a.new_table("handed over")
            await a.ownership.leave()
            assert await a.ownership.locate("handed over") == b.ownership.process
            assert await b.ownership.locate("handed over") is None
            assert await a.ownership.locate("handed over") == b.ownership.process

    asyncio.run(run())


def test_one_that_was_late_finds_out_what_it_lost(postgres):
    async def run() -> None:
        async with Member(postgres, "a") as a, Member(postgres, "b") as b:
            await a.new_table("late")
            await a.die()
            await soon(lambda: "late" in b.adopted)
            assert await a.ownership.locate("late") == b.ownership.process
            assert a.lost == ["late"]

    asyncio.run(run())


def test_after_an_outage_of_the_database_nobody_robs_the_others(postgres):
    """All leases have ended meanwhile; everybody gets the time to renew its own."""

    async def run() -> None:
        async with Member(postgres, "a", 4 * SECONDS) as a, Member(postgres, "b", 4 * SECONDS) as b:
            await a.new_table("kept")
            postgres.stop()
            with pytest.raises(ApiError) as caught:
                await a.store.add_move("kept", 1, 0, 5)
            assert caught.value.code == "storage"
            await asyncio.sleep(5 * SECONDS)
            postgres.start()

            async def stores() -> bool:
                try:
                    await a.store.add_move("kept", 1, 0, 5)
                except ApiError as error:
                    assert error.code == "storage"
                    return False
                return True

            while not await stores():
                await asyncio.sleep(0.05)
            await asyncio.sleep(5 * SECONDS)
            assert b.adopted == [] and a.lost == []
            assert await b.ownership.locate("kept") == a.ownership.process

    asyncio.run(run())


def test_an_idempotency_key_belongs_to_the_first_who_sees_it(postgres):
    async def run() -> None:
        async with Member(postgres, "a") as a, Member(postgres, "b") as b:
            assert await a.ownership.locate_new("k") is None
            assert await b.ownership.locate_new("k") == a.ownership.process
            assert await b.ownership.locate_new("other") is None
            assert await b.ownership.locate_new(None) is None
            later = time.time() + 1
            await b.store.run_apart(lambda c: leases.forget_keys(c, later))
            b.ownership.forget("key:k")
            assert await b.ownership.locate_new("k") is None

    asyncio.run(run())
