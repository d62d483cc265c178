"""No Mercy: draw cards, raising a penalty, and the wilds that carry one."""

from functools import partial

import pytest

from .given import given, hand, play, sizes

nm = partial(given, "no_mercy")

LOW = "blue-1 blue-3 blue-5"
COLORS = {"color red", "color yellow", "color green", "color blue"}
EVERY_DRAW_CARD = "blue-draw2 yellow-draw4 wild-reverse-draw4 wild-draw6 wild-draw10 red-1"


def owed(game) -> int:
    """Cards the seat to act has to draw or pass on."""
    pending = game.snapshot()["pending"]
    return pending["amount"] if pending else 0


@pytest.mark.parametrize(
    ("card", "answers"),
    [
        ("red-draw2", "blue-draw2 yellow-draw4 wild-reverse-draw4 wild-draw6 wild-draw10"),
        ("red-draw4", "yellow-draw4 wild-reverse-draw4 wild-draw6 wild-draw10"),
        ("wild-reverse-draw4", "yellow-draw4 wild-reverse-draw4 wild-draw6 wild-draw10"),
        ("wild-draw6", "wild-draw6 wild-draw10"),
        ("wild-draw10", "wild-draw10"),
    ],
)
def test_nm_22_a_penalty_is_answered_with_an_equal_or_higher_one(card: str, answers: str):
    """Instead of drawing, a seat may answer a draw card with one of at least the same value."""
    game = nm([f"{card} red-8 red-9 red-6", EVERY_DRAW_CARD, EVERY_DRAW_CARD], "red-5")
    play(game, f"0: play {card}")
    if card.startswith("wild"):
        play(game, "0: color red")
    assert game.phase == "stack" and game.actor != 0
    assert set(game.legal()) == {"take"} | {f"play {answer}" for answer in answers.split()}


def test_nm_23_the_raised_total_moves_on():
    """The value of an answer is added to the penalty, and the following seat now faces the sum."""
    third = "yellow-draw4 wild-draw6 wild-draw10 blue-1"
    game = nm(["red-draw4 red-8 red-9 red-6", "wild-draw6 blue-1 blue-2 blue-3", third], "red-5")
    play(game, "0: play red-draw4", "1: play wild-draw6", "1: color green")
    assert (game.actor, game.phase) == (2, "stack")
    assert owed(game) == 10
    assert all(game.view(seat)["pending"]["amount"] == 10 for seat in range(3))
    assert set(game.legal()) == {"take", "play wild-draw6", "play wild-draw10"}


def test_nm_24_whoever_does_not_answer_draws_it_all():
    """A seat that does not answer draws the whole total, loses its turn and settles the debt."""
    game = nm(["red-draw4 red-8 red-9 red-6", "wild-draw6 blue-1 blue-2 blue-3", LOW], "red-5")
    play(game, "0: play red-draw4", "1: play wild-draw6", "1: color green")
    assert game.legal() == ["take"]
    play(game, "2: take")
    assert sizes(game) == [3, 3, 13]
    assert game.snapshot()["pending"] is None
    assert (game.actor, game.phase) == (0, "play")


def test_nm_29_draw_two():
    """A draw two makes the next seat draw two cards and lose its turn."""
    game = nm(
        ["red-draw2 red-8 red-9 red-6", LOW, LOW], "red-5", draw_pile="green-1 green-2 green-3"
    )
    play(game, "0: play red-draw2")
    assert (game.actor, game.phase) == (1, "stack") and owed(game) == 2
    play(game, "1: take")
    assert hand(game, 1) == ["blue-1", "blue-3", "blue-5", "green-1", "green-2"]
    assert (game.actor, game.phase) == (2, "play")


