"""Hyper Speed: how the open points of the sheet are read (HS-R1 to HS-R22)."""

from collections import Counter

import pytest

import uno_env as uno

from .given import all_cards, deals, given, hand, play, sizes

THREE = "yellow-1 yellow-2 yellow-3"
NO_UNO = {"uno_call": "off"}


def is_number(card: str) -> bool:
    return card.split("-")[-1].isdigit()


def test_hs_r1_four_hyper_speed_cards_unless_changed():
    """The special wild comes in four copies; the deck can be given another number."""
    assert uno.Rules.preset("hyper_speed").deck["wild-hyper-speed"] == 4
    deck = Counter(all_cards(deals("hyper_speed", 2, 1, deck={"wild-hyper-speed": 1})[0]))
    assert deck["wild-hyper-speed"] == 1
    assert deck.total() == 109


def test_hs_r2_wilds_are_ignored_as_opening_cards():
    """An opening wild is passed over like any action card: nobody names a colour."""
    turned = set()
    for g in deals("hyper_speed", 4, 40, deck={"wild": 20, "wild-hyper-speed": 20}):
        discard = g.snapshot()["discard"]
        turned.update(discard[:-1])
        assert is_number(discard[-1])
        assert g.phase == "play"
        assert g.view(0)["active_color"] == discard[-1].split("-")[0]
        assert g.snapshot()["hyper_color"] is None
    assert {"wild", "wild-hyper-speed"} <= turned


def test_hs_r3_ignored_opening_cards_stay_under_the_starter():
    """Ignored opening cards lie under the starter; an option shuffles them back instead."""
    under = [g for g in deals("hyper_speed", 4, 40) if len(g.snapshot()["discard"]) > 1]
    assert under
    back = deals("hyper_speed", 4, 40, opening_ignored="return_and_reshuffle")
    for g in back:
        assert len(g.snapshot()["discard"]) == 1
        assert is_number(g.snapshot()["discard"][0])
    for g in (*under, *back):
        assert len(all_cards(g)) == 112


def test_hs_r4_after_a_voluntary_draw_only_the_new_card_may_follow():
    """Whoever draws by choice may then lay the drawn card but none of the others."""
    g = given("hyper_speed", ["red-1 red-2 wild", THREE, THREE], "red-5", "blue-5 green-1")
    play(g, "0: draw")
    assert g.phase == "play-drawn"
    assert set(g.legal()) == {"play blue-5", "keep"}


def test_hs_r5_recycling_leaves_the_top_card():
    """The top card stays when the discards are reshuffled, so there is something to match."""
    discard = "green-1 green-2 red-5"
    g = given("hyper_speed", [THREE, "red-1 red-2 red-3", THREE], discard, "")
    play(g, "0: draw")
    assert g.snapshot()["discard"] == ["red-5"]
    assert g.view(1)["top_card"] == "red-5"
    assert "play red-1" in g.legal()


def test_hs_r6_with_both_piles_used_up_a_seat_gets_what_exists():
    """With both piles exhausted a draw gives what there is, and then turns into a pass."""
    g = given("hyper_speed", ["red-draw2 red-1 red-2", THREE, THREE], "red-5", "")
    play(g, "0: play red-draw2")
    assert hand(g, 1) == ["red-5", *THREE.split()]
    assert g.actor == 2
    assert g.legal() == ["pass"]
    play(g, "2: pass")
    assert sizes(g) == [2, 4, 3]
    assert g.actor == 0


def test_hs_r7_reverse_with_two_seats():
    """With two seats the player of a Reverse acts again; the literal option gives the turn away."""
    hands = ["red-reverse red-1 red-2", THREE]
    g = play(given("hyper_speed", hands, "red-5"), "0: play red-reverse")
    assert (g.actor, g.phase) == (0, "play")
    literal = {"two_player_reverse": "literal"}
    g = play(given("hyper_speed", hands, "red-5", rules=literal), "0: play red-reverse")
    assert g.actor == 1
    assert g.snapshot()["direction"] == -1


def test_hs_r8_a_dishonest_wild_draw4_can_be_played():
    """Holding the colour does not forbid a Wild Draw Four: it becomes a bluff."""
    g = given("hyper_speed", ["wild-draw4 red-1 red-2 wild", THREE, THREE], "red-5")
    assert "play wild-draw4" in g.legal()
    play(g, "0: play wild-draw4", "0: color blue", "1: accept")
    assert sizes(g) == [3, 7, 3]


