"""Tables at which a person faces a certain decision, reached by legal moves from a known deal.

Every seat belongs to a person whose token the test holds, so nothing is left to chance.
"""

from typing import Any

import httpx
import numpy as np

import uno_env as uno

from ..playing import bearer, new_table

ME = 0
MOST_MOVES = 80


def moves_to(
    variant: str, seed: int, phase: str, verb: str, num_players: int
) -> list[tuple[int, str]]:
    """Moves by seat after which seat 0 is in a phase and may answer with a verb."""
    game = uno.Game(variant, num_players, seed=seed)
    rng = np.random.default_rng(seed)
    moves: list[tuple[int, str]] = []
    for _ in range(MOST_MOVES):
        legal = game.legal()
        if game.actor == ME and game.phase == phase and any(a.split()[0] == verb for a in legal):
            return moves
        plays = [action for action in legal if action.startswith("play")]
        options = plays if plays and rng.random() < 0.9 else legal
        action = options[int(rng.integers(len(options)))]
        assert game.actor is not None
        moves.append((game.actor, action))
        game.step(action)
    raise AssertionError(f"no {verb} in {phase} within {MOST_MOVES} moves of seed {seed}")


def table_at(
    http: httpx.Client, variant: str, seed: int, phase: str, verb: str, num_players: int
) -> dict[str, Any]:
    """A table that waits for such a decision of seat 0."""
    seats = [{"kind": "human", "name": f"Player {n}"} for n in range(num_players)]
    table = new_table(
        http, variant=variant, seats=seats, seed=seed, react_seconds=None, absent_seconds=None
    )
    for seat, action in moves_to(variant, seed, phase, verb, num_players):
        act(http, table, seat, action)
    return table


def act(http: httpx.Client, table: dict[str, Any], seat: int, action: str) -> None:
    """A move of a seat, over HTTP."""
    answer = http.post(
        f"/v1/tables/{table['table']}/act",
        json={"action": action},
        headers=bearer(table["seats"][seat]["token"]),
    )
    assert answer.status_code == 200, answer.text
