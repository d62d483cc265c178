"""The database: what goes in comes out, games replay, what does not fit is refused."""

import sqlite3

import numpy as np
import pytest
import uno_arena
from uno_arena.config import make_config
from uno_arena.play.play_chunk import play_chunk
from uno_arena.run import make_plan
from uno_arena.store.load import load_game, load_results
from uno_arena.store.schema import StoreError
from uno_arena.store.store import Store

from .bots import Acts, FirstAsked
from .playing import chunk

VERSION = "code of a test"


def plan(name="t", **options):
    agents = {"random": "random", "greedy": "greedy"}
    given = {"agents": list(agents), "players": 3, "deals": 10, "seed": 5, "chunk": 4, **options}
    return make_plan(make_config(None, given), agents, ["batch", "batch"], name)


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "arena.db") as opened:
        yield opened


def test_games_come_out_as_they_went_in(store):
    spec = chunk(["random", "greedy"], players=3, deals=(0, 4))
    result = play_chunk(spec)
    number = store.open(plan(schedule="first"), VERSION)
    store.save(number, result, VERSION)
    loaded = load_results(store)
    (table,), (counts,) = loaded.games, loaded.decisions
    assert (table.games, table.deals) == (12, 4)
    for column in ("deal", "rotation", "seed", "entrant"):
        np.testing.assert_array_equal(getattr(table, column), getattr(result.layout, column))
    for column in ("winners", "points", "void", "forfeit_seat"):
        np.testing.assert_array_equal(getattr(table, column), getattr(result, column))
    assert table.decisions.tolist() == [len(actions) for actions in result.actions]
    np.testing.assert_array_equal(counts, result.counts)
    assert table.share.sum(axis=1) == pytest.approx(1)
    assert loaded.seconds == result.seconds
    assert not loaded.is_complete
    assert loaded.matchups == (spec.matchup,)


def test_any_stored_game_replays_to_its_stored_result(tmp_path):
    db = tmp_path / "arena.db"
    agents = {"good": FirstAsked(), "bad": Acts("crash", after=25)}
    uno_arena.tournament(agents, db=db, variant="no_mercy", players=3, deals=3)
    results = load_results(db)
    games = 0
    with Store(db, must_exist=True) as store:
        for matchup, table in zip(results.matchups, results.games, strict=True):
            for row in range(table.games):
                game_id = f"{matchup.number}.{table.deal[row]}.{table.rotation[row]}"
                stored = load_game(store, game_id)
                game = stored.play()
                assert game.actor == stored.forfeit_seat
                assert (stored.reason is None) == (row not in table.reasons)
                names = [results.agents[who].name for who in table.entrant[row]]
                assert stored.names == tuple(names)
                games += 1
    assert games == 18
    assert any(table.reasons for table in results.games)


def test_a_game_that_comes_out_differently_is_reported(store):
    number = store.open(plan(), VERSION)
    store.save(number, play_chunk(chunk(["random", "greedy"], players=3)), VERSION)
    store.database.execute("UPDATE games SET winners = winners * 2 % 7 WHERE deal = 1")
    load_game(store, "0.0.0").play()
    with pytest.raises(StoreError, match=r"came out differently.*another version"):
        load_game(store, "0.1.0").play()


@pytest.mark.parametrize("game_id", ["7.0.0", "0.99.0", "0.0.3"])
def test_games_that_are_not_there(store, game_id):
    number = store.open(plan(), VERSION)
    store.save(number, play_chunk(chunk(["random", "greedy"], players=3)), VERSION)
    with pytest.raises(StoreError, match=f"has no game {game_id}"):
        load_game(store, game_id)
    with pytest.raises(StoreError, match=r"MATCHUP\.DEAL\.ROTATION"):
        load_game(store, "17")


def test_a_chunk_is_kept_whole_or_not_at_all(store):
    number = store.open(plan(), VERSION)
    result = play_chunk(chunk(["random", "greedy"], players=3, deals=(0, 4)))
    result.actions[5] = None
    with pytest.raises(sqlite3.IntegrityError):
        store.save(number, result, VERSION)
    assert store.finished(number) == {}
    assert load_results(store).total_games == 0


