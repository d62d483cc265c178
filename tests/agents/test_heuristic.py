"""What the heuristic's docstring says of it, position by position."""

from typing import Any

import pytest
from uno_agents.heuristic.agent import HeuristicAgent

import uno_env as uno

DRAW_PILE = ["yellow-9", "green-8", "blue-9", "red-9"] * 20
SEEDS = range(4)


def given(variant: str, hands: list[str], top: str, **more: Any) -> uno.Game:
    """A position with seat 0 to act: hands as space-separated cards, the discard pile alike."""
    more.setdefault("draw_pile", DRAW_PILE)
    snapshot = {"variant": variant, "hands": [hand.split() for hand in hands]}
    return uno.Game.from_snapshot({**snapshot, "discard": top.split(), **more})


def shown(game: uno.Game, seat: int, **most: int) -> uno.Game:
    """The same position after everybody saw that a seat has at most so many cards of a colour."""
    snapshot = game.snapshot()
    snapshot["missing_colors"][seat] = {**snapshot["missing_colors"].get(seat, {}), **most}
    return uno.Game.from_snapshot(snapshot)


def answers(game: uno.Game) -> set[str]:
    """Actions the heuristic may take, over its seeds."""
    actor = game.actor
    assert actor is not None
    return {HeuristicAgent(seed).act(game.view(actor), game.legal()) for seed in SEEDS}


def answer(game: uno.Game) -> str:
    """The action the heuristic takes with every seed."""
    (action,) = answers(game)
    return action


def plays(variant: str, hands: list[str], top: str, **more: Any) -> str:
    """What it does in a position."""
    return answer(given(variant, hands, top, **more))


FAR = "green-1 green-2 green-3 yellow-1 yellow-2 yellow-3 blue-1"
"""A hand of seven that threatens nobody."""


# Going out.


@pytest.mark.parametrize("variant", ["classic", "hyper_speed", "no_mercy", "ig2000", "loche"])
def test_lays_its_last_card(variant):
    assert plays(variant, ["red-5", FAR], "red-1", uno_called=[0]) == "play red-5"


@pytest.mark.parametrize(
    ("hand", "first"),
    [
        ("red-skip red-5", "play red-skip"),
        ("red-draw2 wild", "play red-draw2"),
        ("red-skip blue-skip blue-4", "play red-skip"),
        ("red-draw2 red-reverse red-0", None),
    ],
)
def test_goes_out_in_one_turn_with_cards_that_play_again(hand, first):
    game = given("classic", [hand, FAR], "red-1")
    assert first is None or answer(game) == first
    while not game.over:
        assert game.actor == 0, "the other seat came to act"
        game.step(answer(game))
    assert game.winners == (0,)


def test_going_out_by_hyper_speed_needs_the_colour_to_last():
    game = given(
        "hyper_speed", ["red-5 red-6 blue-6", FAR], "red-1", hyper_color="red", active_color="red"
    )
    while not game.over:
        assert game.actor == 0
        game.step(answer(game))


def test_discard_all_of_a_one_coloured_hand_wins():
    hand = "red-discard-all red-5 red-7 red-draw4"
    assert plays("no_mercy", [hand, FAR, FAR], "red-1") == "play red-discard-all"


def test_discard_all_waits_for_more_cards_of_its_colour():
    few, many = "red-discard-all green-5 blue-1 green-4", "red-discard-all red-3 red-4 red-6 blue-1"
    assert plays("no_mercy", [few, FAR, FAR], "red-1") == "play blue-1"
    assert plays("no_mercy", [many, FAR, FAR], "red-1") == "play red-discard-all"


def test_sums_and_jumps_in():
    game = given("ig2000", ["red-4 blue-4 red-9", FAR, "blue-2 green-2"], "red-1")
    game.step("play red-4")
    assert game.phase == "react" and game.actor == 2
    assert answer(game) == "sum"
    game = given("ig2000", ["red-4 blue-7 red-9", FAR, "red-4 green-2"], "red-1")
    game.step("play red-4")
    assert game.phase == "react" and answer(game) == "jump-in"


