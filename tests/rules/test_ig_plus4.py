"""IG 2000: the +4, its restriction and its contest."""

import pytest

import uno_env as uno

from .given import given, hand, knows, play, sizes

FILL = "blue-1 green-6 green-8"


def faced(held: str, top: str = "red-5", **more: object) -> uno.Game:
    """Seat 0 has laid a +4 holding these cards besides; seat 1 faces it."""
    g = given("ig2000", [f"wild-draw4 {held}", FILL, FILL], top, **more)
    return play(g, "0: play wild-draw4", "0: color blue")


def stack_of(amount: int, value: int) -> dict:
    """A penalty that seat 0 faces."""
    pending = {"amount": amount, "value": value, "source": 2, "contestable": value == 4}
    return {"phase": "stack", "pending": pending}


def is_bluff(held: str, top: str = "red-5", **more: object) -> bool:
    """Whether contesting that +4 is right."""
    g = faced(held, top, **more)
    before = sizes(g)
    play(g, "1: challenge")
    now = sizes(g)
    assert (now[0] > before[0]) != (now[1] > before[1])
    return now[0] > before[0]


def test_ig_39_plus4_names_a_color_and_costs_four():
    """A +4 lets its player name the colour; the next seat takes four and loses its turn."""
    g = given("ig2000", [f"wild-draw4 {FILL}", FILL, FILL], "red-5")
    play(g, "0: play wild-draw4")
    assert (g.actor, g.phase) == (0, "color")
    assert g.legal() == ["color red", "color yellow", "color green", "color blue"]
    play(g, "0: color green")
    assert (g.actor, g.phase) == (1, "stack")
    assert g.snapshot()["pending"]["amount"] == 4
    play(g, "1: take")
    assert sizes(g) == [3, 7, 3]
    assert (g.actor, g.phase) == (2, "play")
    assert g.snapshot()["active_color"] == "green"


def test_ig_40_answers_to_a_plus4():
    """A +4 may be taken, contested, topped by a +4 or cancelled by a Joker; a +2 is no answer."""
    held = "blue-draw2 wild-draw4 wild wild-swap blue-3"
    g = given("ig2000", [f"wild-draw4 {FILL}", held, FILL], "red-5")
    play(g, "0: play wild-draw4", "0: color blue", "1: pass")
    assert set(g.legal()) == {"take", "challenge", "play wild-draw4", "play wild"}
    top = play(g.clone(), "1: play wild-draw4", "1: color red")
    assert (top.actor, top.phase) == (2, "stack")
    assert top.snapshot()["pending"]["amount"] == 8
    play(g, "1: play wild", "1: color red")
    assert g.snapshot()["pending"] is None
    assert (g.actor, g.phase) == (2, "play")


@pytest.mark.parametrize("other", ["red-9", "green-5", "wild", "wild-swap"])
def test_ig_41_plus4_only_when_nothing_else_fits(other):
    """A +4 is honest only without a card of the colour, of the number, or another black card."""
    assert not is_bluff("green-6 green-8 yellow-9")
    assert is_bluff(f"green-6 green-8 {other}")


def test_ig_41_symbol_counts_too():
    """A card of the same symbol forbids a +4 as much as one of the same colour."""
    assert is_bluff("green-6 blue-skip yellow-9", top="red-skip")
    assert not is_bluff("green-6 blue-reverse yellow-9", top="red-skip")


def test_ig_42_contest_instead_of_drawing():
    """The seat that faces a +4 may contest it; what counts is the card that lay under the +4."""
    g = faced("blue-9 green-6 green-8")
    assert (g.actor, g.phase) == (1, "stack")
    assert "challenge" in g.legal()
    play(g, "1: challenge")
    # blue-9 fits the named colour but did not fit red-5.
    assert sizes(g) == [3, 9, 3]
    assert "challenge" in [event["type"] for event in g.events]