def test_a_chunk_that_is_there_stays_as_it_is(store):
    number = store.open(plan(), VERSION)
    first, second = (
        play_chunk(chunk([agent, "greedy"], players=3, deals=(0, 4)))
        for agent in ("random", "greedy")
    )
    store.save(number, first, VERSION)
    store.save(number, second, VERSION)
    (table, *_) = load_results(store).games
    assert table.decisions.tolist() == [len(actions) for actions in first.actions]


def test_what_was_played_beyond_the_end_is_dropped(store):
    number = store.open(plan(), VERSION)
    for chunk_number, deals in enumerate([(0, 4), (4, 8), (8, 10)]):
        spec = chunk(["random", "greedy"], players=3, deals=deals, number=chunk_number)
        store.save(number, play_chunk(spec), VERSION)
    assert store.chunks_needed(number)[0] == 3
    store.stop(number, 0, 2)
    loaded = load_results(store)
    assert loaded.games[0].deals == 8
    assert loaded.stopped_early == (True, False)
    assert store.chunks_needed(number) == {0: 2, 1: 3}
    assert store.finished(number) == {0: {0, 1}}


def test_a_changed_configuration_is_refused_and_named(store):
    store.open(plan(), VERSION)
    with pytest.raises(StoreError, match=r"deals is 12, was 10; seed is 6, was 5.*--name"):
        store.open(plan(deals=12, seed=6), VERSION)
    assert store.open(plan("other", deals=12), VERSION) == 2
    assert store.open(plan(), VERSION) == 1
    assert store.names() == ["t", "other"]


def test_other_code_goes_on_only_if_told_to(store):
    number = store.open(plan(), VERSION)
    store.save(number, play_chunk(chunk(["random", "greedy"], players=3, deals=(0, 4))), VERSION)
    with pytest.raises(StoreError, match=r"code of a test; this is newer.*--any-version"):
        store.open(plan(), "newer")
    assert store.open(plan(), "newer", any_version=True) == number
    spec = chunk(["random", "greedy"], players=3, deals=(4, 8), number=1)
    store.save(number, play_chunk(spec), "newer")
    assert load_results(store).code_version == "code of a test and newer"


def test_an_agent_whose_file_changed_is_refused(tmp_path):
    bot = tmp_path / "bot.py"
    text = "class Bot:\n    def act(self, view, legal):\n        return legal[{}]\n"
    bot.write_text(text.format(0))
    options = {"db": tmp_path / "arena.db", "name": "mine", "deals": 2}
    first = uno_arena.tournament([f"{bot}:Bot", "greedy"], **options)
    assert len(first.agents[0].fingerprint) == 64
    assert first.agents[1].fingerprint == ""
    bot.write_text(text.format(-1))
    with pytest.raises(StoreError, match="has changed since"):
        uno_arena.tournament([f"{bot}:Bot", "greedy"], **options)


def test_files_that_are_no_arena_database(tmp_path):
    text = tmp_path / "notes.txt"
    text.write_text("these are notes, not games\n" * 50)
    with pytest.raises(StoreError, match=r"notes\.txt cannot be used.*--db FILE"):
        Store(text)
    with pytest.raises(StoreError, match=r"unable to open database file; name another file: --db"):
        Store(tmp_path / "no_folder" / "arena.db")
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as database:
        database.execute("CREATE TABLE recipes (name TEXT)")
    database.close()
    with pytest.raises(StoreError, match="of another program"):
        Store(other)
    with pytest.raises(StoreError, match="no arena database"):
        Store(tmp_path / "missing.db", must_exist=True)
    newer = tmp_path / "newer.db"
    with Store(newer) as store:
        store.database.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreError, match="has format 99"):
        Store(newer)


def test_tournaments_that_are_not_there(store):
    with pytest.raises(StoreError, match="holds no tournament; it holds: none yet"):
        load_results(store)
    store.open(plan(), VERSION)
    with pytest.raises(StoreError, match="holds no tournament 'x'; it holds: t"):
        load_results(store, "x")
