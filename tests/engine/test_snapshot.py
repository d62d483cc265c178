"""Snapshots: the whole state there and back, positions written by hand, and malformed ones."""

import copy
import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import uno_env as uno
from uno_env.engine.observation.layout import O_SEATS
from uno_env.engine.state import SEAT_ROW, SEAT_SCORE
from uno_env.engine.tables import PHASES

from .invariants import check_end
from .strategies import Driver, Table, play_out, states, tables


def through_json(game: uno.Game) -> uno.Game:
    """The game set up again from its snapshot, written out and read back."""
    return uno.Game.from_snapshot(json.loads(json.dumps(game.snapshot())), strict=True)


def check_same(one: uno.Game, two: uno.Game) -> None:
    """Two games in the same state, as far as anybody can tell."""
    assert one.snapshot() == two.snapshot()
    assert one.legal() == two.legal() and one.winners == two.winners and one.void == two.void
    assert one.rewards("points") == two.rewards("points")
    for seat in range(one.num_players):
        assert np.array_equal(one.observe(seat), two.observe(seat))
        mine, theirs = one.view(seat), two.view(seat)
        assert {**mine, "events": None} == {**theirs, "events": None}


def check_round_trips(table: Table, most: int) -> None:
    """At every step a game loaded from a snapshot is the same and makes the same next step."""
    game, driver = table.game(), table.driver()
    for number in range(most):
        twin = through_json(game)
        assert twin.snapshot() == game.snapshot()
        if number % 5 == 0 or game.over:
            check_same(game, twin)
        if game.over:
            break
        action = driver.choose(game)
        game.step(action)
        twin.step(action)
        assert game.snapshot() == twin.snapshot(), "the twin went another way"


@settings(max_examples=40)
@given(tables())
def test_snapshot_round_trip_at_every_step(table):
    check_round_trips(table, most=50)


@pytest.mark.slow
@settings(max_examples=80, derandomize=False)
@given(tables())
def test_snapshot_round_trip_at_every_step_in_depth(table):
    check_round_trips(table, most=1000)


@settings(max_examples=40)
@given(tables())
def test_a_loaded_game_plays_on_to_the_same_end(table):
    game = table.game()
    for _ in states(game, table.driver(), most=30):
        pass
    twin = through_json(game)
    told = len(game.events)
    play_out(game, Driver(5, 0.8))
    play_out(twin, Driver(5, 0.8))
    check_same(game, twin)
    assert game.events[told:] == twin.events
    check_end(twin)


def test_every_phase_survives_the_trip():
    """The round trip above has met every phase there is."""
    missing = set(PHASES)
    presets = [uno.Rules.preset(variant) for variant in uno.VARIANTS]
    for rules in (*presets, uno.Rules.from_text("classic(multiple_play=true)")):
        for seed in range(60):
            table = Table(rules, 4, seed, seed, 0.6)
            for game in states(table.game(), table.driver(), most=120):
                if game.phase in missing:
                    missing.discard(game.phase)
                    check_same(game, through_json(game))
    assert not missing


def position(**more: Any) -> dict[str, Any]:
    """A small position; `more` replaces or adds keys."""
    return {
        "variant": "classic",
        "hands": [["red-1", "red-7", "wild"], ["blue-2", "green-3"], ["yellow-4", "blue-9"]],
        "discard": ["green-5", "red-5"],
        "draw_pile": ["blue-1", "green-1"] * 10,
        **more,
    }


