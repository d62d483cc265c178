"""Ratings: players of known strength are ranked and their intervals cover the truth."""

import math

import choix
import numpy as np
import pytest
from uno_arena.stats.ratings import ELO, Contest, TooFewDeals, rate

ELOS = np.array([120.0, 40.0, -20.0, -140.0])


def play(rng, sides, elos, deals, rotations=None, card_effect=0.0):
    """A contest in which each deal favours some places; by turns every side gets them."""
    count = len(sides)
    rotations = rotations or count
    favour = rng.normal(0, card_effect, (deals, count)) if card_effect else np.zeros((deals, count))
    won = np.zeros((deals, count))
    for rotation in range(rotations):
        log_strength = elos[list(sides)] / ELO + np.roll(favour, rotation, axis=1)
        # The largest of log-strengths plus Gumbel noise falls by Luce's probabilities.
        winner = (log_strength + rng.gumbel(size=won.shape)).argmax(axis=1)
        won[np.arange(deals), winner] += 1
    return Contest(tuple(sides), np.arange(deals), won)


def round_robin(rng, elos, deals, card_effect=0.0):
    pairs = [(a, b) for a in range(len(elos)) for b in range(a + 1, len(elos))]
    return [play(rng, pair, elos, deals, card_effect=card_effect) for pair in pairs]


def against_fields(rng, elos, deals, players):
    """Each agent alone against a table of each other, as the arena plays tables."""
    pairs = [(a, b) for a in range(len(elos)) for b in range(len(elos)) if a != b]
    return [play(rng, (a, *[b] * (players - 1)), elos, deals) for a, b in pairs]


def elos_of(table):
    return np.array([r.elo.value for r in sorted(table.ratings, key=lambda r: r.agent)])


@pytest.mark.parametrize("players", [2, 4])
def test_players_of_known_strength_are_ranked(players):
    rng = np.random.default_rng(1)
    contests = (
        round_robin(rng, ELOS, 3000) if players == 2 else against_fields(rng, ELOS, 2000, players)
    )
    table = rate(4, contests)
    assert table.model == ("Bradley-Terry" if players == 2 else "Plackett-Luce")
    assert [rating.agent for rating in table.ratings] == [0, 1, 2, 3]
    assert [rating.rank for rating in table.ratings] == [1, 2, 3, 4]
    assert not table.is_regularised
    assert elos_of(table) == pytest.approx(ELOS - ELOS.mean(), abs=12)


def test_fit_is_that_of_choix_on_single_games():
    rng = np.random.default_rng(2)
    data, contests = [], []
    for deal in range(150):
        sides = tuple(sorted(rng.choice(4, 3, replace=False).tolist()))
        winner = int(rng.choice(sides))
        data.append((winner, [side for side in sides if side != winner]))
        contests.append(Contest(sides, np.array([deal]), np.eye(3)[[sides.index(winner)]]))
    expected = choix.ilsr_top1(4, data)
    assert elos_of(rate(4, contests)) == pytest.approx(ELO * expected, abs=1e-3)


def test_two_sides_are_bradley_terry():
    rng = np.random.default_rng(3)
    contests = round_robin(rng, ELOS, 200)
    wins = np.zeros((4, 4))
    for contest in contests:
        a, b = contest.sides
        wins[a, b], wins[b, a] = contest.won.sum(axis=0)
    expected = choix.ilsr_pairwise_dense(wins)
    assert elos_of(rate(4, contests)) == pytest.approx(ELO * expected, abs=1e-3)


def test_copies_of_an_agent_at_one_table_win_as_several():
    won = np.tile([1.0, 1.0, 1.0, 1.0], (200, 1))
    table = rate(2, [Contest((0, 1, 1, 1), np.arange(200), won)])
    # A quarter of the games at a table of four is the chance level.
    assert elos_of(table) == pytest.approx([0, 0], abs=1e-6)


