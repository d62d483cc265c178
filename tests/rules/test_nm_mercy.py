"""No Mercy: elimination at 25 cards, and the score."""

from functools import partial

import pytest

from .given import cards, given, hand, play, sizes

nm = partial(given, "no_mercy")

LOW = "blue-1 blue-2 blue-3"
ATTACK = "red-8 red-9 red-6"
"""What a seat holds besides the card it attacks with."""


def test_nm_25_twenty_five_cards_eliminate():
    """A seat whose hand reaches 25 cards is out of the round, and all know it."""
    game = nm([f"red-draw2 {ATTACK}", ["blue-1"] * 23, LOW], "red-5")
    play(game, "0: play red-draw2", "1: take")
    assert all(game.view(seat)["eliminated"] == [1] for seat in range(3))
    assert (game.actor, game.phase) == (2, "play")
    assert "eliminate" in [event["type"] for event in game.events]

    game = nm([f"red-draw2 {ATTACK}", ["blue-1"] * 22, LOW], "red-5")
    play(game, "0: play red-draw2", "1: take")
    assert game.snapshot()["eliminated"] == [] and sizes(game) == [3, 24, 3]


def test_nm_25_an_eliminated_seat_is_passed_over():
    """An eliminated seat has no more turns and no penalty reaches it."""
    game = nm([f"red-draw2 {ATTACK}", "", "red-1 red-2 red-3"], "red-5", eliminated=[1])
    play(game, "0: play red-draw2")
    assert (game.actor, game.phase) == (2, "stack")
    play(game, "2: take", "0: play red-8", "2: play red-1")
    assert game.actor == 0


def test_nm_26_the_cards_of_an_eliminated_seat_are_set_aside():
    """The hand of an eliminated seat is put aside, and only the number of its cards is public."""
    game = nm(
        [f"red-draw2 {ATTACK}", ["blue-1"] * 23, LOW], "red-5", draw_pile="green-1 green-2 red-1"
    )
    play(game, "0: play red-draw2", "1: take")
    state = game.snapshot()
    assert state["hands"][1] == []
    assert sorted(state["set_aside"]) == ["blue-1"] * 23 + ["green-1", "green-2"]
    assert state["draw_pile"] == ["red-1"]
    assert state["discard"] == ["red-5", "red-draw2"]
    assert all(game.view(seat)["set_aside_size"] == 25 for seat in range(3))


def test_nm_r7_mercy_check_immediate_or_after_draw():
    """The 25th card eliminates at once, or after the whole draw with `mercy_check="after_draw"`."""
    hands = [f"wild-draw10 {ATTACK}", ["blue-1"] * 20, LOW]
    for check, drawn in (("immediate", 5), ("after_draw", 10)):
        game = nm(hands, "red-5", draw_pile=["yellow-9"] * 12, rules={"mercy_check": check})
        play(game, "0: play wild-draw10", "0: color red", "1: take")
        state = game.snapshot()
        assert state["eliminated"] == [1] and len(state["set_aside"]) == 20 + drawn
        assert len(state["draw_pile"]) == 12 - drawn
        assert state["pending"] is None
        assert (game.actor, game.phase) == (2, "play")


def test_nm_r7_mercy_check_after_a_whole_turn_draw():
    """With `mercy_check="after_draw"` a turn's drawing too goes on until a card fits."""
    draw_pile = "green-1 green-2 green-3 green-4 red-9 red-8"
    for check, drawn in (("immediate", 2), ("after_draw", 5)):
        hands = [["blue-1"] * 23, LOW, LOW]
        game = nm(hands, "red-5", draw_pile=draw_pile, rules={"mercy_check": check})
        play(game, "0: draw")
        state = game.snapshot()
        assert state["eliminated"] == [0] and game.actor == 1
        assert len(state["set_aside"]) == 23 + drawn


def test_nm_r8_a_fitting_twenty_fifth_card_does_not_save():
    """A seat that draws its 25th card is eliminated although that card would have fitted."""
    game = nm([["blue-1"] * 23, LOW, LOW], "red-5", draw_pile="green-1 red-9 red-8")
    play(game, "0: draw")
    state = game.snapshot()
    assert state["eliminated"] == [0] and "red-9" in state["set_aside"]
    assert game.view(1)["top_card"] == "red-5"
    assert (game.actor, game.phase) == (1, "play")