TEAMS = {
    "variant": "teams",
    "hands": [
        ["red-1", "red-2"],
        ["blue-2", "green-3"],
        ["yellow-4", "blue-9"],
        ["red-8", "red-9"],
    ],
}
IG = {"variant": "ig2000"}
MERCY = {"variant": "no_mercy", "hands": [["red-1", "red-7"], ["blue-2"], ["yellow-4", "blue-9"]]}
BY_HAND = {
    "play": {},
    "play-drawn": {"drawn_card": "red-7"},
    "stack": {**MERCY, "discard": ["red-draw2"], "pending": {"amount": 2}},
    "challenge": {"discard": ["red-5", "wild-draw4"], "active_color": "blue", "pending": {}},
    "color": {"phase": "color", "discard": ["red-5", "wild"], "active_color": "red"},
    "roulette-color": {
        **MERCY,
        "phase": "roulette-color",
        "discard": ["red-5", "wild-roulette"],
        "active_color": "red",
    },
    "swap-target": {**MERCY, "phase": "swap-target", "discard": ["red-5", "red-7"]},
    "swap-pair": {
        **IG,
        "phase": "swap-pair",
        "discard": ["red-5", "wild-swap"],
        "active_color": "red",
    },
    "pass-card": {**TEAMS, "phase": "pass-card"},
    "give-half": {
        **TEAMS,
        "phase": "give-half",
        "hands": [TEAMS["hands"][0], ["red-1"], [], ["red-3"]],
    },
    "exchange": {**TEAMS, "phase": "exchange", "discard": ["red-5", "red-4+give"]},
    "team-play": {**TEAMS, "phase": "team-play"},
    "uno-call": {"phase": "uno-call", "hands": [["red-1"], ["blue-2"], ["yellow-4"]]},
    "uno-catch": {
        "phase": "uno-catch",
        "actor": 1,
        "turn": 0,
        "hands": [["red-1"], ["blue-2"], ["yellow-4"]],
    },
    "react": {
        **IG,
        "phase": "react",
        "actor": 1,
        "turn": 0,
        "hands": [["red-1"], ["red-5"], ["blue-1"]],
    },
    "opening-color": {"phase": "opening-color", "discard": ["wild"], "active_color": None},
    "opening-swap": {**IG, "phase": "opening-swap", "discard": ["wild-swap"], "active_color": None},
    "draw-target": {
        "variant": "all_wild",
        "phase": "draw-target",
        "hands": [["wild", "wild"], ["wild", "wild-skip"], ["wild", "wild-draw2"]],
        "discard": ["wild", "wild-target-draw2"],
        "draw_pile": ["wild"] * 20,
    },
    "play-more": {
        "rules": {"multiple_play": True},
        "phase": "play-more",
        "hands": [["blue-5", "red-7"], ["blue-2", "green-3"], ["yellow-4", "blue-9"]],
    },
    "over": {"phase": "over", "winners": [0], "hands": [[], ["blue-2"], ["yellow-4"]]},
}


@pytest.mark.parametrize("phase", PHASES)
def test_every_phase_can_be_set_up_by_hand(phase):
    game = uno.Game.from_snapshot(position(**BY_HAND[phase]))
    assert game.phase == phase
    assert game.over == (phase == "over") and bool(game.legal()) != game.over
    again = through_hand_made_json(game)
    check_same(game, again)
    for seed in range(3):
        check_end(play_out(game.clone(), Driver(seed, 0.8)))


def through_hand_made_json(game: uno.Game) -> uno.Game:
    """Like `through_json`, for positions whose cards are not a whole deck."""
    return uno.Game.from_snapshot(json.loads(json.dumps(game.snapshot())))


def test_a_snapshot_is_left_as_it_was():
    data = position()
    before = copy.deepcopy(data)
    game = uno.Game.from_snapshot(data)
    play_out(game, Driver(1, 0.9))
    assert data == before


def test_strict_wants_the_whole_deck():
    with pytest.raises(uno.SnapshotError, match="strict"):
        uno.Game.from_snapshot(position(), strict=True)


