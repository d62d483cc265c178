"""Hyper Speed: corner cases (HS-C1 to HS-C15)."""

from .given import deals, given, hand, knows, play, sizes

THREE = "yellow-1 yellow-2 yellow-3"
HYPER = {"hyper_color": "blue"}


def test_hs_c1_draw2_and_wild_turned_before_the_starter():
    """A Draw Two and a Wild turned first just lie under the number; nobody draws or names."""
    deck = {"*": 0, "green-draw2": 40, "wild": 40, "red-5": 40}
    found = 0
    for g in deals("hyper_speed", 4, 120, deck=deck):
        now = g.snapshot()
        if now["discard"][:2] == ["green-draw2", "wild"] and len(now["discard"]) == 3:
            found += 1
            assert now["discard"][-1] == "red-5"
            assert sizes(g) == [7] * 4
            assert (g.actor, g.phase) == ((now["dealer"] + 1) % 4, "play")
            assert now["active_color"] == "red"
    assert found


def test_hs_c2_bluff_against_a_color_named_by_a_wild():
    """On a Wild named green a green card in hand proves the bluff; play goes on in red."""
    hands = ["wild-draw4 green-3 blue-1 blue-2", "red-1 red-2 green-4", THREE]
    g = given("hyper_speed", hands, "yellow-5 wild", active_color="green")
    play(g, "0: play wild-draw4", "0: color red", "1: challenge")
    assert sizes(g) == [7, 3, 3]
    assert (g.actor, g.phase) == (1, "play")
    assert set(g.legal()) == {"play red-1", "play red-2", "draw"}


def test_hs_c3_a_wild_beside_the_wild_draw4_makes_it_a_bluff():
    """With just a Wild besides, the challenge is right; with just a blue 2 on red it is wrong."""
    off = {"rules": {"uno_call": "off"}}
    g = given("hyper_speed", ["wild-draw4 wild", THREE, THREE], "red-5", **off)
    play(g, "0: play wild-draw4", "0: color red", "1: challenge")
    assert sizes(g) == [5, 3, 3]
    g = given("hyper_speed", ["wild-draw4 blue-2", THREE, THREE], "red-5", **off)
    play(g, "0: play wild-draw4", "0: color red", "1: challenge")
    assert sizes(g) == [1, 9, 3]


def test_hs_c4_cards_drawn_later_do_not_change_the_verdict():
    """A red card drawn for a missed UNO call after the Wild Draw Four does not make it a bluff."""
    draw_pile = ["red-1", "red-2", *["green-1"] * 8]
    g = given("hyper_speed", ["wild-draw4 blue-2", THREE, THREE], "red-5", draw_pile)
    play(g, "0: play wild-draw4", "0: color green", "0: stay-silent", "1: catch")
    assert hand(g, 0) == ["blue-2", "red-1", "red-2"]
    assert (g.actor, g.phase) == (1, "challenge")
    play(g, "1: challenge")
    assert sizes(g) == [3, 9, 3]
    assert g.actor == 2


def test_hs_c5_reverse_of_the_hyper_color_with_three_seats():
    """A Reverse of the hyper colour turns the direction, then skips the seat that would follow."""
    g = given("hyper_speed", ["blue-reverse red-1 red-2", THREE, THREE], "blue-5", **HYPER)
    play(g, "0: play blue-reverse")
    assert g.snapshot()["direction"] == -1
    assert g.actor == 1


def test_hs_c6_two_seats_in_hyper_mode():
    """With two seats whoever plays the hyper colour acts again, as long as it can."""
    hands = ["blue-4 blue-6 blue-7 red-1 red-2", THREE]
    g = given("hyper_speed", hands, "blue-5", "green-8 " * 4, **HYPER)
    play(g, "0: play blue-4", "0: play blue-6", "0: play blue-7", "0: draw")
    assert g.actor == 1
    for card in ("blue-skip", "blue-draw2", "blue-reverse"):
        g = given("hyper_speed", [f"{card} red-1 red-2", THREE], "blue-5", **HYPER)
        assert play(g, f"0: play {card}").actor == 0


def test_hs_c7_draw2_of_the_hyper_color():
    """A Draw Two of the hyper colour: the next seat draws 2 and one turn is lost, not two."""
    hands = ["blue-draw2 red-1 red-2", THREE, THREE, THREE]
    g = play(given("hyper_speed", hands, "blue-5", **HYPER), "0: play blue-draw2")
    assert sizes(g) == [2, 5, 3, 3]
    assert g.actor == 2
    assert g.snapshot()["hyper_color"] == "blue"


def test_hs_c8_skip_of_another_color_ends_the_mode_and_still_skips():
    """A red Skip on a blue Skip ends hyper blue, and its own effect still skips the next seat."""
    hands = ["red-skip red-1 red-2", THREE, THREE, THREE]
    g = play(given("hyper_speed", hands, "blue-skip", **HYPER), "0: play red-skip")
    assert g.snapshot()["hyper_color"] is None
    assert g.actor == 2


