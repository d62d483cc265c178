"""French classic: how its open points are read, and corner cases (FC-R1 to FC-C12)."""

import pytest

import uno_env as uno

from .given import all_cards, deals, given, hand, opened_by, play, sizes

THREE = "yellow-1 yellow-2 yellow-3"
REVERSED = {
    "scoring_mode": "holders_add",
    "match_winner": "lowest",
    "match_target_strict": True,
}


def challenged(rest: str, top: str = "red-5", **more: object) -> list[int]:
    """Hand sizes after seat 0 laid a +4 beside three other cards and seat 1 challenged it."""
    g = given("classic", [f"wild-draw4 {rest}", THREE, THREE], top, **more)
    return sizes(play(g, "0: play wild-draw4", "0: color green", "1: challenge"))


HONEST, BLUFF = [3, 9, 3], [7, 3, 3]


def test_fc_r1_opening_wild_draw4_is_put_back():
    """A +4 never opens: it is shuffled back and another card is turned."""
    for g in deals("classic", 4, 40, deck={"wild-draw4": 90}):
        assert len(g.snapshot()["discard"]) == 1
        assert g.snapshot()["discard"][0] != "wild-draw4"
        assert all_cards(g).count("wild-draw4") == 90


def test_fc_r2_opening_effects_count_as_played_by_the_dealer():
    """An opening +2 or Skip hits the dealer's left, and the seat after it starts."""
    for kind, drawn in (("draw2", 2), ("skip", 0)):
        for g in opened_by("classic", kind, 3):
            dealer = g.snapshot()["dealer"]
            assert sizes(g)[(dealer + 1) % 3] == 7 + drawn
            assert sizes(g)[dealer] == sizes(g)[(dealer + 2) % 3] == 7
            assert g.actor == (dealer + 2) % 3


def test_fc_r3_opening_reverse_gives_the_start_to_the_dealers_right():
    """After an opening Reverse the dealer's right starts; an option lets the dealer start."""
    for g in opened_by("classic", "reverse"):
        assert g.snapshot()["direction"] == -1
        assert g.actor == (g.snapshot()["dealer"] - 1) % 4
    for g in opened_by("classic", "reverse", opening_reverse_starter="dealer"):
        assert g.snapshot()["direction"] == -1
        assert g.actor == g.snapshot()["dealer"]


def test_fc_r4_reverse_with_two_seats():
    """With two seats a Reverse lets its player act again; read literally the opponent plays."""
    hands = ["red-reverse red-1 red-2", THREE]
    g = play(given("classic", hands, "red-5"), "0: play red-reverse")
    assert (g.actor, g.phase) == (0, "play")
    literal = {"two_player_reverse": "literal"}
    g = play(given("classic", hands, "red-5", rules=literal), "0: play red-reverse")
    assert g.actor == 1
    for g in opened_by("classic", "reverse", 2):
        assert g.actor == 1 - g.snapshot()["dealer"]


def test_fc_r5_a_joker_is_another_solution_but_a_second_wild_draw4_is_not():
    """A Joker in hand makes the +4 a bluff, a second +4 does not; an option ignores Jokers."""
    assert uno.Rules.preset("classic").plus4_joker_counts
    assert challenged("wild blue-1 blue-2") == BLUFF
    assert challenged("wild-draw4 blue-1 blue-2") == HONEST
    option = {"plus4_joker_counts": False}
    assert challenged("wild blue-1 blue-2", rules=option) == HONEST
    assert challenged("red-1 blue-1 blue-2", rules=option) == BLUFF


def test_fc_r6_figures_of_a_challenge():
    """Only the target may challenge: right, the bluffer draws 4; wrong, the challenger draws 6."""
    assert challenged("red-1 blue-1 blue-2") == BLUFF
    assert challenged("green-1 blue-1 blue-2") == HONEST
    g = given("classic", ["wild-draw4 blue-1 blue-2 green-3", THREE, THREE], "red-5")
    play(g, "0: play wild-draw4", "0: color green")
    assert g.view(2)["legal"] == []
    play(g, "1: challenge")
    assert (g.actor, g.phase) == (2, "play")
    figures = {"challenge_success_draw": 5, "challenge_fail_draw": 1}
    assert challenged("red-1 blue-1 blue-2", rules=figures) == [8, 3, 3]
    assert challenged("green-1 blue-1 blue-2", rules=figures) == [3, 4, 3]


def test_fc_r7_drawing_needs_a_hand_without_colored_match():
    """Drawing is refused with a coloured match in hand, but allowed beside playable wilds."""
    g = given("classic", ["red-1 wild wild-draw4", THREE, THREE], "red-5")
    assert "draw" not in g.legal()
    with pytest.raises(uno.IllegalAction):
        g.step("draw")
    g = given("classic", ["blue-1 wild wild-draw4", THREE, THREE], "red-5")
    assert set(g.legal()) == {"play wild", "play wild-draw4", "draw"}


