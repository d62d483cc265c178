"""The lobby with a real store: parking, coming back, and a store that fails."""

import asyncio
import sqlite3
import time

import pytest
from uno_serve.bots.registry import BotRegistry
from uno_serve.config import ServeConfig
from uno_serve.errors import ApiError
from uno_serve.tables.lobby import Lobby
from uno_serve.tables.setup import Seat, TableSetup, token_hash
from uno_serve.tables.state import state_message
from uno_serve.tables.storage import Store


def setup(**changes) -> TableSetup:
    usual = {
        "rules": "ig2000", "num_players": 3, "episode": "round", "move_seconds": None,
        "react_seconds": 3600, "absent_seconds": None, "stand_in": "greedy", "bot_delay": 0,
        "spectators": True, "seeded": False, "host": token_hash("host"),
    }  # fmt: skip
    return TableSetup(**usual | changes)


def with_lobby(tmp_path, test, **options):
    """Run an async test with a lobby whose store is a file."""
    config = ServeConfig(db=str(tmp_path / "x.db"), default_bot="greedy", **options)

    async def run():
        store, bots = Store(config.db), BotRegistry(config)
        lobby = Lobby(config, store, bots)
        await lobby.pool.open()
        try:
            async with asyncio.timeout(300):
                return await test(lobby)
        finally:
            await lobby.pool.close()
            await bots.close()
            await store.close()

    return asyncio.run(run())


async def three_people(lobby: Lobby, **changes):
    seats = [Seat(number, "human", name, is_open=True) for number, name in enumerate("ABC")]
    tokens = [seat.claim(None) for seat in seats]
    return await lobby.create(setup(**{"seed": 11} | changes), seats), tokens


async def until_window_ends(table) -> None:
    """Let the time of open reaction windows pass; a slow machine cannot end them before."""
    while table.status == "playing" and (window := table.window) is not None:
        window.begins = window.ends = time.monotonic()
        table.notify()
        await asyncio.sleep(0.001)


async def play(lobby: Lobby, table, moves: int) -> None:
    """Everybody takes the first action there is, unless the table pauses."""
    for _ in range(moves):
        if table.window is not None and not table.window.questions:
            await until_window_ends(table)
        if table.to_act is None:
            return
        seat, window = table.to_act, table.window
        made = asyncio.create_task(lobby.act(table, seat, table.running.legal_ids()[0], None))
        while window is not None and not made.done():
            question = window.questions.get(seat.number)
            if question is None or question.answer is not None:
                window.ends = time.monotonic()
                table.notify()
            await asyncio.sleep(0.001)
        await made


def shown(table) -> list:
    quiet = ("clock", "seats")
    states = [state_message(table, viewer) for viewer in (0, 1, 2, None)]
    for state in states:
        if state["pause"] is not None:
            state["pause"].pop("seconds")
    return [{key: value for key, value in state.items() if key not in quiet} for state in states]


def test_a_parked_table_comes_back_as_every_viewer_knew_it(tmp_path):
    """At whatever move it is parked, open hidden decisions included."""

    async def test(lobby):
        table, tokens = await three_people(lobby)
        hidden, paused = 0, 0
        for _ in range(60):
            if table.status != "playing":
                break
            if table.window and table.window.action != table._last_seen.public_action:
                # A move within the window, about to be shown.
                await until_window_ends(table)
            before = shown(table)
            hidden += table.is_hidden
            paused += table.window is not None and not table.is_hidden
            await lobby.pool.park(table)
            assert table.id not in lobby.pool.tables
            again = await lobby.find(table.id)
            assert again is not table
            if table.window is None:
                # A window may begin anew, which viewers see as a moment's step back.
                await until_window_ends(again)
            assert shown(again) == before
            assert [again.seat_of(token).number for token in tokens] == [0, 1, 2]
            table = again
            await play(lobby, table, 1)
        return hidden, paused

    hidden, paused = with_lobby(tmp_path, test)
    assert hidden > 0, "no hidden decision was open at any parking"
    assert paused > 0, "no table paused without a decision"


def test_idle_tables_make_room_and_busy_ones_do_not(tmp_path):
    async def test(lobby):
        first, _ = await three_people(lobby)
        second, _ = await three_people(lobby)
        with pytest.raises(ApiError, match="full"):
            await three_people(lobby)
        first.last_used -= 1000
        for seat in first.seats:
            seat.last_seen -= 1000
        third, _ = await three_people(lobby)
        assert set(lobby.pool.tables) == {second.id, third.id}
        second.seats[0].streams = 1
        with pytest.raises(ApiError, match="full"):
            await lobby.find(first.id)

    with_lobby(tmp_path, test, max_tables=2)


def test_a_move_that_cannot_be_stored_is_not_made(tmp_path):
    async def test(lobby):
        table, _ = await three_people(lobby)
        await play(lobby, table, 3)
        before = shown(table)
        with sqlite3.connect(tmp_path / "x.db") as db:
            db.execute("ALTER TABLE uno_moves RENAME TO away")
        with pytest.raises(ApiError) as caught:
            await play(lobby, table, 1)
        assert caught.value.code == "storage"
        after = shown(table)
        assert after == before
        with sqlite3.connect(tmp_path / "x.db") as db:
            db.execute("ALTER TABLE away RENAME TO uno_moves")
        db.close()
        await play(lobby, table, 1)
        kept = await lobby.store.load(table.id)
        assert len(kept.record["actions"]) == 4

    with_lobby(tmp_path, test)


def test_a_store_that_knows_better_is_believed(tmp_path):
    """A move was stored, but the answer got lost: the table is loaded anew."""

    async def test(lobby):
        table, _ = await three_people(lobby)
        action = table.running.legal_ids()[0]
        await lobby.store.add_move(table.id, 1, 0, action)
        with pytest.raises(ApiError):
            await play(lobby, table, 1)
        assert table.is_stale and table.id not in lobby.pool.tables
        again = await lobby.find(table.id)
        assert again.running.record()["actions"] == [action]

    with_lobby(tmp_path, test)


def test_a_game_without_end_is_closed(tmp_path):
    async def test(lobby):
        rules = "classic(hand_size=30,draw_policy=until_playable)"
        table, _ = await three_people(lobby, rules=rules)
        while table.status == "playing":
            await play(lobby, table, 1)
        assert table.status == "closed"
        with pytest.raises(ApiError, match="no such table"):
            await lobby.find(table.id)

    with_lobby(tmp_path, test, max_moves=100)