def test_hs_r8_option_forbids_the_bluff():
    """Where bluffing is switched off, a Wild Draw Four needs a hand without the colour."""
    rules = {"bluff_allowed": False, "challenge": "none"}
    hands = ["wild-draw4 red-1 blue-2 green-3", THREE, THREE]
    assert given("hyper_speed", hands, "red-5", rules=rules).legal() == ["play red-1", "draw"]
    g = given("hyper_speed", hands, "yellow-5", rules=rules)
    play(g, "0: play wild-draw4", "0: color blue")
    assert (g.actor, sizes(g)) == (2, [3, 7, 3])


@pytest.mark.parametrize(("rest", "bluff"), [("green-3 red-1", True), ("blue-3 red-1", False)])
def test_hs_r9_tested_color_is_the_active_one_before_the_card(rest, bluff):
    """The proof looks for the colour active just before the card: the named one on a wild."""
    hands = [f"wild-draw4 {rest} yellow-4", THREE, THREE]
    g = given("hyper_speed", hands, "red-5 wild", active_color="green")
    play(g, "0: play wild-draw4", "0: color blue", "1: challenge")
    assert sizes(g) == ([7, 3, 3] if bluff else [3, 9, 3])


@pytest.mark.parametrize(
    ("count", "counting"),
    [
        ("all", {"wild", "wild-hyper-speed", "wild-draw4"}),
        ("wild_and_hyper", {"wild", "wild-hyper-speed"}),
        ("none", set()),
    ],
)
@pytest.mark.parametrize("held", ["wild", "wild-hyper-speed", "wild-draw4"])
def test_hs_r10_which_wilds_count_in_the_proof(count, counting, held):
    """Every other wild counts, a second Wild Draw Four too; options count fewer of them."""
    rules = {"challenge_wilds_count": count}
    hands = [f"wild-draw4 {held} blue-2 green-3", THREE, THREE]
    g = given("hyper_speed", hands, "red-5", rules=rules)
    play(g, "0: play wild-draw4", "0: color green", "1: challenge")
    assert sizes(g) == ([7, 3, 3] if held in counting else [3, 9, 3])
    assert uno.Rules.preset("hyper_speed").challenge_wilds_count == "all"


def test_hs_r11_a_right_challenger_takes_its_turn():
    """After a right challenge the challenger plays normally, following the named colour."""
    hands = ["wild-draw4 red-1 red-2 red-3", "yellow-1 red-4 green-2", THREE]
    g = given("hyper_speed", hands, "red-5")
    play(g, "0: play wild-draw4", "0: color yellow", "1: challenge")
    assert (g.actor, g.phase) == (1, "play")
    assert set(g.legal()) == {"play yellow-1", "draw"}
    rules = {"challenger_then_plays": False}
    g = given("hyper_speed", hands, "red-5", rules=rules)
    play(g, "0: play wild-draw4", "0: color yellow", "1: challenge")
    assert sizes(g) == [7, 3, 3]
    assert g.actor == 2


def test_hs_r12_color_is_named_before_the_challenge():
    """The target already knows the new colour when it decides whether to challenge."""
    g = given("hyper_speed", ["wild-draw4 red-1 red-2 red-3", THREE, THREE], "red-5")
    play(g, "0: play wild-draw4")
    assert (g.actor, g.phase) == (0, "color")
    play(g, "0: color blue")
    assert (g.actor, g.phase) == (1, "challenge")
    assert g.view(1)["active_color"] == "blue"


def test_hs_r13_wild_draw4_as_last_card_ends_the_round():
    """A Wild Draw Four laid as the last card wins: no colour, no draw, no challenge."""
    g = given("hyper_speed", ["wild-draw4", THREE, THREE], "red-5")
    play(g, "0: play wild-draw4")
    assert g.over
    assert g.winners == (0,)
    assert sizes(g) == [0, 3, 3]


def test_hs_r14_the_hyper_speed_card_skips_nobody():
    """Even when it names the colour already active, the Hyper Speed card skips no seat."""
    g = given("hyper_speed", ["wild-hyper-speed " + THREE, THREE, THREE], "blue-5")
    play(g, "0: play wild-hyper-speed", "0: color blue")
    assert g.actor == 1
    hands = ["wild-hyper-speed " + THREE, THREE, THREE]
    g = given("hyper_speed", hands, "blue-5", hyper_color="blue")
    play(g, "0: play wild-hyper-speed", "0: color blue")
    assert g.actor == 1


