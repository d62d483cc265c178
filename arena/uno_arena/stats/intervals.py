"""Numbers with intervals: win rates over duplicate deals, differences, variance reduction.

All functions take `shares` (deals, rotations): how much of each game the agent won, 1 for a win,
0 for a loss, a fraction for a shared game. The games of one deal are played with the same cards and
are not independent, so every interval is clustered by deal, never over games.
"""

import math
from typing import NamedTuple

import numpy as np

from uno_env.array_types import Doubles, Ints

Z95 = 1.959964
MIN_DEALS = 2
MIN_RANKED_DEALS = 100
"""Deals of every match-up below which no ranking is printed."""


class Estimate(NamedTuple):
    """A number and its 95 % interval."""

    value: float
    low: float
    high: float

    def excludes(self, number: float) -> bool:
        """Whether the interval lies wholly on one side of a number."""
        return not self.low <= number <= self.high


def wilson_interval(shares: Doubles) -> Estimate:
    """Win rate and 95 % interval, clustered by deal.

    Wilson's score interval with the effective number of independent games: it stays inside 0 and 1
    and does not collapse when every game was won.
    """
    deals, rotations = _checked(shares).shape
    deal_means = shares.mean(axis=1)
    rate = float(deal_means.mean())
    error = float(deal_means.std(ddof=1)) / math.sqrt(deals)
    spread = rate * (1 - rate)
    # Every game alike, or every deal split alike: no variance to learn from, so deals count as
    # games would.
    effective_games = spread / error**2 if error and spread else float(deals * rotations)
    quantile = student_t_975(deals - 1)
    z2 = quantile**2 / effective_games
    middle = (rate + z2 / 2) / (1 + z2)
    variance = spread / effective_games + z2 / (4 * effective_games)
    half = quantile / (1 + z2) * math.sqrt(variance)
    return Estimate(rate, max(0.0, middle - half), min(1.0, middle + half))


def binomial_interval(successes: float, trials: int) -> Estimate:
    """A share of independent trials and its 95 % interval: Wilson's score interval."""
    if trials <= 0:
        return Estimate(0.0, 0.0, 1.0)
    rate, z2 = successes / trials, Z95**2 / trials
    middle = (rate + z2 / 2) / (1 + z2)
    half = Z95 / (1 + z2) * math.sqrt(rate * (1 - rate) / trials + z2 / (4 * trials))
    return Estimate(rate, max(0.0, middle - half), min(1.0, middle + half))


def paired_difference(first: Doubles, second: Doubles) -> Estimate:
    """How much more the first won than the second on the same deals, with its 95 % interval.

    The effect of the cards is in both numbers and cancels in the difference of that deal.
    """
    if len(first) != len(second):
        raise ValueError(
            f"a paired difference needs the same deals twice, not {len(first)} and {len(second)}"
        )
    deal_means = _checked(first).mean(axis=1) - _checked(second).mean(axis=1)
    deals = len(deal_means)
    value = float(deal_means.mean())
    half = student_t_975(deals - 1) * smoothed_std(deal_means) / math.sqrt(deals)
    return Estimate(value, max(-1.0, value - half), min(1.0, value + half))


def smoothed_std(deal_means: Doubles) -> float:
    """Standard deviation of numbers between -1 and 1, smoothed by two pseudo-observations.

    One pseudo-deal above the mean and one below keep a handful of equal deals from looking
    certain; among hundreds of deals they change nothing that would be printed.
    """
    squares = float(((deal_means - deal_means.mean()) ** 2).sum()) + 0.5
    return math.sqrt(squares / (len(deal_means) + 1))


def variance_reduction(*all_shares: Doubles) -> float | None:
    """Variance of independently dealt games over that of as many duplicate games.

    Independent dealing would take new cards and a random seat for each game; its variance is that
    of the games given. Several arrays of shares are pooled. None if the deals do not differ, so
    that there is nothing to compare.
    """
    independent, duplicate = 0.0, 0.0
    for shares in all_shares:
        deals, rotations = _checked(shares).shape
        duplicate += float(shares.mean(axis=1).var(ddof=1)) / deals
        independent += float(shares.var(ddof=1)) / (deals * rotations)
    return independent / duplicate if duplicate > 0 and independent > 0 else None


def pairwise_win_rate(won: Doubles) -> Estimate:
    """Of the games won by one of two agents (deals, 2), the part won by the first."""
    mine, both = won[:, 0], won.sum(axis=1)
    value = float(mine.sum() / both.sum())
    # A quotient of sums moves with each deal by its residual over the mean of the denominator.
    residual = (mine - value * both) / both.mean()
    deals = len(_checked(won))
    half = student_t_975(deals - 1) * smoothed_std(residual) / math.sqrt(deals)
    return Estimate(value, max(0.0, value - half), min(1.0, value + half))


def mean_by_deal(seeds: Ints, shares: Doubles) -> tuple[Ints, Doubles]:
    """The cards that were played, by seed, and the mean share of the games with each."""
    cards, which = np.unique(seeds, return_inverse=True)
    return cards, np.bincount(which, shares, len(cards)) / np.bincount(which, minlength=len(cards))


def deals_needed(shares: Doubles, null_rate: float) -> int:
    """Deals after which this win rate would probably differ significantly from `null_rate`.

    Assumes that the observed rate is the true one; at least the number a ranking needs.
    """
    deal_means = _checked(shares).mean(axis=1)
    gap = max(abs(float(deal_means.mean()) - null_rate), 1e-4)
    # 1.96 + 0.84 standard errors: a two-sided 5 % test with 80 % power.
    needed = (2.8 * smoothed_std(deal_means) / gap) ** 2
    return max(MIN_RANKED_DEALS, math.ceil(needed))


def student_t_975(freedom: int) -> float:
    """97.5 % quantile of Student's t, by its expansion in powers of 1 / degrees of freedom."""
    z = Z95
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3


def _checked(shares: Doubles) -> Doubles:
    if shares.ndim != 2:
        raise ValueError(f"shares have shape {shares.shape}; (deals, rotations) is needed")
    if len(shares) < MIN_DEALS:
        raise ValueError(f"an interval needs at least {MIN_DEALS} deals, not {len(shares)}")
    return shares
