"""The SQL schema of an arena database, and the checks when one is opened."""

import sqlite3
from contextlib import closing
from pathlib import Path

APPLICATION = 0x554E4F41
"""Written into the file, so that another program's database is never taken for ours."""
VERSION = 1

SCHEMA = """
CREATE TABLE tournaments (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    config TEXT NOT NULL,               -- JSON, see uno_arena.config.ArenaConfig
    seed INTEGER NOT NULL,
    code_version TEXT NOT NULL,
    created TEXT NOT NULL               -- ISO 8601, UTC
);
CREATE TABLE entrants (
    tournament INTEGER NOT NULL REFERENCES tournaments,
    number INTEGER NOT NULL,
    name TEXT NOT NULL,
    spec TEXT NOT NULL,                 -- empty: an object of the program that ran it
    cheats INTEGER NOT NULL,
    fingerprint TEXT NOT NULL,          -- SHA-256 of the files the spec names
    PRIMARY KEY (tournament, number)
) WITHOUT ROWID;
CREATE TABLE matchups (
    id INTEGER PRIMARY KEY,
    tournament INTEGER NOT NULL REFERENCES tournaments,
    number INTEGER NOT NULL,
    lineup TEXT NOT NULL,               -- entrants by place, focal agent first; empty: mixed
    rules TEXT NOT NULL,
    num_players INTEGER NOT NULL,
    episode TEXT NOT NULL,
    sides INTEGER NOT NULL,
    deals INTEGER NOT NULL,             -- the most that are played
    chunk_deals INTEGER NOT NULL,
    chunks_needed INTEGER,              -- set when it was clear after that many
    UNIQUE (tournament, number)
);
CREATE TABLE chunks (
    matchup INTEGER NOT NULL REFERENCES matchups,
    number INTEGER NOT NULL,
    first_deal INTEGER NOT NULL,
    last_deal INTEGER NOT NULL,         -- exclusive
    choices TEXT NOT NULL,              -- JSON: [entrant, phase, choice, how often], ...
    seconds REAL NOT NULL,
    code_version TEXT NOT NULL,
    PRIMARY KEY (matchup, number)
) WITHOUT ROWID;
CREATE TABLE games (
    matchup INTEGER NOT NULL REFERENCES matchups,
    deal INTEGER NOT NULL,
    rotation INTEGER NOT NULL,
    seed INTEGER NOT NULL,
    entrants TEXT NOT NULL,             -- who sat on each side
    winners INTEGER NOT NULL,           -- bits of the winning seats
    points TEXT NOT NULL,               -- by seat
    void INTEGER NOT NULL,
    forfeit_seat INTEGER,
    reason TEXT,
    actions BLOB NOT NULL,              -- one byte each, see uno_env.ACTIONS
    PRIMARY KEY (matchup, deal, rotation)
) WITHOUT ROWID;
"""

USAGE_SCHEMA = """
CREATE TABLE IF NOT EXISTS usage (
    matchup INTEGER NOT NULL REFERENCES matchups,
    chunk INTEGER NOT NULL,
    entrant INTEGER NOT NULL,
    counts TEXT NOT NULL,               -- JSON: what the agent's usage() counts, by name
    PRIMARY KEY (matchup, chunk, entrant)
) WITHOUT ROWID
"""
"""Made with the first agent that counts its requests and tokens; most databases have none."""


class StoreError(ValueError):
    """A file that is no arena database, or does not hold what was asked for."""


def connect(path: str | Path, must_exist: bool = False) -> sqlite3.Connection:
    """An open arena database, made if there is none; `:memory:` for one that is not kept."""
    name = str(path)
    if must_exist and not Path(name).is_file():
        raise StoreError(f"there is no arena database {name}")
    try:
        database = sqlite3.connect(name, timeout=30, isolation_level=None)
        try:
            _prepare(database, name)
        except BaseException:
            database.close()
            raise
    except sqlite3.Error as error:
        reason = f"{name} cannot be used as an arena database: {error}"
        raise StoreError(f"{reason}; name another file: --db FILE") from None
    return database


def _prepare(database: sqlite3.Connection, name: str) -> None:
    # Committed chunks survive the end of the process, however it ends.
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = NORMAL")
    database.execute("PRAGMA foreign_keys = ON")
    with closing(database.execute("SELECT count(*) FROM sqlite_master")) as found:
        is_empty = found.fetchone()[0] == 0
    application = database.execute("PRAGMA application_id").fetchone()[0]
    version = database.execute("PRAGMA user_version").fetchone()[0]
    if is_empty and not application:
        database.execute("BEGIN IMMEDIATE")
        if not database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            for statement in filter(str.strip, SCHEMA.split(";\n")):
                database.execute(statement)
            database.execute(f"PRAGMA application_id = {APPLICATION}")
            database.execute(f"PRAGMA user_version = {VERSION}")
        database.execute("COMMIT")
    elif application != APPLICATION:
        raise StoreError(f"{name} is the database of another program")
    elif version != VERSION:
        raise StoreError(f"{name} has format {version}; this version of uno_env reads {VERSION}")