def test_lays_the_card_that_lets_it_sum_out():
    assert plays("ig2000", ["red-7 red-2 yellow-3 green-2", FAR, FAR], "red-1") == "play red-7"


# Choosing a card.


@pytest.mark.parametrize("wild", ["wild", "wild-draw4"])
def test_saves_wilds(wild):
    assert plays("classic", [f"{wild} red-5 blue-4 green-7", FAR, FAR], "red-1") == "play red-5"


def test_saves_draw_cards_until_the_next_seat_is_low():
    hand = "red-draw2 red-5 blue-4 green-7"
    assert plays("classic", [hand, FAR, FAR], "red-1") == "play red-5"
    assert plays("classic", [hand, "green-1", FAR], "red-1") == "play red-draw2"


def test_saves_answers_in_no_mercy():
    hand = "wild-draw10 wild-draw6 red-draw4 red-5 blue-4"
    assert plays("no_mercy", [hand, FAR, FAR], "red-1") == "play red-5"


def test_keeps_bridges_between_colours():
    hand = "red-5 red-7 blue-5 green-5 yellow-2"
    assert plays("classic", [hand, FAR], "red-1") == "play red-7"


def test_lays_the_colour_the_next_seat_lacks():
    game = given("classic", ["red-5 blue-5 green-2", "green-7", FAR], "yellow-5")
    assert answer(shown(game, 1, red=0)) == "play red-5"
    assert answer(shown(game, 1, blue=0)) == "play blue-5"


def test_sheds_the_higher_of_equal_cards():
    assert plays("classic", ["red-2 red-9 blue-4 green-7", FAR, FAR], "red-1") == "play red-9"


def test_sheds_points_once_somebody_is_low():
    hand = "red-skip red-9 blue-4 green-7"
    assert plays("ig2000", [hand, FAR, FAR], "red-1") == "play red-9"
    assert plays("ig2000", [hand, FAR, "green-1 blue-2"], "red-1") == "play red-skip"
    # Where the winner collects, they are not one's own loss.
    assert plays("classic", [hand, FAR, "green-1 blue-2"], "red-1") == "play red-9"


def test_never_draws_or_keeps_when_it_can_play():
    assert plays("hyper_speed", ["wild blue-4 blue-5 green-7", FAR], "red-1") == "play wild"
    game = given("classic", ["blue-4 green-7", FAR], "red-1", draw_pile=["red-3"] * 9)
    game.step("draw")
    assert game.phase == "play-drawn" and answer(game) == "play red-3"


def test_uses_hyper_mode_to_skip_a_seat_about_to_go_out():
    hand = "blue-5 red-5 green-1 yellow-2"
    more = {"hyper_color": "red", "active_color": "red"}
    assert plays("hyper_speed", [hand, "green-7", FAR], "red-5", **more) == "play red-5"


def test_skips_everyone_only_with_a_card_to_follow():
    hand = "red-skip-all red-5 green-1 yellow-2"
    assert plays("no_mercy", [hand, FAR, FAR], "red-1") == "play red-skip-all"
    hand = "red-skip-all blue-1 green-2 yellow-2"
    assert plays("no_mercy", [hand, FAR, FAR], "red-1") == "play blue-1"


# Colours.


def named(variant: str, hands: list[str], wild: str = "wild", **more: Any) -> str:
    """The colour named for a wild that seat 0 lays on a red card."""
    game = given(variant, hands, "red-1", **more)
    game.step(f"play {wild}")
    while game.phase != "color":
        game.step(answer(game))
    return answer(game)


def test_names_the_colour_it_holds_most():
    assert named("classic", ["wild blue-1 blue-2 green-3", FAR, FAR]) == "color blue"


