"""The store of hosted tables: SQLite by default, PostgreSQL by the same code.

One thread does all the work and commits everything that waits in one transaction, so a thousand
tables share the cost of a disk sync. When an awaited change returns, it is durable.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

from sqlalchemy import (
    Connection,
    Engine,
    create_engine,
    delete,
    event,
    insert,
    select,
    text,
    update,
)
from sqlalchemy.exc import SQLAlchemyError

from ..errors import ApiError
from ..metrics import COMMIT_SECONDS, COMMITS
from . import schema
from .file_lock import FileLock, lock_database
from .lease_schema import leases
from .schema import SCHEMA_VERSION, StoredTable, delete_tables, select_table

Result = TypeVar("Result")
Job = tuple[Callable[[Connection], Any], Future[Any]]
Guard = Callable[[str], Callable[[Connection], None]]
MAX_GROUP_COMMIT = 512
_NETWORK: dict[str, Any] = {"connect_timeout": 5, "tcp_user_timeout": 10_000}
"""Seconds and milliseconds after which a database that does not answer is given up."""
_CREATION_LOCK = 0x756E6F
"""Key of PostgreSQL's advisory lock under which tables are created."""
_FULL = ("SQLITE_FULL", "53100")
"""The names of a full disk in SQLite and PostgreSQL."""
_log = logging.getLogger("uno_serve.storage")


class Store:
    """The only access to the database; every method returns when the change is durable.

    Args:
        url: an SQLAlchemy URL (`uno_serve.config.database_url`).

    Attributes:
        guard: checks, in the transaction of every change of a table, that this process may make
            it; None where no other process can have the table.
    """

    def __init__(self, url: str) -> None:
        self.guard: Guard | None = None
        self._engine = _create_engine(url)
        self._lock = _locked(url)
        self._apart = ThreadPoolExecutor(1, "leases")
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._thread = Thread(target=self._work, name="storage", daemon=True)
        self._thread.start()
        created: Future[None] = Future()
        self._jobs.put((_create_tables, created))
        try:
            created.result()
        except SQLAlchemyError as error:
            self._jobs.put(None)
            self._unlock()
            raise ValueError(f"db: cannot open {_redacted(url)}: {_reason(error)}") from None

    async def save_table(self, table: StoredTable) -> None:
        """Insert a table, or update what has changed of it."""
        row = {
            "version": SCHEMA_VERSION,
            "status": table.status,
            "unattended": int(table.unattended),
            "setup": table.setup,
            "seats": table.seats,
            "touched": time.time(),
        }

        def save(connection: Connection) -> None:
            updated = connection.execute(
                update(schema.tables).where(schema.tables.c.id == table.id).values(**row)
            )
            if updated.rowcount == 0:
                connection.execute(insert(schema.tables).values(id=table.id, **row))

        await self._run(self._guarded(table.id, save))

    async def add_game(self, table_id: str, game: int, record: dict[str, Any]) -> None:
        """Insert the deal of a game; its moves follow one by one."""
        row = {key: record[key] for key in ("rules", "num_players", "episode")}

        def add(connection: Connection) -> None:
            key = {"table_id": table_id, "game": game, "seed": str(record["seed"])}
            connection.execute(insert(schema.games).values(**key, **row))

        await self._run(self._guarded(table_id, add))

    async def add_move(self, table_id: str, game: int, number: int, action: int) -> None:
        """Insert one move."""
        row = {"table_id": table_id, "game": game, "number": number, "action": action}
        now = int(time.time() * 1000)
        statement = insert(schema.moves).values(at=now, **row)
        job = self._guarded(table_id, lambda connection: connection.execute(statement))
        await self._run(job)

    async def load(self, table_id: str) -> StoredTable | None:
        """A table with its current game, or None."""
        return await self._run(lambda connection: select_table(connection, table_id))

    async def unattended(self, most: int) -> list[str]:
        """Ids of tables of bots alone whose game was in progress."""
        query = (
            select(schema.tables.c.id)
            .where(schema.tables.c.status == "playing", schema.tables.c.unattended == 1)
            .order_by(schema.tables.c.touched.desc())
            .limit(most)
        )
        return await self._run(lambda connection: list(connection.scalars(query)))

    async def delete(self, table_id: str) -> None:
        """Delete a table for good."""
        job = self._guarded(table_id, lambda connection: _delete(connection, [table_id]))
        await self._run(job)

    async def delete_older(self, than: float, most: int = 500) -> int:
        """Delete so many of the tables that nobody has touched since; returns how many."""
        query = select(schema.tables.c.id).where(schema.tables.c.touched < than).limit(most)

        def work(connection: Connection) -> int:
            old = list(connection.scalars(query))
            _delete(connection, old)
            return len(old)

        return await self._run(work)

    async def ping(self) -> None:
        """Return if the database answers."""
        await self._run(lambda connection: connection.execute(select(1)))

    async def close(self) -> None:
        """Finish the queue and stop the thread."""
        self._jobs.put(None)
        await asyncio.get_running_loop().run_in_executor(None, self._thread.join)
        self._apart.shutdown()
        self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            self._lock.release()

    async def run_apart(self, job: Callable[[Connection], Result]) -> Result:
        """Run a job in a transaction and a thread of its own, beside the queue of changes.

        A lease has to be renewed in time however many moves wait, and a job that locks rows must
        not hold them until a whole group is committed.
        """

        def run() -> Result:
            with self._engine.begin() as connection:
                return job(connection)

        try:
            return await asyncio.get_running_loop().run_in_executor(self._apart, run)
        except SQLAlchemyError as error:
            raise _storage_error(error) from error

    def _guarded(
        self, table_id: str, job: Callable[[Connection], Result]
    ) -> Callable[[Connection], Result]:
        """A change of a table that fails unless this process still has the table."""
        if self.guard is None:
            return job
        check = self.guard(table_id)

        def guarded(connection: Connection) -> Result:
            check(connection)
            return job(connection)

        return guarded

    # The thread.

    async def _run(self, job: Callable[[Connection], Result]) -> Result:
        done: Future[Result] = Future()
        self._jobs.put((job, done))
        try:
            return await asyncio.wrap_future(done)
        except SQLAlchemyError as error:
            raise _storage_error(error) from error

    def _work(self) -> None:
        is_closing = False
        while not is_closing:
            batch = [self._jobs.get()]
            while len(batch) < MAX_GROUP_COMMIT and not self._jobs.empty():
                batch.append(self._jobs.get())
            is_closing = None in batch
            jobs = [job for job in batch if job is not None]
            for _, done in jobs:
                # From here on a caller that goes away changes nothing.
                done.set_running_or_notify_cancel()
            jobs = [job for job in jobs if not job[1].cancelled()]
            if jobs:
                self._commit(jobs)
        # Here, because SQLite's connections belong to the thread that made them.
        self._engine.dispose()

    def _commit(self, jobs: list[Job]) -> None:
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