def test_nm_r9_the_round_winner_gets_the_bonus():
    """The 250 points go to the winner of the round, whoever caused the elimination."""
    hands = [f"red-draw2 {ATTACK}", ["blue-1"] * 23, "red-1"]
    game = nm(hands, "red-5", episode="match")
    play(game, "0: play red-draw2", "1: take", "2: play red-1")
    assert game.scores == [0, 0, 250 + 8 + 9 + 6]
    state = game.snapshot()
    assert state["eliminated"] == [] and sizes(game) == [7, 7, 7]


def test_nm_r16_cards_set_aside_stay_hidden_until_the_next_recycling():
    """Cards set aside lie face down and are mixed in when the discards are recycled."""
    aside = ["red-2"] * 25
    game = nm([LOW, LOW, ""], "green-3 red-5", draw_pile="green-1", eliminated=[2], set_aside=aside)
    for seat in range(2):
        view = game.view(seat)
        assert view["set_aside_size"] == 25 and "set_aside" not in view
    play(game, "0: draw")
    assert game.view(1)["set_aside_size"] == 0
    state = game.snapshot()
    assert state["set_aside"] == []
    assert len(state["draw_pile"]) + sizes(game)[0] == 3 + 1 + 1 + 25


def test_nm_c6_elimination_in_the_middle_of_a_penalty():
    """A seat with 15 cards that owes 14 is out at the tenth and the last four are not drawn."""
    hands = [
        f"red-draw2 green-4 {ATTACK}",
        "yellow-draw2 blue-1 blue-2 blue-3",
        "wild-draw10 blue-1 blue-2 blue-3",
        ["blue-1"] * 15,
    ]
    game = nm(hands, "red-5", draw_pile=["yellow-9"] * 14)
    play(game, "0: play red-draw2", "1: play yellow-draw2", "2: play wild-draw10", "2: color green")
    assert game.snapshot()["pending"]["amount"] == 14
    play(game, "3: take")
    state = game.snapshot()
    assert state["eliminated"] == [3]
    assert len(state["set_aside"]) == 25 and len(state["draw_pile"]) == 4
    assert state["pending"] is None and state["active_color"] == "green"
    assert (game.actor, game.phase) == (0, "play") and game.legal() == ["play green-4"]


def test_nm_c7_a_penalty_that_leaves_one_seat_ends_the_round():
    """If a penalty eliminates one of the last two seats the other has won at once."""
    game = nm([f"wild-draw6 {ATTACK}", ["blue-1"] * 20, ""], "red-5", eliminated=[2])
    play(game, "0: play wild-draw6", "0: color blue", "1: take")
    assert game.over and game.actor is None and game.winners == (0,)
    assert sorted(game.snapshot()["eliminated"]) == [1, 2]


def test_nm_c8_drawing_from_twenty_four_cards():
    """A seat with 24 cards that fit nowhere draws one and is eliminated, even if that one fits."""
    for card in ("red-9", "green-9", "wild-draw6"):
        game = nm([["blue-1"] * 24, LOW, LOW], "red-5", draw_pile=[card, "red-1", "red-2"])
        assert game.legal() == ["draw"]
        play(game, "0: draw")
        state = game.snapshot()
        assert state["eliminated"] == [0] and card in state["set_aside"]
        assert len(state["draw_pile"]) == 2 and game.actor == 1


def test_nm_c15_roulette_past_the_limit():
    """Roulette cards are taken in one go, so its victim may end far above 25 and is then out."""
    reveal = "wild-draw6 red-1 wild-draw10 yellow-2 blue-9 wild-roulette red-3 green-6"
    hands = [f"wild-roulette {ATTACK}", ["blue-1"] * 20, "green-1 red-2 red-4"]
    game = nm(hands, "red-5", draw_pile=f"{reveal} red-9")
    play(game, "0: play wild-roulette", "1: color green")
    state = game.snapshot()
    assert state["eliminated"] == [1] and len(state["set_aside"]) == 28
    assert state["draw_pile"] == ["red-9"]
    assert game.actor == 2 and game.legal() == ["play green-1"]