def test_names_the_colour_the_next_seat_lacks():
    game = given("classic", ["wild wild wild", "green-7 green-9", FAR], "red-1")
    for color in uno.COLORS:
        lacking = shown(game, 1, **{color: 0})
        lacking.step("play wild")
        assert answer(lacking) == f"color {color}"


def test_counts_the_discards():
    gone = " ".join(f"green-{number}" for number in range(10))
    game = given("classic", ["wild wild wild", "blue-7 blue-9", FAR], f"{gone} {gone} red-1")
    game.step("play wild")
    assert answer(game) == "color green"


def test_roulette_names_the_colour_with_most_unseen():
    gone = " ".join(f"{color}-{n}" for color in ("red", "yellow", "green") for n in range(10))
    hands = ["wild-roulette red-2", "red-3 yellow-3 green-3 blue-3", FAR]
    game = given("no_mercy", hands, gone + " red-1")
    game.step("play wild-roulette")
    while game.phase != "roulette-color":
        game.step(answer(game))
    assert game.actor == 1 and answer(game) == "color blue"


# Bluff and challenge.


def faced(variant: str, accused: str, **most: int) -> uno.Game:
    """Seat 1 faces a wild draw four that seat 0 laid on red."""
    game = shown(given(variant, [accused + " wild-draw4", FAR, FAR], "red-1"), 0, **most)
    for action in ("play wild-draw4", "color blue"):
        game.step(action)
    while game.phase not in ("challenge", "stack"):
        game.step(answer(game))
    return game


def test_bluffs_with_few_cards_only():
    hand = "wild-draw4 red-draw2 red-skip"
    assert plays("classic", [f"{hand} blue-4 green-7", "green-1", FAR], "red-1") != (
        "play wild-draw4"
    )
    assert plays("classic", ["wild-draw4 red-5", "green-1", FAR], "red-1") == "play wild-draw4"


@pytest.mark.parametrize("variant", ["classic", "hyper_speed", "ig2000", "loche"])
def test_challenges_by_the_odds(variant):
    large = "blue-1 blue-2 blue-3 blue-4 green-5 green-6 yellow-7 yellow-8"
    assert answer(faced(variant, large)) == "challenge"
    # It has shown that it holds no red card.
    refuses = "take" if variant in ("ig2000", "loche") else "accept"
    assert answer(faced(variant, large, red=0)) == refuses
    assert answer(faced(variant, "blue-1")) == refuses


# Penalties.


def stacked(variant: str, hand: str, top: str, amount: int, value: int, **more: Any) -> str:
    """What seat 0 does about a penalty."""
    pending = {"amount": amount, "value": value, "source": 1}
    hands = [hand, FAR, *(more.pop("others", [FAR]))]
    return plays(variant, hands, top, phase="stack", pending=pending, **more)


def test_answers_a_penalty_with_the_cheapest_card():
    hand = "wild-draw10 wild-draw6 blue-draw4 red-5 red-draw2"
    assert stacked("no_mercy", hand, "red-draw2", 2, 2) == "play red-draw2"
    assert stacked("no_mercy", hand, "green-draw4", 4, 4) == "play blue-draw4"
    assert stacked("no_mercy", hand, "wild-draw6", 6, 6, active_color="red") == "play wild-draw6"
    assert stacked("no_mercy", "red-5 red-6", "green-draw4", 4, 4) == "take"


def test_joker_cancels_a_penalty():
    assert stacked("ig2000", "wild red-5 blue-4 green-2", "red-draw2", 2, 2) == "play wild"


def test_does_not_send_a_penalty_to_itself():
    hand = "wild-reverse-draw4 red-5 blue-4"
    more = {"others": []}
    assert stacked("no_mercy", hand, "red-draw2", 2, 2, **more) == "take"
    both = hand + " wild-draw10"
    assert stacked("no_mercy", both, "red-draw2", 2, 2, **more) != "take"
    assert plays("no_mercy", [hand, FAR], "red-1") == "play red-5"


