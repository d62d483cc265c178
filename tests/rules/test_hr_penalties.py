"""House rules about penalties (HR-05, HR-06, HR-08, HR-11, HR-18): answers and challenges."""

import pytest

import uno_env as uno

from .given import given, play, sizes

FILL = "blue-1 green-6 green-8"
ANY = {"stacking": "any_value", "challenge": "none", "plus4_legality": "anything"}
SAME = {**ANY, "stacking": "same_value"}


def test_hr_05_any_draw_card_answers_any_other():
    """With `stacking=any_value` a +2 answers a +4 and a +4 a +2; the total goes on."""
    g = given("classic", [f"wild-draw4 {FILL}", f"red-draw2 {FILL}", FILL], "red-5", rules=ANY)
    play(g, "0: play wild-draw4", "0: color blue")
    assert g.legal() == ["play red-draw2", "take"]
    play(g, "1: play red-draw2")
    assert (g.actor, g.view(0)["pending"]["amount"]) == (2, 6)
    play(g, "2: take")
    assert sizes(g) == [3, 3, 9]
    g = given("classic", [f"red-draw2 {FILL}", f"wild-draw4 {FILL}", FILL], "red-5", rules=ANY)
    assert "play wild-draw4" in play(g, "0: play red-draw2").legal()


def test_hr_11_only_the_same_value_answers():
    """With `stacking=same_value` a +2 answers a +2 and a +4 a +4, nothing else."""
    hands = [f"red-draw2 {FILL}", f"blue-draw2 wild-draw4 {FILL}", FILL]
    g = play(given("classic", hands, "red-5", rules=SAME), "0: play red-draw2")
    assert g.legal() == ["play blue-draw2", "take"]
    hands = [f"wild-draw4 {FILL}", f"blue-draw2 wild-draw4 {FILL}", FILL]
    g = given("classic", hands, "red-5", rules=SAME)
    play(g, "0: play wild-draw4", "0: color red")
    assert g.legal() == ["play wild-draw4", "take"]


@pytest.mark.parametrize(
    ("allowed", "cards"),
    [
        ("none", []),
        ("skip", ["play red-skip"]),
        ("reverse", ["play red-reverse"]),
        ("both", ["play red-skip", "play red-reverse"]),
    ],
)
def test_hr_06_deflecting_cards(allowed, cards):
    """With `deflection` a skip, a reverse or both may be laid on a penalty."""
    rules = {"stacking": "equal_or_higher", "challenge": "none", "deflection": allowed}
    hands = [f"red-draw2 {FILL}", f"red-skip red-reverse {FILL}", FILL]
    g = play(given("classic", hands, "red-5", rules=rules), "0: play red-draw2")
    assert g.legal() == [*cards, "take"]


def test_hr_06_a_skip_passes_the_penalty_on_and_a_reverse_sends_it_back():
    """A skip passes a penalty on to the following seat, a reverse sends it back."""
    rules = {"stacking": "equal_or_higher", "challenge": "none", "deflection": "both"}
    hands = [f"red-draw2 {FILL}", f"red-skip red-reverse {FILL}", f"blue-draw2 {FILL}"]
    g = play(given("classic", hands, "red-5", rules=rules), "0: play red-draw2")
    on = play(g.clone(), "1: play red-skip")
    assert (on.actor, on.phase, on.view(0)["pending"]["amount"]) == (2, "stack", 2)
    play(on, "2: play blue-draw2")
    assert (on.actor, on.view(0)["pending"]["amount"]) == (0, 4)
    play(g, "1: play red-reverse")
    assert (g.actor, g.phase, g.legal()) == (0, "stack", ["take"])
    play(g, "0: take")
    assert (sizes(g), g.actor) == ([5, 4, 4], 2)


def test_hr_06_deflection_without_stacking():
    """Deflection needs no stacking: then a penalty can be passed on, not raised."""
    rules = {"challenge": "none", "plus4_legality": "anything", "deflection": "reverse"}
    hands = [f"red-draw2 {FILL}", f"red-draw2 red-reverse {FILL}", FILL]
    g = play(given("classic", hands, "red-5", rules=rules), "0: play red-draw2")
    assert g.legal() == ["play red-reverse", "take"]
    play(g, "1: play red-reverse", "0: take")
    assert sizes(g) == [5, 4, 3]


ANYONE = {"challenge": "anyone"}


def test_hr_08_after_the_target_the_others_are_asked():
    """With `challenge=anyone` the target is asked first, then the others in turn order."""
    g = given("classic", [f"wild-draw4 red-1 {FILL}", FILL, FILL, FILL], "red-5", rules=ANYONE)
    play(g, "0: play wild-draw4", "0: color blue")
    play(g, "1: accept", "2: accept", "3: accept")
    assert (sizes(g), g.actor, g.phase) == ([4, 7, 3, 3], 2, "play")


def test_hr_08_a_right_challenge_spares_the_target():
    """If somebody else challenges and is right, the bluffer draws and the target takes its turn."""
    g = given("classic", [f"wild-draw4 red-1 {FILL}", FILL, FILL, FILL], "red-5", rules=ANYONE)
    play(g, "0: play wild-draw4", "0: color blue", "1: accept", "2: challenge")
    assert (sizes(g), g.actor, g.phase) == ([8, 3, 3, 3], 1, "play")
    assert g.view(2)["known"] and not g.view(1)["known"]


def test_hr_08_a_wrong_challenger_draws_the_difference():
    """If somebody else challenges and is wrong, it draws two and the target draws four."""
    g = given("classic", [f"wild-draw4 {FILL}", FILL, FILL, FILL], "red-5", rules=ANYONE)
    play(g, "0: play wild-draw4", "0: color blue", "1: accept", "2: accept", "3: challenge")
    assert (sizes(g), g.actor, g.phase) == ([3, 7, 3, 5], 2, "play")


def test_hr_08_contradictions_are_refused():
    """`challenge=anyone` is refused together with stacking or deflection."""
    for change in ({"stacking": "any_value"}, {"deflection": "skip"}):
        with pytest.raises(uno.RulesError, match="challenge='anyone'"):
            uno.Rules.preset("classic").replace(challenge="anyone", **change)


@pytest.mark.parametrize(("proof", "was_bluff"), [("answers", False), ("color_below", True)])
def test_hr_18_a_wild_draw_four_on_a_stack_is_judged_by_the_colour_below(proof, was_bluff):
    """With `plus4_stack_proof=color_below` a +4 on a penalty is judged by the colour below it."""
    hands = [f"red-draw2 {FILL}", f"wild-draw4 red-1 {FILL}", FILL]
    g = given("ig2000", hands, "red-5", rules={"plus4_stack_proof": proof, "jump_in": False})
    play(g, "0: play red-draw2", "1: play wild-draw4", "1: color blue", "2: challenge")
    challenged = next(event for event in g.events if event["type"] == "challenge")
    assert challenged["bluff"] is was_bluff
