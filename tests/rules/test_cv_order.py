"""Shared conventions: order after a play, the UNO protocol, challenges (CV-07 to CV-10)."""

import numpy as np
import pytest

import uno_env as uno

from .given import given, hand, play, sizes

THREE = "yellow-1 yellow-2 yellow-3"
VARIANTS = ("hyper_speed", "classic", "no_mercy", "ig2000", "loche", "teams")


def test_cv_07_color_then_uno_then_the_other_seats_choice():
    """After a play: its colour, the UNO protocol, and only then the next seat's own choice."""
    g = given("hyper_speed", ["wild-draw4 blue-2", THREE, THREE], "red-5")
    play(g, "0: play wild-draw4")
    assert (g.actor, g.phase) == (0, "color")
    play(g, "0: color red")
    assert (g.actor, g.phase) == (0, "uno-call")
    play(g, "0: stay-silent", "1: ignore", "2: ignore")
    assert (g.actor, g.phase) == (1, "challenge")


def test_cv_07_going_out_comes_before_any_choice_of_the_card():
    """The last card ends the round before a colour or target would be chosen."""
    for variant, card in (
        ("classic", "wild"),
        ("hyper_speed", "wild-hyper-speed"),
        ("no_mercy", "red-7"),
    ):
        g = play(given(variant, [card, THREE, THREE], "red-5"), f"0: play {card}")
        assert g.over
        assert g.winners == (0,)


def test_cv_07_effects_come_before_the_uno_protocol():
    """Cards a play makes others draw are drawn before UNO is asked for."""
    g = given("classic", ["red-draw2 blue-2", THREE, THREE], "red-5")
    play(g, "0: play red-draw2")
    assert (g.actor, g.phase) == (0, "uno-call")
    assert sizes(g) == [1, 5, 3]


def test_cv_07_reactions_come_after_uno_and_before_the_next_turn():
    """Where reactions exist they are offered after the UNO protocol, before the next turn."""
    hands = ["red-7 blue-2", THREE, "red-7 green-1 green-2"]
    g = play(given("ig2000", hands, "red-5"), "0: play red-7")
    assert (g.actor, g.phase) == (0, "uno-call")
    play(g, "0: call-uno")
    assert (g.actor, g.phase) == (2, "react")
    play(g, "2: pass")
    assert (g.actor, g.phase) == (1, "play")


def test_cv_07_a_victims_color_choice_is_its_first_step():
    """The victim of a roulette names its colour after the UNO protocol of the card's player."""
    g = given("no_mercy", ["wild-roulette blue-2", THREE, THREE], "red-5")
    play(g, "0: play wild-roulette")
    assert (g.actor, g.phase) == (0, "uno-call")
    play(g, "0: call-uno")
    assert (g.actor, g.phase) == (1, "roulette-color")


def test_cv_07_a_new_hand_of_one_card_owes_a_new_call():
    """A single card received from another seat must be announced: calls stay with their seat."""
    hands = ["red-7 blue-1 blue-2", "green-1", THREE]
    g = given("no_mercy", hands, "red-5", uno_called=[1])
    play(g, "0: play red-7", "0: target +1")
    assert hand(g, 0) == ["green-1"]
    assert (g.actor, g.phase) == (0, "uno-call")
    assert 1 not in g.snapshot()["uno_called"]
    hands = ["red-7 blue-1", "green-1", THREE]
    g = given("no_mercy", hands, "red-5", uno_called=[1])
    play(g, "0: play red-7", "0: target +1")
    assert (g.actor, g.phase) == (0, "uno-call")
    play(g, "0: call-uno")
    assert (g.actor, g.phase) == (1, "uno-call")


def test_cv_08_call_or_silence_then_catch_in_turn_order():
    """A seat with one card calls or not; if not, opponents are asked in turn until one catches."""
    g = given("classic", ["red-7 blue-9", THREE, THREE, THREE], "red-5", "green-1 green-2 green-3")
    play(g, "0: play red-7")
    called = play(g.clone(), "0: call-uno")
    assert (called.actor, called.phase) == (1, "play")
    play(g, "0: stay-silent", "1: ignore", "2: catch")
    assert hand(g, 0) == ["blue-9", "green-1", "green-2"]
    assert (g.actor, g.phase) == (1, "play")


