"""IG 2000: the turn, +2, Reverse, Skip, Joker."""

import pytest

from .given import given, hand, play, sizes

FILL = "blue-1 green-6 green-8"


def test_ig_01_ig_21_first_empty_hand_wins_the_round():
    """The first seat to get rid of all its cards wins the round, and it wins alone."""
    g = given("ig2000", [FILL, "red-7", FILL], "red-5", actor=1, turn=1, uno_called=[1])
    play(g, "1: play red-7")
    assert g.over
    assert g.phase == "over"
    assert g.actor is None
    assert g.winners == (1,)


def test_ig_15_what_may_be_played():
    """A card fits by colour, by number or by symbol, and a black card fits always."""
    held = "red-1 blue-7 green-2 blue-skip wild wild-draw4 wild-swap"
    g = given("ig2000", [held, FILL, FILL], "red-7")
    fitting = {"red-1", "blue-7", "wild", "wild-draw4", "wild-swap"}
    assert set(g.legal()) == {f"play {card}" for card in fitting} | {"draw"}
    g = given("ig2000", ["blue-skip green-2 red-4", FILL, FILL], "red-skip")
    assert set(g.legal()) == {"play blue-skip", "play red-4", "draw"}
    g = given("ig2000", ["blue-skip green-2 red-4", FILL, FILL], "wild", active_color="green")
    assert set(g.legal()) == {"play green-2", "draw"}


def test_ig_16_nothing_playable_means_drawing():
    """A seat that cannot play draws one card; if that does not fit either, its turn is over."""
    g = given("ig2000", [FILL, FILL, FILL], "red-5", "yellow-9 blue-9")
    assert g.legal() == ["draw"]
    play(g, "0: draw")
    assert hand(g, 0) == sorted(["yellow-9", *FILL.split()])
    assert (g.actor, g.phase) == (1, "play")


def test_ig_16_a_playable_drawn_card_may_be_laid():
    """A drawn card that fits may be laid at once or kept."""
    g = given("ig2000", [FILL, FILL, FILL], "red-5", "red-9 blue-9")
    play(g, "0: draw")
    assert (g.actor, g.phase) == (0, "play-drawn")
    assert set(g.legal()) == {"play red-9", "keep"}
    kept = play(g.clone(), "0: keep")
    assert sizes(kept) == [4, 3, 3]
    assert kept.actor == 1
    play(g, "0: play red-9")
    assert sizes(g) == [3, 3, 3]
    assert g.snapshot()["discard"][-1] == "red-9"
    assert g.actor == 1


def test_ig_17_drawing_by_choice():
    """A seat that could play may draw instead, and then may lay only the card it drew."""
    g = given("ig2000", [f"red-1 red-2 {FILL}", FILL, FILL], "red-5", "red-9 blue-9")
    assert {"play red-1", "play red-2", "draw"} == set(g.legal())
    play(g, "0: draw")
    assert g.phase == "play-drawn"
    assert set(g.legal()) == {"play red-9", "keep"}


def test_ig_r25_a_draw_comes_from_the_draw_pile():
    """Cards are drawn from the face-down draw pile, never taken from the discard pile."""
    g = given("ig2000", [FILL, FILL, FILL], "red-4 red-5", "yellow-9 blue-9")
    play(g, "0: draw")
    now = g.snapshot()
    assert now["discard"] == ["red-4", "red-5"]
    assert now["draw_pile"] == ["blue-9"]


def test_ig_22_ig_57_round_stops_except_for_a_last_penalty():
    """The last card ends the round at once; only a last +2 or +4 is still drawn."""
    for last, drawn in (("red-7", 0), ("red-skip", 0), ("red-draw2", 2), ("wild-draw4", 4)):
        g = given("ig2000", [last, FILL, FILL], "red-5", uno_called=[0])
        play(g, f"0: play {last}")
        assert g.over
        assert g.winners == (0,)
        assert sizes(g) == [0, 3 + drawn, 3]


def test_ig_25_plus2_costs_two_cards_and_the_turn():
    """The seat after a +2 takes two cards and loses its turn if it does not answer."""
    g = given("ig2000", [f"red-draw2 {FILL}", FILL, FILL], "red-5")
    play(g, "0: play red-draw2")
    assert (g.actor, g.phase) == (1, "stack")
    assert g.snapshot()["pending"]["amount"] == 2
    assert g.legal() == ["take"]
    play(g, "1: take")
    assert sizes(g) == [3, 5, 3]
    assert (g.actor, g.phase) == (2, "play")
    assert g.snapshot()["pending"] is None