def test_nm_30_draw_four_is_a_coloured_card():
    """The draw four has a colour, has to match, and costs the next seat four cards and its turn."""
    held = "red-draw4 red-8 red-9 red-6"
    assert "play red-draw4" not in nm([held, LOW], "blue-5").legal()
    assert "play red-draw4" in nm([held, LOW], "blue-draw4").legal()
    game = play(nm([held, LOW, LOW], "red-5"), "0: play red-draw4")
    assert (game.actor, game.phase) == (1, "stack") and owed(game) == 4
    assert game.view(1)["active_color"] == "red"
    play(game, "1: take")
    assert sizes(game) == [3, 7, 3] and game.actor == 2


def test_nm_37_wild_reverse_draw_four():
    """A wild reverse draw four turns the direction, hits the seat before and names a colour."""
    game = nm(["wild-reverse-draw4 blue-1 blue-3 blue-5", LOW, LOW], "red-5")
    play(game, "0: play wild-reverse-draw4")
    assert (game.actor, game.phase) == (0, "color")
    assert set(game.legal()) == COLORS
    assert game.view(1)["active_color"] == "red"  # until another is named
    play(game, "0: color green")
    state = game.snapshot()
    assert state["direction"] == -1 and state["active_color"] == "green"
    assert (game.actor, game.phase) == (2, "stack") and owed(game) == 4
    play(game, "2: take")
    assert sizes(game) == [3, 3, 7] and game.actor == 1


def test_nm_38_reverse_draw4_with_two_seats_hits_its_player():
    """With two seats the opponent is passed over and the card's player faces the four."""
    game = nm(["wild-reverse-draw4 blue-1 blue-3 blue-5", LOW], "red-5")
    play(game, "0: play wild-reverse-draw4", "0: color green")
    assert (game.actor, game.phase) == (0, "stack") and owed(game) == 4
    assert game.legal() == ["take"]
    play(game, "0: take")
    assert sizes(game) == [7, 3]


def test_nm_38_reverse_draw4_two_player_option_hits_opponent():
    """With `reverse_draw4_two_player="hits_opponent"` the other of two seats faces the four."""
    rules = {"reverse_draw4_two_player": "hits_opponent"}
    game = nm(["wild-reverse-draw4 blue-1 blue-3 blue-5", LOW], "red-5", rules=rules)
    play(game, "0: play wild-reverse-draw4", "0: color green")
    assert (game.actor, game.phase) == (1, "stack") and owed(game) == 4


def test_nm_39_its_player_may_send_the_penalty_on():
    """Hit by its own wild reverse draw four, a player may answer so that the other has to draw."""
    game = nm(["wild-reverse-draw4 yellow-draw4 blue-draw2 blue-3 blue-5", LOW], "red-5")
    play(game, "0: play wild-reverse-draw4", "0: color green")
    assert set(game.legal()) == {"take", "play yellow-draw4"}
    play(game, "0: play yellow-draw4")
    assert (game.actor, game.phase) == (1, "stack") and owed(game) == 8
    play(game, "1: take")
    assert sizes(game) == [3, 11] and game.actor == 0


@pytest.mark.parametrize(("card", "amount"), [("wild-draw6", 6)])
def test_nm_40_wild_draw_six(card: str, amount: int):
    """The player of a wild draw six names a colour; the next seat draws six and is passed over."""
    check_wild_draw(card, amount)


@pytest.mark.parametrize(("card", "amount"), [("wild-draw10", 10)])
def test_nm_41_wild_draw_ten(card: str, amount: int):
    """The player of a wild draw ten names a colour; the next seat draws ten and is passed over."""
    check_wild_draw(card, amount)


def check_wild_draw(card: str, amount: int) -> None:
    game = play(nm([f"{card} blue-1 blue-3 blue-5", LOW, LOW], "red-5"), f"0: play {card}")
    assert (game.actor, game.phase) == (0, "color") and set(game.legal()) == COLORS
    play(game, "0: color yellow")
    assert (game.actor, game.phase) == (1, "stack") and owed(game) == amount
    play(game, "1: take")
    assert sizes(game) == [3, 3 + amount, 3]
    assert game.actor == 2 and game.view(2)["active_color"] == "yellow"


