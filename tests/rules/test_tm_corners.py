"""UNO Teams!: corner cases (TM-C1 to TM-C26); seats 0 and 2 play against 1 and 3."""

from collections import Counter

import uno_env as uno

from .given import given, hand, play, sizes

QUIET = {"uno_call": "off"}
B, C, D = "green-3 green-4 green-6", "blue-3 blue-4 blue-6", "yellow-1 yellow-2 yellow-6"
DULL = ["blue-9"] * 12


def teams(
    hands: list[str], top: str = "red-5", draw_pile: list[str] | None = None, **more
) -> uno.Game:
    """A Teams position without UNO calls."""
    return given("teams", hands, top, draw_pile or DULL, rules=QUIET, **more)


def loud(
    hands: list[str], top: str = "red-5", draw_pile: list[str] | None = None, **more
) -> uno.Game:
    """A Teams position with UNO calls."""
    return given("teams", hands, top, draw_pile or DULL, **more)


def test_tm_c1_half_of_seven():
    """From seven cards the partner picks three to give and keeps four; the seat plays on later."""
    seven = "blue-1 blue-2 blue-3 blue-4 blue-6 blue-7 wild"
    g = play(teams(["red-1", B, seven, D]), "0: play red-1")
    play(g, "2: give wild", "2: give blue-1", "2: give blue-7")
    assert hand(g, 0) == ["blue-1", "blue-7", "wild"]
    assert hand(g, 2) == ["blue-2", "blue-3", "blue-4", "blue-6"]
    play(g, "1: draw", "2: draw", "3: play yellow-1")
    assert (g.actor, g.phase) == (0, "play")
    assert "play blue-1" in g.legal()


def test_tm_c2_out_and_then_won_by_the_partner():
    """A seat whose partner holds one card is out, and wins with it when that card is laid."""
    g = play(teams(["red-1", B, "red-3", D]), "0: play red-1")
    assert g.snapshot()["out"] == [0]
    play(g, "1: draw", "2: play red-3")
    assert (g.over, g.winners) == (True, (0, 2))


def test_tm_c3_one_drawn_card_brings_the_partner_back():
    """Drawing one card beside an out partner leaves both with one card and a call to make."""
    g = loud(["", B, "blue-3", D], draw_pile=["blue-7", "blue-8"], out=[0], turn=2, actor=2)
    play(g, "2: draw", "2: give blue-3")
    assert (hand(g, 0), hand(g, 2)) == (["blue-3"], ["blue-7"])
    play(g, "2: call-uno", "0: call-uno")
    assert sorted(g.snapshot()["uno_called"]) == [0, 2]
    assert (g.actor, g.phase) == (3, "play")


def test_tm_c4_the_drawn_card_is_kept_back_and_laid():
    """Who gives its old card away may lay the drawn one, and is then out itself."""
    g = loud(["", B, "blue-3", D], draw_pile=["red-7", "blue-8"], out=[0], turn=2, actor=2)
    play(g, "2: draw", "2: give blue-3")
    assert set(g.legal()) == {"play red-7", "keep"}
    play(g, "2: play red-7")
    assert g.snapshot()["out"] == [2]
    assert sizes(g) == [1, 3, 0, 3]
    play(g, "0: call-uno")
    assert (g.actor, g.phase) == (3, "play")


def test_tm_c5_the_drawn_card_is_given_away():
    """Who gives away the card it has just drawn cannot lay it any more this turn."""
    g = teams(["", B, "red-3", D], draw_pile=["red-7", "blue-8"], out=[0], turn=2, actor=2)
    play(g, "2: draw", "2: give red-7")
    assert (hand(g, 0), hand(g, 2)) == (["red-7"], ["red-3"])
    assert (g.actor, g.phase) == (3, "play")


def test_tm_c6_draw_two_beside_an_out_partner():
    """After a Draw Two the partner of an out seat passes one of its three cards on at once."""
    hands = ["", "red-draw2 " + B, "blue-3", D]
    g = loud(hands, draw_pile=["blue-7", "blue-8"], out=[0], turn=1, actor=1)
    play(g, "1: play red-draw2")
    assert (g.actor, g.phase) == (2, "give-half")
    play(g, "2: give blue-8")
    assert (hand(g, 0), hand(g, 2)) == (["blue-8"], ["blue-3", "blue-7"])
    assert (g.actor, g.phase) == (0, "uno-call")
    play(g, "0: call-uno")
    assert (g.actor, g.phase) == (3, "play")


def test_tm_c7_draw_two_on_one_s_own_partner():
    """With the next opponent out a Draw Two hits the partner, who is skipped as well."""
    g = play(teams(["red-draw2 red-1", "", C, "yellow-1"], out=[1]), "0: play red-draw2")
    assert sizes(g) == [1, 0, 5, 1]
    assert (g.actor, g.phase) == (3, "play")


