"""Who meets whom and who sits where: sides, seats, rotations, deals, and how a win is shared.

Every function here depends on its arguments alone, so any part of a tournament can be laid out
anywhere and comes out the same.
"""

import hashlib
from collections.abc import Sequence
from itertools import combinations, permutations

import numpy as np

from uno_env import Rules
from uno_env.array_types import Bools, Doubles, Ints, Words
from uno_env.engine.lowlevel.bits import splitmix64_words
from uno_env.game import Episode

from ..config import Schedule, TableConfig
from ..results import Matchup

MIXED_SEED_KEY = 0x6D69786564
"""Separates the seating of mixed tables from every other use of a seed."""


def arena_rules(rules: Rules) -> Rules:
    """The rules as the arena plays them.

    Asking for forced decisions would change no game and cost half the time; an illegal action
    forfeits the game, whatever `fault_mode` was asked for.
    """
    return rules.replace(auto_forced=True, fault_mode="mask")


def sides_of(rules: Rules, num_players: int) -> int:
    """How many sides there are: seats, or teams of two."""
    return num_players // 2 if rules.team_mode == "pairs" else num_players


def make_matchups(
    num_agents: int,
    tables: Sequence[TableConfig],
    episode: Episode,
    schedule: Schedule,
) -> tuple[Matchup, ...]:
    """All match-ups of a tournament, table by table.

    `pairs`: every agent alone against a table of every other; where there are two sides, who is
    alone makes no difference and each pair meets once. `first`: only the first agent is alone.
    `mixed`: one match-up in which different agents share a table.
    """
    made: list[Matchup] = []
    for rules, num_players in tables:
        sides = sides_of(rules, num_players)
        for lineup in _lineups(num_agents, sides, schedule):
            made.append(
                Matchup(len(made), lineup, rules.text(), num_players, episode, sides)
            )  # fmt: skip
    return tuple(made)


def _lineups(num_agents: int, sides: int, schedule: Schedule) -> list[tuple[int, ...]]:
    if schedule == "mixed":
        return [()]
    if schedule == "first":
        pairs = [(0, other) for other in range(1, num_agents)]
    elif sides == 2:
        pairs = list(combinations(range(num_agents), 2))
    else:
        pairs = list(permutations(range(num_agents), 2))
    return [(focal, *[opponent] * (sides - 1)) for focal, opponent in pairs]


def participants(matchup: Matchup, num_agents: int) -> tuple[int, ...]:
    """The entrants that take part: focal agent and opponent, or everybody in a mixed match-up."""
    return matchup.lineup[:2] if matchup.lineup else tuple(range(num_agents))


def matchup_key(matchup: Matchup, names: Sequence[str]) -> int:
    """Identifies the match-up, whatever else the tournament holds; agents are seeded by it."""
    text = "\n".join([names[entrant] for entrant in participants(matchup, len(names))])
    text += f"\n{bool(matchup.lineup)} {matchup.table_key}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")


def deal_seeds(seed: int, first: int, last: int) -> Words:
    """Seeds of the deals first to last - 1 of a tournament; all its match-ups share them.

    63 bits, because that is what fits a number of SQLite.
    """
    start = splitmix64_words(np.array([seed], np.uint64))
    seeds: Words = splitmix64_words(start ^ np.arange(first, last, dtype=np.uint64)) >> np.uint64(1)
    return seeds


def lineups(matchup: Matchup, num_agents: int, seed: int, first: int, last: int) -> Ints:
    """(deals, sides): the entrant at each place, for each deal."""
    if matchup.lineup:
        return np.tile(np.array(matchup.lineup, np.int64), (last - first, 1))
    laps = -(-matchup.sides // num_agents)
    words = splitmix64_words(np.array([seed ^ MIXED_SEED_KEY], np.uint64)) ^ np.arange(
        first, last, dtype=np.uint64
    )
    keys = np.stack(
        [splitmix64_words(words ^ np.uint64((place + 1) << 40)) for place in range(num_agents)]
    )
    # A random order of the agents, repeated until the table is full.
    order = np.argsort(keys.T, axis=1, kind="stable").astype(np.int64)
    return np.tile(order, laps)[:, : matchup.sides]


def rotated(places: Ints, rotations: int) -> Ints:
    """(deals, P) things by place to (deals * rotations, P) by position: place p moves to p + r."""
    width = places.shape[1]
    turn = (np.arange(width) - np.arange(rotations)[:, None]) % width
    return places[:, turn].reshape(-1, width)


def seat_lineups(by_side: Ints, num_players: int) -> Ints:
    """(deals, players): the entrant at the place of each seat; partners are the same entrant."""
    return np.tile(by_side, num_players // by_side.shape[1])


def occurrences(by_seat: Ints) -> Ints:
    """For each seat's place, how many places before it have the same entrant."""
    same = by_seat[:, :, None] == by_seat[:, None, :]
    before: Ints = np.tril(same, -1).sum(axis=2)
    return before


def win_shares(
    winners: Ints, void: Bools, forfeit_seat: Ints, num_players: int, sides: int
) -> Doubles:
    """(G, sides): how the win of each game is shared.

    Winning sides share it equally. Nobody won: all share it. A side that forfeited has nothing and
    all others share.
    """
    seats = (winners[:, None] >> np.arange(num_players)) & 1
    won: Bools = seats.reshape(len(winners), num_players // sides, sides).max(axis=1) > 0
    won[void | ~won.any(axis=1)] = True
    forfeited = forfeit_seat >= 0
    won[forfeited] = np.arange(sides) != (forfeit_seat[forfeited] % sides)[:, None]
    shares: Doubles = won / won.sum(axis=1, keepdims=True)
    return shares
