"""Stopping rules: error rates under repeated looks are those stated, and they do stop."""

import numpy as np
import pytest
from uno_arena.stats.sequential import ConfidenceSequence, Sprt, elo_rate

RUNS, DEALS, EVERY = 600, 1500, 25


def deals_of(rng, rate, runs=RUNS, deals=DEALS, card_effect=0.25):
    """Shares (runs, deals): two games a deal, in seats the deal favours one way or the other."""
    favour = rng.choice([-card_effect, card_effect], (runs, deals))
    lots = rng.random((2, runs, deals))
    return ((lots[0] < rate + favour).astype(float) + (lots[1] < rate - favour)) / 2


def verdicts(rule, runs, every=EVERY):
    """The first verdict of each run, looking every few deals, and the deals it took."""
    found, took = [], []
    for deal_means in runs:
        for deals in range(every, len(deal_means) + 1, every):
            verdict = rule.evaluate(deal_means[:deals]).verdict
            if verdict != "open":
                break
        found.append(verdict)
        took.append(deals)
    return found, np.array(took)


def at_most(count, runs, rate):
    """Whether a count of errors agrees with a nominal rate: at most three deviations above."""
    return count <= runs * rate + 3 * np.sqrt(runs * rate * (1 - rate))


@pytest.mark.parametrize(("rate", "wrong"), [(0.5, "above"), (0.55, "below")])
def test_sprt_errs_no_more_often_than_it_says(rate, wrong):
    rng = np.random.default_rng(1)
    found, _ = verdicts(Sprt(0.5, 0.55, alpha=0.05, beta=0.05), deals_of(rng, rate))
    assert at_most(found.count(wrong), RUNS, 0.05)
    # Not by never deciding.
    assert found.count("open") < RUNS / 50
    # Nor so shy that the stated rate would mean nothing.
    assert found.count(wrong) > 3


def test_sprt_needs_fewer_deals_than_a_fixed_sample_of_the_same_error_rates():
    rng = np.random.default_rng(2)
    runs = deals_of(rng, 0.55, runs=200)
    _, took = verdicts(Sprt(0.5, 0.55), runs)
    fixed = runs.var() * ((1.645 + 1.645) / 0.05) ** 2
    assert took.mean() < 0.8 * fixed


def test_sprt_says_nothing_of_a_lucky_start():
    assert Sprt(0.5, 0.6).evaluate(np.ones(30)).verdict == "open"
    assert Sprt(0.5, 0.6).evaluate(np.ones(200)).verdict == "above"
    assert Sprt(0.5, 0.6).evaluate(np.zeros(200)).verdict == "below"


def test_sprt_between_elo_differences():
    rule = Sprt.from_elo(0, 100)
    assert rule.low == 0.5
    assert rule.high == pytest.approx(1 / (1 + 10**-0.25))
    # At a table of four, the chance level is a quarter.
    assert elo_rate(0, 0.25) == 0.25
    assert elo_rate(400, 0.25) == pytest.approx(10 / 13)


@pytest.mark.parametrize("rate", [0.5, 0.62, 0.97])
def test_confidence_sequence_misses_the_truth_at_any_time_no_more_often_than_it_says(rate):
    rng = np.random.default_rng(3)
    card_effect = min(0.25, 1 - rate)
    missed = 0
    for deal_means in deals_of(rng, rate, card_effect=card_effect):
        lows, highs = ConfidenceSequence(0.5, alpha=0.1, horizon=500).sequence(deal_means)
        missed += bool(((lows > rate) | (highs < rate)).any())
    assert at_most(missed, RUNS, 0.1)


def test_fixed_intervals_would_err_under_repeated_looks():
    """Why the bound exists: the ordinary interval, looked at repeatedly, misses far oftener."""
    rng = np.random.default_rng(4)
    runs = deals_of(rng, 0.5)
    looks = np.arange(EVERY, DEALS + 1, EVERY)
    means = runs.cumsum(axis=1)[:, looks - 1] / looks
    errors = runs.std(axis=1, keepdims=True) / np.sqrt(looks)
    missed = (np.abs(means - 0.5) > 1.96 * errors).any(axis=1).mean()
    assert missed > 0.2
    found, _ = verdicts(ConfidenceSequence(0.5, horizon=DEALS), runs[:200], every=100)
    assert found.count("open") >= 190


def test_confidence_bound_stops_early_on_a_clear_difference_and_only_closes_in():
    rng = np.random.default_rng(5)
    found, took = verdicts(ConfidenceSequence(0.5, horizon=2000), deals_of(rng, 0.65, runs=100))
    assert found.count("above") == 100
    assert took.mean() < 400
    lows, highs = ConfidenceSequence(0.5).sequence(deals_of(rng, 0.6, runs=1)[0])
    assert (np.diff(lows) >= 0).all()
    assert (np.diff(highs) <= 0).all()


def test_no_deals_yet_is_open():
    assert ConfidenceSequence(0.5).evaluate(np.zeros(0)) == ("open", 0.5, 0, 1)
    assert Sprt(0.5, 0.6).evaluate(np.zeros(0)).verdict == "open"


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Sprt(0.6, 0.5), "low < high"),
        (lambda: Sprt(0.5, 0.6, alpha=0.5), "alpha is 0.5; allowed: above 0, below 0.5"),
        (lambda: ConfidenceSequence(1.2), "null_rate is 1.2; allowed: 0 to 1"),
        (lambda: ConfidenceSequence(0.5, alpha=0), "alpha is 0"),
        (lambda: ConfidenceSequence(0.5, horizon=0), "horizon is 0; at least 1"),
    ],
)
def test_bad_levels_and_error_rates_are_refused(make, says):
    with pytest.raises(ValueError, match=says):
        make()
