"""House rules about calls, places and deals (HR-12 to HR-15)."""

import pytest

import uno_env as uno

from .given import given, play, sizes

FILL = "blue-1 green-6 green-8"
PLACES = {"play_on": True}


def test_hr_12_the_others_play_on_for_places():
    """With `play_on` a seat without cards is out and the round goes on until one seat is left."""
    hands = ["red-1", "red-2 red-3", "red-4 red-6 green-9"]
    g = given("classic", hands, "red-5", rules=PLACES, uno_called=[0])
    play(g, "0: play red-1")
    assert (g.over, g.places, g.view(1)["out"]) == (False, [1, 0, 0], [0])
    play(g, "1: play red-2", "1: call-uno", "2: play red-4", "1: play red-3")
    assert (g.over, g.winners, g.places) == (True, (0,), [1, 2, 3])
    assert g.rewards("places") == [1.0, 0.0, -1.0]


def test_hr_12_the_last_card_still_has_its_effect():
    """With `play_on` the last card of a seat hits the next one like any other."""
    hands = ["red-draw2", FILL, FILL]
    g = given("classic", hands, "red-5", rules=PLACES, uno_called=[0])
    play(g, "0: play red-draw2")
    assert (sizes(g), g.actor, g.places) == ([0, 5, 3], 2, [1, 0, 0])


def test_hr_12_places_and_teams_exclude_each_other():
    """`play_on` is refused where partners win together."""
    with pytest.raises(uno.RulesError, match="play_on"):
        uno.Rules.preset("teams").replace(play_on=True)


LATE = {"uno_catch_window": "until_own_turn"}


def silent_game() -> uno.Game:
    hands = ["red-1 red-2", f"red-3 {FILL}", f"red-4 {FILL}", f"red-6 {FILL}"]
    g = given("classic", hands, "red-5", rules=LATE)
    return play(g, "0: play red-1", "0: stay-silent", "1: ignore", "2: ignore", "3: ignore")


def test_hr_13_a_silent_seat_can_be_caught_until_its_own_turn():
    """With `until_own_turn` each seat is asked again before its turn, until the silent one's."""
    g = silent_game()
    assert (g.actor, g.phase, g.legal()) == (1, "uno-catch", ["catch", "ignore"])
    play(g, "1: ignore", "1: play red-3", "2: catch")
    assert (sizes(g), g.actor, g.phase) == ([3, 3, 4, 4], 2, "play")


def test_hr_13_the_window_closes_with_the_silent_seats_turn():
    """At its own turn a silent seat has got away with it."""
    g = silent_game()
    play(g, "1: ignore", "1: play red-3", "2: ignore", "2: play red-4", "3: ignore")
    play(g, "3: play red-6")
    assert (g.actor, g.phase) == (0, "play")
    assert play(g, "0: play red-2").winners == (0,)


def test_hr_14_the_first_partner_out_wins_for_the_team():
    """With `team_win=first_out` the round ends when one partner has no card left."""
    hands = ["red-1", FILL, FILL, FILL]
    rules = {"team_win": "first_out"}
    g = given("teams", hands, "red-5", rules=rules, uno_called=[0])
    play(g, "0: play red-1")
    assert (g.over, g.winners) == (True, (0, 2))


def test_hr_15_the_loser_deals():
    """With `next_dealer=loser` the seat left with the most points deals the next round."""
    rules = uno.Rules.preset("classic").replace(next_dealer="loser")
    others = 0
    for seed in range(8):
        match = uno.Game(rules, 4, seed=seed, episode="match")
        first = match.view(0)["dealer"]
        while match.view(0)["round"] == 0:
            match.step(match.legal()[0])
        left = {e["seat"]: e["cards"] for e in match.events if e["type"] == "hand"}
        points = {seat: sum(map(_points, cards)) for seat, cards in left.items()}
        dealer = match.view(0)["dealer"]
        assert points[dealer] == max(points.values())
        others += dealer != (first + 1) % 4
    assert others


def _points(card: str) -> int:
    kind = card.rpartition("-")[2]
    if card.startswith("wild"):
        return 50
    return int(kind) if kind.isdecimal() else 20