def test_eliminates_when_it_can():
    crowd = " ".join(["green-1 yellow-2 blue-3"] * 7)
    hand = "red-draw4 red-5 blue-4 red-7"
    assert plays("no_mercy", [hand, crowd, FAR], "red-1") == "play red-draw4"


# Swaps.


def test_takes_the_smallest_hand():
    game = given("no_mercy", ["red-7 red-1 red-2 red-3", FAR, "green-1 green-2", FAR], "red-5")
    game.step("play red-7")
    assert game.phase == "swap-target" and answer(game) == "target +2"


def test_sevens_and_zeros_by_what_they_gain():
    small, large = "green-1 green-2", FAR + " green-4 green-5"
    for card in ("red-7", "red-0"):
        hand = f"{card} red-5"
        assert plays("no_mercy", [hand, large, large], "red-1") == "play red-5"
        hand = f"{card} red-5 blue-1 blue-2 green-4 yellow-4 yellow-6"
        assert plays("no_mercy", [hand, small, small], "red-1") == f"play {card}"


def test_uno_card_swaps_only_to_gain():
    game = given("ig2000", ["wild-swap red-1 red-2 red-3", FAR, "green-1 green-2"], "blue-5")
    game.step("play wild-swap")
    assert game.phase == "swap-pair" and answer(game) == "swap +0 +2"
    game = given("ig2000", ["wild-swap red-1", FAR, FAR], "blue-5")
    game.step("play wild-swap")
    assert game.phase == "swap-pair" and answer(game) == "no-swap"


def test_winner_hands_the_larger_hand_to_the_one_ahead():
    """Points are bad here: the seat with fewer is ahead."""
    for ahead, action in ((1, "no-swap"), (2, "swap +1 +2")):
        game = given("ig2000", ["wild-swap", FAR, "green-1 green-2"], "blue-5", uno_called=[0])
        snapshot = game.snapshot()
        for seat in (1, 2):
            snapshot["scores"][seat] = 99 if seat == ahead else 295
        game = uno.Game.from_snapshot(snapshot)
        game.step("play wild-swap")
        assert game.phase == "swap-pair" and answer(game) == action


# UNO.


@pytest.mark.parametrize("variant", uno.VARIANTS)
def test_always_calls_and_always_catches(variant):
    hands = ["red-5 blue-4", FAR, FAR, FAR]
    game = given(variant, hands, "red-1")
    game.step("play red-5")
    assert game.phase == "uno-call" and answer(game) == "call-uno"
    game.step("stay-silent")
    if variant == "teams":
        assert game.actor == 2 and answer(game) == "call-uno"
        game.step("stay-silent")
    assert game.phase == "uno-catch" and answer(game) == "catch"


def test_calls_late_where_it_may():
    assert plays("ig2000", ["red-5", FAR], "red-1") == "call-uno"


# Teams.


def test_gives_from_its_richest_colour_and_no_wild():
    hand = "wild wild-team-play blue-1 blue-3 blue-5 green-2 red-3"
    game = given("teams", [hand, FAR, FAR, FAR], "red-1", phase="pass-card", dealer=3)
    assert answers(game) <= {"give blue-1", "give blue-3", "give blue-5"}


def test_does_not_hit_its_partner():
    hands = ["red-draw2 red-skip red-5 blue-4", "", "green-1 green-2", "yellow-1"]
    assert plays("teams", hands, "red-1", out=[1]) == "play red-5"


def test_team_play_names_a_colour_for_the_partner():
    game = given("teams", ["wild-team-play red-3", FAR, FAR, FAR], "red-1")
    game = shown(game, 2, red=0, yellow=0, blue=0)
    game.step("play wild-team-play")
    while game.phase != "color":
        game.step(answer(game))
    assert answer(game) == "color green"
