"""Statistics over deals: intervals that cover the truth, differences, variance reduction."""

import numpy as np
import pytest
from uno_arena.stats.intervals import (
    MIN_RANKED_DEALS,
    deals_needed,
    paired_difference,
    student_t_975,
    variance_reduction,
    wilson_interval,
)


def clustered(rng, deals, rate, card_effect):
    """Two games a deal, in seats that the deal favours by `card_effect` one way or the other."""
    favour = rng.choice([-card_effect, card_effect], deals)
    chances = np.stack([rate + favour, rate - favour], axis=1)
    return (rng.random((deals, 2)) < chances).astype(float)


@pytest.mark.parametrize(("rate", "card_effect"), [(0.5, 0.0), (0.6, 0.35), (0.97, 0.02)])
def test_intervals_cover_the_truth_as_often_as_they_say(rate, card_effect):
    rng = np.random.default_rng(1)
    covered = 0
    for _ in range(2000):
        _, low, high = wilson_interval(clustered(rng, 300, rate, card_effect))
        covered += low <= rate <= high
    # 95 % of 2000 is 1900, with a standard deviation of 9.7.
    assert 1850 <= covered <= 1950


def test_games_of_one_deal_do_not_count_twice():
    rng = np.random.default_rng(2)
    once = (rng.random((400, 1)) < 0.5).astype(float)
    _, low, high = wilson_interval(once)
    _, twice_low, twice_high = wilson_interval(np.repeat(once, 2, axis=1))
    assert (twice_low, twice_high) == pytest.approx((low, high))


def test_opposite_card_effects_narrow_the_interval():
    rng = np.random.default_rng(3)
    widths = []
    for card_effect in (0.0, 0.4):
        _, low, high = wilson_interval(clustered(rng, 2000, 0.5, card_effect))
        widths.append(high - low)
    # Variance of a deal's mean: p(1-p)/2 without card effects, less card_effect²/2 with it.
    assert widths[1] / widths[0] == pytest.approx(np.sqrt((0.25 - 0.16) / 0.25), rel=0.1)


@pytest.mark.parametrize("won", [0.0, 1.0])
def test_one_sided_results_keep_an_interval(won):
    rate, low, high = wilson_interval(np.full((50, 2), won))
    assert rate == won
    assert 0.02 < high - low < 0.06
    assert low <= won <= high


def test_one_deal_is_too_few():
    with pytest.raises(ValueError, match="at least 2 deals"):
        wilson_interval(np.ones((1, 4)))


def test_intervals_of_few_deals_are_wider_than_the_normal_ones():
    from scipy.stats import t

    for freedom in (3, 5, 20, 1000):
        assert student_t_975(freedom) == pytest.approx(t.ppf(0.975, freedom), rel=0.01)
    rng = np.random.default_rng(4)
    covered = sum(
        low <= 0.5 <= high
        for _, low, high in (wilson_interval(clustered(rng, 8, 0.5, 0.2)) for _ in range(2000))
    )
    assert covered >= 1850


def with_card_effects(rng, deals, rates):
    """Players of given strength on the same deals: each deal is good or bad for all of them."""
    card_effect = rng.choice([-0.3, 0.3], deals)
    return [
        (rng.random((deals, 2)) < (rate + card_effect)[:, None]).astype(float) for rate in rates
    ]


def test_paired_differences_cover_the_truth_and_are_narrower_than_unpaired():
    rng = np.random.default_rng(5)
    covered, narrower = 0, 0
    for _ in range(2000):
        first, second = with_card_effects(rng, 200, (0.55, 0.5))
        value, low, high = paired_difference(first, second)
        covered += low <= 0.05 <= high
        apart = (
            sum((e.high - e.low) ** 2 for e in (wilson_interval(first), wilson_interval(second)))
            ** 0.5
        )
        narrower += high - low < apart
        assert value == pytest.approx(first.mean() - second.mean())
    assert 1850 <= covered <= 1955
    assert narrower > 1990


def test_paired_difference_refuses_other_deals():
    with pytest.raises(ValueError, match="same deals twice, not 3 and 4"):
        paired_difference(np.ones((3, 2)), np.ones((4, 2)))


def test_a_handful_of_equal_deals_is_not_certain():
    value, low, high = paired_difference(np.ones((5, 2)), np.zeros((5, 2)))
    assert value == 1
    assert low < 0.7 < high
    value, low, high = paired_difference(np.ones((5000, 2)), np.zeros((5000, 2)))
    assert 0.999 < low < 1


@pytest.mark.parametrize(("card_effect", "ratio"), [(0.0, 1.0), (0.3, 0.25 / (0.25 - 0.09))])
def test_variance_reduction_is_the_ratio_of_variances(card_effect, ratio):
    rng = np.random.default_rng(6)
    assert variance_reduction(clustered(rng, 50_000, 0.5, card_effect)) == pytest.approx(
        ratio, rel=0.03
    )


def test_variance_reduction_is_that_of_real_repetition():
    """Duplicate deals and plain ones, simulated many times: the ratio is what one run says."""
    rng = np.random.default_rng(7)
    duplicate = [clustered(rng, 100, 0.6, 0.35).mean() for _ in range(4000)]
    plain = [(rng.random(200) < 0.6).mean() for _ in range(4000)]
    said = np.mean([variance_reduction(clustered(rng, 100, 0.6, 0.35)) for _ in range(500)])
    assert np.var(plain) / np.var(duplicate) == pytest.approx(said, rel=0.12)


def test_variance_reduction_of_deals_that_do_not_differ_is_unknown():
    assert variance_reduction(np.tile([0.0, 1.0], (20, 1))) is None
    assert variance_reduction(np.ones((20, 2))) is None


def test_deals_needed_tell_the_rate_from_the_level_four_times_in_five():
    rng = np.random.default_rng(8)
    needed = deals_needed(clustered(rng, 20_000, 0.54, 0.2), 0.5)
    told = sum(wilson_interval(clustered(rng, needed, 0.54, 0.2)).excludes(0.5) for _ in range(500))
    assert 0.74 < told / 500 < 0.86
    assert deals_needed(np.ones((10, 2)), 0.5) == MIN_RANKED_DEALS


def test_shares_must_be_a_table():
    with pytest.raises(ValueError, match=r"shape \(5,\); \(deals, rotations\)"):
        wilson_interval(np.ones(5))
