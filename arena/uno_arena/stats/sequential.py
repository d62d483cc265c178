"""When to stop: tests that stay valid however often one looks at the running result.

Both look at the share a player won of each deal, the mean over that deal's rotations: deals are
independent, the games of one deal are not. `ConfidenceBound` asks whether the player is above or
below one level, with an exact guarantee; `Sprt` decides between two stated levels, usually sooner.
"""

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol, Self

import numpy as np

from uno_env.array_types import Doubles

from .intervals import cautious_deviation

Verdict = Literal["above", "below", "open"]

FIRST_LOOK = 50
"""Deals before an SPRT says anything: its normal approximation needs some."""


class Look(NamedTuple):
    """What a test says about the deals so far: its verdict and the numbers behind it.

    Of an SPRT, `value` is the log-likelihood ratio and `low` and `high` are its bounds; of a
    confidence bound, `value` is the win rate and `low` and `high` are its interval.
    """

    verdict: Verdict
    value: float
    low: float
    high: float


class StoppingRule(Protocol):
    """Looks at the shares of deals, in the order of the deals, and says whether to go on."""

    def look(self, of_deal: Doubles, /) -> Look:
        """The verdict after these deals."""


@dataclass(frozen=True)
class Sprt:
    """Sequential probability ratio test of "wins `low`" against "wins `high`".

    The generalised test: shares of a deal are no coin flips, so the likelihood is that of a normal
    mean with the variance seen. Verdict `above` accepts `high`, `below` accepts `low`.

    Args:
        low: win rate of the first hypothesis.
        high: win rate of the second, above `low`.
        alpha: how often a player at `low` may be taken for one at `high`.
        beta: the reverse.
    """

    low: float
    high: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not 0 <= self.low < self.high <= 1:
            raise ValueError(f"SPRT levels are {self.low} and {self.high}; 0 <= low < high <= 1")
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            _check_error_rate(name, value)

    @classmethod
    def from_elo(
        cls, low: float, high: float, chance: float = 0.5, alpha: float = 0.05, beta: float = 0.05
    ) -> Self:
        """The test between two Elo differences to the rest of the table."""
        return cls(elo_rate(low, chance), elo_rate(high, chance), alpha, beta)

    @property
    def bounds(self) -> tuple[float, float]:
        """Wald's bounds on the log-likelihood ratio."""
        return (
            math.log(self.beta / (1 - self.alpha)),
            math.log((1 - self.beta) / self.alpha),
        )

    def look(self, of_deal: Doubles) -> Look:
        """The log-likelihood ratio between its bounds."""
        lower, upper = self.bounds
        deals = len(of_deal)
        if deals < FIRST_LOOK:
            return Look("open", 0.0, lower, upper)
        surplus = 2 * float(of_deal.mean()) - self.low - self.high
        variance = cautious_deviation(of_deal) ** 2
        ratio = deals * (self.high - self.low) * surplus / (2 * variance)
        verdict: Verdict = "above" if ratio >= upper else "below" if ratio <= lower else "open"
        return Look(verdict, ratio, lower, upper)


@dataclass(frozen=True)
class ConfidenceBound:
    """Goes on until an interval that holds at all times leaves out a level.

    The interval is an empirical Bernstein confidence sequence with predictable weights
    (Waudby-Smith and Ramdas 2024): the chance that it *ever* leaves out the true rate is at most
    `alpha`, at every number of deals and for any distribution of shares between 0 and 1.

    Args:
        level: the win rate in question, such as 1 / players.
        alpha: how often the interval may miss the true rate; divide it by the number of
            match-ups when one stops many at once.
        horizon: number of deals planned; the interval is narrowest near it and holds beyond it.
    """

    level: float
    alpha: float = 0.05
    horizon: int = 2000

    def __post_init__(self) -> None:
        if not 0 <= self.level <= 1:
            raise ValueError(f"level is {self.level}; allowed: 0 to 1")
        if self.horizon < 1:
            raise ValueError(f"horizon is {self.horizon}; at least 1 deal is needed")
        _check_error_rate("alpha", self.alpha)

    def look(self, of_deal: Doubles) -> Look:
        """The interval after the last deal."""
        if not len(of_deal):
            return Look("open", self.level, 0.0, 1.0)
        lows, highs = self.sequence(of_deal)
        low, high = float(lows[-1]), float(highs[-1])
        verdict: Verdict = "above" if low > self.level else "below" if high < self.level else "open"
        return Look(verdict, float(of_deal.mean()), low, high)

    def sequence(self, of_deal: Doubles) -> tuple[Doubles, Doubles]:
        """Lower and upper bounds after each deal; they only ever close in."""
        surprise = math.log(2 / self.alpha)
        count = np.arange(1, len(of_deal) + 1)
        mean = (0.5 + of_deal.cumsum()) / (count + 1)
        variance = (0.25 + ((of_deal - mean) ** 2).cumsum()) / (count + 1)
        # What is used at a deal is known before it: that is what makes the bound valid.
        mean_before = np.concatenate(([0.5], mean[:-1]))
        variance_before = np.concatenate(([0.25], variance[:-1]))
        pace = np.minimum(count * np.log1p(count), max(self.horizon, 2))
        weight = np.minimum(0.5, np.sqrt(2 * surprise / (variance_before * pace)))
        total = weight.cumsum()
        centre = (weight * of_deal).cumsum() / total
        cost = (of_deal - mean_before) ** 2 * (-np.log1p(-weight) - weight)
        radius = (surprise + cost.cumsum()) / total
        lows = np.maximum.accumulate(np.maximum(centre - radius, 0))
        highs = np.minimum.accumulate(np.minimum(centre + radius, 1))
        return lows, highs


def elo_rate(elo: float, chance: float = 0.5) -> float:
    """Win rate of a side that is `elo` above all others, at a table where level play wins `chance`.

    400 points are odds of 10 to 1 against each of the others.
    """
    odds = chance / (1 - chance) * 10 ** (elo / 400)
    return float(odds / (1 + odds))


def _check_error_rate(name: str, value: float) -> None:
    if not 0 < value < 0.5:
        raise ValueError(f"{name} is {value}; allowed: above 0, below 0.5")
