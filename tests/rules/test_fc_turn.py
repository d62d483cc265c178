"""French classic: deck, cards, turns and score (FC-01 to FC-22)."""

from collections import Counter

import pytest

from .given import all_cards, deals, given, hand, knows, opened_by, play, sizes, told

THREE = "yellow-1 yellow-2 yellow-3"
COLORS = {"color red", "color yellow", "color green", "color blue"}
REVERSED = {
    "scoring_mode": "holders_add",
    "match_winner": "lowest",
    "match_target_strict": True,
}


def test_fc_01_deck_of_108_cards():
    """The deck has 108 cards: per colour one 0 and two of all else, four Jokers, four +4."""
    deck = Counter(all_cards(deals("classic", 4, 1)[0]))
    assert deck.total() == 108
    assert len(deck) == 54
    assert deck["wild"] == deck["wild-draw4"] == 4
    for color in ("red", "yellow", "green", "blue"):
        assert deck[f"{color}-0"] == 1
        assert all(deck[f"{color}-{number}"] == 2 for number in range(1, 10))
        assert all(deck[f"{color}-{kind}"] == 2 for kind in ("skip", "reverse", "draw2"))


def test_fc_02_draw2_played_or_opening():
    """A +2, played or turned first, makes the next seat draw 2 and lose its turn."""
    hands = ["red-draw2 red-1 red-2", THREE, THREE]
    g = given("classic", hands, "red-5", "green-1 green-2 green-3")
    play(g, "0: play red-draw2")
    assert hand(g, 1) == ["green-1", "green-2", *THREE.split()]
    assert (g.actor, g.phase) == (2, "play")
    for g in opened_by("classic", "draw2"):
        dealer = g.snapshot()["dealer"]
        assert sizes(g)[(dealer + 1) % 4] == 9
        assert sum(sizes(g)) == 30
        assert (g.actor, g.phase) == ((dealer + 2) % 4, "play")


def test_fc_03_reverse_played_or_opening():
    """A Reverse, played or turned first, turns the direction of play."""
    g = given("classic", ["red-reverse red-1 red-2", THREE, THREE, THREE], "red-5")
    play(g, "0: play red-reverse")
    assert g.snapshot()["direction"] == -1
    assert g.actor == 3
    g = given("classic", ["red-reverse red-1 red-2", THREE, THREE], "red-5", direction=-1)
    play(g, "0: play red-reverse")
    assert g.snapshot()["direction"] == 1
    assert all(g.snapshot()["direction"] == -1 for g in opened_by("classic", "reverse"))


def test_fc_04_skip_played_or_opening():
    """A Skip, played or turned first, costs the next seat its turn."""
    g = given("classic", ["red-skip red-1 red-2", THREE, THREE], "red-5")
    play(g, "0: play red-skip")
    assert (g.actor, g.phase) == (2, "play")
    for g in opened_by("classic", "skip"):
        assert g.actor == (g.snapshot()["dealer"] + 2) % 4
        assert sizes(g) == [7] * 4


def test_fc_05_joker_names_a_color():
    """The player of a Joker announces any of the four colours, the present one included."""
    for color in ("red", "green"):
        g = given("classic", ["wild blue-1 blue-2 blue-3", THREE, THREE], "red-5")
        play(g, "0: play wild")
        assert (g.actor, g.phase) == (0, "color")
        assert set(g.legal()) == COLORS
        play(g, f"0: color {color}")
        assert g.actor == 1
        assert all(g.view(seat)["active_color"] == color for seat in range(3))


def test_fc_06_opening_joker_color_is_named_by_the_starter():
    """When a Joker is turned first the starter names the colour and then plays its turn."""
    for g in opened_by("classic", "wild"):
        starter = (g.snapshot()["dealer"] + 1) % 4
        assert (g.actor, g.phase) == (starter, "opening-color")
        assert set(g.legal()) == COLORS
        play(g, "color green")
        assert (g.actor, g.phase) == (starter, "play")
        assert g.view(0)["active_color"] == "green"


def test_fc_06_opening_joker_color_named_by_the_dealer():
    """An option gives the colour of an opening Joker to the dealer; the starter then plays."""
    for g in opened_by("classic", "wild", opening_wild_color_by="dealer"):
        dealer = g.snapshot()["dealer"]
        assert (g.actor, g.phase) == (dealer, "opening-color")
        play(g, "color green")
        assert (g.actor, g.phase) == ((dealer + 1) % 4, "play")