def test_nm_r5_the_last_named_color_counts_after_a_stack():
    """Whoever lays a draw wild names the colour, in a stack too, and the last card laid counts."""
    second = "wild-draw6 blue-1 blue-2 blue-3"
    third = "wild-draw10 blue-1 blue-2 blue-3"
    fourth = "green-4 yellow-4 blue-4 red-4"
    game = nm(["red-draw4 red-8 red-9 red-6", second, third, fourth], "red-5")
    play(game, "0: play red-draw4", "1: play wild-draw6", "1: color green")
    assert game.view(0)["active_color"] == "green"
    play(game, "2: play wild-draw10", "2: color yellow", "3: take")
    assert owed(game) == 0 and game.view(0)["active_color"] == "yellow"

    game = nm(["wild-reverse-draw4 red-8 red-9 red-6", fourth, "green-draw4 " + LOW], "red-5")
    play(game, "0: play wild-reverse-draw4", "0: color red", "2: play green-draw4", "1: take")
    assert game.view(0)["active_color"] == "green"


def test_nm_r5_roulette_color_option():
    """After a roulette the victim's colour counts, or by option one that its player names."""
    hands = ["wild-roulette red-8 red-9 red-6", LOW, LOW]
    game = nm(hands, "red-5", draw_pile="blue-9 green-9 red-9")
    play(game, "0: play wild-roulette", "1: color green")
    assert game.view(2)["active_color"] == "green" and game.actor == 2

    rules = {"roulette_active_color": "player"}
    game = nm(hands, "red-5", draw_pile="blue-9 green-9 red-9", rules=rules)
    play(game, "0: play wild-roulette")
    assert (game.actor, game.phase) == (0, "color")
    play(game, "0: color yellow")
    assert (game.actor, game.phase) == (1, "roulette-color")
    play(game, "1: color green")
    assert hand(game, 1) == ["blue-1", "blue-3", "blue-5", "blue-9", "green-9"]
    assert game.view(2)["active_color"] == "yellow" and game.actor == 2


def test_nm_r6_an_answer_need_not_match_in_color():
    """An answer is measured by the value of the last card, not by its colour or the total."""
    second = "yellow-draw2 blue-1 blue-2 blue-3"
    third = "green-draw2 blue-draw4 blue-1 blue-2"
    game = nm(["red-draw2 red-8 red-9 red-6", second, third], "red-5")
    play(game, "0: play red-draw2", "1: play yellow-draw2")
    assert owed(game) == 4
    assert set(game.legal()) == {"take", "play green-draw2", "play blue-draw4"}


def test_nm_r6_stack_needs_color_option():
    """With `stack_needs_color` a coloured answer has to match in colour or symbol as well."""
    second = "yellow-draw2 blue-draw4 red-draw4 wild-draw6"
    rules = {"stack_needs_color": True}
    game = nm(["red-draw2 red-8 red-9 red-6", second], "red-5", rules=rules)
    play(game, "0: play red-draw2")
    answers = {"play yellow-draw2", "play red-draw4", "play wild-draw6"}
    assert set(game.legal()) == {"take"} | answers


def test_nm_r13_an_unanswered_own_penalty_costs_the_turn():
    """With two seats, drawing for one's own reverse draw four leaves the turn to the opponent."""
    draw_pile = "green-1 green-2 green-3 green-4 green-6"
    game = nm(["wild-reverse-draw4 blue-1 blue-3 blue-5", LOW], "red-5", draw_pile=draw_pile)
    play(game, "0: play wild-reverse-draw4", "0: color green", "0: take")
    assert sizes(game) == [7, 3]
    assert (game.actor, game.phase) == (1, "play")


def test_nm_r14_answering_is_never_compulsory():
    """A seat may draw the penalty although it holds an answer."""
    game = nm(["red-draw2 red-8 red-9 red-6", EVERY_DRAW_CARD, LOW], "red-5")
    play(game, "0: play red-draw2", "1: take")
    assert sizes(game) == [3, 8, 3] and game.actor == 2