def test_hs_c9_drawing_keeps_the_mode_and_skips_nobody():
    """A seat that draws and keeps leaves hyper mode on, and the next seat acts."""
    g = given("hyper_speed", ["red-1 red-2 red-3", THREE, THREE], "blue-5", "blue-8 red-9", **HYPER)
    play(g, "0: draw", "0: keep")
    assert g.actor == 1
    assert g.snapshot()["hyper_color"] == "blue"
    play(g, "1: draw")
    assert g.actor == 2
    assert g.snapshot()["hyper_color"] == "blue"


def test_hs_c10_exposed_wild_draw4_that_keeps_the_hyper_color():
    """An exposed Wild Draw Four naming blue leaves hyper blue on; the challenger's blue skips."""
    hands = ["wild-draw4 blue-1 red-1 red-2", "blue-2 red-3 red-4", THREE, THREE]
    g = given("hyper_speed", hands, "blue-5", **HYPER)
    play(g, "0: play wild-draw4", "0: color blue", "1: challenge")
    assert sizes(g) == [7, 3, 3, 3]
    assert knows(g, 1, 0) == ["blue-1", "red-1", "red-2"]
    assert g.snapshot()["hyper_color"] == "blue"
    play(g, "1: play blue-2")
    assert g.actor == 3


def test_hs_c11_last_card_of_the_hyper_color_wins():
    """Going out with the hyper colour ends the round; there is no skip left to apply."""
    g = given("hyper_speed", ["blue-7", THREE, THREE], "blue-5", **HYPER)
    play(g, "0: play blue-7")
    assert g.over
    assert g.winners == (0,)
    assert g.actor is None


def test_hs_c12_a_penalty_larger_than_the_piles_is_not_owed_later():
    """A challenger owing 6 draws the 2 cards there are and loses its turn; no debt is left."""
    hands = ["blue-1 blue-2 blue-3", THREE, "green-1 green-2 green-3"]
    faced = {"amount": 4, "value": 4, "source": 0, "contestable": True}
    named = {"active_color": "green", "color_before": "red"}
    g = given("hyper_speed", hands, "wild-draw4", "red-8 red-9", turn=1, pending=faced, **named)
    assert (g.actor, g.phase) == (1, "challenge")
    play(g, "1: challenge")
    assert hand(g, 1) == ["red-8", "red-9", *THREE.split()]
    assert (g.actor, g.phase) == (2, "play")
    play(g, "2: play green-1", "0: play blue-1")
    assert (g.actor, g.phase) == (1, "play")
    assert sizes(g) == [2, 5, 2]
    assert g.snapshot()["pending"] is None


def test_hs_c13_recycling_during_hyper_mode():
    """A reshuffle keeps the mode and the colour; a recycled Hyper Speed card is an ordinary one."""
    hands = ["red-1 red-2 red-3", THREE, THREE]
    g = given("hyper_speed", hands, "wild-hyper-speed blue-3", "", **HYPER)
    play(g, "0: draw")
    assert hand(g, 0) == ["red-1", "red-2", "red-3", "wild-hyper-speed"]
    assert g.snapshot()["hyper_color"] == "blue"
    assert g.snapshot()["active_color"] == "blue"
    play(g, "0: play wild-hyper-speed")
    assert (g.actor, g.phase) == (0, "color")
    on_top = given(
        "hyper_speed", hands, "green-3 wild-hyper-speed", "", active_color="blue", **HYPER
    )
    play(on_top, "0: draw")
    now = on_top.snapshot()
    assert now["discard"] == ["wild-hyper-speed"]
    assert (now["active_color"], now["hyper_color"]) == ("blue", "blue")


def test_hs_c14_an_unplayable_card_after_a_voluntary_draw_ends_the_turn():
    """Drawing an unplayable card by choice ends the turn; the playable hand card must wait."""
    g = given("hyper_speed", ["red-1 blue-2 blue-3", THREE, THREE], "red-5", "green-8")
    assert "play red-1" in g.legal()
    play(g, "0: draw")
    assert (g.actor, g.phase) == (1, "play")
    assert hand(g, 0) == ["blue-2", "blue-3", "green-8", "red-1"]


def test_hs_c15_uno_protocol_precedes_an_extra_turn_of_its_player():
    """With two seats a Skip down to one card still asks for call and catch before the new turn."""
    g = given("hyper_speed", ["red-skip blue-2", THREE], "red-5", "green-1 green-2")
    play(g, "0: play red-skip")
    assert (g.actor, g.phase) == (0, "uno-call")
    play(g, "0: stay-silent")
    assert (g.actor, g.phase) == (1, "uno-catch")
    play(g, "1: catch")
    assert (g.actor, g.phase) == (0, "play")
    assert sizes(g) == [3, 3]
