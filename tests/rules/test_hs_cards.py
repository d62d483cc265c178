"""Hyper Speed: what each card does, and the score (HS-19 to HS-37)."""

import pytest

from .given import given, hand, knows, play, sizes, told

THREE = "yellow-1 yellow-2 yellow-3"
COLORS = {"color red", "color yellow", "color green", "color blue"}
NO_UNO = {"uno_call": "off"}


def test_hs_19_draw2_hits_the_next_seat():
    """After a Draw Two the next seat takes 2 cards and loses its turn, with no choice."""
    mine = "red-draw2 red-1 red-2"
    g = given("hyper_speed", [mine, "red-draw2 red-3 red-4", THREE], "red-5", "green-1 green-2")
    play(g, "0: play red-draw2")
    assert (g.actor, g.phase) == (2, "play")
    assert hand(g, 1) == ["green-1", "green-2", "red-3", "red-4", "red-draw2"]


def test_hs_20_reverse_turns_the_direction():
    """A Reverse turns play the other way round, each time it is laid."""
    g = given(
        "hyper_speed", ["red-reverse red-1 red-2", THREE, THREE, "blue-reverse " + THREE], "red-5"
    )
    play(g, "0: play red-reverse")
    assert g.snapshot()["direction"] == -1
    play(g, "3: play blue-reverse")
    assert g.snapshot()["direction"] == 1
    assert g.actor == 0


def test_hs_21_wild_fits_everything_and_names_a_color():
    """A Wild may be laid on any card at any own turn and names any colour, the present one too."""
    for top in ("red-5", "blue-skip", "green-draw2"):
        g = given("hyper_speed", ["wild red-1 blue-2 green-3", THREE, THREE], top)
        play(g, "0: play wild")
        assert (g.actor, g.phase) == (0, "color")
        assert set(g.legal()) == COLORS
        assert g.snapshot()["active_color"] == top.split("-")[0]  # until another is named
        play(g, "0: color yellow")
        assert g.actor == 1
        assert all(g.view(seat)["active_color"] == "yellow" for seat in range(3))
        assert set(g.legal()) == {"play yellow-1", "play yellow-2", "play yellow-3", "draw"}
    g = given("hyper_speed", ["wild red-1 blue-2 green-3", THREE, THREE], "red-5")
    play(g, "0: play wild", "0: color red")
    assert g.view(1)["active_color"] == "red"


def test_hs_22_hyper_speed_names_a_color_and_starts_the_mode():
    """A Hyper Speed wild names a colour and opens hyper mode for it; it skips nobody itself."""
    g = given("hyper_speed", ["wild-hyper-speed red-1 blue-2 green-3", THREE, THREE], "red-5")
    play(g, "0: play wild-hyper-speed")
    assert (g.actor, g.phase) == (0, "color")
    assert set(g.legal()) == COLORS
    play(g, "0: color blue")
    assert (g.actor, g.phase) == (1, "play")
    for seat in range(3):
        assert g.view(seat)["active_color"] == "blue"
        assert g.view(seat)["hyper_color"] == "blue"


def test_hs_23_each_card_of_the_hyper_color_skips_a_seat():
    """In hyper mode every card of its colour also costs the next seat its turn."""
    hands = ["blue-1 blue-2 red-3", THREE, "red-4 red-6 red-7", THREE]
    g = given("hyper_speed", hands, "blue-5", "blue-9 " * 4, hyper_color="blue")
    play(g, "0: play blue-1")
    assert g.actor == 2
    assert any(e["type"] == "skip" for e in g.view(1)["events"])
    play(g, "2: draw", "2: play blue-9")
    assert (g.actor, g.phase) == (0, "play")
    assert g.snapshot()["hyper_color"] == "blue"


def test_hs_24_another_color_ends_hyper_mode():
    """Hyper mode is over as soon as a card of another colour is laid, which skips nobody."""
    g = given("hyper_speed", ["red-5 red-6 red-7", THREE, THREE], "blue-5", hyper_color="blue")
    play(g, "0: play red-5")
    assert g.actor == 1
    assert g.snapshot()["hyper_color"] is None
    assert g.view(2)["hyper_color"] is None


