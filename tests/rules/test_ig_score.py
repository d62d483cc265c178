"""IG 2000: points, reward, end of the match."""

import pytest

from .given import given, play

FILL = "blue-1 green-6 green-8"


def test_ig_58_card_values():
    """Numbers count their face, Reverse, Skip and +2 count 20, black cards 50."""
    hands = [
        "red-7",
        "red-0 blue-9 green-4",
        "red-reverse blue-skip green-draw2",
        "wild wild-draw4 wild-swap",
        "red-1 red-skip wild",
    ]
    g = given("ig2000", hands, "red-5", uno_called=[0])
    play(g, "0: play red-7")
    assert list(g.points) == [0, 13, 60, 150, 71]


@pytest.mark.parametrize(
    ("before", "after"), [(0, 0), (9, 9), (10, 9), (55, 50), (99, 90), (480, 432)]
)
def test_ig_59_ig_r20_the_winner_loses_a_tenth(before, after):
    """The round winner is let off a tenth of its own total, that tenth rounded down."""
    g = given("ig2000", ["red-7", FILL, FILL], "red-5", uno_called=[0], scores=[before, 0, 0])
    play(g, "0: play red-7")
    assert list(g.scores) == [after, 15, 15]


def test_ig_r21_each_seat_adds_its_own_hand():
    """Each loser adds the cards left in its own hand to its own total."""
    g = given("ig2000", ["red-7", "red-9", "wild"], "red-5", uno_called=[0], scores=[0, 100, 200])
    play(g, "0: play red-7")
    assert list(g.scores) == [0, 109, 250]
    assert list(g.points) == [0, 9, 50]


def test_ig_03_lowest_total_wins_the_match():
    """When somebody reaches 500 the match goes to the seat with the fewest points."""
    g = given(
        "ig2000",
        ["red-7", "wild", "red-9 red-8"],
        "red-5",
        uno_called=[0],
        scores=[300, 480, 100],
        episode="match",
    )
    play(g, "0: play red-7")
    assert g.over
    assert list(g.scores) == [270, 530, 117]
    assert g.winners == (2,)


def test_ig_r22_exactly_500_ends_the_match():
    """Reaching 500 exactly is enough to end the match, and seats tied for lowest share the win."""
    g = given(
        "ig2000",
        ["red-7", "red-6 red-4", "blue-8 blue-2"],
        "red-5",
        uno_called=[0],
        scores=[100, 490, 80],
        episode="match",
    )
    play(g, "0: play red-7")
    assert g.over
    assert list(g.scores) == [90, 500, 90]
    assert sorted(g.winners) == [0, 2]


def test_ig_c26_reward_and_match_end():
    """The round winner drops from 480 to 432, another reaches 510, and the third wins with 300."""
    g = given(
        "ig2000",
        ["red-7", "red-9 blue-4", "green-0 blue-1"],
        "red-5",
        uno_called=[0],
        scores=[480, 497, 299],
        episode="match",
    )
    play(g, "0: play red-7")
    assert g.over
    assert list(g.scores) == [432, 510, 300]
    assert g.winners == (2,)
