"""UNO Teams!: going out and coming back, the action cards, the score (TM-25 to TM-42)."""

import pytest

import uno_env as uno

from .given import given, hand, play, sizes

QUIET = {"uno_call": "off"}
OTHERS = ["green-3 green-4 green-6", "blue-3 blue-4 blue-6", "yellow-1 yellow-2 yellow-6"]


def teams(hands: list[str], top: str = "red-9", draw_pile: str | None = None, **more) -> uno.Game:
    """A Teams position without UNO calls."""
    return given("teams", hands, top, draw_pile, rules={**QUIET, **more.pop("rules", {})}, **more)


def test_tm_25_an_empty_hand_gets_half_of_the_partner_s():
    """A seat that sheds its last card gets half of its partner's cards and stays in the game."""
    b, _, d = OTHERS
    g = play(teams(["red-5", b, "blue-3 blue-4 blue-6 wild", d]), "0: play red-5")
    assert (g.actor, g.phase) == (2, "give-half")
    assert set(g.legal()) == {"give blue-3", "give blue-4", "give blue-6", "give wild"}
    play(g, "2: give blue-4")
    assert (g.actor, g.phase) == (2, "give-half")
    assert set(g.legal()) == {"give blue-3", "give blue-6", "give wild"}
    play(g, "2: give wild")
    assert hand(g, 0) == ["blue-4", "wild"]
    assert hand(g, 2) == ["blue-3", "blue-6"]
    assert g.snapshot()["out"] == []
    gifts = [event for event in g.events if event["type"] == "give"]
    assert sorted(card for event in gifts for card in event["cards"]) == ["blue-4", "wild"]
    assert all(sorted(event["known_to"]) == [0, 2] for event in gifts)


def test_tm_26_a_partner_with_one_card_gives_nothing():
    """If the partner holds a single card it gives nothing and the seat is out, without turns."""
    b, _, d = OTHERS
    g = play(teams(["red-5", "red-reverse " + b, "blue-3", d]), "0: play red-5")
    assert g.snapshot()["out"] == [0]
    assert sizes(g)[0] == 0
    play(g, "1: play red-reverse")
    assert (g.actor, g.phase) == (3, "play")


@pytest.mark.parametrize(("held", "gives"), [(2, 1), (3, 1), (5, 2), (8, 4), (9, 4)])
def test_tm_27_the_giver_keeps_the_larger_part(held, gives):
    """The giver of an odd hand keeps the larger part: of nine cards it passes four."""
    b, _, d = OTHERS
    g = play(teams(["red-5", b, " ".join(["blue-3"] * held), d]), "0: play red-5")
    for _ in range(gives):
        assert (g.actor, g.phase) == (2, "give-half")
        play(g, "2: give blue-3")
    assert (g.actor, g.phase) == (1, "play")
    assert sizes(g) == [gives, 3, held - gives, 3]


def test_tm_28_a_seat_that_is_out_returns_when_its_partner_draws():
    """When the partner of a seat that is out draws it passes half its hand at once."""
    b, _, d = OTHERS
    g = teams(["", b, "blue-3", d], draw_pile="blue-7 blue-8", out=[0], turn=2, actor=2)
    play(g, "2: draw")
    assert (g.actor, g.phase) == (2, "give-half")
    assert set(g.legal()) == {"give blue-3", "give blue-7"}
    play(g, "2: give blue-3")
    assert g.snapshot()["out"] == []
    assert (hand(g, 0), hand(g, 2)) == (["blue-3"], ["blue-7"])
    assert play(g, "3: draw").actor == 0


def test_tm_29_the_round_ends_when_both_partners_are_empty():
    """The round is over the moment a team lays its last card with both its hands empty."""
    b, _, d = OTHERS
    g = teams(["", b, "red-3", d], out=[0], turn=2, actor=2)
    play(g, "2: play red-3")
    assert (g.over, g.phase, g.actor, g.winners) == (True, "over", None, (0, 2))
    assert g.legal() == []


def test_tm_30_draw_two():
    """The seat after a Draw Two draws two cards and loses its turn."""
    g = play(teams(["red-draw2 green-1 green-2", *OTHERS]), "0: play red-draw2")
    assert sizes(g) == [2, 5, 3, 3]
    assert (g.actor, g.phase) == (2, "play")


def test_tm_31_reverse():
    """A Reverse turns the direction of play around, whichever it was."""
    g = play(teams(["red-reverse green-1 green-2", *OTHERS]), "0: play red-reverse")
    assert (g.actor, g.snapshot()["direction"]) == (3, -1)
    g = teams(["red-reverse green-1 green-2", *OTHERS], direction=-1)
    play(g, "0: play red-reverse")
    assert (g.actor, g.snapshot()["direction"]) == (1, 1)


def test_tm_32_skip():
    """The seat after a Skip loses its turn."""
    g = play(teams(["red-skip green-1 green-2", *OTHERS]), "0: play red-skip")
    assert (g.actor, g.phase) == (2, "play")
    assert sizes(g) == [2, 3, 3, 3]


def test_tm_33_wild():
    """A Wild goes on any card and its player names a colour, the present one included."""
    g = play(teams(["wild green-1 green-2", *OTHERS]), "0: play wild")
    assert (g.actor, g.phase) == (0, "color")
    assert set(g.legal()) == {"color red", "color yellow", "color green", "color blue"}
    assert g.snapshot()["active_color"] == g.view(3)["active_color"] == "red"  # until named
    kept = play(g.clone(), "0: color red")
    assert kept.view(3)["active_color"] == "red"
    play(g, "0: color green")
    assert g.view(3)["active_color"] == "green"
    assert set(g.legal()) == {"play green-3", "play green-4", "play green-6", "draw"}


