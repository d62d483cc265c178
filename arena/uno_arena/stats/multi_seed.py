"""Statistics of learning algorithms over several seeds and tasks, with stratified bootstrap
intervals.

Agarwal et al. 2021 (Deep Reinforcement Learning at the Edge of the Statistical Precipice, arXiv
2108.13264): interquartile mean, performance profiles and probability of improvement. Their library
rliable has these too; it needs arch, pandas, seaborn and statsmodels, which nothing else here does.

`scores` are arrays (runs, tasks): one row for each seed, one column for each task. Seeds of
different tasks have nothing in common, so the bootstrap draws runs anew within each task (the
strata).
"""

from collections.abc import Callable

import numpy as np

from uno_env.array_types import Doubles

from .intervals import Estimate

RESAMPLES = 2000
CONFIDENCE = 0.95
MIN_RUNS = 3


def interquartile_mean(scores: Doubles) -> float:
    """The mean of the middle half of all runs: less moved by outliers than the mean."""
    ranked = np.sort(scores, axis=None)
    cut = len(ranked) // 4
    return float(ranked[cut : len(ranked) - cut].mean())


def performance_profile(scores: Doubles, thresholds: Doubles) -> Doubles:
    """The share of runs above each threshold, every task counting alike."""
    above: Doubles = (scores[None] > thresholds[:, None, None]).mean(axis=(1, 2))
    return above


def probability_of_improvement(first: Doubles, second: Doubles) -> float:
    """How probably a run of the first beats one of the second on a random task; ties count half.

    The mean over tasks of the Mann-Whitney statistic.
    """
    wins = (first[:, None] > second[None]) + 0.5 * (first[:, None] == second[None])
    return float(wins.mean())


def bootstrap(
    statistic: Callable[..., float], *samples: Doubles, seed: int = 0, resamples: int = RESAMPLES
) -> Estimate:
    """A statistic of one or two algorithms' scores, with its 95 % percentile interval.

    Args:
        statistic: a function of as many score arrays as are given.
        samples: scores (runs, tasks) of each algorithm.
        seed: of the resampling.
    """
    for scores in samples:
        _check(scores)
    rng = np.random.default_rng(seed)
    drawn = [statistic(*(_resampled(scores, rng) for scores in samples)) for _ in range(resamples)]
    tail = 100 * (1 - CONFIDENCE) / 2
    low, high = np.percentile(drawn, (tail, 100 - tail))
    return Estimate(statistic(*samples), float(low), float(high))


def profile_band(
    scores: Doubles, thresholds: Doubles, seed: int = 0, resamples: int = RESAMPLES
) -> tuple[Doubles, Doubles]:
    """Pointwise 95 % limits of a performance profile."""
    _check(scores)
    rng = np.random.default_rng(seed)
    drawn = [performance_profile(_resampled(scores, rng), thresholds) for _ in range(resamples)]
    tail = 100 * (1 - CONFIDENCE) / 2
    low, high = np.percentile(drawn, (tail, 100 - tail), axis=0)
    return low, high


def _resampled(scores: Doubles, rng: np.random.Generator) -> Doubles:
    """Runs drawn anew with replacement, in each task on its own."""
    rows = rng.integers(len(scores), size=scores.shape)
    return np.take_along_axis(scores, rows, axis=0)


def _check(scores: Doubles) -> None:
    if scores.ndim != 2:
        raise ValueError(f"scores have shape {scores.shape}; (runs, tasks) is needed")
    if len(scores) < MIN_RUNS:
        raise ValueError(
            f"an interval over seeds needs at least {MIN_RUNS} runs, not {len(scores)}"
        )