def test_ig_26_answers_to_a_plus2():
    """A +2 may be passed on, added up, with a +2 or +4, or wiped out by a Joker."""
    held = "blue-draw2 wild-draw4 wild wild-swap red-1 green-3"
    g = given("ig2000", [f"red-draw2 {FILL}", held, FILL], "red-5")
    play(g, "0: play red-draw2")
    assert set(g.legal()) == {"take", "play blue-draw2", "play wild-draw4", "play wild"}
    two = play(g.clone(), "1: play blue-draw2")
    assert (two.actor, two.phase) == (2, "stack")
    assert two.snapshot()["pending"]["amount"] == 4
    four = play(g.clone(), "1: play wild-draw4", "1: color green")
    assert (four.actor, four.phase) == (2, "stack")
    assert four.snapshot()["pending"]["amount"] == 6
    play(g, "1: play wild", "1: color green")
    assert g.snapshot()["pending"] is None
    assert (g.actor, g.phase) == (2, "play")
    assert sizes(g) == [3, 5, 3]


@pytest.mark.parametrize("kind", ["draw2", "reverse", "skip"])
def test_ig_27_ig_31_ig_33_coloured_specials_need_color_or_symbol(kind):
    """A +2, a Reverse or a Skip goes only on its own colour or on its own symbol."""
    other = "skip" if kind != "skip" else "reverse"
    held = f"red-{kind} blue-{kind} green-6"
    g = given("ig2000", [held, FILL, FILL], "red-5")
    assert set(g.legal()) == {f"play red-{kind}", "draw"}
    g = given("ig2000", [held, FILL, FILL], f"yellow-{kind}")
    assert set(g.legal()) == {f"play red-{kind}", f"play blue-{kind}", "draw"}
    g = given("ig2000", [held, FILL, FILL], f"yellow-{other}")
    assert g.legal() == ["draw"]


def test_ig_29_last_plus2_is_drawn_before_the_count():
    """When a +2 wins the round, the next seat's two cards count among its points."""
    g = given("ig2000", ["red-draw2", FILL, FILL], "red-5", "green-9 wild", uno_called=[0])
    play(g, "0: play red-draw2")
    assert g.over
    assert hand(g, 1) == sorted([*FILL.split(), "green-9", "wild"])
    assert list(g.points) == [0, 15 + 9 + 50, 15]


def test_ig_30_reverse_turns_the_direction():
    """A Reverse makes the turns run the other way, and a second one turns them back."""
    g = given("ig2000", [f"red-reverse {FILL}", FILL, FILL, f"green-reverse {FILL}"], "red-5")
    play(g, "0: play red-reverse")
    assert g.snapshot()["direction"] == -1
    play(g, "3: play green-reverse")
    assert g.snapshot()["direction"] == 1
    assert g.actor == 0


def test_ig_33_skip_takes_the_turn_of_the_next_seat():
    """A Skip makes the next seat lose its turn."""
    g = given("ig2000", [f"red-skip {FILL}", FILL, FILL], "red-5")
    play(g, "0: play red-skip")
    assert (g.actor, g.phase) == (2, "play")
    assert sizes(g) == [3, 3, 3]


def test_ig_35_joker_names_a_color():
    """A Joker may be laid on anything, and its player then says which colour follows."""
    g = given("ig2000", [f"wild {FILL}", FILL, f"yellow-3 {FILL}"], "red-draw2")
    assert "play wild" in g.legal()
    play(g, "0: play wild")
    assert (g.actor, g.phase) == (0, "color")
    assert g.legal() == ["color red", "color yellow", "color green", "color blue"]
    play(g, "0: color yellow", "1: draw", "1: keep")
    assert g.view(2)["active_color"] == "yellow"
    assert set(g.legal()) == {"play yellow-3", "draw"}


def test_ig_36_joker_cancels_penalties():
    """A Joker wipes out whatever +2 and +4 are pending; the next seat plays as usual."""
    pending = {"amount": 6, "value": 4, "source": 2, "contestable": True}
    g = given(
        "ig2000",
        [f"wild {FILL}", FILL, FILL],
        "red-draw2 wild-draw4",
        active_color="red",
        phase="stack",
        pending=pending,
    )
    play(g, "0: play wild", "0: color green")
    assert g.snapshot()["pending"] is None
    assert (g.actor, g.phase) == (1, "play")
    assert sizes(g) == [3, 3, 3]
    assert set(g.legal()) == {"play green-6", "play green-8", "draw"}