def test_fc_r8_jokers_need_not_wait_until_stuck():
    """A Joker is always playable; an option allows wilds to stuck seats only."""
    hands = ["red-1 wild blue-2", THREE, THREE]
    assert "play wild" in given("classic", hands, "red-5").legal()
    option = {"wild_only_when_stuck": True}
    assert given("classic", hands, "red-5", rules=option).legal() == ["play red-1"]
    stuck = given("classic", hands, "green-5", rules=option)
    assert set(stuck.legal()) == {"play wild", "draw"}


def test_fc_r9_discards_are_recycled():
    """An empty draw pile is rebuilt from the discards under the top card."""
    g = given("classic", ["blue-1 blue-2 blue-3", THREE, THREE], "green-1 green-2 red-5", "")
    play(g, "0: draw")
    now = g.snapshot()
    drawn = set(hand(g, 0)) - {"blue-1", "blue-2", "blue-3"}
    assert drawn | set(now["draw_pile"]) == {"green-1", "green-2"}
    assert now["discard"] == ["red-5"]


def test_fc_r10_a_catch_is_possible_until_the_next_first_step():
    """Once the next seat has begun, a silent seat can no longer be caught."""
    g = given("classic", ["red-7 blue-9", "red-1 red-2 red-3", THREE], "red-5")
    play(g, "0: play red-7", "0: stay-silent")
    assert (g.actor, g.phase) == (1, "uno-catch")
    play(g, "1: ignore", "2: ignore")
    assert (g.actor, g.phase) == (1, "play")
    play(g, "1: play red-1")
    assert (g.actor, g.phase) == (2, "play")
    assert sizes(g) == [1, 2, 3]


def test_fc_r11_two_ways_of_counting():
    """The winner collects the others' cards by default; the other way each adds its own hand."""
    hands = ["red-7", "blue-9 green-skip", "wild"]
    g = play(given("classic", hands, "red-5"), "0: play red-7")
    assert g.points == g.scores == [79, 0, 0]
    g = play(given("classic", hands, "red-5", rules=REVERSED), "0: play red-7")
    assert g.winners == (0,)
    assert g.points == g.scores == [0, 29, 50]
    more = {"scores": [20, 480, 20], "episode": "match", "rules": REVERSED}
    g = given("classic", ["red-7", "blue-9 green-skip", "blue-0"], "red-5", **more)
    play(g, "0: play red-7")
    assert g.over
    assert g.scores == [20, 509, 20]
    assert g.winners == (0, 2)


@pytest.mark.parametrize("card", ["red-draw2", "wild-draw4"])
def test_fc_r12_a_last_draw_card_is_not_drawn(card):
    """The round ends with the last card; a draw card among them makes nobody draw."""
    g = play(given("classic", [card, "blue-1", "blue-2"], "red-5"), f"0: play {card}")
    assert g.over
    assert sizes(g) == [0, 1, 1]
    assert g.points == [3, 0, 0]


def test_fc_r13_two_to_ten_seats():
    """Tables from two to ten seats are accepted, others refused."""
    for n in range(2, 11):
        assert len(sizes(uno.Game("classic", num_players=n, seed=0))) == n
    for n in (1, 11):
        with pytest.raises(uno.RulesError, match="num_players"):
            uno.Game("classic", num_players=n, seed=0)


def test_fc_r14_the_card_to_follow_is_the_turned_up_one():
    """Cards are matched with and played on the discard pile, never the draw pile."""
    g = given("classic", ["red-1 blue-1 blue-2", THREE, THREE], "red-5", "blue-9 blue-8")
    assert g.legal() == ["play red-1"]
    play(g, "0: play red-1")
    assert g.snapshot()["discard"] == ["red-5", "red-1"]
    assert g.snapshot()["draw_pile"] == ["blue-9", "blue-8"]


def test_fc_r15_the_present_color_may_be_named_again():
    """Not changing the colour means naming the present one; an opening Joker has none to keep."""
    g = given("classic", ["wild blue-1 blue-2 blue-3", THREE, THREE], "red-5")
    play(g, "0: play wild")
    assert len(g.legal()) == 4
    play(g, "0: color red")
    assert g.view(1)["active_color"] == "red"
    g = opened_by("classic", "wild")[0]
    assert g.view(0)["active_color"] is None
    assert g.legal() == ["color red", "color yellow", "color green", "color blue"]


def test_fc_c1_opening_draw2_with_four_seats():
    """After an opening +2 the second seat from the dealer starts on its colour or symbol."""
    games = [g for g in opened_by("classic", "draw2", seeds=80) if g.snapshot()["dealer"] == 0]
    assert games
    for g in games:
        assert sizes(g) == [7, 9, 7, 7]
        assert (g.actor, g.phase) == (2, "play")
        color = g.snapshot()["discard"][-1].split("-")[0]
        follows = {card for card in hand(g, 2) if card.startswith(color) or "draw2" in card}
        assert follows <= {text.removeprefix("play ") for text in g.legal()}


