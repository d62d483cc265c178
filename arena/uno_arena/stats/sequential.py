"""Stopping rules: sequential tests that stay valid however often the running result is tested.

Both take the share an agent won of each deal, the mean over that deal's rotations: deals are
independent, the games of one deal are not. `ConfidenceSequence` tests whether the win rate is above
or below one value, with an exact guarantee; `Sprt` decides between two rates, usually sooner.
"""

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol, Self

import numpy as np

from uno_env.array_types import Doubles

from .intervals import smoothed_std

Verdict = Literal["above", "below", "open"]

MIN_SPRT_DEALS = 50
"""Deals before an SPRT may stop: its normal approximation needs some."""


class SequentialState(NamedTuple):
    """State of a sequential test after the deals so far: its verdict and the numbers behind it.

    Of an SPRT, `value` is the log-likelihood ratio and `low` and `high` are its bounds; of a
    confidence sequence, `value` is the win rate and `low` and `high` are its interval.
    """

    verdict: Verdict
    value: float
    low: float
    high: float


class StoppingRule(Protocol):
    """Takes the shares of deals, in the order of the deals, and says whether to continue."""

    def evaluate(self, deal_means: Doubles, /) -> SequentialState:
        """The verdict after these deals."""


@dataclass(frozen=True)
class Sprt:
    """Sequential probability ratio test of "wins `low`" against "wins `high`".

    The generalised SPRT: shares of a deal are not Bernoulli, so the likelihood is that of a normal
    mean with the sample variance. Verdict `above` accepts `high`, `below` accepts `low`.

    Args:
        low: win rate of the first hypothesis.
        high: win rate of the second, above `low`.
        alpha: probability of accepting `high` at a true rate of `low`.
        beta: probability of the reverse error.
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

    def evaluate(self, deal_means: Doubles) -> SequentialState:
        """The log-likelihood ratio between its bounds."""
        lower, upper = self.bounds
        deals = len(deal_means)
        if deals < MIN_SPRT_DEALS:
            return SequentialState("open", 0.0, lower, upper)
        surplus = 2 * float(deal_means.mean()) - self.low - self.high
        variance = smoothed_std(deal_means) ** 2
        ratio = deals * (self.high - self.low) * surplus / (2 * variance)
        verdict: Verdict = "above" if ratio >= upper else "below" if ratio <= lower else "open"
        return SequentialState(verdict, ratio, lower, upper)


@dataclass(frozen=True)
class ConfidenceSequence:
    """Continues until an anytime-valid confidence sequence excludes a win rate.

    The predictable plug-in empirical Bernstein sequence of Waudby-Smith and Ramdas (2024): the
    probability that it *ever* excludes the true rate is at most `alpha`, at every number of deals
    and for any distribution of shares between 0 and 1.

    Args:
        null_rate: the win rate tested, such as the chance level 1 / players.
        alpha: error probability; divide it by the number of match-ups when many are stopped.
        horizon: number of deals planned; the interval is narrowest near it and valid beyond it.
    """

    null_rate: float
    alpha: float = 0.05
    horizon: int = 2000

    def __post_init__(self) -> None:
        if not 0 <= self.null_rate <= 1:
            raise ValueError(f"null_rate is {self.null_rate}; allowed: 0 to 1")
        if self.horizon < 1:
            raise ValueError(f"horizon is {self.horizon}; at least 1 deal is needed")
        _check_error_rate("alpha", self.alpha)

    def evaluate(self, deal_means: Doubles) -> SequentialState:
        """The interval after the last deal."""
        if not len(deal_means):
            return SequentialState("open", self.null_rate, 0.0, 1.0)
        lows, highs = self.sequence(deal_means)
        low, high = float(lows[-1]), float(highs[-1])
        verdict: Verdict = (
            "above" if low > self.null_rate else "below" if high < self.null_rate else "open"
        )
        return SequentialState(verdict, float(deal_means.mean()), low, high)

    def sequence(self, deal_means: Doubles) -> tuple[Doubles, Doubles]:
        """Lower and upper bounds after each deal; they only ever close in."""
        log_term = math.log(2 / self.alpha)
        count = np.arange(1, len(deal_means) + 1)
        mean = (0.5 + deal_means.cumsum()) / (count + 1)
        variance = (0.25 + ((deal_means - mean) ** 2).cumsum()) / (count + 1)
        # Weights are predictable, known before the deal: that is what makes the bound valid.
        mean_before = np.concatenate(([0.5], mean[:-1]))
        variance_before = np.concatenate(([0.25], variance[:-1]))
        pace = np.minimum(count * np.log1p(count), max(self.horizon, 2))
        weight = np.minimum(0.5, np.sqrt(2 * log_term / (variance_before * pace)))
        total = weight.cumsum()
        centre = (weight * deal_means).cumsum() / total
        cost = (deal_means - mean_before) ** 2 * (-np.log1p(-weight) - weight)
        radius = (log_term + cost.cumsum()) / total
        lows = np.maximum.accumulate(np.maximum(centre - radius, 0))
        highs = np.minimum.accumulate(np.minimum(centre + radius, 1))
        return lows, highs


def elo_rate(elo: float, chance: float = 0.5) -> float:
    """Win rate of a side that is `elo` above all others, at chance level `chance`.

    400 points are odds of 10 to 1 against each of the others.
    """
    odds = chance / (1 - chance) * 10 ** (elo / 400)
    return float(odds / (1 + odds))


def _check_error_rate(name: str, value: float) -> None:
    if not 0 < value < 0.5:
        raise ValueError(f"{name} is {value}; allowed: above 0, below 0.5")
