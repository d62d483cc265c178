"""All Wild (AW-01 to AW-12): a preset built from rows of the table of kinds and switches alone."""

from collections import Counter

import pytest

import uno_env as uno

from .given import deals, given, hand, knows, play, sizes

FILL = "wild wild wild"
PHYSICAL = {
    "AW-R2": "The sheet names the kinds, the total of 112 and that plain wilds are the most, no "
    "counts: 56 plain wilds and 8 of each other kind are assumed, and every count can be changed.",
}


def test_aw_01_the_deck_has_112_wilds():
    """The deck has 112 cards, all of them wilds: 56 plain ones and eight of each action."""
    deck = uno.Rules.preset("all_wild").deck
    assert deck.size == 112
    assert all(card.startswith("wild") for card in deck)
    actions = ("skip", "reverse", "skip2", "draw2", "draw4", "target-draw2", "forced-swap")
    assert Counter(deck) == Counter({"wild": 56, **{f"wild-{kind}": 8 for kind in actions}})


def test_aw_02_every_card_may_be_laid_on_every_card():
    """Every card may be laid on every other, and nobody names a colour."""
    kinds = list(uno.Rules.preset("all_wild").deck)
    for top in kinds:
        g = given("all_wild", [" ".join(kinds), FILL, FILL], top)
        assert g.legal() == [f"play {card}" for card in kinds]
    play(g, "0: play wild", "1: play wild")
    assert g.view(0)["active_color"] is None


def test_aw_03_the_first_card_has_no_effect():
    """The first card is turned up without effect, and the seat to the dealer's left begins."""
    tops = set()
    for g in deals("all_wild", seeds=80):
        view = g.view(0)
        tops.add(view["top_card"])
        assert (g.actor, g.phase, view["direction"]) == ((view["dealer"] + 1) % 4, "play", 1)
        assert (sizes(g), view["pending"]) == ([7, 7, 7, 7], None)
    assert len(tops) > 4


def test_aw_04_a_skip_passes_over_the_next_seat():
    """A wild skip makes the next seat lose its turn."""
    g = given("all_wild", [f"wild-skip {FILL}", FILL, FILL], "wild")
    assert play(g, "0: play wild-skip").actor == 2


def test_aw_05_a_reverse_turns_the_direction():
    """A wild reverse turns the direction of play; with two seats its player acts again."""
    g = given("all_wild", [f"wild-reverse {FILL}", FILL, FILL], "wild")
    play(g, "0: play wild-reverse")
    assert (g.actor, g.view(0)["direction"]) == (2, -1)
    g = given("all_wild", [f"wild-reverse {FILL}", FILL], "wild")
    assert play(g, "0: play wild-reverse").actor == 0


def test_aw_06_a_skip_two_passes_over_two_seats():
    """A wild skip two makes the next two seats lose their turns."""
    g = given("all_wild", [f"wild-skip2 {FILL}", FILL, FILL, FILL], "wild")
    play(g, "0: play wild-skip2")
    assert g.actor == 3
    assert [event["seat"] for event in g.events if event["type"] == "skip"] == [1, 2]


@pytest.mark.parametrize("seats", [2, 3])
def test_aw_r1_a_skip_two_passes_over_no_more_than_the_others(seats):
    """At a table of two or three a skip two passes over the others, so its player acts again."""
    g = given("all_wild", [f"wild-skip2 {FILL}", *[FILL] * (seats - 1)], "wild")
    assert play(g, "0: play wild-skip2").actor == 0


def test_aw_07_the_target_of_a_targeted_draw_keeps_its_turn():
    """The player of a wild targeted draw two chooses who draws two; that seat keeps its turn."""
    g = given("all_wild", [f"wild-target-draw2 {FILL}", FILL, FILL, FILL], "wild")
    play(g, "0: play wild-target-draw2")
    assert (g.actor, g.phase) == (0, "draw-target")
    assert g.legal() == ["target +1", "target +2", "target +3"]
    hit_next = play(g.clone(), "0: target +1")
    assert (sizes(hit_next), hit_next.actor, hit_next.phase) == ([3, 5, 3, 3], 1, "play")
    play(g, "0: target +2")
    assert (sizes(g), g.actor) == ([3, 3, 5, 3], 1)
    target = next(event for event in g.events if event["type"] == "target")
    assert target == {"type": "target", "seat": 0, "other": 2}


def test_aw_08_a_forced_swap_is_compulsory():
    """The player of a wild forced swap swaps hands with a seat of its choice; both know them."""
    g = given("all_wild", [f"wild-forced-swap {FILL}", "wild-skip wild-draw2", FILL], "wild")
    play(g, "0: play wild-forced-swap")
    assert (g.phase, g.legal()) == ("swap-target", ["target +1", "target +2"])
    play(g, "0: target +1")
    assert (hand(g, 0), hand(g, 1)) == (["wild-draw2", "wild-skip"], ["wild"] * 3)
    assert knows(g, 0, 1) == ["wild"] * 3
    assert knows(g, 1, 0) == ["wild-draw2", "wild-skip"]
    assert g.actor == 1


@pytest.mark.parametrize(("card", "count"), [("wild-draw2", 2), ("wild-draw4", 4)])
def test_aw_09_a_draw_card_hits_the_next_seat(card, count):
    """A wild draw two or four makes the next seat draw and lose its turn, without an answer."""
    g = given("all_wild", [f"{card} {FILL}", f"wild-draw4 {FILL}", FILL], "wild")
    play(g, f"0: play {card}")
    assert (sizes(g), g.actor, g.phase) == ([3, 4 + count, 3], 2, "play")


def test_aw_10_plain_wilds_count_twenty_and_the_others_fifty():
    """The winner gets 20 points for each plain wild left in other hands and 50 for each other."""
    g = given("all_wild", ["wild", "wild wild-skip", "wild-draw4 wild"], "wild", uno_called=[0])
    play(g, "0: play wild")
    assert (g.winners, g.points) == ((0,), [140, 0, 0])


def test_aw_11_nobody_draws_in_its_turn():
    """Since every card can be laid, a turn is always a card: nobody may draw instead."""
    for g in deals("all_wild", num_players=3, seeds=10):
        while not g.over:
            if g.phase == "play":
                assert "draw" not in g.legal()
            g.step(g.legal()[0])
        assert len(g.winners) == 1


def test_aw_12_uno_is_called_after_a_swap_too():
    """Whoever is left with one card calls UNO, also a seat that got it by a forced swap."""
    g = given("all_wild", ["wild-forced-swap wild wild", "wild-skip", FILL], "wild", uno_called=[1])
    play(g, "0: play wild-forced-swap", "0: target +1")
    assert (g.actor, g.phase) == (0, "uno-call")