def test_tm_34_team_play_names_a_color():
    """The player of a Wild Team Play first names a colour."""
    g = play(teams(["wild-team-play green-1 green-2", *OTHERS]), "0: play wild-team-play")
    assert (g.actor, g.phase) == (0, "color")
    assert len(g.legal()) == 4
    play(g, "0: color blue")
    assert g.view(1)["active_color"] == "blue"


def test_tm_35_team_play_gives_the_turn_to_the_partner():
    """After a Wild Team Play the partner lays a card at once if it can, and play goes on there."""
    b, _, d = OTHERS
    start = teams(["wild-team-play green-1 green-2", b, "blue-3 blue-draw2 red-4 green-7", d])
    play(start, "0: play wild-team-play", "0: color blue")
    assert (start.actor, start.phase) == (2, "team-play")
    assert set(start.legal()) == {"play blue-3", "play blue-draw2"}
    g = play(start.clone(), "2: play blue-3")
    assert (g.actor, g.phase) == (3, "play")
    g = play(start, "2: play blue-draw2")
    assert sizes(g) == [2, 3, 3, 5]
    assert (g.actor, g.phase) == (0, "play")


def test_tm_36_team_play_that_the_partner_cannot_follow():
    """If the partner cannot follow a Wild Team Play its player draws 2; the next seat goes on."""
    g = play(teams(["wild-team-play green-1 green-2", *OTHERS]), "0: play wild-team-play")
    play(g, "0: color red")
    assert sizes(g) == [4, 3, 3, 3]
    assert (g.actor, g.phase) == (3, "play")
    assert g.snapshot()["active_color"] == "red"
    assert g.view(1)["missing_colors"][2]["red"] == 0


def test_tm_36_the_size_of_the_penalty_is_an_option():
    """How many cards a failed Wild Team Play costs its player can be changed."""
    hands = ["wild-team-play green-1 green-2", *OTHERS]
    g = teams(hands, rules={"team_play_fail_draw": 4})
    play(g, "0: play wild-team-play", "0: color red")
    assert sizes(g) == [6, 3, 3, 3]


def test_tm_37_super_team_hits_a_whole_team():
    """A Wild Super Team names a colour; the next seat draws 2, is skipped, its partner draws 2."""
    g = play(teams(["wild-team-draw2 green-1 green-2", *OTHERS]), "0: play wild-team-draw2")
    assert (g.actor, g.phase) == (0, "color")
    play(g, "0: color blue")
    assert sizes(g) == [2, 5, 3, 5]
    assert (g.actor, g.phase) == (2, "play")
    assert g.snapshot()["active_color"] == "blue"


def test_tm_38_the_give_symbol_exchanges_a_card():
    """After a card with the give symbol its player and the partner exchange one card each."""
    b, _, d = OTHERS
    g = teams(["red-4+give green-1 green-2", b, "blue-3 blue-4 wild", d])
    play(g, "0: play red-4+give")
    assert (g.actor, g.phase) == (0, "exchange")
    assert set(g.legal()) == {"give green-1", "give green-2"}
    play(g, "0: give green-2")
    assert (g.actor, g.phase) == (2, "exchange")
    assert set(g.legal()) == {"give blue-3", "give blue-4", "give wild"}
    play(g, "2: give wild")
    assert hand(g, 0) == ["green-1", "wild"]
    assert hand(g, 2) == ["blue-3", "blue-4", "green-2"]
    assert (g.actor, g.phase) == (1, "play")
    gifts = [event for event in g.events if event["type"] == "give"]
    assert all(sorted(event["known_to"]) == [0, 2] for event in gifts)


def test_tm_39_nobody_steers_the_partner_s_choice():
    """While the partner picks its card for the exchange no other seat can do or say anything."""
    g = teams(["red-4+give green-1 green-2", *OTHERS])
    play(g, "0: play red-4+give", "0: give green-2")
    assert [bool(g.view(seat)["legal"]) for seat in range(4)] == [False, False, True, False]


def test_tm_40_the_winning_team_scores_the_opponents_cards():
    """The winning team gets the value of the cards its opponents still hold."""
    g = teams(["red-5", "green-3 blue-skip", "", "wild green-5"], out=[2])
    play(g, "0: play red-5")
    assert g.scores == [78, 0, 78, 0]
    assert g.points == [78, 0, 78, 0]


def test_tm_41_card_values():
    """Numbers count their value, coloured actions 20, and all three kinds of wilds 50."""
    numbers = " ".join(f"green-{number}" for number in range(1, 10))
    rest = "red-skip red-reverse red-draw2 wild wild-team-play wild-team-draw2 blue-4+give"
    g = teams(["red-5", numbers, "", rest], out=[2])
    play(g, "0: play red-5")
    assert g.scores[0] == 45 + 3 * 20 + 3 * 50 + 4


@pytest.mark.parametrize(("before", "over"), [(480, True), (479, False)])
def test_tm_42_five_hundred_points_win_the_match(before, over):
    """Points add up for each team, and the team that reaches 500 wins the match."""
    scores = [before, 490, before, 490]
    hands = ["red-5", "green-3 green-7", "", "blue-6 blue-4"]
    g = teams(hands, out=[2], episode="match", scores=scores)
    play(g, "0: play red-5")
    assert g.scores == [before + 20, 490, before + 20, 490]
    assert g.over == over
    assert g.winners == ((0, 2) if over else ())
    if not over:
        assert (g.phase, sizes(g)) == ("pass-card", [7] * 4)
