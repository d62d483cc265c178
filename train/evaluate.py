"""How an agent fares: duplicate deals in the vector env, win rates with 95 % intervals.

Every deal is played once from each seat (in Teams: once by each team) with the same cards, so the
luck of the deal cancels; games of one deal are not independent, so the interval is over deals.
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

import uno_env
from agents.base import BatchAgent, Bytes, Ints
from uno_env import Rules

Z95 = 1.959964
GAMES_AT_ONCE = 4096
FEWEST_DEALS = 2


class Result(NamedTuple):
    """A win rate and its 95 % interval."""

    rate: float
    low: float
    high: float
    deals: int
    games: int
    chance: float

    def __str__(self) -> str:
        low, high = 100 * self.low, 100 * self.high
        return f"{100 * self.rate:.1f} % ({low:.1f} to {high:.1f})"


def interval(wins: npt.NDArray[np.float64]) -> tuple[float, float, float]:
    """Win rate and 95 % interval from wins (deals, games of a deal), clustered by deal.

    Wilson's interval with the number of independent games that would be as informative as these:
    it stays inside 0 and 1 and does not collapse when every game was won.
    """
    deals, rotations = wins.shape
    if deals < FEWEST_DEALS:
        raise ValueError(f"an interval needs at least {FEWEST_DEALS} deals, not {deals}")
    of_deal = wins.mean(axis=1)
    rate = float(of_deal.mean())
    error = float(of_deal.std(ddof=1)) / math.sqrt(deals)
    spread = rate * (1 - rate)
    # Every game alike, or every deal split alike: no variance to learn from, so deals count as
    # games would.
    worth = spread / error**2 if error and spread else float(deals * rotations)
    z2 = Z95**2 / worth
    middle = (rate + z2 / 2) / (1 + z2)
    half = Z95 / (1 + z2) * math.sqrt(spread / worth + z2 / (4 * worth))
    return rate, max(0.0, middle - half), min(1.0, middle + half)


def evaluate(
    agent: BatchAgent,
    opponent: BatchAgent,
    rules: Rules,
    num_players: int,
    deals: int,
    seed: int = 0,
) -> Result:
    """One agent (or team) against a table of opponents, over `deals` duplicate deals."""
    teams = rules.team_mode == "pairs"
    rotations = num_players // 2 if teams else num_players
    at_once = max(1, GAMES_AT_ONCE // rotations)
    seeds = np.random.default_rng(seed).integers(0, 2**63, deals, np.int64)
    parts = [
        _play(agent, opponent, rules, num_players, seeds[first : first + at_once], rotations)
        for first in range(0, deals, at_once)
    ]
    wins = np.concatenate(parts)
    return Result(*interval(wins), deals, wins.size, 1 / rotations)


def _play(
    agent: BatchAgent,
    opponent: BatchAgent,
    rules: Rules,
    num_players: int,
    seeds: Ints,
    rotations: int,
) -> npt.NDArray[np.float64]:
    """Wins (deals, rotations): the agent sits at seat r, and opposite in Teams, in rotation r."""
    ours = np.tile(np.arange(rotations), len(seeds))
    # Asking for forced decisions would change no game and cost half the time.
    quick = rules.replace(auto_forced=True)
    v = uno_env.vec(quick, len(ours), num_players, seed=np.repeat(seeds, rotations))
    v.reset()
    wins = np.zeros(len(ours))
    waiting = np.ones(len(ours), bool)
    while waiting.any():
        # A row whose game is over goes on with the next deal, which nobody looks at.
        actions = v.mask.argmax(axis=1)
        mine = v.actor % rotations == ours
        for player, rows in ((agent, mine), (opponent, ~mine)):
            _answer(player, np.flatnonzero(waiting & rows), v.obs, v.mask, actions)
        v.step(actions)
        ended = waiting & (v.done > 0)
        wins[ended] = v.rewards[ended, ours[ended]] > 0
        waiting &= ~ended
    return wins.reshape(len(seeds), rotations)


def _answer(player: BatchAgent, rows: Ints, obs: Bytes, mask: Bytes, actions: Ints) -> None:
    if len(rows):
        actions[rows] = player.act_batch(obs[rows], mask[rows])