def test_nm_c24_a_catch_never_eliminates():
    """A caught seat has three cards at most, so the penalty cannot bring it to the limit."""
    game = nm(["red-1 red-2", LOW], "red-5")
    play(game, "0: play red-1", "0: stay-silent", "1: catch")
    assert sizes(game) == [3, 3] and game.snapshot()["eliminated"] == []


def test_nm_45_the_winner_scores_the_other_hands():
    """The winner of a round gets the value of the cards left in the other hands."""
    game = nm(["red-1", "blue-3 green-skip", "wild-draw6 yellow-9 yellow-0"], "red-5")
    play(game, "0: play red-1")
    assert game.scores == [3 + 20 + 50 + 9 + 0, 0, 0]
    assert game.points[0] == 82


@pytest.mark.parametrize(
    ("card", "value"),
    [(f"blue-{number}", number) for number in range(10)]
    + [(f"green-{kind}", 20) for kind in ("skip", "reverse", "draw2", "draw4")]
    + [(f"yellow-{kind}", 20) for kind in ("discard-all", "skip-all")]
    + [(f"wild-{kind}", 50) for kind in ("reverse-draw4", "draw6", "draw10", "roulette")],
)
def test_nm_46_card_values(card: str, value: int):
    """Numbers count what they show, coloured action cards 20 and wilds 50."""
    game = play(nm(["red-1", [card, card]], "red-5"), "0: play red-1")
    assert game.scores == [2 * value, 0]


def test_nm_47_bonus_for_eliminated_seats():
    """The winner gets 250 for each eliminated seat, whose cards are not counted."""
    game = nm([f"wild-draw6 {ATTACK}", ["blue-9"] * 20, "blue-4"], "red-5")
    play(game, "0: play wild-draw6", "0: color blue", "1: take", "2: play blue-4")
    assert game.winners == (2,) and game.scores == [0, 0, 250 + 8 + 9 + 6]

    game = nm([f"wild-draw6 {ATTACK}", ["wild-draw6"] * 20], "red-5")
    play(game, "0: play wild-draw6", "0: color blue", "1: take")
    assert game.winners == (0,) and game.scores == [250, 0]


def test_nm_48_a_match_is_won_at_1000():
    """Scores add up over the rounds of a match until somebody has 1000, who wins it."""
    hands = ["red-1", "blue-9 blue-1"]
    game = nm(hands, "red-5", episode="match", scores=[990, 400])
    play(game, "0: play red-1")
    assert game.over and game.scores == [1000, 400] and game.winners == (0,)

    game = nm(hands, "red-5", episode="match", scores=[989, 400])
    play(game, "0: play red-1")
    assert not game.over and game.scores == [999, 400]
    assert sizes(game) == [7, 7] and game.phase == "play"


def test_nm_c19_an_elimination_that_did_not_happen_pays_nothing():
    """Going out with a draw ten on a seat of 20 cards scores those cards and no bonus."""
    game = play(nm(["wild-draw10", ["blue-9"] * 20], "red-5"), "0: play wild-draw10")
    assert game.winners == (0,) and game.scores == [180, 0]
    assert sizes(game) == [0, 20]


def test_nm_c20_two_bonuses_and_one_hand():
    """With two of four seats eliminated the winner scores the last opponent's hand and 500."""
    game = nm(["red-1", "", "blue-9 wild-draw6", ""], "red-5", eliminated=[1, 3])
    play(game, "0: play red-1")
    assert game.scores == [559, 0, 0, 0]


def test_nm_c21_the_draw_pile_is_rebuilt_in_the_middle_of_drawing():
    """A draw pile that runs out during a draw is rebuilt, set-aside cards too; the draw goes on."""
    game = nm(
        [LOW, LOW, ""],
        "green-2 red-5",
        draw_pile="green-1 yellow-2",
        eliminated=[2],
        set_aside=["blue-9", "red-8"],
    )
    play(game, "0: draw")
    assert game.phase == "play-drawn" and game.view(0)["drawn_card"] == "red-8"
    drawn = set(hand(game, 0)) - set(cards(LOW))
    assert {"green-1", "yellow-2", "red-8"} <= drawn
    state = game.snapshot()
    assert state["discard"] == ["red-5"] and state["set_aside"] == []
    assert drawn | set(state["draw_pile"]) == {"green-1", "yellow-2", "red-8", "green-2", "blue-9"}