@pytest.mark.parametrize(("card_effect", "seed"), [(0.0, 4), (1.5, 5)])
def test_intervals_cover_the_truth_as_often_as_they_say(card_effect, seed):
    """With card effects, games of a deal are dependent and the true gap is not the one put in."""
    rng = np.random.default_rng(seed)
    elos = np.array([60.0, 0.0, -60.0])
    # Luck blurs strength, so what the ratings estimate is measured on very many games.
    truth = elos_of(rate(3, round_robin(rng, elos, 300_000, card_effect)))
    covered = np.zeros(4)
    runs = 400
    for _ in range(runs):
        table = rate(3, round_robin(rng, elos, 150, card_effect))
        for rating in table.ratings:
            covered[rating.agent] += rating.elo.low <= truth[rating.agent] <= rating.elo.high
        gap = table.difference(0, 2)
        covered[3] += gap.low <= truth[0] - truth[2] <= gap.high
    # 95 % of 400 is 380, with a standard deviation of 4.4.
    assert (covered >= 366).all()
    assert (covered <= 394).all()


def test_intervals_of_tables_cover_the_truth():
    rng = np.random.default_rng(6)
    elos = np.array([50.0, 0.0, -50.0])
    covered, runs = 0, 250
    for _ in range(runs):
        table = rate(3, against_fields(rng, elos, 120, 4))
        covered += sum(r.elo.low <= elos[r.agent] <= r.elo.high for r in table.ratings)
    assert 0.93 < covered / (3 * runs) < 0.97


def test_duplicate_deals_narrow_the_intervals():
    rng = np.random.default_rng(7)
    elos = np.zeros(2)
    pair = play(rng, (0, 1), elos, 4000, card_effect=2.0)
    # The same games, each taken for a deal of its own.
    apart = Contest((0, 1), np.arange(8000), np.repeat(pair.won / 2, 2, axis=0))
    games = apart.won.copy()
    split = np.flatnonzero(pair.won[:, 0] == 1)
    games[2 * split], games[2 * split + 1] = [1.0, 0.0], [0.0, 1.0]
    plain = rate(2, [Contest((0, 1), np.arange(8000), games)])
    duplicate = rate(2, [pair])
    width = [t.ratings[0].elo.high - t.ratings[0].elo.low for t in (duplicate, plain)]
    assert elos_of(duplicate) == pytest.approx(elos_of(plain))
    assert width[0] < 0.85 * width[1]


def test_agents_that_cannot_be_told_apart_share_a_rank():
    rng = np.random.default_rng(8)
    table = rate(3, round_robin(rng, np.array([200.0, 0.0, 0.0]), 400))
    assert [(rating.rank, rating.is_tied) for rating in table.ratings] == [
        (1, False),
        (2, True),
        (2, True),
    ]


def test_perfect_records_are_bounded_and_said():
    won = np.tile([2.0, 0.0], (200, 1))
    table = rate(2, [Contest((0, 1), np.arange(200), won)])
    assert table.is_regularised
    best = table.ratings[0]
    assert best.agent == 0
    # Half a win each way: odds of 400.5 to 0.5.
    gap = table.difference(0, 1)
    assert gap.value == pytest.approx(ELO * math.log(400.5 / 0.5), rel=1e-3)
    assert gap.high - gap.low > 500
    assert gap.low > 0


def test_groups_that_never_met_are_rated_apart():
    rng = np.random.default_rng(9)
    elos = np.array([100.0, 0.0, 300.0, 0.0])
    table = rate(5, [play(rng, pair, elos, 500) for pair in ((0, 1), (2, 3))])
    assert table.groups == 2
    assert [(rating.agent, rating.group) for rating in table.ratings] == [
        (0, 0),
        (1, 0),
        (2, 1),
        (3, 1),
    ]
    # Each group's mean is 0, and the agent that never played is not rated.
    assert elos_of(table) == pytest.approx([50, -50, 150, -150], abs=25)


@pytest.mark.parametrize("contests", [[], [Contest((0, 1), np.arange(40), np.ones((40, 2)))]])
def test_too_few_deals_are_refused_with_the_number_needed(contests):
    with pytest.raises(TooFewDeals, match=r"at least 100, (60|100) more"):
        rate(2, contests)