def test_nm_c1_wild_reverse_draw_four_sends_the_stack_back():
    """Among three, answering with a wild reverse draw four turns the total on the seat before."""
    game = nm(["red-draw4 red-8 red-9 red-6", "wild-reverse-draw4 " + LOW, LOW], "red-5")
    play(game, "0: play red-draw4", "1: play wild-reverse-draw4", "1: color blue")
    assert game.snapshot()["direction"] == -1
    assert (game.actor, game.phase) == (0, "stack") and owed(game) == 8


def test_nm_c2_two_seats_answering_with_a_reverse_hits_oneself():
    """With two seats an answer by wild reverse draw four leaves the total on the answering seat."""
    second = "wild-reverse-draw4 green-draw4 blue-1 blue-3 blue-5"
    game = nm(["red-draw4 red-8 red-9 red-6", second], "red-5")
    play(game, "0: play red-draw4", "1: play wild-reverse-draw4", "1: color blue")
    assert (game.actor, game.phase) == (1, "stack") and owed(game) == 8
    assert set(game.legal()) == {"take", "play green-draw4"}

    passed_on = play(game.clone(), "1: play green-draw4")
    assert (passed_on.actor, passed_on.phase) == (0, "stack") and owed(passed_on) == 12
    taken = play(game.clone(), "1: take")
    assert sizes(taken) == [3, 12]
    assert (taken.actor, taken.phase) == (0, "play")


def test_nm_c3_two_seats_a_second_reverse_keeps_the_penalty():
    """With two seats a second own wild reverse draw four leaves eight on the same seat."""
    held = "wild-reverse-draw4 wild-reverse-draw4 blue-1 blue-3 blue-5"
    game = nm([held, LOW], "red-5")
    play(game, "0: play wild-reverse-draw4", "0: color green")
    play(game, "0: play wild-reverse-draw4", "0: color yellow")
    assert (game.actor, game.phase) == (0, "stack") and owed(game) == 8
    play(game, "0: take")
    assert sizes(game) == [11, 3] and game.actor == 1


def test_nm_c4_only_ten_answers_six_here():
    """Facing a six with a coloured draw four and a draw ten, only the ten may be laid."""
    second = "blue-draw4 wild-draw10 blue-1 blue-3"
    game = nm(["wild-draw6 red-8 red-9 red-6", second], "red-5")
    play(game, "0: play wild-draw6", "0: color blue")
    assert set(game.legal()) == {"take", "play wild-draw10"}


def test_nm_c5_the_last_card_sets_the_bar():
    """After two twos and a ten a six is too low, although it beats the first cards."""
    third = "wild-draw10 blue-1 blue-2 blue-3"
    fourth = "wild-draw6 wild-draw10 blue-draw2 blue-3"
    second = "yellow-draw2 blue-1 blue-2 blue-3"
    game = nm(["red-draw2 red-8 red-9 red-6", second, third, fourth], "red-5")
    play(game, "0: play red-draw2", "1: play yellow-draw2", "2: play wild-draw10", "2: color blue")
    assert owed(game) == 14 and game.actor == 3
    assert set(game.legal()) == {"take", "play wild-draw10"}


def test_nm_c22_after_a_taken_stack_the_top_card_is_followed_as_usual():
    """Once a stack is drawn its last card is matched as usual and a new draw two counts two."""
    third = "green-1 yellow-draw2 wild-draw6 yellow-4 red-draw4"
    hands = ["red-draw2 green-draw2 red-8 red-9", LOW, third, LOW]
    game = nm(hands, "green-5 red-draw2", draw_pile="yellow-9 blue-9 " * 6)
    play(game, "0: play green-draw2", "1: take")
    assert (game.actor, game.phase) == (2, "play")
    assert set(game.legal()) == {"play green-1", "play yellow-draw2", "play wild-draw6"}
    play(game, "2: play yellow-draw2")
    assert (game.actor, game.phase) == (3, "stack") and owed(game) == 2