def test_cv_08_automatic_calls_or_no_rule_at_all():
    """UNO may also be called automatically, or the rule be left out: no steps in either case."""
    hands = ["red-7 blue-9", THREE, THREE]
    g = play(given("classic", hands, "red-5", rules={"uno_call": "auto"}), "0: play red-7")
    assert (g.actor, g.phase) == (1, "play")
    assert g.snapshot()["uno_called"] == [0]
    g = play(given("classic", hands, "red-5", rules={"uno_call": "off"}), "0: play red-7")
    assert (g.actor, g.phase) == (1, "play")


def test_cv_08_several_holders_the_one_that_acted_first():
    """When several seats come to one card at once, the acting seat is asked first, then in turn."""
    hands = ["red-0 blue-9", "green-1", "green-2", THREE]
    g = given("no_mercy", hands, "red-5")
    play(g, "0: play red-0")
    assert sizes(g) == [3, 1, 1, 1]
    asked = []
    while g.phase == "uno-call":
        asked.append(g.actor)
        g.step("call-uno")
    assert asked == [1, 2, 3]
    hands = ["red-0 blue-9", THREE, THREE, "green-1"]
    g = given("no_mercy", hands, "red-5", direction=1)
    play(g, "0: play red-0")
    assert (g.actor, g.phase) == (0, "uno-call")
    play(g, "0: call-uno")
    assert (g.actor, g.phase) == (1, "uno-call")
    play(g, "1: call-uno")
    assert (g.actor, g.phase) == (1, "play")


def test_cv_08_only_opponents_in_play_are_asked_to_catch():
    """An eliminated seat is not asked whether it catches a silent one."""
    hands = ["red-8 blue-9", [], THREE, THREE]
    g = given("no_mercy", hands, "red-5", eliminated=[1])
    play(g, "0: play red-8", "0: stay-silent")
    assert (g.actor, g.phase) == (2, "uno-catch")
    play(g, "2: ignore", "3: ignore")
    assert (g.actor, g.phase) == (2, "play")


def test_cv_08_a_partner_may_call_even_when_out():
    """In Teams the partner of a silent seat may call for it, also when out of cards itself."""
    rules = {"return_on_draw": False}
    hands = ["red-8 blue-9", THREE, [], THREE]
    g = given("teams", hands, "red-5", out=[2], rules=rules)
    play(g, "0: play red-8", "0: stay-silent")
    assert (g.actor, g.phase) == (2, "uno-call")
    play(g, "2: call-uno")
    assert (g.actor, g.phase) == (1, "play")


def test_cv_08_size_of_the_penalty():
    """A caught seat draws two cards, or as many as the rules say."""
    g = given("classic", ["red-7 blue-9", THREE], "red-5", rules={"uno_penalty": 5})
    play(g, "0: play red-7", "0: stay-silent", "1: catch")
    assert sizes(g) == [6, 3]


@pytest.mark.parametrize("variant", VARIANTS)
def test_cv_09_no_false_calls_and_no_false_catches(variant):
    """Calling without a single card or catching a seat that called is never offered."""
    calls = 0
    for seed in range(4):
        rng = np.random.default_rng(seed)
        g = uno.Game(variant, num_players=4, seed=seed)
        for _ in range(400):
            if g.over:
                break
            now, legal = g.snapshot(), g.legal()
            if "call-uno" in legal:
                calls += 1
                mates = [g.actor] if variant != "teams" else [g.actor, (g.actor + 2) % 4]
                assert any(len(now["hands"][s]) == 1 and s not in now["uno_called"] for s in mates)
            if "catch" in legal:
                small = [s for s in range(4) if len(now["hands"][s]) <= 1]
                assert any(s not in now["uno_called"] and s != g.actor for s in small)
            g.step(str(rng.choice(legal)))
    assert calls


@pytest.mark.parametrize("variant", ["hyper_speed", "classic"])
@pytest.mark.parametrize(
    ("kept", "drawn", "bluff"), [("blue-2", "red-1", False), ("red-1", "blue-2", True)]
)
def test_cv_10_the_verdict_is_fixed_when_the_card_is_laid(variant, kept, drawn, bluff):
    """A +4 is judged on the hand and colour at the moment it was laid; later cards do not count."""
    draw_pile = [drawn, drawn, *["green-9"] * 8]
    g = given(variant, [f"wild-draw4 {kept}", THREE, THREE], "red-5", draw_pile)
    play(g, "0: play wild-draw4", "0: color green", "0: stay-silent", "1: catch", "1: challenge")
    assert sizes(g) == ([7, 3, 3] if bluff else [3, 9, 3])
