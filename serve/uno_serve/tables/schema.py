"""The database schema of hosted tables, and the queries that read and delete them."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    Connection,
    Float,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    delete,
    select,
)

SCHEMA_VERSION = 1

metadata = MetaData()
tables = Table(
    "uno_tables",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("status", String(10), nullable=False, index=True),
    Column("unattended", Integer, nullable=False),
    Column("setup", JSON, nullable=False),
    Column("seats", JSON, nullable=False),
    Column("touched", Float, nullable=False, index=True),
)
games = Table(
    "uno_games",
    metadata,
    Column("table_id", String(40), primary_key=True),
    Column("game", Integer, primary_key=True),
    Column("rules", Text, nullable=False),
    Column("num_players", Integer, nullable=False),
    Column("episode", String(10), nullable=False),
    # As text: a seed has 64 bits, an integer column 63.
    Column("seed", String(20), nullable=False),
)
moves = Table(
    "uno_moves",
    metadata,
    Column("table_id", String(40), primary_key=True),
    Column("game", Integer, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("action", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
)


@dataclass
class StoredTable:
    """A table as it is stored: who sits where, and the record of its current game."""

    id: str
    status: str
    unattended: bool
    setup: dict[str, Any]
    seats: list[dict[str, Any]]
    touched: float
    game: int = 0
    record: dict[str, Any] | None = None


def select_table(connection: Connection, table_id: str) -> StoredTable | None:
    """A table with its current game, or None."""
    row = connection.execute(select(tables).where(tables.c.id == table_id)).mappings().first()
    if row is None or row["version"] != SCHEMA_VERSION:
        return None
    stored = StoredTable(
        id=table_id, status=row["status"], unattended=bool(row["unattended"]),
        setup=row["setup"], seats=row["seats"], touched=row["touched"],
    )  # fmt: skip
    newest = select(games).where(games.c.table_id == table_id).order_by(games.c.game.desc())
    game = connection.execute(newest.limit(1)).mappings().first()
    if game is not None:
        actions = (
            select(moves.c.action)
            .where(moves.c.table_id == table_id, moves.c.game == game["game"])
            .order_by(moves.c.number)
        )
        stored.game = game["game"]
        stored.record = {
            "rules": game["rules"],
            "num_players": game["num_players"],
            "episode": game["episode"],
            "seed": int(game["seed"]),
            "actions": list(connection.scalars(actions)),
        }
    return stored


def delete_tables(connection: Connection, ids: list[str]) -> None:
    """Delete tables with their games and moves."""
    for table, key in (
        (moves, moves.c.table_id),
        (games, games.c.table_id),
        (tables, tables.c.id),
    ):
        connection.execute(delete(table).where(key.in_(ids)))