def test_tm_c8_super_team_on_one_s_own_team():
    """With the next opponent out a Super Team makes both its player and the partner draw."""
    g = teams(["wild-team-draw2 red-1", "", C, "yellow-1"], out=[1])
    play(g, "0: play wild-team-draw2", "0: color blue")
    assert sizes(g) == [3, 0, 5, 1]
    assert (g.actor, g.phase) == (3, "play")
    g = teams(["wild-team-draw2", "", C, "yellow-1"], out=[1])
    play(g, "0: play wild-team-draw2", "0: color blue")
    assert sizes(g) == [2, 0, 5, 1]
    assert g.snapshot()["out"] == [1]
    assert (g.actor, g.phase) == (3, "play")


def test_tm_c9_super_team_brings_an_out_seat_back():
    """An out partner of a Super Team's target comes back with its own two cards, without a half."""
    g = teams(["wild-team-draw2 red-1", "green-3", C, ""], out=[3])
    play(g, "0: play wild-team-draw2", "0: color blue")
    assert sizes(g) == [1, 3, 3, 2]
    assert g.snapshot()["out"] == []
    play(g, "2: play blue-3")
    assert (g.actor, g.phase) == (3, "play")


def test_tm_c10_team_play_to_a_last_card():
    """A Team Play as last card lets the partner lay its own last card, and the team wins."""
    g = teams(["wild-team-play", B, "blue-3", D])
    play(g, "0: play wild-team-play", "0: color blue")
    assert g.snapshot()["out"] == [0]
    assert (g.actor, g.phase) == (2, "team-play")
    play(g, "2: play blue-3")
    assert (g.over, g.winners) == (True, (0, 2))


def test_tm_c11_team_play_as_last_card_fails():
    """A failed Team Play as last card costs its player two cards, and it is not out."""
    g = teams(["wild-team-play", B, "blue-3", D])
    play(g, "0: play wild-team-play", "0: color green")
    assert sizes(g) == [2, 3, 1, 3]
    assert g.snapshot()["out"] == []
    assert g.snapshot()["active_color"] == "green"
    assert (g.actor, g.phase) == (3, "play")


def test_tm_c12_the_half_comes_before_the_partner_s_turn():
    """After a Team Play as last card the partner gives its half, then lays a card if it can."""
    six = "blue-3 blue-4 blue-6 red-1 red-2 red-4"
    g = teams(["wild-team-play", B, six, D])
    play(g, "0: play wild-team-play", "0: color blue")
    play(g, "2: give blue-3", "2: give red-1", "2: give red-2")
    assert (g.actor, g.phase) == (2, "team-play")
    assert set(g.legal()) == {"play blue-4", "play blue-6"}

    g = teams(["wild-team-play", B, six, D])
    play(g, "0: play wild-team-play", "0: color blue")
    play(g, "2: give blue-3", "2: give blue-4", "2: give blue-6")
    assert sizes(g) == [5, 3, 3, 3]
    assert (g.actor, g.phase) == (3, "play")


def test_tm_c13_team_play_as_the_team_s_last_card():
    """A Team Play that empties the team wins at once, without a colour or the partner's turn."""
    g = play(teams(["wild-team-play", B, "", D], out=[2]), "0: play wild-team-play")
    assert (g.over, g.winners) == (True, (0, 2))


def test_tm_c14_team_play_on_team_play():
    """A Team Play answered by a Team Play puts the first player in the partner's place."""
    hands = ["wild-team-play green-1 red-2", B, "wild-team-play blue-3 blue-4", D]
    g = teams(hands)
    play(g, "0: play wild-team-play", "0: color red")
    assert g.legal() == ["play wild-team-play"]
    play(g, "2: play wild-team-play")
    fails = play(g.clone(), "2: color yellow")
    assert sizes(fails) == [2, 3, 4, 3]
    assert (fails.actor, fails.phase) == (1, "play")
    play(g, "2: color green")
    assert (g.actor, g.phase) == (0, "team-play")
    assert g.legal() == ["play green-1"]
    play(g, "0: play green-1")
    assert (g.actor, g.phase) == (1, "play")
    assert sizes(g) == [1, 3, 2, 3]


def test_tm_c15_action_cards_after_team_play():
    """A Skip or a Reverse laid after a Team Play counts from the partner's seat."""
    hands = ["wild-team-play green-1 red-2", B, "blue-skip blue-reverse blue-4", D]
    g = teams(hands)
    play(g, "0: play wild-team-play", "0: color blue")
    assert play(g.clone(), "2: play blue-skip").actor == 0
    assert play(g, "2: play blue-reverse").actor == 1


def test_tm_c16_uno_comes_after_the_exchange():
    """A give card that leaves one card is followed by the exchange, then by the UNO call."""
    five = "blue-1 blue-2 blue-3 blue-4 wild"
    g = loud(["red-4+give green-1", B, five, D])
    play(g, "0: play red-4+give", "0: give green-1", "2: give wild")
    assert hand(g, 0) == ["wild"]
    assert hand(g, 2) == ["blue-1", "blue-2", "blue-3", "blue-4", "green-1"]
    assert (g.actor, g.phase) == (0, "uno-call")


