"""Statistics over seeds: known values, and intervals that cover the truth of synthetic learners."""

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from uno_arena.stats.multi_seed import (
    bootstrap,
    interquartile_mean,
    performance_profile,
    probability_of_improvement,
    profile_band,
)


def learner(rng, mean, runs=10, tasks=4, spread=0.1):
    """Scores of a learner whose tasks differ by more than its seeds."""
    return mean + 0.05 * np.arange(tasks) + spread * rng.normal(size=(runs, tasks))


def test_known_values():
    scores = np.array([[0.0], [1.0], [2.0], [100.0]])
    assert interquartile_mean(scores) == 1.5
    assert performance_profile(scores, np.array([-1.0, 0.5, 1.0, 100.0])).tolist() == [
        1,
        0.75,
        0.5,
        0,
    ]
    assert probability_of_improvement(scores, scores) == 0.5
    assert probability_of_improvement(scores + 1000, scores) == 1
    assert probability_of_improvement(np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]])) == 0.5


@settings(deadline=None)
@given(
    arrays(float, (5, 3), elements=st.floats(0, 1)), arrays(float, (4, 3), elements=st.floats(0, 1))
)
def test_improvements_add_up_to_one(first, second):
    both = probability_of_improvement(first, second) + probability_of_improvement(second, first)
    assert both == pytest.approx(1)
    assert interquartile_mean(first) == pytest.approx(scipy.stats.trim_mean(first, 0.25, axis=None))
    assert first.min() <= interquartile_mean(first) + 1e-12
    assert interquartile_mean(first) <= first.max() + 1e-12
    profile = performance_profile(first, np.linspace(-0.1, 1.1, 7))
    assert (np.diff(profile) <= 0).all() and profile[0] == 1 and profile[-1] == 0


def coverage(statistic, truth, samples, trials=200):
    rng, hits = np.random.default_rng(7), 0
    for trial in range(trials):
        estimate = bootstrap(statistic, *samples(rng), seed=trial, resamples=200)
        hits += estimate.low <= truth <= estimate.high
    return hits / trials


def test_intervals_cover_the_truth_of_known_learners():
    """10 seeds on 4 tasks. 200 trials of a 95 % interval: 0.88 is four standard errors below."""
    rng = np.random.default_rng(0)
    true_iqm = interquartile_mean(learner(rng, 0.5, runs=200_000))
    found = coverage(interquartile_mean, true_iqm, lambda rng: (learner(rng, 0.5),))
    assert 0.88 <= found <= 0.99
    # Normal scores that differ by one standard deviation: P(X > Y) = Phi(1 / sqrt 2).
    true_improvement = 0.7602499
    found = coverage(
        probability_of_improvement,
        true_improvement,
        lambda rng: (learner(rng, 0.6), learner(rng, 0.5)),
    )
    assert 0.88 <= found <= 0.99


def test_a_profile_lies_in_its_band():
    scores = learner(np.random.default_rng(1), 0.5)
    thresholds = np.linspace(0.2, 1.0, 9)
    low, high = profile_band(scores, thresholds, resamples=200)
    profile = performance_profile(scores, thresholds)
    assert (low <= profile).all() and (profile <= high).all() and (low < high).any()


@pytest.mark.parametrize(
    ("scores", "message"),
    [(np.zeros(5), "have shape"), (np.zeros((2, 1)), "needs at least 3 runs, not 2")],
)
def test_too_little_is_refused(scores, message):
    with pytest.raises(ValueError, match=message):
        bootstrap(interquartile_mean, scores)