def test_ig_43_exposed_bluffer_draws_six():
    """A bluffer that is contested takes the four cards and two more, the contester none."""
    g = play(faced("red-9 green-6 green-8"), "1: challenge")
    assert sizes(g) == [9, 3, 3]
    assert g.snapshot()["pending"] is None


def test_ig_44_wrong_contest_costs_six_and_the_turn():
    """Whoever contests an honest +4 takes six cards and loses its turn."""
    g = play(faced("green-6 green-8 yellow-9"), "1: challenge")
    assert sizes(g) == [3, 9, 3]
    assert (g.actor, g.phase) == (2, "play")
    assert g.snapshot()["pending"] is None
    assert g.snapshot()["active_color"] == "blue"


@pytest.mark.parametrize(
    ("held", "loser"), [("wild green-6 green-8", 0), ("red-1 green-6 red-3", 1)]
)
def test_ig_45_contest_in_a_stack_is_about_the_whole_total(held, loser):
    """On a stack the loser of the contest draws the whole total and half as much again."""
    more = stack_of(4, 2)
    g = play(faced(held, "blue-draw2 red-draw2", **more), "1: challenge")
    expected = [3, 3, 3]
    expected[loser] += 12
    assert sizes(g) == expected


def test_ig_47_last_plus4_is_drawn_and_cannot_be_contested():
    """When a +4 wins the round, the next seat takes four cards before the count, without a say."""
    draw_pile = "red-9 blue-9 wild green-9 red-1"
    g = given("ig2000", ["wild-draw4", FILL, f"wild {FILL}"], "red-5", draw_pile, uno_called=[0])
    play(g, "0: play wild-draw4")
    assert g.over
    assert g.winners == (0,)
    assert sizes(g) == [0, 7, 4]
    assert list(g.points) == [0, 15 + 9 + 9 + 50 + 9, 65]


def test_ig_r4_a_bluff_may_be_played():
    """The rules do not stop a dishonest +4: only a contest punishes it."""
    g = given("ig2000", [f"wild-draw4 red-9 wild {FILL}", FILL, FILL], "red-5")
    assert "play wild-draw4" in g.legal()
    play(g, "0: play wild-draw4", "0: color blue", "1: take")
    assert sizes(g) == [5, 7, 3]


def test_ig_r5_other_plus4s_do_not_count():
    """Holding a second +4 does not make the first one a bluff."""
    g = given("ig2000", ["wild-draw4 wild-draw4 green-6 green-8", FILL, FILL], "red-5")
    play(g, "0: play wild-draw4", "0: color blue", "0: pass", "1: challenge")
    assert sizes(g)[1] == 9


@pytest.mark.parametrize(
    ("held", "bluff"),
    [
        ("green-draw2 green-6 green-8", True),
        ("wild green-6 green-8", True),
        ("red-1 red-skip green-8", False),
        ("wild-swap green-6 green-8", False),
    ],
)
def test_ig_r5_on_a_pending_plus2(held, bluff):
    """Facing a +2, only another +2 or a Joker in hand makes a +4 a bluff."""
    assert is_bluff(held, "red-draw2", **stack_of(2, 2)) is bluff


@pytest.mark.parametrize(
    ("held", "bluff"),
    [
        ("wild green-6 green-8", True),
        ("red-draw2 red-6 green-8", False),
        ("wild-swap green-6 green-8", False),
    ],
)
def test_ig_r5_on_a_pending_plus4(held, bluff):
    """Facing a +4, only a Joker in hand makes the next +4 a bluff."""
    more = stack_of(4, 4)
    assert is_bluff(held, "wild-draw4", active_color="red", **more) is bluff


def test_ig_r6_after_a_right_contest_the_contester_plays():
    """A contester who was right takes a normal turn on the colour that was named."""
    g = play(faced("red-9 green-6 green-8"), "1: challenge")
    assert (g.actor, g.phase) == (1, "play")
    assert g.snapshot()["active_color"] == "blue"
    assert set(g.legal()) == {"play blue-1", "draw"}


