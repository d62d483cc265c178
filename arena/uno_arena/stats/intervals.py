"""Numbers with intervals: win rates over duplicate deals, differences, what duplication is worth.

All functions take `shares` (deals, rotations): how much of each game the player won, 1 for a win,
0 for a loss, a fraction for a game that was shared. The games of one deal are played with the same
cards and are not independent, so every interval is over deals, never over games.
"""

import math
from typing import NamedTuple

import numpy as np

from uno_env.array_types import Doubles, Ints

Z95 = 1.959964
FEWEST_DEALS = 2
FEWEST_RANKED_DEALS = 100
"""Deals of every match-up below which no ranking is printed."""


class Estimate(NamedTuple):
    """A number and its 95 % interval."""

    value: float
    low: float
    high: float

    def excludes(self, number: float) -> bool:
        """Whether the interval lies wholly on one side of a number."""
        return not self.low <= number <= self.high


def interval(shares: Doubles) -> Estimate:
    """Win rate and 95 % interval, clustered by deal.

    Wilson's interval with the number of independent games that would be as informative as these:
    it stays inside 0 and 1 and does not collapse when every game was won.
    """
    deals, rotations = _checked(shares).shape
    of_deal = shares.mean(axis=1)
    rate = float(of_deal.mean())
    error = float(of_deal.std(ddof=1)) / math.sqrt(deals)
    spread = rate * (1 - rate)
    # Every game alike, or every deal split alike: no variance to learn from, so deals count as
    # games would.
    worth = spread / error**2 if error and spread else float(deals * rotations)
    quantile = student95(deals - 1)
    z2 = quantile**2 / worth
    middle = (rate + z2 / 2) / (1 + z2)
    half = quantile / (1 + z2) * math.sqrt(spread / worth + z2 / (4 * worth))
    return Estimate(rate, max(0.0, middle - half), min(1.0, middle + half))


def paired_difference(first: Doubles, second: Doubles) -> Estimate:
    """How much more the first won than the second on the same deals, with its 95 % interval.

    The luck of a deal is in both numbers and cancels in the difference of that deal.
    """
    if len(first) != len(second):
        raise ValueError(
            f"a paired difference needs the same deals twice, not {len(first)} and {len(second)}"
        )
    of_deal = _checked(first).mean(axis=1) - _checked(second).mean(axis=1)
    deals = len(of_deal)
    value = float(of_deal.mean())
    half = student95(deals - 1) * cautious_deviation(of_deal) / math.sqrt(deals)
    return Estimate(value, max(-1.0, value - half), min(1.0, value + half))


def cautious_deviation(of_deal: Doubles) -> float:
    """Standard deviation of numbers between -1 and 1, as if two more deals had been split widely.

    One imagined deal above the mean and one below keep a handful of equal deals from looking
    certain; among hundreds of deals they change nothing that would be printed.
    """
    squares = float(((of_deal - of_deal.mean()) ** 2).sum()) + 0.5
    return math.sqrt(squares / (len(of_deal) + 1))


def duplicate_worth(*tables: Doubles) -> float | None:
    """How many plainly dealt games one duplicate game is worth: the ratio of the variances.

    Plain dealing would take new cards and a random seat for each game; its variance is that of
    the games at hand. Several tables of shares are pooled. None if the deals do not differ, so
    that there is nothing to compare.
    """
    plain, duplicate = 0.0, 0.0
    for shares in tables:
        deals, rotations = _checked(shares).shape
        duplicate += float(shares.mean(axis=1).var(ddof=1)) / deals
        plain += float(shares.var(ddof=1)) / (deals * rotations)
    return plain / duplicate if duplicate > 0 and plain > 0 else None


def share_of_two(won: Doubles) -> Estimate:
    """Of the games won by one of two players (deals, 2), the part won by the first."""
    mine, both = won[:, 0], won.sum(axis=1)
    value = float(mine.sum() / both.sum())
    # A quotient of sums moves with each deal by its residual over the mean of the denominator.
    residual = (mine - value * both) / both.mean()
    deals = len(_checked(won))
    half = student95(deals - 1) * cautious_deviation(residual) / math.sqrt(deals)
    return Estimate(value, max(0.0, value - half), min(1.0, value + half))


def mean_by_deal(seeds: Ints, shares: Doubles) -> tuple[Ints, Doubles]:
    """The cards that were played, by seed, and the mean share of the games with each."""
    cards, which = np.unique(seeds, return_inverse=True)
    return cards, np.bincount(which, shares, len(cards)) / np.bincount(which, minlength=len(cards))


def deals_needed(shares: Doubles, from_level: float) -> int:
    """Deals after which this win rate would probably be told from `from_level`.

    Assumes that the rate seen is the true one; at least the number a ranking asks for.
    """
    of_deal = _checked(shares).mean(axis=1)
    gap = max(abs(float(of_deal.mean()) - from_level), 1e-4)
    # Twice the standard error leaves even odds of missing; 2.8 of them miss one time in five.
    needed = (2.8 * cautious_deviation(of_deal) / gap) ** 2
    return max(FEWEST_RANKED_DEALS, math.ceil(needed))


def student95(freedom: int) -> float:
    """97.5 % quantile of Student's distribution, by its expansion in powers of 1 / freedom."""
    z = Z95
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3


def _checked(shares: Doubles) -> Doubles:
    if shares.ndim != 2:
        raise ValueError(f"shares have shape {shares.shape}; (deals, rotations) is needed")
    if len(shares) < FEWEST_DEALS:
        raise ValueError(f"an interval needs at least {FEWEST_DEALS} deals, not {len(shares)}")
    return shares
