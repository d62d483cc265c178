"""House rules: switches that no preset turns (HR-01 to HR-04)."""

from .given import given, play, sizes

FILL = "blue-1 green-6 green-8"


def test_hr_01_a_seven_may_leave_the_hands():
    """With `seven_swap_optional` whoever plays a 7 may decline the swap, and play goes on."""
    hands = [f"red-7 {FILL}", "red-1 red-2", FILL]
    g = given("no_mercy", hands, "red-5", rules={"seven_swap_optional": True})
    play(g, "0: play red-7")
    assert (g.actor, g.phase) == (0, "swap-target")
    assert g.legal() == ["target +1", "target +2", "no-swap"]
    swapped = play(g.clone(), "0: target +1")
    assert sizes(swapped) == [2, 3, 3]
    play(g, "0: no-swap")
    assert sizes(g) == [3, 2, 3]
    assert (g.actor, g.phase) == (1, "play")
    g = given("no_mercy", hands, "red-5")
    play(g, "0: play red-7")
    assert g.legal() == ["target +1", "target +2"]


NUMBERS_LAST = {"finish_on_action": False}


def test_hr_02_the_last_card_must_be_a_number():
    """With `finish_on_action=false` a last action card or wild cannot be laid; its seat draws."""
    for last in ("red-skip", "red-draw2", "wild", "wild-draw4"):
        g = given("classic", [last, FILL, FILL], "red-5", rules=NUMBERS_LAST)
        assert g.legal() == ["draw"]
        play(g, "0: draw")
        # A draw tells nothing about the colours of such a hand.
        assert g.view(1)["missing_colors"] == {}
    g = given("classic", ["red-3", FILL, FILL], "red-5", rules=NUMBERS_LAST)
    assert play(g, "0: play red-3").winners == (0,)
    g = given("classic", ["red-skip red-3", FILL, FILL], "red-5", rules=NUMBERS_LAST)
    assert g.legal() == ["play red-3", "play red-skip"]


def test_hr_02_no_answer_jump_in_or_sum_with_a_last_action_card():
    """With `finish_on_action=false` a penalty is not answered with the last card either."""
    hands = [f"red-draw2 {FILL}", "blue-draw2", "red-draw2", FILL]
    g = given("ig2000", hands, "red-5", rules=NUMBERS_LAST, uno_called=[1, 2])
    play(g, "0: play red-draw2")
    assert (g.actor, g.phase, g.legal()) == (1, "stack", ["take"])
    g = given("loche", [f"red-skip {FILL}", FILL, "blue-reverse", "blue-9 green-8 blue-3"], "red-5",
              rules=NUMBERS_LAST)  # fmt: skip
    play(g, "0: play red-skip")
    assert (g.actor, g.phase) == (3, "react")
    assert play(g, "3: sum").winners == (3,)


def test_hr_02_a_discard_all_may_not_empty_the_hand():
    """With `finish_on_action=false` a discard-all that would shed the whole hand is not laid."""
    hands = ["red-discard-all red-1 red-2", FILL, FILL]
    g = given("no_mercy", hands, "red-5", rules=NUMBERS_LAST)
    assert g.legal() == ["play red-1", "play red-2"]
    hands = ["red-discard-all red-1 blue-2", FILL, FILL]
    g = given("no_mercy", hands, "red-5", rules=NUMBERS_LAST)
    assert "play red-discard-all" in g.legal()


def test_hr_03_a_turn_draw_takes_several_cards():
    """With `draw_count=3` a turn draw takes three cards, of which the last may be played."""
    draw_pile = "red-1 green-9 red-2 blue-9 blue-8"
    g = given("classic", [FILL, FILL], "red-5", draw_pile, rules={"draw_count": 3})
    play(g, "0: draw")
    assert sizes(g) == [6, 3]
    assert (g.actor, g.phase, g.legal()) == (0, "play-drawn", ["play red-2", "keep"])
    play(g, "0: keep")
    assert g.actor == 1


def test_hr_03_a_short_pile_yields_what_it_has():
    """With `draw_count=3` and a single card left the draw takes that card, which may be played."""
    g = given("classic", [FILL, FILL], "red-5", "red-1", rules={"draw_count": 3})
    play(g, "0: draw")
    assert (g.phase, g.legal(), sizes(g)) == ("play-drawn", ["play red-1", "keep"], [4, 3])


THEN_PLAYS = {"penalty_ends_turn": False, "uno_call": "off"}


def test_hr_04_a_penalty_without_losing_the_turn():
    """With `penalty_ends_turn=false` a seat that drew for a +2 takes its turn all the same."""
    g = given("classic", [f"red-draw2 {FILL}", "red-1 red-2", FILL], "red-5", rules=THEN_PLAYS)
    play(g, "0: play red-draw2")
    assert (g.actor, g.phase, sizes(g)) == (1, "play", [3, 4, 3])
    play(g, "1: play red-1")
    assert g.actor == 2


def test_hr_04_after_a_stack_and_a_challenge():
    """With `penalty_ends_turn=false` a stack, a +4 or a wrong challenge is drawn, then played."""
    hands = [f"red-draw2 {FILL}", f"blue-draw2 {FILL}", "blue-1 red-2", FILL]
    g = given("no_mercy", hands, "red-5", rules=THEN_PLAYS)
    play(g, "0: play red-draw2", "1: play blue-draw2", "2: take")
    assert (g.actor, g.phase, sizes(g)) == (2, "play", [3, 3, 6, 3])
    for answer, drawn in (("accept", 4), ("challenge", 6)):
        g = given("classic", [f"wild-draw4 {FILL}", FILL, FILL], "red-5", rules=THEN_PLAYS)
        play(g, "0: play wild-draw4", "0: color blue", f"1: {answer}")
        assert (g.actor, g.phase, sizes(g)) == (1, "play", [3, 3 + drawn, 3])
        play(g, "1: play blue-1")
        assert g.actor == 2


def test_hr_04_a_penalty_that_waited_for_a_jump_in():
    """With `penalty_ends_turn=false` and jump-ins the seat draws after the window, then plays."""
    rules = {**THEN_PLAYS, "jump_in": True, "jump_in_after_draw": False}
    hands = [f"red-draw2 {FILL}", "red-1 red-2", f"red-draw2 {FILL}"]
    g = given("classic", hands, "red-5", rules=rules)
    play(g, "0: play red-draw2", "2: pass")
    assert (g.actor, g.phase, sizes(g)) == (1, "play", [3, 4, 4])


def test_hr_04_an_eliminated_seat_takes_no_turn():
    """With `penalty_ends_turn=false` a seat that the penalty eliminates is passed over."""
    big = " ".join(["green-1"] * 12 + ["green-2"] * 12)
    g = given("no_mercy", [f"red-draw2 {FILL}", big, FILL], "red-5", rules=THEN_PLAYS)
    play(g, "0: play red-draw2", "1: take")
    assert g.snapshot()["eliminated"] == [1]
    assert (g.actor, g.phase) == (2, "play")