WRONG: dict[str, dict[str, Any]] = {
    "hands": {"hands": "red-1"},
    r"hands\[1\]": {"hands": [["red-1"], ["red-99"]]},
    "num_players": {"num_players": 4},
    "hands must be": {"hands": [["red-1"]] * 11},
    "hands: num_players": {"hands": [["red-1"]]},
    "discard is empty": {"discard": []},
    "discard": {"discard": [["red-1"]]},
    "draw_pile": {"draw_pile": None},
    "variant": {"variant": "bridge"},
    "unknown rule": {"rules": {"stackin": "none"}},
    "stacking": {"rules": {"stacking": "sideways"}},
    "dealer": {"dealer": 3},
    "turn": {"turn": -1},
    "actor": {"actor": 9},
    "actor is null": {"actor": None},
    "phase": {"phase": "siesta"},
    "direction": {"direction": 0},
    "active_color": {"active_color": "blue"},
    "active_color is null": {"discard": ["wild"]},
    "pending": {"pending": 4, "phase": "challenge"},
    r"pending\.amount": {"pending": {"amount": -2}, "phase": "challenge"},
    r"pending\.value": {"pending": {"amount": 4, "value": 99}, "phase": "challenge"},
    r"pending\.source": {"pending": {"amount": 4, "source": 3}, "phase": "challenge"},
    r"pending\.contestable": {"pending": {"amount": 4, "contestable": "yes"}},
    r"pending\.size": {"pending": {"size": 4}},
    "pending is null": {"phase": "challenge"},
    "pending is set": {"pending": {"amount": 4}, "phase": "play"},
    "hyper_color": {"hyper_color": "blue"},
    "drawn_card": {"drawn_card": "green-9"},
    "drawn_card is null": {"phase": "play-drawn"},
    r"hands\[1\] holds": {"eliminated": [1]},
    "actor is 0, who is not in play": {"eliminated": [0]},
    "eliminated names": {"eliminated": [True]},
    "out": {"out": "all"},
    "uno_called": {"uno_called": [0]},
    "points": {"points": [1, 2]},
    r"scores\[1\]": {"scores": [1, float("nan"), 2]},
    "winners": {"winners": [3]},
    r"known\[0\]": {"known": [{"holder": 0}]},
    r"known\[0\]\.holder": {"known": [{"holder": 5, "card": "red-1", "seats": [1]}]},
    r"rng": {"rng": {"random_draws": 1, "karma": 2}},
    r"rng\.seed": {"rng": {"seed": 2**64}},
    r"engine_state\.ghost": {"engine_state": {"ghost": 1}},
    r"engine_state\.stage": {"engine_state": {"stage": "soon"}},
    r"engine_state\.facing_seat": {"engine_state": {"facing_seat": 9}},
    r"engine_state\.choices": {"engine_state": {"choices": ["dessert"]}},
    r"engine_state\.chosen_cards": {"engine_state": {"chosen_cards": ["red-1"]}},
    r"missing_colors\[5\]": {"missing_colors": {"5": {"red": 0}}},
    r"missing_colors\[0\].*pink": {"missing_colors": {0: {"pink": 0}}},
    r"last_actions\[1\]\.play": {"last_actions": [{}, {"play": "trump"}, {}]},
    r"cards_played\[0\]": {"cards_played": [300, 0, 0]},
    r"kind_before": {"kind_before": "eleven"},
    r"cards_to_give": {"cards_to_give": 2},
    r"turns": {"turns": -1},
    r"format is 'uno-snapshot-0'.*uno-snapshot-2": {"format": "uno-snapshot-0"},
    r"'engine' is from before.*'engine_state'": {"engine": {}},
    "ghost": {"ghost": 1},
    "at most 500": {"draw_pile": ["red-1"] * 495},
}


@pytest.mark.parametrize("named", WRONG)
def test_a_malformed_snapshot_names_the_key(named):
    with pytest.raises(uno.SnapshotError, match=named):
        uno.Game.from_snapshot(position(**WRONG[named]))


@pytest.mark.parametrize("key", ["variant", "hands", "discard", "draw_pile"])
def test_a_missing_key_is_named(key):
    data = position()
    del data[key]
    with pytest.raises(uno.SnapshotError, match=f"{key} is missing"):
        uno.Game.from_snapshot(data)


@pytest.mark.parametrize("data", [None, [], "classic", 7, {1: 2}, {}])
def test_what_is_no_snapshot_at_all(data):
    with pytest.raises(uno.SnapshotError):
        uno.Game.from_snapshot(data)


def test_scores_of_a_position_show_in_the_observation():
    game = uno.Game.from_snapshot(
        {
            "variant": "classic",
            "episode": "match",
            "scores": [0, 250],
            "discard": ["red-5"],
            "draw_pile": ["blue-1"] * 20,
            "hands": [["red-1", "red-2"], ["blue-2", "blue-3"]],
        }
    )
    rows = game.observe(0)[O_SEATS:].copy()[: 2 * SEAT_ROW].reshape(2, SEAT_ROW)
    assert rows[:, SEAT_SCORE].tolist() == [0, 250 * 255 // 500]
