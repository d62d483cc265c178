"""The database schema of leases: which processes live, and which of them has which table.

The lease of a table ends with that of its process, so a process renews one row however many tables
it has. A lease's number, the fencing token, grows whenever the table changes hands. Times are the
database's own: the clocks of several machines need not agree.
"""

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Float,
    Index,
    String,
    Table,
    Text,
    cast,
    extract,
    func,
)

from .schema import metadata

processes = Table(
    "uno_processes",
    metadata,
    Column("id", String(40), primary_key=True),
    # Where other processes reach it.
    Column("url", String(200), nullable=False),
    Column("expires", Float(53), nullable=False),
)
leases = Table(
    "uno_leases",
    metadata,
    # The id of a table, or `key:` and the hash of an idempotency key.
    Column("name", String(80), primary_key=True),
    Column("owner", String(40)),
    Column("token", BigInteger, nullable=False),
    Column("since", Float(53), nullable=False),
    Index("uno_leases_owner", "owner"),
)
secrets = Table(
    "uno_secrets",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)


def database_time() -> ColumnElement[float]:
    """Seconds by the database's clock, at this statement."""
    return cast(extract("epoch", func.clock_timestamp()), Float(53))
