"""IG 2000: calling UNO, catching, and the last card."""

import pytest

from .given import given, hand, play, sizes

FILL = "blue-1 green-6 green-8"


def test_ig_18_call_on_the_last_but_one_card():
    """Whoever is down to one card calls UNO right then, and everybody hears it."""
    g = given("ig2000", ["red-1 green-6", FILL, FILL], "red-5")
    play(g, "0: play red-1")
    assert (g.actor, g.phase) == (0, "uno-call")
    assert set(g.legal()) == {"call-uno", "stay-silent"}
    play(g, "0: call-uno")
    assert (g.actor, g.phase) == (1, "play")
    assert list(g.snapshot()["uno_called"]) == [0]
    assert list(g.view(2)["uno_called"]) == [0]
    assert [e["seat"] for e in g.events if e["type"] == "uno-call"] == [0]


@pytest.mark.parametrize("catcher", [1, 2, 3])
def test_ig_19_any_opponent_catches_a_forgotten_call(catcher):
    """Any opponent may point out a missing call, and the forgetful seat draws two cards."""
    g = given("ig2000", ["red-1 green-6", FILL, FILL, FILL], "red-5")
    play(g, "0: play red-1", "0: stay-silent")
    for seat in range(1, catcher):
        assert g.phase == "uno-catch"
        assert set(g.legal()) == {"catch", "ignore"}
        play(g, f"{seat}: ignore")
    play(g, f"{catcher}: catch")
    assert sizes(g) == [3, 3, 3, 3]
    assert (g.actor, g.phase) == (1, "play")


def test_ig_19_nobody_notices():
    """If all opponents let it pass, the silent seat keeps its single card."""
    g = given("ig2000", ["red-1 green-6", FILL, FILL], "red-5")
    play(g, "0: play red-1", "0: stay-silent", "1: ignore", "2: ignore")
    assert sizes(g) == [1, 3, 3]
    assert (g.actor, g.phase) == (1, "play")
    assert list(g.snapshot()["uno_called"]) == []


def test_ig_20_a_caught_seat_starts_anew():
    """After the two penalty cards the seat is out of UNO and owes a new call the next time."""
    g = given("ig2000", ["red-1 green-6", FILL], "red-5", "red-2 red-3 yellow-9 yellow-9 blue-9")
    play(g, "0: play red-1", "0: stay-silent", "1: catch")
    assert hand(g, 0) == ["green-6", "red-2", "red-3"]
    assert list(g.snapshot()["uno_called"]) == []
    play(g, "1: draw", "0: play red-2", "1: draw", "0: play red-3")
    assert (g.actor, g.phase) == (0, "uno-call")


def test_ig_52_one_card_by_any_way_is_uno():
    """UNO is due whenever a seat holds one card, even a swapped one; forgetting costs two."""
    g = given("ig2000", [f"wild-swap {FILL}", "yellow-3", "blue-2 blue-9 green-skip"], "red-5")
    play(g, "0: play wild-swap", "0: swap +1 +2", "0: color red")
    assert hand(g, 2) == ["yellow-3"]
    play(g, "2: stay-silent", "0: catch")
    assert sizes(g) == [3, 3, 3]


@pytest.mark.parametrize("caught", [True, False])
def test_ig_53_call_before_the_last_card_is_laid(caught):
    """Whoever lays its last card without a call can still be caught, and then has not won."""
    g = given("ig2000", ["red-1", FILL, FILL], "red-5")
    play(g, "0: play red-1")
    assert (g.actor, g.phase) == (1, "uno-catch")
    play(g, "1: ignore", "2: catch" if caught else "2: ignore")
    if caught:
        assert not g.over
        assert sizes(g) == [2, 3, 3]
        assert g.snapshot()["discard"][-1] == "red-1"
        assert (g.actor, g.phase) == (1, "play")
    else:
        assert g.over
        assert g.winners == (0,)


def test_ig_54_every_return_to_one_card_is_called_again():
    """A seat that drew and came back to one card must say UNO once more."""
    draw_pile = "red-3 blue-9 blue-9 blue-9"
    g = given("ig2000", ["red-9", FILL], "red-5", draw_pile, uno_called=[0])
    play(g, "0: draw", "0: keep")
    assert list(g.snapshot()["uno_called"]) == []
    play(g, "1: draw", "0: play red-3")
    assert (g.actor, g.phase) == (0, "uno-call")


def test_ig_55_ig_61_each_omission_costs_two():
    """A forgotten UNO costs two cards every single time it is caught."""
    draw_pile = "red-2 red-3 blue-9 yellow-7 yellow-6 yellow-9 yellow-9 blue-9"
    g = given("ig2000", ["red-1 green-6", FILL], "red-5", draw_pile)
    play(g, "0: play red-1", "0: stay-silent", "1: catch")
    assert sizes(g)[0] == 3
    play(g, "1: draw", "0: play red-2", "1: draw", "0: play red-3")
    play(g, "0: stay-silent", "1: catch")
    assert sizes(g)[0] == 3


