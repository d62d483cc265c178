"""House rules about cards laid (HR-07, HR-09, HR-10, HR-16, HR-17, HR-19 to HR-21)."""

from collections import Counter

import pytest

import uno_env as uno

from .given import all_cards, deals, given, play, sizes

FILL = "blue-1 green-6 green-8"
SEVERAL = {"multiple_play": True}


def test_hr_07_further_equal_cards_may_be_laid():
    """With `multiple_play` further cards of the same number may be laid, or the seat passes."""
    g = given("classic", [f"red-7 blue-7 {FILL}", FILL], "red-5", rules=SEVERAL)
    play(g, "0: play red-7")
    assert (g.actor, g.phase, g.legal()) == (0, "play-more", ["play blue-7", "pass"])
    more = play(g.clone(), "0: play blue-7")
    assert (more.actor, more.view(0)["active_color"], sizes(more)) == (1, "blue", [3, 3])
    play(g, "0: pass")
    assert (g.actor, g.view(0)["top_card"], sizes(g)) == (1, "red-7", [4, 3])


def test_hr_07_that_more_could_be_laid_is_nobodys_business():
    """To the others the turn simply goes on while a seat decides whether to lay more."""
    g = given("classic", [f"red-7 blue-7 {FILL}", FILL, FILL], "red-5", rules=SEVERAL)
    play(g, "0: play red-7")
    for seat in (1, 2):
        assert (g.view(seat)["phase"], g.view(seat)["actor"]) == ("play", 0)


def test_hr_07_effects_of_equal_cards_add_up():
    """Two +2 make the next seat draw four, two skips pass over two seats, two reverses none."""
    g = given("classic", [f"red-draw2 blue-draw2 {FILL}", FILL, FILL], "red-5", rules=SEVERAL)
    play(g, "0: play red-draw2", "0: play blue-draw2")
    assert (sizes(g), g.actor) == ([3, 7, 3], 2)
    g = given("classic", [f"red-skip blue-skip {FILL}", *[FILL] * 3], "red-5", rules=SEVERAL)
    assert play(g, "0: play red-skip", "0: play blue-skip").actor == 3
    g = given("classic", [f"red-reverse blue-reverse {FILL}", *[FILL] * 3], "red-5", rules=SEVERAL)
    play(g, "0: play red-reverse", "0: play blue-reverse")
    assert (g.actor, g.view(0)["direction"]) == (1, 1)


def test_hr_07_the_last_cards_may_go_together():
    """A hand of equal cards can be laid in one turn and wins."""
    g = given("classic", ["red-7 blue-7", FILL], "red-5", rules=SEVERAL)
    assert play(g, "0: play red-7", "0: play blue-7").winners == (0,)


JUMPS = {"jump_in": True, "jump_in_self": False}


@pytest.mark.parametrize(
    ("match", "laid", "can_jump"),
    [
        ("face", "red-7", False),
        ("number", "red-7", True),
        ("symbol", "red-7", False),
        ("number", "red-skip", False),
        ("symbol", "red-skip", True),
        ("number_or_symbol", "red-skip", True),
        ("number_or_symbol", "red-7", True),
    ],
)
def test_hr_09_jump_in_by_number_or_symbol(match, laid, can_jump):
    """With `jump_in_match` the same number, the symbol of an action card or both may jump in."""
    jumper = laid.replace("red", "blue")
    rules = {**JUMPS, "jump_in_match": match}
    g = given("classic", [f"{laid} {FILL}", FILL, f"{jumper} {FILL}"], "red-5", rules=rules)
    play(g, f"0: play {laid}")
    assert (g.phase == "react") is can_jump
    if can_jump:
        assert (g.actor, g.legal()) == (2, [f"play {jumper}", "pass"])
        play(g, f"2: play {jumper}")
        assert g.view(0)["top_card"] == jumper


def test_hr_09_the_identical_face_still_jumps_in_by_its_word():
    """Where other colours may jump in too, the identical face is laid by `jump-in`."""
    rules = {**JUMPS, "jump_in_match": "number"}
    g = given("classic", [f"red-7 {FILL}", FILL, f"red-7 blue-7 {FILL}"], "red-5", rules=rules)
    play(g, "0: play red-7")
    assert g.legal() == ["play blue-7", "pass", "jump-in"]


