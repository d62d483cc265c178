"""Evaluation: intervals that cover the truth, duplicate deals that are duplicates."""

import numpy as np
import pytest

import uno_env
from agents.simple import GreedyAgent, RandomAgent
from train.evaluate import evaluate, interval


def clustered(rng, deals, rate, luck):
    """Two games a deal, in seats that the deal favours by `luck` one way or the other."""
    favour = rng.choice([-luck, luck], deals)
    chances = np.stack([rate + favour, rate - favour], axis=1)
    return (rng.random((deals, 2)) < chances).astype(float)


@pytest.mark.parametrize(("rate", "luck"), [(0.5, 0.0), (0.6, 0.35), (0.97, 0.02)])
def test_intervals_cover_the_truth_as_often_as_they_say(rate, luck):
    rng = np.random.default_rng(1)
    covered = 0
    for _ in range(2000):
        _, low, high = interval(clustered(rng, 300, rate, luck))
        covered += low <= rate <= high
    # 95 % of 2000 is 1900, with a standard deviation of 9.7.
    assert 1850 <= covered <= 1950


def test_games_of_one_deal_do_not_count_twice():
    rng = np.random.default_rng(2)
    once = (rng.random((400, 1)) < 0.5).astype(float)
    _, low, high = interval(once)
    _, twice_low, twice_high = interval(np.repeat(once, 2, axis=1))
    assert (twice_low, twice_high) == pytest.approx((low, high))


def test_opposite_luck_narrows_the_interval():
    rng = np.random.default_rng(3)
    widths = []
    for luck in (0.0, 0.4):
        _, low, high = interval(clustered(rng, 2000, 0.5, luck))
        widths.append(high - low)
    # Variance of a deal's mean: p(1-p)/2 without luck, less luck²/2 with it.
    assert widths[1] / widths[0] == pytest.approx(np.sqrt((0.25 - 0.16) / 0.25), rel=0.1)


@pytest.mark.parametrize("won", [0.0, 1.0])
def test_one_sided_results_keep_an_interval(won):
    rate, low, high = interval(np.full((50, 2), won))
    assert rate == won
    assert 0.02 < high - low < 0.06
    assert low <= won <= high


def test_one_deal_is_too_few():
    with pytest.raises(ValueError, match="at least 2 deals"):
        interval(np.ones((1, 4)))


class FirstLegal:
    """Plays by a fixed rule, so two of them at a table must come out level, deal by deal."""

    def act_batch(self, obs, mask):
        return mask.argmax(axis=1)


@pytest.mark.parametrize(("variant", "players"), [("classic", 3), ("teams", 4), ("no_mercy", 2)])
def test_an_agent_against_itself_is_level_exactly(variant, players):
    rules = uno_env.Rules.preset(variant)
    result = evaluate(FirstLegal(), FirstLegal(), rules, players, 40, seed=1)
    # The same cards and the same play from every seat: each deal is won from exactly one of them.
    assert result.rate == pytest.approx(result.chance)
    assert result.games == 40 * (2 if variant == "teams" else players)


def test_results_are_those_of_single_games():
    rules, players, deals = uno_env.Rules.preset("classic"), 2, 6

    class LastLegal:
        def act_batch(self, obs, mask):
            return mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)

    result = evaluate(FirstLegal(), LastLegal(), rules, players, deals, seed=4)
    won = 0
    for seed in np.random.default_rng(4).integers(0, 2**63, deals, np.int64):
        for ours in range(players):
            game = uno_env.Game(rules=rules, num_players=players, seed=int(seed))
            while not game.over:
                game.step(game.legal_ids()[0 if game.actor == ours else -1])
            won += ours in game.winners
    assert result.rate == won / (deals * players)


def test_greedy_beats_random_and_same_seed_same_result():
    rules = uno_env.Rules.preset("classic")
    first, again = (
        evaluate(GreedyAgent(1), RandomAgent(2), rules, 4, 100, seed=3) for _ in range(2)
    )
    assert first == again
    assert first.low > first.chance
