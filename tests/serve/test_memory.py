"""Games leave nothing behind: tables that are dealt again and again hold as much as before."""

import asyncio
import gc

import pytest
from uno_serve.tables.lobby import Lobby
from uno_serve.tables.setup import Seat

from .test_lobby import setup, with_lobby

TABLES, WARM_UP, ROUNDS = 10, 5, 15
LEAST_PER_GAME = 5
"""Objects that a leak would leave behind of each game."""


async def play_on(lobby: Lobby, tables: list, rounds: int) -> None:
    for _ in range(rounds):
        for table in tables:
            await lobby.request_rematch(table, None)
        while any(table.status == "playing" for table in tables):
            await asyncio.sleep(0.002)


def num_objects() -> int:
    gc.collect()
    return len(gc.get_objects())


@pytest.mark.slow
def test_objects_do_not_grow_with_games(tmp_path):
    async def test(lobby):
        tables = []
        for _ in range(TABLES):
            seats = [Seat(number, "bot", bot="greedy") for number in range(4)]
            chosen = setup(rules="classic(hand_size=2)", num_players=4)
            tables.append(await lobby.create(chosen, seats))
        while any(table.status == "playing" for table in tables):
            await asyncio.sleep(0.002)
        await play_on(lobby, tables, WARM_UP)
        before = num_objects()
        await play_on(lobby, tables, ROUNDS)
        return num_objects() - before

    assert with_lobby(tmp_path, test) < LEAST_PER_GAME * TABLES * ROUNDS