def test_tm_c17_give_symbol_on_a_last_card():
    """A last card with the give symbol exchanges nothing, but the half is passed."""
    g = play(teams(["red-4+give", B, "blue-1 blue-2 blue-3 blue-4", D]), "0: play red-4+give")
    assert (g.actor, g.phase) == (2, "give-half")
    play(g, "2: give blue-2", "2: give blue-3")
    assert (hand(g, 0), hand(g, 2)) == (["blue-2", "blue-3"], ["blue-1", "blue-4"])
    assert (g.actor, g.phase) == (1, "play")


def test_tm_c18_give_symbol_on_the_team_s_last_card():
    """A give card that empties the team wins at once."""
    g = play(teams(["red-4+give", B, "", D], out=[2]), "0: play red-4+give")
    assert (g.over, g.winners) == (True, (0, 2))


def test_tm_c19_call_by_the_partner_catch_and_a_new_call():
    """The partner's call protects; after a catch the call is due again at the next single card."""
    g = loud(["red-1 red-2", B, C, D], draw_pile=["red-7", "red-8", *DULL])
    play(g, "0: play red-1", "0: stay-silent")
    safe = play(g.clone(), "2: call-uno")
    assert (safe.actor, safe.phase, sizes(safe)[0]) == (1, "play", 1)
    play(g, "2: stay-silent", "1: catch")
    assert hand(g, 0) == ["red-2", "red-7", "red-8"]
    play(g, "1: draw", "2: draw", "3: draw", "0: play red-2")
    assert g.phase == "play"
    play(g, "1: draw", "2: draw", "3: draw", "0: play red-7")
    assert (g.actor, g.phase) == (0, "uno-call")


def test_tm_c20_drawing_instead_of_winning():
    """A seat may draw rather than lay the winning card; its partner comes back, both owe a call."""
    g = loud(["red-1", B, "", D], draw_pile=["blue-7", "blue-8"], out=[2])
    assert set(g.legal()) == {"play red-1", "draw"}
    play(g, "0: draw", "0: give blue-7")
    assert (hand(g, 0), hand(g, 2)) == (["red-1"], ["blue-7"])
    assert (g.actor, g.phase) == (0, "uno-call")
    play(g, "0: call-uno")
    assert (g.actor, g.phase) == (2, "uno-call")
    play(g, "2: call-uno")
    assert (g.actor, g.phase) == (1, "play")


def test_tm_c21_dead_piles_bring_nobody_back():
    """With nothing left to draw a seat passes, and its out partner stays out."""
    g = given("teams", ["blue-1", B, "", D], "red-5", [], rules=QUIET, out=[2])
    assert g.legal() == ["pass"]
    play(g, "0: pass")
    assert g.snapshot()["out"] == [2]
    assert sizes(g) == [1, 3, 0, 3]
    assert g.actor == 1


def test_tm_c22_reverse_beside_an_out_seat():
    """A Reverse with the next seat out goes on with the next seat in the new direction."""
    g = play(teams(["red-reverse red-1", "", C, "yellow-1"], out=[1]), "0: play red-reverse")
    assert g.snapshot()["direction"] == -1
    assert (g.actor, g.phase) == (3, "play")


def test_tm_c23_the_opening_pass_is_blind():
    """In the opening pass a seat chooses without knowing its partner's card; all end with seven."""
    start = uno.Game("teams", num_players=4, seed=4)
    first = start.actor
    games = [play(start.clone(), action) for action in start.legal()[:2]]
    partner = (first + 2) % 4
    for g in games:
        g.step(g.legal()[0])
    assert games[0].actor == games[1].actor == partner
    assert games[0].view(partner) == games[1].view(partner)
    for g in games:
        while g.phase == "pass-card":
            g.step(g.legal()[0])
        assert sizes(g) == [7] * 4
    assert Counter(hand(games[0], first)) != Counter(hand(games[1], first))


def test_tm_c24_team_play_at_a_table_of_six():
    """At six seats a Team Play goes to the third seat on, and after a failure to the fourth."""
    hands = ["wild-team-play red-1", B, B, C, D, D]
    g = play(teams(hands), "0: play wild-team-play")
    follows = play(g.clone(), "0: color blue")
    assert (follows.actor, follows.phase) == (3, "team-play")
    play(g, "0: color red")
    assert sizes(g) == [3, 3, 3, 3, 3, 3]
    assert (g.actor, g.phase) == (4, "play")


def test_tm_c25_half_of_two_makes_two_calls_due():
    """Half of two cards leaves both partners with one; the giver is asked to call first."""
    g = play(loud(["red-1", B, "blue-1 blue-2", D]), "0: play red-1", "2: give blue-1")
    assert (g.actor, g.phase) == (2, "uno-call")
    play(g, "2: call-uno")
    assert (g.actor, g.phase) == (0, "uno-call")
    play(g, "0: call-uno")
    assert (g.actor, g.phase) == (1, "play")


def test_tm_c26_score_with_an_opponent_out():
    """The winners score what the opponents hold, here a single wild worth 50."""
    g = play(teams(["red-1", "wild", "", ""], out=[2, 3]), "0: play red-1")
    assert g.winners == (0, 2)
    assert g.scores == [50, 0, 50, 0]