@pytest.mark.parametrize("held", ["red-9 green-6 green-8", "yellow-9 green-6 green-8"])
def test_ig_r7_only_the_contester_sees_the_hand(held):
    """The contester alone sees the contested hand; with `challenge_reveal="all"` everybody does."""
    g = play(faced(held), "1: challenge")
    assert set(knows(g, 1, 0)) >= set(held.split())
    assert not knows(g, 2, 0)
    g = play(faced(held, rules={"challenge_reveal": "all"}), "1: challenge")
    assert set(knows(g, 1, 0)) >= set(held.split())
    assert set(knows(g, 2, 0)) >= set(held.split())


def test_ig_r18_last_plus4_on_a_stack():
    """After a last +2 or +4 on a stack the next seat draws the whole total and may not answer."""
    g = given(
        "ig2000",
        ["wild-draw4", f"wild wild-draw4 {FILL}", FILL],
        "blue-draw2",
        uno_called=[0],
        **stack_of(2, 2),
    )
    play(g, "0: play wild-draw4")
    assert g.over
    assert g.winners == (0,)
    assert sizes(g) == [0, 5 + 6, 3]


@pytest.mark.parametrize(("held", "loser"), [(f"green-draw2 {FILL}", 2), (f"blue-3 {FILL}", 3)])
def test_ig_c1_contest_after_two_plus2s(held, loser):
    """After +2, +2, +4 a contest costs twelve: the bluffer if it held a +2, else the contester."""
    hands = [f"red-draw2 {FILL}", f"blue-draw2 {FILL}", f"wild-draw4 {held}", FILL]
    g = given("ig2000", hands, "red-5")
    play(g, "0: play red-draw2", "1: play blue-draw2", "2: play wild-draw4", "2: color green")
    assert g.snapshot()["pending"]["amount"] == 8
    play(g, "3: challenge")
    expected = [3, 3, 4, 3]
    expected[loser] += 12
    assert sizes(g) == expected
    assert (g.actor, g.phase) == ((3, "play") if loser == 2 else (0, "play"))
    assert g.snapshot()["active_color"] == "green"


def test_ig_c2_plus2_of_the_named_color_is_no_answer():
    """Under a +4 not even a +2 of the named colour may be laid."""
    g = given("ig2000", [f"wild-draw4 {FILL}", f"blue-draw2 wild {FILL}", FILL], "red-5")
    play(g, "0: play wild-draw4", "0: color blue")
    assert set(g.legal()) == {"take", "challenge", "play wild"}


def test_ig_c4_a_joker_in_hand_is_a_bluff():
    """A seat with only a Joker besides the +4 bluffs when it lays the +4, and pays six."""
    g = given("ig2000", ["wild-draw4 wild", FILL, FILL], "red-5")
    play(g, "0: play wild-draw4", "0: color blue", "0: call-uno", "1: challenge")
    assert sizes(g) == [7, 3, 3]
    assert g.actor == 1


def test_ig_c12_last_plus2_on_two_plus2s():
    """A last +2 on a pending four makes the next seat draw six, without an answer."""
    hands = ["green-draw2", f"yellow-draw2 wild {FILL}", FILL]
    more = stack_of(4, 2)
    g = given("ig2000", hands, "red-draw2 blue-draw2", uno_called=[0], **more)
    play(g, "0: play green-draw2")
    assert g.over
    assert sizes(g) == [0, 11, 3]
    assert g.points[1] == 20 + 50 + 15 + 9 + 8 + 9 + 9 + 9 + 8


def test_ig_c28_a_drawn_plus4_may_be_a_bluff():
    """A +4 that was drawn by choice is a bluff while a playable card is in hand."""
    g = given("ig2000", [f"red-9 {FILL}", FILL, FILL], "red-5", ["wild-draw4"] + ["yellow-9"] * 9)
    play(g, "0: draw", "0: play wild-draw4", "0: color blue", "1: challenge")
    assert sizes(g) == [10, 3, 3]
    assert hand(g, 0).count("yellow-9") == 6