def test_fc_07_wild_draw4_costs_four_cards_and_the_turn():
    """After a +4 its player names a colour; the next seat draws 4 and loses its turn."""
    draw_pile = "green-1 green-2 green-3 green-4 green-5"
    g = given("classic", ["wild-draw4 blue-1 blue-2 blue-3", THREE, THREE], "red-5", draw_pile)
    play(g, "0: play wild-draw4")
    assert (g.actor, g.phase) == (0, "color")
    assert set(g.legal()) == COLORS
    play(g, "0: color red", "1: accept")
    assert hand(g, 1) == [*draw_pile.split()[:4], *THREE.split()]
    assert (g.actor, g.phase) == (2, "play")
    assert g.view(1)["active_color"] == "red"


@pytest.mark.parametrize(
    ("rest", "honest"),
    [
        ("blue-1 blue-2 green-3", True),
        ("red-1 blue-2 green-3", False),
        ("blue-5 blue-2 green-3", False),
    ],
)
def test_fc_08_wild_draw4_is_for_hands_with_no_other_way(rest, honest):
    """A +4 is honest only when its player has nothing else to play, by colour or by number."""
    g = given("classic", [f"wild-draw4 {rest}", THREE, THREE], "red-5")
    play(g, "0: play wild-draw4", "0: color green", "1: challenge")
    assert sizes(g) == ([3, 9, 3] if honest else [7, 3, 3])


def test_fc_09_a_bluff_may_be_played_and_exposed():
    """A +4 may be bluffed; the target may expose it, which costs the bluffer cards."""
    g = given("classic", ["wild-draw4 red-1 red-2 red-3", THREE, THREE], "red-5")
    assert "play wild-draw4" in g.legal()
    play(g, "0: play wild-draw4", "0: color green")
    assert (g.actor, g.phase) == (1, "challenge")
    assert set(g.legal()) == {"accept", "challenge"}
    unpunished = play(g.clone(), "1: accept")
    assert sizes(unpunished) == [3, 7, 3]
    play(g, "1: challenge")
    assert sizes(g) == [7, 3, 3]


def test_fc_10_seven_cards_each():
    """One seat deals 7 cards to everybody."""
    games = deals("classic", 5, 20)
    plain = [g for g in games if not g.snapshot()["discard"][-1].endswith("draw2")]
    assert plain
    for g in plain:
        assert sizes(g) == [7] * 5
        assert 0 <= g.snapshot()["dealer"] < 5
        assert not any(knows(g, 0, other) for other in range(1, 5))


def test_fc_11_rest_is_the_draw_pile():
    """All cards neither dealt nor turned are the face-down draw pile."""
    for g in deals("classic", 4, 10):
        now = g.snapshot()
        assert len(now["draw_pile"]) == 108 - sum(sizes(g)) - len(now["discard"])
        assert g.view(1)["draw_pile_size"] == len(now["draw_pile"])


def test_fc_12_first_card_is_turned_and_dealers_left_begins():
    """One card is turned to begin with, seen by all, and the dealer's left starts clockwise."""
    numbers = 0
    for g in deals("classic", 4, 40):
        now = g.snapshot()
        assert len(now["discard"]) == 1
        assert all(g.view(seat)["top_card"] == now["discard"][0] for seat in range(4))
        if now["discard"][0].split("-")[-1].isdigit():
            numbers += 1
            assert (g.actor, g.phase) == ((now["dealer"] + 1) % 4, "play")
            assert now["direction"] == 1
    assert numbers


def test_fc_13_a_seat_that_can_follow_must():
    """A seat holding a card of the colour, number or symbol has to play; it may not draw."""
    hands = ["red-1 blue-5 green-2 green-skip", THREE, THREE]
    g = given("classic", hands, "red-5")
    assert set(g.legal()) == {"play red-1", "play blue-5"}
    g = given("classic", hands, "yellow-skip")
    assert g.legal() == ["play green-skip"]


def test_fc_14_a_stuck_seat_may_lay_a_wild():
    """A seat with nothing that follows may lay a Joker or a +4."""
    g = given("classic", ["wild wild-draw4 blue-1 green-2", THREE, THREE], "red-5")
    assert {"play wild", "play wild-draw4"} <= set(g.legal())
    assert not {"play blue-1", "play green-2"} & set(g.legal())