@pytest.mark.parametrize("named", ["blue", "red"])
def test_hs_r15_wilds_during_hyper_mode(named):
    """A wild naming the hyper colour keeps the mode without a skip; another colour ends it."""
    kept = "blue" if named == "blue" else None
    hands = ["wild wild-draw4 wild-hyper-speed yellow-1", THREE, THREE]
    start = given("hyper_speed", hands, "blue-5", hyper_color="blue")
    g = play(start.clone(), "0: play wild", f"0: color {named}")
    assert g.actor == 1
    assert g.snapshot()["hyper_color"] == kept
    g = play(start.clone(), "0: play wild-draw4", f"0: color {named}", "1: accept")
    assert g.actor == 2
    assert g.snapshot()["hyper_color"] == kept
    g = play(start.clone(), "0: play wild-hyper-speed", f"0: color {named}")
    assert g.actor == 1
    assert g.snapshot()["hyper_color"] == named


@pytest.mark.parametrize("card", ["blue-skip", "blue-draw2"])
def test_hs_r16_skips_of_card_and_mode_do_not_add_up(card):
    """A Skip or Draw Two of the hyper colour costs one seat one turn; an option skips two seats."""
    hands = [f"{card} red-1 red-2", THREE, THREE, THREE]
    drawn = 2 if card == "blue-draw2" else 0
    g = play(given("hyper_speed", hands, "blue-5", hyper_color="blue"), f"0: play {card}")
    assert g.actor == 2
    assert sizes(g) == [2, 3 + drawn, 3, 3]
    rules = {"hyper_cumulative": True}
    g = given("hyper_speed", hands, "blue-5", hyper_color="blue", rules=rules)
    play(g, f"0: play {card}")
    assert g.actor == 3
    assert sizes(g) == [2, 3 + drawn, 3, 3]


def test_hs_r17_whoever_started_hyper_mode_may_end_it():
    """Any seat ends the mode by a new colour, the one that started it included."""
    hands = ["wild-hyper-speed red-7 green-1 green-2", THREE, "blue-7 blue-2 blue-3"]
    g = given("hyper_speed", hands, "red-5", "green-9 yellow-9 red-9")
    play(g, "0: play wild-hyper-speed", "0: color blue", "1: draw", "2: play blue-7")
    play(g, "1: draw", "2: draw", "0: play red-7")
    assert g.snapshot()["hyper_color"] is None
    assert g.actor == 1


def test_hs_r18_a_last_draw_card_is_not_drawn():
    """A Draw Two laid as the last card ends the round before anybody draws."""
    g = given("hyper_speed", ["red-draw2", "blue-1", "blue-2"], "red-5")
    play(g, "0: play red-draw2")
    assert g.over
    assert sizes(g) == [0, 1, 1]
    assert g.points == [3, 0, 0]


@pytest.mark.parametrize(("rest", "bluff"), [("red-3 blue-1", True), ("blue-3 blue-1", False)])
def test_hs_r19_a_drawn_wild_draw4_is_judged_on_the_rest_of_the_hand(rest, bluff):
    """A Wild Draw Four just drawn may be played; the cards held besides decide its honesty."""
    draw_pile = ["wild-draw4", *["green-1"] * 8]
    g = given("hyper_speed", [f"{rest} green-2", THREE, THREE], "red-5", draw_pile)
    play(g, "0: draw")
    assert set(g.legal()) == {"play wild-draw4", "keep"}
    play(g, "0: play wild-draw4", "0: color yellow", "1: challenge")
    assert sizes(g) == ([7, 3, 3] if bluff else [3, 9, 3])


def test_hs_r20_two_to_ten_seats():
    """Any table from two to ten seats can play; others are refused."""
    for n in range(2, 11):
        assert sizes(uno.Game("hyper_speed", num_players=n, seed=0)) == [7] * n
    for n in (1, 11):
        with pytest.raises(uno.RulesError, match="num_players"):
            uno.Game("hyper_speed", num_players=n, seed=0)


@pytest.mark.parametrize(("direction", "order"), [(1, [1, 2, 3]), (-1, [3, 2, 1])])
def test_hs_r21_opponents_are_asked_to_catch_in_turn_order(direction, order):
    """Instead of a race, opponents are asked in turn, the next seat first."""
    hands = ["red-7 blue-9", THREE, THREE, THREE]
    g = play(given("hyper_speed", hands, "red-5", direction=direction), "0: play red-7")
    play(g, "0: stay-silent")
    asked = []
    while g.phase == "uno-catch":
        asked.append(g.actor)
        g.step("ignore")
    assert asked == order


@pytest.mark.parametrize("dealer", [0, 1, 3])
def test_hs_r22_the_deal_moves_one_seat_left(dealer):
    """After each round of a match the seat left of the dealer deals."""
    hands = ["red-7", THREE, THREE, THREE]
    g = given("hyper_speed", hands, "red-5", dealer=dealer, episode="match")
    play(g, "0: play red-7")
    assert g.snapshot()["dealer"] == (dealer + 1) % 4
    assert g.actor == (dealer + 2) % 4