def test_hs_25_worked_example_with_four_seats():
    """Hyper blue: seats 1 and 3 play blue and skip 2 and 0; a number match ends it for seat 2."""
    hands = ["wild-hyper-speed " + THREE, "blue-1 green-7 green-2", THREE, "blue-7 red-2 red-3"]
    g = given("hyper_speed", hands, "red-5", rules=NO_UNO)
    play(g, "0: play wild-hyper-speed", "0: color blue")
    play(g, "1: play blue-1", "3: play blue-7", "1: play green-7")
    assert (g.actor, g.phase) == (2, "play")
    assert g.snapshot()["hyper_color"] is None


def test_hs_26_wild_draw4_fits_everything():
    """A Wild Draw Four is offered on every top card."""
    for top in ("red-5", "blue-skip", "green-reverse", "yellow-draw2"):
        g = given("hyper_speed", ["wild-draw4 red-1 blue-2", THREE, THREE], top)
        assert "play wild-draw4" in g.legal()


@pytest.mark.parametrize(
    ("rest", "honest"), [("blue-5 blue-2 green-3", True), ("red-1 blue-2 green-3", False)]
)
def test_hs_27_wild_draw4_is_meant_for_hands_without_the_color(rest, honest):
    """A Wild Draw Four is honest only without a card of the active colour in hand."""
    g = given("hyper_speed", [f"wild-draw4 {rest}", THREE, THREE], "red-5")
    play(g, "0: play wild-draw4", "0: color green", "1: challenge")
    assert sizes(g) == ([3, 9, 3] if honest else [7, 3, 3])


def test_hs_28_target_of_a_wild_draw4_accepts_or_challenges():
    """After the colour is named the next seat takes 4 cards and loses its turn, or challenges."""
    draw_pile = "green-1 green-2 green-3 green-4"
    g = given("hyper_speed", ["wild-draw4 blue-2 blue-3 blue-4", THREE, THREE], "red-5", draw_pile)
    play(g, "0: play wild-draw4", "0: color green")
    assert (g.actor, g.phase) == (1, "challenge")
    assert set(g.legal()) == {"accept", "challenge"}
    play(g, "1: accept")
    assert (g.actor, g.phase) == (2, "play")
    assert hand(g, 1) == [*draw_pile.split(), *THREE.split()]


@pytest.mark.parametrize("rest", ["blue-6 blue-2 green-3", "red-1 blue-2 green-3"])
def test_hs_29_only_the_challenger_sees_the_challenged_hand(rest):
    """A challenged seat shows its hand to the challenger; the others learn just the verdict."""
    g = given("hyper_speed", [f"wild-draw4 {rest}", THREE, THREE], "red-5")
    play(g, "0: play wild-draw4", "0: color green")
    assert knows(g, 1, 0) == []
    play(g, "1: challenge")
    assert knows(g, 1, 0) == sorted(rest.split())
    assert knows(g, 2, 0) == []
    assert rest.split()[0] not in told(g, 2)
    assert any(e["type"] == "challenge" for e in g.view(2)["events"])


def test_hs_29_option_shows_the_hand_to_everybody():
    """An option shows the challenged hand to the whole table."""
    rules = {"challenge_reveal": "all"}
    hands = ["wild-draw4 red-1 blue-2 green-3", THREE, THREE]
    g = given("hyper_speed", hands, "red-5", rules=rules)
    play(g, "0: play wild-draw4", "0: color green", "1: challenge")
    assert knows(g, 1, 0) == knows(g, 2, 0) == ["blue-2", "green-3", "red-1"]


def test_hs_30_wilds_in_hand_count_as_the_tested_color():
    """In the proof a wild in hand counts as a card of the tested colour."""
    g = given("hyper_speed", ["wild-draw4 wild blue-2 green-3", THREE, THREE], "red-5")
    play(g, "0: play wild-draw4", "0: color green", "1: challenge")
    assert sizes(g) == [7, 3, 3]


def test_hs_31_a_lost_challenge_costs_six_cards_and_the_turn():
    """A challenger who is wrong draws 6 cards instead of 4 and loses its turn."""
    draw_pile = "green-1 green-2 green-3 green-4 green-5 green-6 green-7"
    g = given("hyper_speed", ["wild-draw4 blue-2 blue-3 blue-4", THREE, THREE], "red-5", draw_pile)
    play(g, "0: play wild-draw4", "0: color green", "1: challenge")
    assert (g.actor, g.phase) == (2, "play")
    assert hand(g, 1) == [*draw_pile.split()[:6], *THREE.split()]
    assert sizes(g) == [3, 9, 3]