def test_fc_15_a_stuck_seat_without_wilds_draws_one():
    """Without a following card and without a wild, drawing one card is the only choice."""
    g = given("classic", ["blue-1 blue-2 green-3", THREE, THREE], "red-5", "yellow-8 yellow-9")
    assert g.legal() == ["draw"]
    play(g, "0: draw")
    assert hand(g, 0) == ["blue-1", "blue-2", "green-3", "yellow-8"]
    assert "yellow-8" not in told(g, 1)
    assert g.view(1)["hand_sizes"] == [4, 3, 3]
    assert any(e["type"] == "draw" and e["seat"] == 0 for e in g.view(1)["events"])


def test_fc_16_a_drawn_card_may_be_played_or_kept():
    """A drawn card that follows may be laid or kept; another one is kept and the turn ends."""
    g = given("classic", ["blue-1 blue-2 green-3", THREE, THREE], "red-5", "red-8 blue-9")
    play(g, "0: draw")
    assert (g.actor, g.phase) == (0, "play-drawn")
    assert set(g.legal()) == {"play red-8", "keep"}
    kept = play(g.clone(), "0: keep")
    assert (kept.actor, sizes(kept)[0]) == (1, 4)
    play(g, "0: play red-8", "1: draw")
    assert (g.actor, g.phase) == (2, "play")
    assert "blue-9" in hand(g, 1)


def test_fc_17_uno_is_called_with_one_card_left():
    """A seat left with one card may call UNO, which everybody hears."""
    g = given("classic", ["red-7 blue-9", THREE, THREE], "red-5")
    play(g, "0: play red-7")
    assert (g.actor, g.phase) == (0, "uno-call")
    assert set(g.legal()) == {"call-uno", "stay-silent"}
    play(g, "0: call-uno")
    assert (g.actor, g.phase) == (1, "play")
    assert all(g.view(seat)["uno_called"] == [0] for seat in range(3))


def test_fc_18_a_forgotten_uno_costs_two_cards():
    """A seat that kept silent draws 2 cards when another one notices."""
    g = given("classic", ["red-7 blue-9", THREE, THREE], "red-5", "green-1 green-2 green-3")
    play(g, "0: play red-7", "0: stay-silent", "1: ignore")
    assert (g.actor, g.phase) == (2, "uno-catch")
    play(g, "2: catch")
    assert hand(g, 0) == ["blue-9", "green-1", "green-2"]
    assert (g.actor, g.phase) == (1, "play")


def test_fc_19_first_without_cards_wins_and_points_are_counted():
    """The first seat to shed all its cards wins the round, and then points are counted."""
    g = given("classic", ["red-7", "blue-9 green-2", "wild yellow-3"], "red-5")
    play(g, "0: play red-7")
    assert g.over
    assert g.winners == (0,)
    assert sum(g.points) == 64


@pytest.mark.parametrize(
    ("card", "value"),
    [
        *((f"green-{number}", number) for number in range(10)),
        ("green-skip", 20),
        ("green-reverse", 20),
        ("green-draw2", 20),
        ("wild", 50),
        ("wild-draw4", 50),
    ],
)
def test_fc_20_card_values(card, value):
    """Numbers count their figure; +2, Reverse and Skip count 20, Joker and +4 count 50."""
    g = play(given("classic", ["red-7", f"{card} {card}"], "red-5"), "0: play red-7")
    assert g.points == [2 * value, 0]


def test_fc_21_match_to_500_points():
    """A match is won by scoring 500 points over its rounds."""
    g = given("classic", ["red-7", "wild"], "red-5", scores=[449, 499], episode="match")
    play(g, "0: play red-7")
    assert not g.over
    assert g.scores == [499, 499]
    g = given("classic", ["red-7", "wild"], "red-5", scores=[450, 499], episode="match")
    play(g, "0: play red-7")
    assert g.over
    assert g.scores == [500, 499]
    assert g.winners == (0,)


def test_fc_22_reversed_counting_lowest_total_wins():
    """Counted the other way round, the lowest total wins once somebody passes 500."""
    more = {"scores": [300, 460, 10], "episode": "match", "rules": REVERSED}
    g = given("classic", ["red-7", "wild", "blue-1"], "red-5", **more)
    play(g, "0: play red-7")
    assert g.over
    assert g.scores == [300, 510, 11]
    assert g.winners == (2,)