def test_ig_38_last_joker_needs_no_color():
    """A Joker as last card ends the round at once; no colour is asked for."""
    g = given("ig2000", ["wild", FILL, FILL], "red-5", uno_called=[0])
    play(g, "0: play wild")
    assert g.over
    assert g.winners == (0,)


def test_ig_56_recycling_keeps_the_top_card():
    """When the draw pile runs out, all discards but the top card are shuffled into a new one."""
    g = given("ig2000", [FILL, FILL, FILL], "blue-9 yellow-7 wild red-5", "yellow-9")
    play(g, "0: draw", "1: draw")
    now = g.snapshot()
    assert now["discard"] == ["red-5"]
    drawn = set(now["hands"][1]) - set(FILL.split())
    assert len(drawn) == 1
    assert sorted([*drawn, *now["draw_pile"]]) == ["blue-9", "wild", "yellow-7"]
    assert "recycle" in [event["type"] for event in g.events]


def test_ig_60_a_wrong_card_is_refused():
    """A card that does not fit or is not held is refused, and the game stays as it was."""
    g = given("ig2000", [FILL, f"red-1 {FILL}", FILL], "red-5")
    before = g.snapshot()
    for wrong in ("play blue-1", "play red-1", "take"):
        with pytest.raises(ValueError):
            g.step(wrong)
    assert g.snapshot() == before


def test_ig_60_option_fault_costs_two_cards():
    """With `fault_mode="penalty"` a wrong card returns to the hand and costs two cards."""
    g = given("ig2000", [f"red-2 {FILL}", FILL], "red-5", rules={"fault_mode": "penalty"})
    play(g, "0: play blue-1")
    assert (g.actor, g.phase) == (0, "play")
    assert hand(g, 0) == sorted(["red-2", *FILL.split(), "yellow-9", "green-8"])
    assert g.snapshot()["discard"] == ["red-5"]
    play(g, "0: play red-2")
    assert g.actor == 1


def test_ig_60_tm_28_fault_while_giving_the_half_of_a_fault():
    """A second fault in the half that a first one brought about ends where the first was made."""
    rules = {"team_mode": "pairs", "return_on_draw": True, "fault_mode": "penalty"}
    rules |= {"min_players": 4, "max_players": 8}
    hands = [f"red-2 {FILL}", FILL, "", FILL]
    g = given("classic", hands, "red-5", out=[2], rules=rules)
    play(g, "0: catch")
    assert (g.actor, g.phase, sizes(g)) == (0, "give-half", [6, 3, 0, 3])
    play(g, "0: catch")
    assert (g.actor, g.phase, sizes(g)) == (0, "give-half", [8, 3, 0, 3])
    play(g, "0: give blue-1", "0: give green-6", "0: give green-8")
    assert (g.actor, g.phase, sizes(g)) == (0, "play", [5, 3, 3, 3])
    play(g, "0: play red-2")
    assert g.actor == 1


def test_ig_c3_joker_on_a_mixed_stack():
    """A Joker on a +2 followed by a +4 cancels both and sets the colour for a normal turn."""
    hands = [f"red-draw2 {FILL}", f"wild-draw4 {FILL}", f"wild {FILL}", f"yellow-3 {FILL}"]
    g = given("ig2000", hands, "red-5")
    play(g, "0: play red-draw2", "1: play wild-draw4", "1: color blue")
    assert g.snapshot()["pending"]["amount"] == 6
    play(g, "2: play wild", "2: color yellow")
    assert g.snapshot()["pending"] is None
    assert (g.actor, g.phase) == (3, "play")
    assert "play yellow-3" in g.legal()
    assert sizes(g) == [3, 3, 3, 4]


def test_ig_c27_dead_piles_under_a_penalty():
    """A seat that owes more cards than exist draws what there is and loses its turn."""
    g = given(
        "ig2000",
        [FILL, FILL, FILL],
        "wild-draw4",
        "yellow-9 blue-9 red-9",
        active_color="red",
        phase="stack",
        pending={"amount": 12, "value": 4, "source": 2, "contestable": False},
    )
    play(g, "0: take")
    assert sizes(g) == [6, 3, 3]
    assert g.snapshot()["pending"] is None
    assert (g.actor, g.phase) == (1, "play")
