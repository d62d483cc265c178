"""Leases of tables in PostgreSQL: the statements by which a process takes, holds and gives them up.

Two facts make it safe. A table changes hands by an update that compares its fencing token, so one
of several processes gets it. And every change of a table locks its lease against that update, in
the same transaction, after comparing the token: either the change is committed before the table
changes hands, and the next process reads it, or it fails.
"""

import secrets as random_secrets
import time
from dataclasses import dataclass

from sqlalchemy import Connection, and_, delete, func, select, update
from sqlalchemy.dialects.postgresql import insert

from ..errors import ApiError
from . import schema
from .lease_schema import database_time, leases, processes, secrets

KEY_PREFIX = "key:"
"""Begins the names of leases that are no tables."""


class LeaseLost(ApiError):
    """Another process has the table now."""

    def __init__(self) -> None:
        super().__init__("moved", "another process hosts this table now", retry_after=1)


@dataclass(frozen=True, slots=True)
class Process:
    """A process of the cluster: its id, and where others reach it."""

    id: str
    url: str


@dataclass(frozen=True, slots=True)
class Claim:
    """The outcome of a claim.

    Attributes:
        token: the fencing token, if this process has the lease now.
        owner: the live process that has it instead.
        is_held_up: the owner is gone, but nobody may take its tables yet.
    """

    token: int | None = None
    owner: Process | None = None
    is_held_up: bool = False


def renew(connection: Connection, process: Process, seconds: float) -> bool:
    """Let a process live for so many seconds more; False if its leases had ended meanwhile."""
    expires = database_time() + seconds
    alive = (processes.c.id == process.id, processes.c.expires > database_time())
    renewed = connection.execute(update(processes).where(*alive).values(expires=expires))
    if renewed.rowcount:
        return True
    joined = insert(processes).values(id=process.id, url=process.url, expires=expires)
    again = joined.on_conflict_do_update(index_elements=["id"], set_={"expires": expires})
    connection.execute(again)
    return False


def leave(connection: Connection, process_id: str) -> None:
    """Let the leases of a process end now."""
    ended = update(processes).where(processes.c.id == process_id).values(expires=0.0)
    connection.execute(ended)


def live_processes(connection: Connection) -> set[str]:
    """The ids of processes whose leases have not ended."""
    query = select(processes.c.id).where(processes.c.expires > database_time())
    return set(connection.scalars(query))


def another_process(connection: Connection, name: str, but: str) -> Process | None:
    """The live process that has a lease, or else any but one."""
    is_owner = and_(leases.c.name == name, leases.c.owner == processes.c.id)
    query = (
        select(processes.c.id, processes.c.url)
        .outerjoin(leases, is_owner)
        .where(processes.c.expires > database_time(), processes.c.id != but)
        .order_by(leases.c.name.is_(None), func.random())
    )
    row = connection.execute(query.limit(1)).first()
    return None if row is None else Process(row.id, row.url)


def claim(connection: Connection, name: str, process: Process, takes_over: bool = True) -> Claim:
    """Take a lease that nobody has, or find out who has it.

    Args:
        connection: in a transaction of its own.
        name: a table, or an idempotency key.
        process: who claims.
        takes_over: whether a lease may be taken that belongs to somebody.
    """
    is_live = processes.c.expires > database_time()
    query = (
        select(leases.c.owner, leases.c.token, processes.c.url, is_live.label("is_live"))
        .outerjoin(processes, processes.c.id == leases.c.owner)
        .where(leases.c.name == name)
    )
    row = connection.execute(query).first()
    if row is None:
        return _first_claim(connection, name, process)
    if row.owner not in (None, process.id):
        if row.is_live:
            return Claim(owner=Process(row.owner, row.url))
        if not takes_over:
            return Claim(is_held_up=True)
    taken = connection.execute(
        update(leases)
        .where(leases.c.name == name, leases.c.token == row.token)
        .values(owner=process.id, token=row.token + 1, since=time.time())
    )
    # Otherwise somebody was faster, and will be found by the next attempt.
    return Claim(token=row.token + 1) if taken.rowcount else Claim(is_held_up=True)


def _first_claim(connection: Connection, name: str, process: Process) -> Claim:
    """A lease that nobody has ever had; none for a table that does not exist."""
    if not name.startswith(KEY_PREFIX):
        table = connection.execute(select(schema.tables.c.id).where(schema.tables.c.id == name))
        if table.first() is None:
            return Claim()
    return create(connection, name, process)


def create(connection: Connection, name: str, process: Process) -> Claim:
    """The first lease of a name."""
    row = {"name": name, "owner": process.id, "token": 1, "since": time.time()}
    made = connection.execute(insert(leases).values(**row).on_conflict_do_nothing())
    return Claim(token=1) if made.rowcount else Claim(is_held_up=True)


def hold(connection: Connection, name: str, process_id: str, token: int) -> None:
    """Keep a lease from changing hands until this transaction ends; raises `LeaseLost`."""
    query = (
        select(leases.c.token)
        .where(leases.c.name == name, leases.c.owner == process_id, leases.c.token == token)
        .with_for_update(read=True)
    )
    if connection.execute(query).first() is None:
        raise LeaseLost


def release(connection: Connection, name: str, process_id: str, token: int) -> None:
    """Give up a lease, unless it has been claimed anew since."""
    mine = (leases.c.name == name, leases.c.owner == process_id, leases.c.token == token)
    connection.execute(update(leases).where(*mine).values(owner=None))


def held(connection: Connection, process_id: str) -> dict[str, int]:
    """All leases of a process, with their tokens."""
    query = select(leases.c.name, leases.c.token).where(leases.c.owner == process_id)
    return {row.name: row.token for row in connection.execute(query)}


def orphans(connection: Connection, most: int) -> list[str]:
    """Some tables whose game was in progress when their process went away."""
    dead = select(processes.c.id).where(processes.c.expires <= database_time())
    query = (
        select(leases.c.name)
        .join(schema.tables, schema.tables.c.id == leases.c.name)
        .where(leases.c.owner.in_(dead), schema.tables.c.status == "playing")
        # In no order: several processes do not all reach for the same table, and one that cannot
        # be read is not always the first.
        .order_by(func.random())
        .limit(most)
    )
    return list(connection.scalars(query))


def bury(connection: Connection) -> None:
    """Forget processes that are gone and have no game in progress any more."""
    playing = (
        select(leases.c.name)
        .join(schema.tables, schema.tables.c.id == leases.c.name)
        .where(leases.c.owner == processes.c.id, schema.tables.c.status == "playing")
        .correlate(processes)
    )
    gone = list(
        connection.scalars(
            delete(processes)
            .where(processes.c.expires <= database_time(), ~playing.exists())
            .returning(processes.c.id)
        )
    )
    if gone:
        connection.execute(update(leases).where(leases.c.owner.in_(gone)).values(owner=None))


def forget_keys(connection: Connection, before: float) -> None:
    """Delete the leases of idempotency keys that are older."""
    old = (leases.c.name.startswith(KEY_PREFIX), leases.c.since < before)
    connection.execute(delete(leases).where(*old))


def shared_secret(connection: Connection, name: str) -> str:
    """A secret that all processes of a database share, made by the first of them."""
    fresh = {"name": name, "value": random_secrets.token_urlsafe(32)}
    connection.execute(insert(secrets).values(**fresh).on_conflict_do_nothing())
    return str(connection.scalar(select(secrets.c.value).where(secrets.c.name == name)))