def test_hs_32_an_exposed_bluff_costs_its_player_four_cards():
    """When the challenge is right the player of the card draws 4 and the challenger none."""
    draw_pile = "green-1 green-2 green-3 green-4 green-5"
    g = given("hyper_speed", ["wild-draw4 red-2 blue-3 blue-4", THREE, THREE], "red-5", draw_pile)
    play(g, "0: play wild-draw4", "0: color green", "1: challenge")
    assert hand(g, 0) == ["blue-3", "blue-4", *draw_pile.split()[:4], "red-2"]
    assert hand(g, 1) == THREE.split()
    assert (g.actor, g.phase) == (1, "play")


@pytest.mark.parametrize("rest", ["red-1 blue-2 blue-3", "blue-1 blue-2 blue-3"])
@pytest.mark.parametrize("answer", ["accept", "challenge"])
def test_hs_33_named_color_stands_whatever_the_challenge_yields(rest, answer):
    """The player of a Wild Draw Four names a colour first, and it holds after any answer."""
    g = given("hyper_speed", [f"wild-draw4 {rest}", THREE, THREE], "red-5")
    play(g, "0: play wild-draw4")
    assert (g.actor, g.phase) == (0, "color")
    assert set(g.legal()) == COLORS
    play(g, "0: color yellow")
    assert g.view(1)["active_color"] == "yellow"
    play(g, f"1: {answer}")
    assert g.view(2)["active_color"] == "yellow"
    assert "play yellow-1" in g.legal()


def test_hs_34_skip_costs_the_next_seat_its_turn():
    """After a Skip the next seat in the direction of play gets no turn."""
    g = given("hyper_speed", ["red-skip red-1 red-2", THREE, THREE, THREE], "red-5")
    play(g, "0: play red-skip")
    assert (g.actor, g.phase) == (2, "play")
    hands = ["red-skip red-1 red-2", THREE, THREE, THREE]
    g = play(given("hyper_speed", hands, "red-5", direction=-1), "0: play red-skip")
    assert g.actor == 2
    g = play(given("hyper_speed", hands[:3], "red-5", direction=-1), "0: play red-skip")
    assert g.actor == 1


def test_hs_35_winner_scores_the_cards_left_in_other_hands():
    """The round winner scores the value of every card the others still hold, now shown to all."""
    g = given("hyper_speed", ["red-7", "blue-9 green-skip", "wild yellow-3"], "red-5")
    play(g, "0: play red-7")
    assert g.points == [82, 0, 0]
    assert g.scores == [82, 0, 0]
    for seat in range(3):
        for card in ("blue-9", "green-skip", "wild", "yellow-3"):
            assert card in told(g, seat)


@pytest.mark.parametrize(
    ("card", "value"),
    [
        *((f"green-{number}", number) for number in range(10)),
        ("green-skip", 20),
        ("green-reverse", 20),
        ("green-draw2", 20),
        ("wild", 50),
        ("wild-draw4", 50),
        ("wild-hyper-speed", 50),
    ],
)
def test_hs_36_card_values(card, value):
    """Numbers count their figure, Skip, Reverse and Draw Two 20, every wild 50."""
    g = play(given("hyper_speed", ["red-7", f"{card} {card}"], "red-5"), "0: play red-7")
    assert g.points == [2 * value, 0]


def test_hs_37_match_goes_on_until_a_seat_reaches_500():
    """Scores add up from round to round and the first seat at 500 wins the match."""
    more = {"episode": "match", "dealer": 1}
    g = given("hyper_speed", ["red-7", "wild"], "red-5", scores=[449, 480], **more)
    play(g, "0: play red-7")
    assert not g.over
    assert g.scores == [499, 480]
    assert sizes(g) == [7, 7]
    g = given("hyper_speed", ["red-7", "wild"], "red-5", scores=[450, 480], **more)
    play(g, "0: play red-7")
    assert g.over
    assert g.scores == [500, 480]
    assert g.winners == (0,)
