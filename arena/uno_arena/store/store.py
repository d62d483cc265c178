"""The database of tournaments: one SQLite file, one transaction for each finished chunk.

Every game is a row with its seed and actions, so any of them can be played again.
"""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

import numpy as np

from uno_env.array_types import Ints

from ..config import differences
from ..play.chunk import ChunkResult, ChunkUsage, add_usage
from ..results import Entrant, Matchup
from ..stats.usage_stats import CHOICES, PHASES
from .schema import USAGE_SCHEMA, StoreError, connect

DATABASE = "arena.db"
"""The default file."""


class Plan(NamedTuple):
    """What a tournament is going to play."""

    name: str
    config: dict[str, Any]
    """JSON-ready."""

    seed: int
    entrants: tuple[Entrant, ...]
    matchups: tuple[Matchup, ...]
    deals: int
    chunk_deals: tuple[int, ...]
    """Of each match-up."""


class Store:
    """An open database.

    Args:
        path: the file, made if there is none; `:memory:` for one that is not kept.
        must_exist: refuse to make a new one.
    """

    def __init__(self, path: str | Path, must_exist: bool = False) -> None:
        self.path = str(path)
        self.database = connect(path, must_exist)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self.database.close()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self.database.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self.database.execute("ROLLBACK")
            raise
        self.database.execute("COMMIT")

    # Tournaments.

    def tournament(self, name: str | int | None = None) -> sqlite3.Row:
        """A tournament by name or number; the newest if neither is given."""
        column = "id" if isinstance(name, int) else "name"
        where = "" if name is None else f"WHERE {column} = :name"
        cursor = self.database.cursor()
        cursor.row_factory = sqlite3.Row
        query = f"SELECT * FROM tournaments {where} ORDER BY id DESC LIMIT 1"  # noqa: S608
        row: sqlite3.Row | None = cursor.execute(query, {"name": name}).fetchone()
        if row is None:
            known = ", ".join(self.names()) or "none yet"
            raise StoreError(
                f"{self.path} holds no tournament {'' if name is None else repr(name)}".rstrip()
                + f"; it holds: {known}"
            )
        return row

    def names(self) -> list[str]:
        """Names of all tournaments, oldest first."""
        rows = self.database.execute("SELECT name FROM tournaments ORDER BY id")
        return [name for (name,) in rows]

    def open(self, plan: Plan, version: str, any_version: bool = False) -> int:
        """Start a tournament, or resume the one of that name; its number.

        A changed configuration, agent or code version is refused: the games would not belong
        together. `any_version` lets another version of the code resume it.
        """
        with self._transaction():
            if plan.name in self.names():
                return self._reopened(plan, version, any_version)
            return self._created(plan, version)

    def _created(self, plan: Plan, version: str) -> int:
        now = datetime.now(UTC).isoformat(timespec="seconds")
        config = json.dumps(plan.config, sort_keys=True)
        tournament = self._insert("tournaments", None, plan.name, config, plan.seed, version, now)
        for number, entrant in enumerate(plan.entrants):
            self._insert(
                "entrants", tournament, number, entrant.name, entrant.spec, entrant.cheats,
                entrant.fingerprint,
            )  # fmt: skip
        for matchup, chunk_deals in zip(plan.matchups, plan.chunk_deals, strict=True):
            self._insert(
                "matchups", None, tournament, matchup.number, _words(matchup.lineup),
                matchup.rules, matchup.num_players, matchup.episode, matchup.sides, plan.deals,
                chunk_deals, None,
            )  # fmt: skip
        return tournament

    def _insert(self, table: str, *values: Any) -> int:
        marks = ", ".join("?" * len(values))
        made = self.database.execute(f"INSERT INTO {table} VALUES ({marks})", values)  # noqa: S608
        return made.lastrowid or 0

    def _reopened(self, plan: Plan, version: str, any_version: bool) -> int:
        stored = self.tournament(plan.name)
        where = f"tournament {plan.name!r} in {self.path}"
        changed = differences(plan.config, json.loads(stored["config"]))
        if changed:
            raise StoreError(
                f"{where} was started with other options: {'; '.join(changed)}. "
                "Use the same options, or another --name or --db"
            )
        entrants = self.entrants(stored["id"])
        for ours, theirs in zip(plan.entrants, entrants, strict=True):
            if ours != theirs:
                raise StoreError(
                    f"{where}: agent {ours.name!r} has changed since ({ours.spec or 'an object'}). "
                    "Use another --name or --db"
                )
        if stored["code_version"] != version and not any_version:
            raise StoreError(
                f"{where} was played by {stored['code_version']}; this is {version}. "
                "Add --any-version to resume it all the same, or use another --name or --db"
            )
        return int(stored["id"])

    def entrants(self, tournament: int) -> tuple[Entrant, ...]:
        """The entrants of a tournament."""
        rows = self.database.execute(
            "SELECT name, spec, cheats, fingerprint FROM entrants WHERE tournament = ? "
            "ORDER BY number",
            (tournament,),
        )
        return tuple(Entrant(name, spec, bool(cheats), mark) for name, spec, cheats, mark in rows)

    # Chunks.

    def finished(self, tournament: int) -> dict[int, set[int]]:
        """Which chunks of each match-up are there."""
        rows = self.database.execute(
            "SELECT m.number, c.number FROM matchups m JOIN chunks c ON c.matchup = m.id "
            "WHERE m.tournament = ?",
            (tournament,),
        )
        found: dict[int, set[int]] = {}
        for matchup, chunk in rows:
            found.setdefault(matchup, set()).add(chunk)
        return found

    def chunks_needed(self, tournament: int) -> dict[int, int]:
        """After how many chunks each match-up is over."""
        rows = self.database.execute(
            "SELECT number, coalesce(chunks_needed, (deals + chunk_deals - 1) / chunk_deals) "
            "FROM matchups WHERE tournament = ?",
            (tournament,),
        )
        return dict(rows.fetchall())

    def save(self, tournament: int, result: ChunkResult, version: str) -> None:
        """Keep a chunk, whole or not at all; one that is there already is left as it is."""
        layout = result.layout
        span = int(layout.deal[0]), int(layout.deal[-1]) + 1
        with self._transaction():
            matchup = self._matchup_id(tournament, result.matchup)
            made = self.database.execute(
                "INSERT OR IGNORE INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?)",
                (matchup, result.number, *span, _choices(result.counts), result.seconds, version),
            )
            if made.rowcount == 1:
                self.database.executemany(
                    f"INSERT INTO games VALUES ({', '.join('?' * 11)})",  # noqa: S608
                    _game_rows(matchup, result),
                )
                self._save_usage(matchup, result)

    def _save_usage(self, matchup: int, result: ChunkResult) -> None:
        if result.usage:
            self.database.execute(USAGE_SCHEMA)
        for entrant, counts in result.usage.items():
            self._insert("usage", matchup, result.number, entrant, json.dumps(counts))

    def usage(self, matchup: int) -> ChunkUsage:
        """What the agents of a match-up counted, by entrant, over all its chunks."""
        total: ChunkUsage = {}
        if self._has_usage():
            rows = self.database.execute(
                "SELECT entrant, counts FROM usage WHERE matchup = ? ORDER BY chunk", (matchup,)
            )
            for entrant, counts in rows:
                total = add_usage(total, {entrant: json.loads(counts)})
        return total

    def _has_usage(self) -> bool:
        found = self.database.execute("SELECT 1 FROM sqlite_master WHERE name = 'usage'")
        return found.fetchone() is not None

    def stop(self, tournament: int, matchup: int, chunks: int) -> None:
        """End a match-up after that many chunks; what was played beyond them is dropped.

        Whether later chunks happened to be played depends on how many workers there were.
        """
        with self._transaction():
            number = self._matchup_id(tournament, matchup)
            self.database.execute(
                "UPDATE matchups SET chunks_needed = ? WHERE id = ?", (chunks, number)
            )
            self.database.execute(
                "DELETE FROM games WHERE matchup = ? AND deal >= "
                "(SELECT max(last_deal) FROM chunks WHERE matchup = ? AND number < ?)",
                (number, number, chunks),
            )
            self.database.execute(
                "DELETE FROM chunks WHERE matchup = ? AND number >= ?", (number, chunks)
            )
            if self._has_usage():
                self.database.execute(
                    "DELETE FROM usage WHERE matchup = ? AND chunk >= ?", (number, chunks)
                )

    def _matchup_id(self, tournament: int, number: int) -> int:
        found = self.database.execute(
            "SELECT id FROM matchups WHERE tournament = ? AND number = ?", (tournament, number)
        ).fetchone()
        if found is None:
            raise StoreError(f"tournament {tournament} has no match-up {number}")
        return int(found[0])


def _words(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers))


def _choices(counts: Ints) -> str:
    return json.dumps(
        [
            [entrant, PHASES[phase], CHOICES[choice], int(counts[entrant, phase, choice])]
            for entrant, phase, choice in np.argwhere(counts).tolist()
        ]
    )


def _game_rows(matchup: int, result: ChunkResult) -> Iterator[tuple[Any, ...]]:
    layout = result.layout
    columns = zip(
        layout.deal.tolist(),
        layout.rotation.tolist(),
        layout.seed.tolist(),
        map(_words, layout.entrant.tolist()),
        result.winners.tolist(),
        map(_words, result.points.tolist()),
        result.void.tolist(),
        result.forfeit_seat.tolist(),
        result.actions,
        strict=True,
    )
    for game, (*before, forfeit_seat, actions) in enumerate(columns):
        forfeit = (forfeit_seat, result.reasons[game]) if forfeit_seat >= 0 else (None, None)
        yield (matchup, *before, *forfeit, actions)
