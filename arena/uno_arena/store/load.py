"""Reading a database: whole tournaments as columns, and single games to play again."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from uno_env import Game, Rules
from uno_env.array_types import Ints

from ..play.matchup import arena_rules, win_shares
from ..results import Matchup, MatchupGames, TournamentResults
from ..stats.usage_stats import CHOICES, PHASES, no_counts
from .schema import StoreError
from .store import Store


def load_results(db: str | Path | Store, tournament: str | int | None = None) -> TournamentResults:
    """All that a database holds of a tournament.

    Args:
        db: the file, or an open store.
        tournament: its name or number; the newest if left out.
    """
    if not isinstance(db, Store):
        with Store(db, must_exist=True) as store:
            return load_results(store, tournament)
    stored = db.tournament(tournament)
    number = int(stored["id"])
    agents = db.entrants(number)
    found = _matchups(db, number)
    needed, finished = db.chunks_needed(number), db.finished(number)
    played = [_chunks(db, key, len(agents)) for key, _ in found]
    return TournamentResults(
        name=stored["name"],
        config=json.loads(stored["config"]),
        seed=int(stored["seed"]),
        code_version=_versions(stored["code_version"], played),
        created=stored["created"],
        agents=agents,
        matchups=tuple(matchup for _, matchup in found),
        games=tuple(_games(db, key, matchup) for key, matchup in found),
        decisions=tuple(chunks.counts for chunks in played),
        is_complete=all(len(finished.get(n, ())) == needed[n] for n in needed),
        seconds=sum(chunks.seconds for chunks in played),
        stopped_early=_stopped(db, number),
        usage=tuple(db.usage(key) for key, _ in found),
    )


class _Chunks(NamedTuple):
    counts: Ints
    seconds: float
    versions: set[str]


def _matchups(store: Store, tournament: int) -> list[tuple[int, Matchup]]:
    rows = store.database.execute(
        "SELECT id, number, lineup, rules, num_players, episode, sides FROM matchups "
        "WHERE tournament = ? ORDER BY number",
        (tournament,),
    )
    return [
        (key, Matchup(number, tuple(map(int, lineup.split())), *rest))
        for key, number, lineup, *rest in rows
    ]


def _stopped(store: Store, tournament: int) -> tuple[bool, ...]:
    rows = store.database.execute(
        "SELECT chunks_needed IS NOT NULL FROM matchups WHERE tournament = ? ORDER BY number",
        (tournament,),
    )
    return tuple(bool(stopped) for (stopped,) in rows)


def _chunks(store: Store, matchup: int, num_agents: int) -> _Chunks:
    counts = no_counts(num_agents)
    seconds, versions = 0.0, set()
    rows = store.database.execute(
        "SELECT choices, seconds, code_version FROM chunks WHERE matchup = ?", (matchup,)
    )
    for choices, took, version in rows:
        for entrant, phase, choice, number in json.loads(choices):
            counts[entrant, PHASES.index(phase), CHOICES.index(choice)] += number
        seconds += took
        versions.add(version)
    return _Chunks(counts, seconds, versions)


def _versions(started: str, played: list[_Chunks]) -> str:
    others = {version for chunks in played for version in chunks.versions} - {started}
    return " and ".join([started, *sorted(others)])


def _games(store: Store, key: int, matchup: Matchup) -> MatchupGames:
    rows = store.database.execute(
        "SELECT deal, rotation, seed, winners, void, coalesce(forfeit_seat, -1), length(actions), "
        "entrants, points, reason FROM games WHERE matchup = ? ORDER BY deal, rotation",
        (key,),
    ).fetchall()
    columns: list[Any] = list(zip(*rows, strict=True)) or [()] * 10
    numbers = [np.array(column, np.int64) for column in columns[:7]]
    deal, rotation, seed, winners, void, forfeit_seat, decisions = numbers
    entrant = _matrix(columns[7], matchup.sides)
    side = np.where(forfeit_seat < 0, 0, forfeit_seat) % matchup.sides
    culprit = entrant[np.arange(len(deal)), side]
    return MatchupGames(
        deal=deal,
        rotation=rotation,
        seed=seed,
        entrant=entrant,
        share=win_shares(winners, void > 0, forfeit_seat, matchup.num_players, matchup.sides),
        winners=winners,
        points=_matrix(columns[8], matchup.num_players),
        void=void > 0,
        forfeited_by=np.where(forfeit_seat < 0, -1, culprit),
        forfeit_seat=forfeit_seat,
        decisions=decisions,
        reasons={row: reason for row, reason in enumerate(columns[9]) if reason is not None},
    )


def _matrix(texts: tuple[str, ...], width: int) -> Ints:
    """Rows of numbers written as words."""
    return np.array(" ".join(texts).split(), np.int64).reshape(-1, width)


class StoredGame(NamedTuple):
    """One game of a database."""

    matchup: Matchup
    deal: int
    rotation: int
    names: tuple[str, ...]
    """Who sat at each seat."""

    winners: tuple[int, ...]
    points: tuple[int, ...]
    forfeit_seat: int | None
    reason: str | None
    record: dict[str, Any]
    """As `uno_env.Game.replay` takes it."""

    def play(self) -> Game:
        """Play it again; an error if it does not come out as it is stored."""
        game = Game.replay(self.record)
        points = game.scores if game.episode == "match" else game.points
        if (game.winners, tuple(points)) != (self.winners, self.points):
            raise StoreError(
                f"the game came out differently: winners {game.winners}, points {points}; stored: "
                f"{self.winners}, {list(self.points)}. It was played by another version"
            )
        return game


def load_game(
    store: Store, game_id: str, tournament: str | int | None = None
) -> StoredGame:  # fmt: skip
    """One game by its id, `MATCHUP.DEAL.ROTATION`."""
    try:
        number, deal, rotation = (int(part) for part in game_id.split("."))
    except ValueError:
        raise StoreError(
            f"game id is {game_id!r}; it is MATCHUP.DEAL.ROTATION, such as 0.17.2"
        ) from None
    stored = store.tournament(tournament)
    matchups = {matchup.number: (key, matchup) for key, matchup in _matchups(store, stored["id"])}
    key, matchup = matchups.get(number, (None, None))
    row = store.database.execute(
        "SELECT seed, entrants, winners, points, forfeit_seat, reason, actions FROM games "
        "WHERE matchup = ? AND deal = ? AND rotation = ?",
        (key, deal, rotation),
    ).fetchone()
    if row is None or matchup is None:
        raise StoreError(f"tournament {stored['name']!r} in {store.path} has no game {game_id}")
    seed, entrants, winners, points, forfeit_seat, reason, actions = row
    names = [store.entrants(stored["id"])[int(entrant)].name for entrant in entrants.split()]
    rules = arena_rules(Rules.from_text(matchup.rules))
    return StoredGame(
        matchup,
        deal,
        rotation,
        tuple(names * (matchup.num_players // matchup.sides)),
        tuple(seat for seat in range(matchup.num_players) if winners >> seat & 1),
        tuple(map(int, points.split())),
        forfeit_seat,
        reason,
        {
            "rules": rules.text(),
            "num_players": matchup.num_players,
            "seed": seed,
            "episode": matchup.episode,
            "actions": list(actions),
        },
    )
