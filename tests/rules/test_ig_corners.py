"""IG 2000: corner cases of reactions."""

import pytest

from .given import given, hand, play, sizes

FILL = "blue-1 green-6 green-8"


def test_ig_c5_jump_in_on_a_plus2_before_it_is_drawn():
    """A twin +2 laid before the victim draws sends four to the seat after the jumper."""
    g = given("ig2000", [f"red-draw2 {FILL}", FILL, FILL, f"red-draw2 {FILL}"], "red-5")
    play(g, "0: play red-draw2", "3: jump-in")
    assert (g.actor, g.phase) == (0, "stack")
    assert g.snapshot()["pending"]["amount"] == 4
    assert sizes(g) == [3, 3, 3, 3]
    play(g, "0: take")
    assert sizes(g) == [7, 3, 3, 3]
    assert g.actor == 1


def test_ig_c6_jump_in_on_a_plus2_after_it_was_drawn():
    """Once the victim has taken its two cards, the seat after the jumper faces only two."""
    g = given("ig2000", [f"red-draw2 {FILL}", FILL, FILL, f"red-draw2 {FILL}"], "red-5")
    play(g, "0: play red-draw2", "3: pass", "1: take", "3: jump-in")
    assert (g.actor, g.phase) == (0, "stack")
    assert g.snapshot()["pending"]["amount"] == 2
    assert sizes(g) == [3, 5, 3, 3]


def test_ig_c7_jump_in_cuts_off_the_drawn_card():
    """A seat that drew a playable card cannot lay it any more when somebody jumps in first."""
    draw_pile = "red-9 blue-9"
    g = given("ig2000", [f"red-5 {FILL}", FILL, FILL, f"red-5 {FILL}"], "red-2", draw_pile)
    play(g, "0: play red-5", "3: pass", "1: draw", "3: jump-in")
    assert "red-9" in hand(g, 1)
    assert (g.actor, g.phase) == (0, "play")
    assert g.snapshot()["drawn_card"] is None


@pytest.mark.parametrize("rest", ["", "green-1"])
def test_ig_c8_jumping_in_on_oneself(rest):
    """A seat with both copies lays the second as a step of its own, after calling UNO if due."""
    g = given("ig2000", [f"blue-7 blue-7 {rest}", FILL, FILL], "blue-5")
    play(g, "0: play blue-7")
    if not rest:
        play(g, "0: call-uno")
    assert (g.actor, g.phase) == (0, "react")
    assert "jump-in" in g.legal()
    play(g, "0: jump-in")
    if rest:
        assert (g.actor, g.phase) == (0, "uno-call")
        play(g, "0: call-uno")
        assert (g.actor, g.phase) == (1, "play")
    else:
        assert g.over
        assert g.winners == (0,)


def test_ig_c9_sum_and_the_winners_reward():
    """A sum wins the round and earns the winner its ten percent."""
    scores = [0, 0, 120]
    g = given("ig2000", [f"red-9 {FILL}", FILL, "red-4 red-3 red-2"], "red-5", scores=scores)
    play(g, "0: play red-9", "2: sum")
    assert g.winners == (2,)
    assert list(g.scores) == [15, 15, 108]


@pytest.mark.parametrize("variant", ["ig2000", "loche"])
def test_ig_c9_no_sum_with_a_special(variant):
    """4, 5 and a Skip are no sum of 9: specials are excluded, and worth 20 in the Loche edition."""
    g = given(variant, [f"red-9 {FILL}", FILL, "green-4 blue-5 blue-skip"], "red-5")
    play(g, "0: play red-9")
    assert (g.actor, g.phase) == (1, "play")


def test_ig_c10_sum_by_the_player_of_the_card():
    """Whoever lays a 7 with 5 and 2 left may lay these too, after the others have let it pass."""
    g = given("ig2000", ["red-7 blue-5 green-2", f"red-7 {FILL}", FILL], "red-5")
    play(g, "0: play red-7", "1: pass", "0: sum")
    assert g.over
    assert g.winners == (0,)


def test_ig_c11_sum_without_a_call():
    """A silent seat with a single 6 may sum on a 6: the missing call does not matter."""
    g = given("ig2000", [f"red-6 {FILL}", FILL, "blue-6"], "red-5")
    play(g, "0: play red-6")
    assert (g.actor, g.phase) == (2, "react")
    play(g, "2: sum")
    assert g.over
    assert g.winners == (2,)


def test_ig_c13_no_reaction_to_a_winning_card():
    """A last card ends the round before anybody could jump in on it."""
    g = given("ig2000", ["red-skip", FILL, FILL, f"red-skip {FILL}"], "red-5", uno_called=[0])
    play(g, "0: play red-skip")
    assert g.over
    assert g.winners == (0,)


def test_ig_c14_jumping_in_with_the_last_card():
    """A declared last card laid by a jump-in wins; if it is a +2, the next seat draws the total."""
    g = given("ig2000", [f"red-7 {FILL}", FILL, FILL, "red-7"], "red-5", uno_called=[3])
    play(g, "0: play red-7", "3: jump-in")
    assert g.winners == (3,)
    g = given("ig2000", [f"red-draw2 {FILL}", FILL, FILL, "red-draw2"], "red-5", uno_called=[3])
    play(g, "0: play red-draw2", "3: jump-in")
    assert g.over
    assert g.winners == (3,)
    assert sizes(g) == [7, 3, 3, 0]


def test_ig_c14_jumping_in_undeclared_and_caught():
    """An undeclared last card laid by a jump-in stays laid when caught; its player draws two."""
    g = given("ig2000", [f"red-7 {FILL}", FILL, FILL, "red-7"], "red-5")
    play(g, "0: play red-7", "3: jump-in")
    assert (g.actor, g.phase) == (0, "uno-catch")
    play(g, "0: ignore", "1: catch")
    assert not g.over
    assert sizes(g) == [3, 3, 3, 2]
    assert g.snapshot()["discard"][-2:] == ["red-7", "red-7"]
    assert (g.actor, g.phase) == (0, "play")


def test_ig_c22_joker_on_a_joker():
    """Of several seats with a Joker the next one is asked first and may recolour by a jump-in."""
    g = given("ig2000", [f"wild {FILL}", f"wild {FILL}", FILL, f"wild {FILL}"], "red-5")
    play(g, "0: play wild", "0: color blue")
    assert (g.actor, g.phase) == (1, "react")
    play(g, "1: jump-in", "1: color yellow")
    assert g.snapshot()["active_color"] == "yellow"
    play(g, "3: pass")
    assert (g.actor, g.phase) == (2, "play")


def test_ig_c23_reverse_on_a_reverse():
    """A twin Reverse turns the direction back, and the jumper's left is next."""
    g = given("ig2000", [f"red-reverse {FILL}", FILL, f"red-reverse {FILL}", FILL], "red-5")
    play(g, "0: play red-reverse")
    assert g.snapshot()["direction"] == -1
    play(g, "2: jump-in")
    assert g.snapshot()["direction"] == 1
    assert (g.actor, g.phase) == (3, "play")


def test_ig_c24_skip_on_a_skip():
    """After a twin Skip only the jumper's skip counts: the seat after the jumper is passed over."""
    g = given("ig2000", [f"red-skip {FILL}", FILL, f"red-skip {FILL}", FILL, FILL], "red-5")
    play(g, "0: play red-skip", "2: jump-in")
    assert (g.actor, g.phase) == (4, "play")