def _locked(url: str) -> FileLock | None:
    try:
        return lock_database(url)
    except OSError as error:
        reason = f"db: cannot open {_redacted(url)}: {error.strerror}"
        raise ValueError(f"{reason}; choose a file that can be written: --db FILE") from None


def _delete(connection: Connection, ids: list[str]) -> None:
    delete_tables(connection, ids)
    connection.execute(delete(leases).where(leases.c.name.in_(ids)))


def _create_tables(connection: Connection) -> None:
    """Create what is missing; of several processes that start at once one does."""
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({_CREATION_LOCK})"))
    schema.metadata.create_all(connection)


def _create_engine(url: str) -> Engine:
    try:
        options = _NETWORK if url.startswith("postgresql") else {}
        engine = create_engine(url, pool_pre_ping=True, connect_args=options)
    except ImportError as error:
        raise ValueError(
            f"db: {error.name} is not installed: pip install 'uno-env[postgres]'"
        ) from error
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _set_up_sqlite)
    return engine


def _set_up_sqlite(connection: Any, _: Any) -> None:
    """Readers beside the writer, and a commit that survives a loss of power."""
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=5000"):
        connection.execute(f"PRAGMA {pragma}")


def _redacted(url: str) -> str:
    """A URL without its password."""
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2]}"


def _storage_error(error: SQLAlchemyError) -> ApiError:
    """What the caller is told; the log has the cause."""
    reason = _reason(error)
    if reason in _FULL:
        _log.error("the disk of the database is full (%s)", reason)
        return ApiError("disk_full", "the disk of the database is full", retry_after=60)
    _log.error("the database failed: %s", reason)
    return ApiError("storage", f"the table could not be stored: {reason}", retry_after=5)


def _reason(error: SQLAlchemyError) -> str:
    """The database's own name of an error, never its text, which may hold values."""
    cause = getattr(error, "orig", None) or error
    name = getattr(cause, "sqlite_errorname", None) or getattr(cause, "sqlstate", None)
    return name or type(cause).__name__