def test_fc_c2_opening_reverse_with_four_and_two_seats():
    """With dealer 0 an opening Reverse lets seat 3 of four start, or seat 1 of two."""
    for n, starter in ((4, 3), (2, 1)):
        games = [g for g in opened_by("classic", "reverse", n, 80) if g.snapshot()["dealer"] == 0]
        assert games
        for g in games:
            assert g.actor == starter
            assert g.snapshot()["direction"] == -1


def test_fc_c3_opening_skip_with_two_seats():
    """With two seats an opening Skip passes over the dealer's opponent: the dealer starts."""
    for g in opened_by("classic", "skip", 2):
        assert (g.actor, g.phase) == (g.snapshot()["dealer"], "play")


def test_fc_c4_opening_wild_draw4_leaves_hands_alone():
    """However often a +4 is turned and put back, hands stay as dealt and the deck complete."""
    for g in deals("classic", 4, 20, deck={"*": 0, "wild-draw4": 60, "red-5": 40}):
        assert g.snapshot()["discard"] == ["red-5"]
        assert sizes(g) == [7] * 4
        assert g.phase == "play"
        assert len(all_cards(g)) == 100


def test_fc_c5_draw_is_masked_only_by_a_colored_match():
    """A red card on red forbids drawing; blue cards and a Joker on red leave both choices."""
    g = given("classic", ["red-4 blue-1 blue-2", THREE, THREE], "red-5")
    assert g.legal() == ["play red-4"]
    g = given("classic", ["wild blue-1 blue-2", THREE, THREE], "red-5")
    assert g.legal() == ["play wild", "draw"]


def test_fc_c6_a_drawn_wild_draw4_is_honest_for_a_stuck_seat():
    """A stuck seat that draws a +4 may lay it, and challenging it costs 6 cards."""
    draw_pile = ["wild-draw4", *["green-9"] * 8]
    g = given("classic", ["blue-1 blue-2 blue-3", THREE, THREE], "red-5", draw_pile)
    play(g, "0: draw", "0: play wild-draw4", "0: color blue", "1: challenge")
    assert sizes(g) == [3, 9, 3]
    assert g.actor == 2


def test_fc_c7_a_matching_symbol_makes_the_wild_draw4_a_bluff():
    """A Skip of another colour on a Skip is another solution, so the +4 is a bluff."""
    assert challenged("blue-skip blue-1 blue-2", top="red-skip") == BLUFF
    assert challenged("blue-reverse blue-1 blue-2", top="red-skip") == HONEST


def test_fc_c8_a_draw2_cannot_be_answered():
    """A seat hit by a +2 draws at once even when it holds a +2 itself."""
    g = given("classic", ["red-draw2 red-1 red-2", "red-draw2 blue-draw2 blue-3", THREE], "red-5")
    play(g, "0: play red-draw2")
    assert sizes(g) == [2, 5, 3]
    assert (g.actor, g.phase) == (2, "play")
    assert g.snapshot()["pending"] is None


def test_fc_c9_wild_draw4_as_last_card():
    """A +4 as last card wins at once, without colour, challenge or draw."""
    g = given("classic", ["wild-draw4", "red-1", "red-2"], "red-5")
    play(g, "0: play wild-draw4")
    assert (g.over, g.phase, g.winners) == (True, "over", (0,))
    assert sizes(g) == [0, 1, 1]


def test_fc_c10_reversed_counting_stops_above_500():
    """Counting the other way, exactly 500 does not end the match; 501 does, and 90 wins."""
    more = {"episode": "match", "rules": REVERSED}
    hands = ["red-7", "wild", "blue-2"]
    g = given("classic", hands, "red-5", scores=[120, 450, 88], **more)
    play(g, "0: play red-7")
    assert not g.over
    assert g.scores == [120, 500, 90]
    g = given("classic", hands, "red-5", scores=[120, 451, 88], **more)
    play(g, "0: play red-7")
    assert g.over
    assert g.scores == [120, 501, 90]
    assert g.winners == (2,)


def test_fc_c11_a_right_challenger_plays_on_the_named_color():
    """After exposing a bluff the target plays now, on the colour the bluffer named."""
    hands = ["wild-draw4 red-1 red-2 red-3", "green-1 red-4 blue-2", THREE]
    g = given("classic", hands, "red-5")
    play(g, "0: play wild-draw4", "0: color green", "1: challenge")
    assert sizes(g) == [7, 3, 3]
    assert (g.actor, g.phase) == (1, "play")
    assert g.legal() == ["play green-1"]


def test_fc_c12_a_wild_draw4_larger_than_the_piles():
    """A seat owing 4 with a single card available draws that one and loses its turn."""
    faced = {"amount": 4, "value": 4, "source": 0, "contestable": True}
    named = {"active_color": "green", "color_before": "red"}
    hands = ["blue-1 blue-2 blue-3", THREE, THREE]
    g = given("classic", hands, "wild-draw4", "red-9", turn=1, pending=faced, **named)
    play(g, "1: accept")
    assert hand(g, 1) == ["red-9", *THREE.split()]
    assert (g.actor, g.phase) == (2, "play")
    assert g.snapshot()["pending"] is None
