"""Where tables are kept: SQLite by default, PostgreSQL by the same code.

All work is done by one thread that commits everything waiting at once, so a thousand tables share
the cost of reaching the disk. Whoever awaits a change knows, when it returns, that it is stored.
"""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    Connection,
    Engine,
    Float,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    create_engine,
    delete,
    event,
    insert,
    select,
    update,
)
from sqlalchemy.exc import SQLAlchemyError

from ..api.errors import ApiError
from ..api.metrics import COMMIT_SECONDS, COMMITS

Result = TypeVar("Result")
MOST_TOGETHER = 512
SCHEMA_VERSION = 1

_metadata = MetaData()
_tables = Table(
    "uno_tables",
    _metadata,
    Column("id", String(40), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("status", String(10), nullable=False, index=True),
    Column("unattended", Integer, nullable=False),
    Column("setup", JSON, nullable=False),
    Column("seats", JSON, nullable=False),
    Column("touched", Float, nullable=False, index=True),
)
_games = Table(
    "uno_games",
    _metadata,
    Column("table_id", String(40), primary_key=True),
    Column("game", Integer, primary_key=True),
    Column("rules", Text, nullable=False),
    Column("num_players", Integer, nullable=False),
    Column("episode", String(10), nullable=False),
    # As text: a seed has 64 bits, a column of the database 63.
    Column("seed", String(20), nullable=False),
)
_moves = Table(
    "uno_moves",
    _metadata,
    Column("table_id", String(40), primary_key=True),
    Column("game", Integer, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("action", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
)


@dataclass
class StoredTable:
    """A table as it is kept: who sits where, and the record of its present game."""

    id: str
    status: str
    unattended: bool
    setup: dict[str, Any]
    seats: list[dict[str, Any]]
    touched: float
    game: int = 0
    record: dict[str, Any] | None = None


class Store:
    """The one door to the database; every method returns when the change is on disk.

    Args:
        url: an SQLAlchemy URL (`uno_serve.config.database_url`).
    """

    def __init__(self, url: str) -> None:
        self._engine = _open(url)
        self._jobs: SimpleQueue[tuple[Callable[[Connection], Any], Future[Any]] | None] = (
            SimpleQueue()
        )
        self._thread = Thread(target=self._work, name="storage", daemon=True)
        self._thread.start()
        made: Future[None] = Future()
        self._jobs.put((_metadata.create_all, made))
        try:
            made.result()
        except SQLAlchemyError as error:
            self._jobs.put(None)
            raise ValueError(f"db: cannot open {_shown(url)}: {_reason(error)}") from None

    async def save_table(self, table: StoredTable) -> None:
        """Store a new table, or what has changed of one."""
        row = {
            "version": SCHEMA_VERSION,
            "status": table.status,
            "unattended": int(table.unattended),
            "setup": table.setup,
            "seats": table.seats,
            "touched": time.time(),
        }

        def save(connection: Connection) -> None:
            changed = connection.execute(
                update(_tables).where(_tables.c.id == table.id).values(**row)
            )
            if changed.rowcount == 0:
                connection.execute(insert(_tables).values(id=table.id, **row))

        await self._do(save)

    async def add_game(self, table_id: str, game: int, record: dict[str, Any]) -> None:
        """Store the deal of a game; its moves follow one by one."""
        row = {key: record[key] for key in ("rules", "num_players", "episode")}

        def add(connection: Connection) -> None:
            key = {"table_id": table_id, "game": game, "seed": str(record["seed"])}
            connection.execute(insert(_games).values(**key, **row))

        await self._do(add)

    async def add_move(self, table_id: str, game: int, number: int, action: int) -> None:
        """Store one move."""
        row = {"table_id": table_id, "game": game, "number": number, "action": action}
        now = int(time.time() * 1000)
        await self._do(lambda connection: connection.execute(insert(_moves).values(at=now, **row)))

    async def load(self, table_id: str) -> StoredTable | None:
        """A table with its present game, or None."""
        return await self._do(lambda connection: _load(connection, table_id))

    async def unattended(self, most: int) -> list[str]:
        """Tables of bots alone whose game was going on."""
        query = (
            select(_tables.c.id)
            .where(_tables.c.status == "playing", _tables.c.unattended == 1)
            .order_by(_tables.c.touched.desc())
            .limit(most)
        )
        return await self._do(lambda connection: list(connection.scalars(query)))

    async def forget(self, table_id: str) -> None:
        """Remove a table for good."""
        await self._do(lambda connection: _remove(connection, [table_id]))

    async def forget_older(self, than: float) -> int:
        """Remove tables nobody has touched since; returns how many."""

        def work(connection: Connection) -> int:
            old = list(
                connection.scalars(select(_tables.c.id).where(_tables.c.touched < than).limit(500))
            )
            _remove(connection, old)
            return len(old)

        return await self._do(work)

    async def close(self) -> None:
        """Finish what waits and let go of the database."""
        self._jobs.put(None)
        await asyncio.get_running_loop().run_in_executor(None, self._thread.join)
        self._engine.dispose()

    # The thread.

    async def _do(self, job: Callable[[Connection], Result]) -> Result:
        done: Future[Result] = Future()
        self._jobs.put((job, done))
        try:
            return await asyncio.wrap_future(done)
        except SQLAlchemyError as error:
            message = f"the table could not be stored: {_reason(error)}"
            raise ApiError("storage", message, retry_after=5) from error

    def _work(self) -> None:
        ending = False
        while not ending:
            jobs = [self._jobs.get()]
            while len(jobs) < MOST_TOGETHER and not self._jobs.empty():
                jobs.append(self._jobs.get())
            ending = None in jobs
            wanted = [job for job in jobs if job is not None]
            for _, done in wanted:
                # From here on a caller that goes away changes nothing.
                done.set_running_or_notify_cancel()
            wanted = [job for job in wanted if not job[1].cancelled()]
            if wanted:
                self._commit(wanted)

    def _commit(self, jobs: list[tuple[Callable[[Connection], Any], Future[Any]]]) -> None:
        """One transaction for all; if it fails, one for each, so that only the culprit fails."""
        started = time.perf_counter()
        try:
            with self._engine.begin() as connection:
                results = [job(connection) for job, _ in jobs]
        except Exception as error:  # the awaiting caller is told, the thread lives on
            if len(jobs) == 1:
                jobs[0][1].set_exception(error)
                return
            for job in jobs:
                self._commit([job])
            return
        COMMITS.observe(len(jobs))
        COMMIT_SECONDS.observe(time.perf_counter() - started)
        for (_, done), result in zip(jobs, results, strict=True):
            done.set_result(result)


def _load(connection: Connection, table_id: str) -> StoredTable | None:
    row = connection.execute(select(_tables).where(_tables.c.id == table_id)).mappings().first()
    if row is None or row["version"] != SCHEMA_VERSION:
        return None
    kept = StoredTable(
        id=table_id, status=row["status"], unattended=bool(row["unattended"]),
        setup=row["setup"], seats=row["seats"], touched=row["touched"],
    )  # fmt: skip
    games = select(_games).where(_games.c.table_id == table_id).order_by(_games.c.game.desc())
    last = connection.execute(games.limit(1)).mappings().first()
    if last is not None:
        moves = (
            select(_moves.c.action)
            .where(_moves.c.table_id == table_id, _moves.c.game == last["game"])
            .order_by(_moves.c.number)
        )
        kept.game = last["game"]
        kept.record = {
            "rules": last["rules"],
            "num_players": last["num_players"],
            "episode": last["episode"],
            "seed": int(last["seed"]),
            "actions": list(connection.scalars(moves)),
        }
    return kept


def _remove(connection: Connection, ids: list[str]) -> None:
    for table, key in (
        (_moves, _moves.c.table_id),
        (_games, _games.c.table_id),
        (_tables, _tables.c.id),
    ):
        connection.execute(delete(table).where(key.in_(ids)))


def _open(url: str) -> Engine:
    try:
        engine = create_engine(url, pool_pre_ping=True)
    except ImportError as error:
        raise ValueError(
            f"db: {error.name} is not installed: pip install 'uno-env[postgres]'"
        ) from error
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _set_up_sqlite)
    return engine


def _set_up_sqlite(connection: Any, _: Any) -> None:
    """Readers beside the writer, and a commit that outlives a loss of power."""
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=5000"):
        connection.execute(f"PRAGMA {pragma}")


def _shown(url: str) -> str:
    """A URL without its password."""
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2]}"


def _reason(error: SQLAlchemyError) -> str:
    cause = getattr(error, "orig", None)
    return type(cause or error).__name__