def test_hr_10_jump_in_on_numbers_only():
    """With `jump_in_cards=numbers` nobody jumps in on an action card or a wild."""
    rules = {**JUMPS, "jump_in_cards": "numbers"}
    for card, phase in (("red-skip", "play"), ("red-7", "react")):
        g = given("classic", [f"{card} {FILL}", FILL, f"{card} {FILL}"], "red-5", rules=rules)
        assert play(g, f"0: play {card}").phase == phase


def test_hr_16_points_of_single_kinds():
    """With `points` a kind of cards counts what the rules say instead of the usual points."""
    rules = {"points": {"skip": 5, "wild-draw4": 100, "7": 70}}
    hands = ["red-1", "red-skip blue-7 wild-draw4 wild", "green-2 blue-skip"]
    g = given("classic", hands, "red-5", rules=rules, uno_called=[0])
    play(g, "0: play red-1")
    assert g.points == [5 + 70 + 100 + 50 + 2 + 5, 0, 0]
    text = uno.Rules.preset("classic").replace(**rules).text()
    assert text == "classic(points.7=70,points.skip=5,points.wild-draw4=100)"
    assert uno.Rules.from_text(text).points == {"skip": 5, "wild-draw4": 100, "7": 70}


@pytest.mark.parametrize(
    ("effect", "after"),
    [
        ("none", {"actor": 1}),
        ("skip", {"actor": 2}),
        ("reverse", {"actor": 2}),
        ("draw", {"actor": 2, "sizes": [3, 6, 3]}),
        ("play_again", {"actor": 0}),
        ("swap_own", {"phase": "swap-target"}),
        ("swap_two", {"phase": "swap-pair"}),
        ("target_draw", {"phase": "draw-target"}),
        ("pass_hands", {"actor": 1}),
    ],
)
def test_hr_17_a_blank_does_what_the_rules_say(effect, after):
    """A blank wild has the effect that `blank_effect` names, and its player names a colour."""
    rules = {"deck": {"wild-blank": 4}, "blank_effect": effect, "blank_draws": 3}
    g = given("classic", [f"wild-blank {FILL}", FILL, FILL], "red-5", rules=rules)
    play(g, "0: play wild-blank")
    if "phase" in after:
        assert g.phase == after["phase"]
        return
    play(g, "0: color blue")
    assert g.actor == after["actor"]
    assert sizes(g) == after.get("sizes", [3, 3, 3])


@pytest.mark.parametrize("variant", uno.VARIANTS)
def test_hr_19_double_decks_of_every_variant(variant):
    """With `deck_copies=2` every card is there twice as often, in every variant."""
    one = uno.Rules.preset(variant)
    g = deals(variant, num_players=one.max_players, seeds=1, deck_copies=2)[0]
    assert Counter(all_cards(g)) == Counter({card: 2 * n for card, n in one.deck.items()})
    while not g.over:
        g.step(g.legal()[0])


def test_hr_20_a_deck_without_number_cards():
    """With `opening_policy=no_effect` any card opens the round, so a deck needs no numbers."""
    deck = {str(number): 0 for number in range(10)}
    with pytest.raises(uno.RulesError, match="no number card"):
        uno.Rules.preset("classic").replace(deck=deck, opening_policy="number_only")
    for g in deals("classic", 2, 30, deck=deck, opening_policy="no_effect"):
        assert sizes(g) == [7, 7]
        assert (g.view(0)["direction"], g.view(0)["pending"]) == (1, None)
        asked = "opening-color" if g.view(0)["top_card"].startswith("wild") else "play"
        assert g.phase == asked


def test_hr_21_a_wild_may_keep_the_colour():
    """With `wild_color=keep` the colour to follow stays what it was before the wild."""
    g = given("classic", [f"wild {FILL}", FILL], "red-5", rules={"wild_color": "keep"},
              active_color="red")  # fmt: skip
    play(g, "0: play wild")
    assert (g.actor, g.phase, g.view(0)["active_color"]) == (1, "play", "red")
