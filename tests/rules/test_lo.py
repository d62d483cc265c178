"""Loche edition: what it changes in IG 2000."""

import pytest

import uno_env as uno

from .given import given, hand, play, sizes

FILL = "blue-1 green-6 green-8"


def bluff_in(variant: str, held: str, top: str = "red-5", **more: object) -> bool:
    """Whether seat 0, holding these cards besides, bluffs with a +4 on this top card."""
    g = given(variant, [f"wild-draw4 {held}", FILL, FILL], top, **more)
    play(g, "0: play wild-draw4", "0: color yellow")
    before = sizes(g)
    play(g, "1: challenge")
    now = sizes(g)
    assert (now[0] > before[0]) != (now[1] > before[1])
    return now[0] > before[0]


def test_lo_01_lo_02_nothing_else_changes():
    """The Loche edition is IG 2000 with another +4 condition and a wider sum."""
    loche, ig = uno.Rules.preset("loche"), uno.Rules.preset("ig2000")
    fields = [n for n in uno.Rules.model_fields if getattr(loche, n) != getattr(ig, n)]
    assert sorted(fields) == ["plus4_legality", "sum_out", "variant"]


@pytest.mark.parametrize("other", ["blue-5", "wild", "wild-swap", "green-9"])
def test_lo_01_plus4_needs_only_a_lack_of_the_color(other):
    """A +4 is honest without the required colour; equal numbers and wilds do not forbid it."""
    assert not bluff_in("loche", f"green-6 green-8 {other}")


def test_lo_01_the_color_makes_it_a_bluff():
    """Holding any card of the required colour makes the +4 a bluff, which costs six."""
    assert bluff_in("loche", "green-6 green-8 red-1")
    assert bluff_in("loche", "green-6 green-8 red-skip")
    assert bluff_in("loche", "green-6 green-8 blue-1", "wild", active_color="blue")
    g = given("loche", ["wild-draw4 red-1 green-6 green-8", FILL, FILL], "red-5")
    play(g, "0: play wild-draw4", "0: color yellow", "1: challenge")
    assert sizes(g) == [9, 3, 3]
    assert g.actor == 1


def test_lo_01_symbol_no_longer_counts():
    """A card of the same symbol in another colour does not forbid the +4."""
    assert not bluff_in("loche", "blue-skip green-6 green-8", "red-skip")


@pytest.mark.parametrize(
    ("laid", "held"),
    [
        ("red-skip", "blue-draw2"),
        ("red-skip", "red-9 green-9 blue-2"),
        ("red-draw2", "blue-skip"),
        ("wild", "blue-skip green-reverse red-9 red-1"),
        ("wild", "wild-swap"),
        ("red-9", "green-4 blue-5"),
    ],
)
def test_lo_02_specials_count_in_a_sum(laid, held):
    """Specials take part in a sum at their points, in the hand and as the card to be equalled."""
    g = given("loche", [f"{laid} {FILL}", FILL, FILL, held], "red-5")
    play(g, f"0: play {laid}")
    if g.phase == "color":
        play(g, "0: color red")
    assert (g.actor, g.phase) == (3, "react")
    assert "sum" in g.legal()
    play(g, "3: sum")
    assert g.over
    assert g.winners == (3,)
    assert hand(g, 3) == []


@pytest.mark.parametrize(
    ("held", "bluff"), [("red-1 green-6 green-8", True), ("blue-draw2 wild green-8", False)]
)
def test_lo_r1_the_color_counts_under_a_penalty_too(held, bluff):
    """Facing a red +2 it is still red in hand, not an answer, that makes a +4 a bluff."""
    pending = {"amount": 2, "value": 2, "source": 2, "contestable": False}
    more = {"phase": "stack", "pending": pending}
    assert bluff_in("loche", held, "red-draw2", **more) is bluff
    assert bluff_in("ig2000", held, "red-draw2", **more) is not bluff


def test_lo_r2_specials_laid_by_a_sum_do_nothing():
    """Cards laid by a sum have no effect: nobody draws for a +2 among them."""
    g = given("loche", [f"red-skip {FILL}", FILL, "blue-draw2", FILL], "red-5")
    play(g, "0: play red-skip", "2: sum")
    assert g.over
    assert g.winners == (2,)
    assert sizes(g) == [3, 3, 0, 3]
    assert list(g.points) == [15, 15, 0, 15]


def test_lo_c1_number_match_is_honest_here_only():
    """On a red 5, a blue 5 in hand makes the +4 a bluff in IG 2000 but not in the Loche edition."""
    assert not bluff_in("loche", "blue-5 green-6 green-8")
    assert bluff_in("ig2000", "blue-5 green-6 green-8")


@pytest.mark.parametrize("held", ["green-reverse", "green-9 blue-8 yellow-3"])
def test_lo_c2_twenty_on_a_skip(held):
    """A Skip is worth 20: a single Reverse equals it, and so do 9, 8 and 3."""
    g = given("loche", [f"red-skip {FILL}", held, FILL], "red-5")
    play(g, "0: play red-skip")
    assert (g.actor, g.phase) == (1, "react")
    assert set(g.legal()) == {"sum", "pass"}
    play(g, "1: sum")
    assert g.winners == (1,)


def test_lo_c3_fifty_on_a_joker():
    """A single +4 equals a Joker; laid as a sum it makes nobody draw."""
    g = given("loche", [f"wild {FILL}", FILL, "wild-draw4", FILL], "red-5")
    play(g, "0: play wild", "0: color red")
    assert (g.actor, g.phase) == (2, "react")
    play(g, "2: sum")
    assert g.over
    assert g.winners == (2,)
    assert sizes(g) == [3, 3, 0, 3]


def test_lo_c4_sum_makes_a_penalty_lapse():
    """A sum on a pending +2 ends the round before the victim draws."""
    g = given("loche", [f"red-draw2 {FILL}", FILL, FILL, "green-9 blue-8 yellow-3"], "red-5")
    play(g, "0: play red-draw2", "3: sum")
    assert g.over
    assert g.winners == (3,)
    assert sizes(g) == [3, 3, 3, 0]
    assert list(g.points) == [15, 15, 15, 0]


@pytest.mark.parametrize("special", ["blue-skip", "blue-draw2", "wild"])
def test_lo_c5_no_special_fits_a_number(special):
    """On a number card a hand with a special is always too heavy for a sum."""
    for number in (4, 9):
        g = given("loche", [f"red-{number} {FILL}", FILL, special], "red-5", uno_called=[2])
        play(g, f"0: play red-{number}")
        assert (g.actor, g.phase) == (1, "play")
        g = given("loche", [f"red-{number} {FILL}", FILL, f"green-{number} {special}"], "red-5")
        play(g, f"0: play red-{number}")
        assert (g.actor, g.phase) == (1, "play")
