"""Evaluate one agent against another: duplicate deals, a win rate with its 95 % interval.

The fast path for two agent objects, without a database: a crash or an illegal action is an error.
`uno_arena.compare` and `uno_arena.tournament` do all the rest.
"""

from typing import NamedTuple

import numpy as np
from uno_agents.base import BatchAgent

from uno_env import Rules
from uno_env.array_types import Bytes, Doubles, Ints

from .play.batch import BatchActions, play_batch
from .play.matchup import (
    arena_rules,
    deal_seeds,
    rotated,
    seat_lineups,
    sides_of,
    win_shares,
)
from .stats.intervals import wilson_interval

GAMES_AT_ONCE = 4096


class Result(NamedTuple):
    """A win rate and its 95 % interval."""

    rate: float
    low: float
    high: float
    deals: int
    games: int
    chance: float
    """The chance level 1/n."""

    def __str__(self) -> str:
        low, high = 100 * self.low, 100 * self.high
        return f"{100 * self.rate:.1f} % ({low:.1f} to {high:.1f})"

    @classmethod
    def of_shares(cls, shares: Doubles) -> "Result":
        """From shares of wins (deals, rotations)."""
        deals, rotations = shares.shape
        return cls(*wilson_interval(shares), deals, shares.size, 1 / rotations)


def evaluate(
    agent: BatchAgent,
    opponent: BatchAgent,
    rules: Rules,
    num_players: int,
    deals: int,
    seed: int = 0,
) -> Result:
    """One agent (or team) against a table of opponents, over `deals` duplicate deals."""
    rules.check_players(num_players)
    at_once = max(1, GAMES_AT_ONCE // sides_of(rules, num_players))
    shares = [
        _shares(agent, opponent, rules, num_players, seed, (first, min(first + at_once, deals)))
        for first in range(0, deals, at_once)
    ]
    return Result.of_shares(np.concatenate(shares))


def _shares(
    agent: BatchAgent,
    opponent: BatchAgent,
    rules: Rules,
    num_players: int,
    seed: int,
    span: tuple[int, int],
) -> Doubles:
    """Shares (deals, rotations) of the agent, which sits on side r in rotation r."""
    sides = sides_of(rules, num_players)
    focal_first: Ints = np.minimum(np.arange(sides), 1)
    by_seat = seat_lineups(np.tile(focal_first, (span[1] - span[0], 1)), num_players)
    agents = (agent, opponent)

    def act(instance: int, obs: Bytes, mask: Bytes) -> BatchActions:
        return BatchActions(agents[instance].act_batch(obs, mask), {})

    played = play_batch(
        arena_rules(rules),
        num_players,
        "round",
        np.repeat(deal_seeds(seed, *span), sides),
        rotated(by_seat, sides),
        act,
    )
    for game, fault in played.faults.items():
        is_agent = int(played.at_fault[game]) % sides == game % sides
        raise ValueError(f"{agent if is_agent else opponent!r}: {fault}")
    shares = win_shares(played.winners, played.void, played.at_fault, num_players, sides)
    return shares[np.arange(len(shares)), np.arange(len(shares)) % sides].reshape(-1, sides)