def test_ig_61_forgetting_costs_as_much_as_a_fault():
    """A forgotten UNO is fined like any misplay: two cards."""
    rules = {"fault_mode": "penalty"}
    g = given("ig2000", ["red-1 green-6", FILL], "red-5", rules=rules)
    play(g, "0: play green-6")
    assert sizes(g)[0] == 2 + 2
    g = given("ig2000", ["red-1 green-6", FILL], "red-5", rules=rules)
    play(g, "0: play red-1", "0: stay-silent", "1: catch")
    assert sizes(g)[0] == 1 + 2


def test_ig_r17_late_call_under_a_penalty():
    """A seat that stayed silent may still call when it next faces a penalty."""
    g = given(
        "ig2000",
        ["green-draw2", FILL, FILL],
        "red-draw2",
        phase="stack",
        pending={"amount": 2, "value": 2, "source": 2, "contestable": False},
    )
    assert set(g.legal()) == {"play green-draw2", "take", "call-uno"}
    play(g, "0: call-uno")
    assert (g.actor, g.phase) == (0, "stack")
    assert set(g.legal()) == {"play green-draw2", "take"}
    play(g, "0: play green-draw2")
    assert g.over
    assert g.winners == (0,)


def test_ig_r17_declared_last_card_is_not_polled():
    """A declared last card wins without anybody being asked."""
    g = given("ig2000", ["red-1", FILL, FILL], "red-5", uno_called=[0])
    assert "call-uno" not in g.legal()
    play(g, "0: play red-1")
    assert g.over


@pytest.mark.parametrize(
    ("last", "actor", "phase"),
    [
        ("red-7", 1, "play"),
        ("red-skip", 2, "play"),
        ("red-reverse", 2, "play"),
        ("red-draw2", 1, "stack"),
        ("wild", 0, "color"),
        ("wild-draw4", 0, "color"),
        ("wild-swap", 0, "swap-pair"),
    ],
)
def test_ig_r17_caught_last_card_works_as_an_ordinary_play(last, actor, phase):
    """When an undeclared last card is caught, its player draws two and the card works as usual."""
    g = given("ig2000", [last, FILL, FILL], "red-5")
    play(g, f"0: play {last}")
    first = g.actor
    assert g.phase == "uno-catch"
    play(g, "catch")
    assert first != 0
    assert sizes(g) == [2, 3, 3]
    assert not g.over
    assert (g.actor, g.phase) == (actor, phase)


def test_ig_r17_caught_uno_card_may_swap_its_players_hand():
    """After the catch a UNO card may move its player's two penalty cards like any hand."""
    g = given("ig2000", ["wild-swap", FILL, FILL], "red-5", "red-9 blue-9")
    play(g, "0: play wild-swap", "1: catch")
    assert "swap +0 +1" in g.legal()
    play(g, "0: swap +0 +1", "0: color red")
    assert hand(g, 1) == ["blue-9", "red-9"]


def test_ig_r26_calls_do_not_travel_with_hands():
    """A seat that receives a one-card hand must call, although its former owner had called."""
    g = given(
        "ig2000",
        [f"wild-swap {FILL}", "yellow-3", "blue-2 blue-9 green-skip"],
        "red-5",
        uno_called=[1],
    )
    play(g, "0: play wild-swap", "0: swap +1 +2", "0: color red")
    assert (g.actor, g.phase) == (2, "uno-call")
    assert list(g.snapshot()["uno_called"]) == []
    play(g, "2: call-uno")
    assert list(g.snapshot()["uno_called"]) == [2]


def test_ig_r26_two_one_card_hands_exchanged():
    """Two seats that exchange their only cards both have to call again."""
    g = given("ig2000", [f"wild-swap {FILL}", "yellow-3", "blue-2"], "red-5", uno_called=[1, 2])
    play(g, "0: play wild-swap", "0: swap +1 +2", "0: color red")
    play(g, "1: call-uno", "2: call-uno")
    assert sorted(g.snapshot()["uno_called"]) == [1, 2]
    assert (g.actor, g.phase) == (1, "play")


def test_ig_c18_swapping_the_single_card_away():
    """Whoever gives its only card away in a swap owes no call; the seat that got it does."""
    g = given("ig2000", ["wild-swap green-1", FILL, FILL], "red-5")
    play(g, "0: play wild-swap", "0: swap +0 +1", "0: color red")
    assert sizes(g) == [3, 1, 3]
    assert (g.actor, g.phase) == (1, "uno-call")
    play(g, "1: call-uno")
    assert (g.actor, g.phase) == (1, "play")


def test_ig_c20_voluntary_draw_at_one_card():
    """A declared seat that draws by choice and lays the drawn card must call again."""
    g = given("ig2000", ["red-1", FILL], "red-5", "red-3 blue-9", uno_called=[0])
    play(g, "0: draw", "0: play red-3")
    assert hand(g, 0) == ["red-1"]
    assert (g.actor, g.phase) == (0, "uno-call")


def test_ig_c21_late_call_in_the_next_turn():
    """A silent seat nobody caught may call at its next turn and then go out unpunished."""
    g = given("ig2000", ["red-1 red-6", FILL], "red-5")
    play(g, "0: play red-1", "0: stay-silent", "1: ignore", "1: draw")
    assert "call-uno" in g.legal()
    play(g, "0: call-uno")
    assert (g.actor, g.phase) == (0, "play")
    assert "call-uno" not in g.legal()
    play(g, "0: play red-6")
    assert g.over
    assert g.winners == (0,)
    assert sizes(g) == [0, 4]
