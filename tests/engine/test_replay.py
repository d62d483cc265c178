"""Records of games: they re-run to the same state, and a corrupt one says what is wrong."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import uno_env as uno

from .strategies import GARBAGE_ACTIONS, Driver, Table, play_out, states, tables


def through_json(record: dict[str, Any]) -> dict[str, Any]:
    """A record as it comes back from a file."""
    return json.loads(json.dumps(record))


@settings(max_examples=50)
@given(tables())
def test_a_record_replays_to_the_same_game(table):
    game = play_out(table.game(), table.driver())
    again = uno.Game.replay(through_json(game.record()))
    assert again.snapshot() == game.snapshot()
    assert again.events == game.events
    assert again.record() == game.record()


@settings(max_examples=15)
@given(tables(), st.integers(0, 100))
def test_a_record_replays_to_every_step(table, most):
    game = table.game()
    moments = [g.snapshot() for g in states(game, table.driver(), most=most)]
    record = through_json(game.record())
    assert len(record["actions"]) == len(moments) - 1
    for steps, moment in enumerate(moments):
        if steps % 7 == 0:
            assert uno.Game.replay(record, steps=steps).snapshot() == moment


@settings(max_examples=30)
@given(tables(), st.integers(0, 60))
def test_a_game_from_a_snapshot_is_recorded_with_it(table, most):
    first = table.game()
    for _ in states(first, table.driver(), most=most):
        pass
    game = uno.Game.from_snapshot(first.snapshot())
    play_out(game, Driver(2, 0.8))
    again = uno.Game.replay(through_json(game.record()))
    assert again.snapshot() == game.snapshot() and again.events == game.events


@settings(max_examples=20)
@given(tables(), st.lists(st.sampled_from(GARBAGE_ACTIONS), min_size=1, max_size=6))
def test_faults_are_part_of_the_record(table, faults):
    """With `fault_mode="penalty"` whatever was tried, a text or an id, is tried again."""
    rules = table.rules.replace(fault_mode="penalty", auto_forced=False)
    game = uno.Game(rules, table.num_players, table.seed)
    driver = table.driver()
    for fault in faults:
        for _ in states(game, driver, most=3):
            pass
        if not game.over:
            game.step(fault)
    again = uno.Game.replay(through_json(game.record()))
    assert again.snapshot() == game.snapshot() and again.events == game.events


def test_actions_may_be_texts():
    game = uno.Game("teams", seed=3)
    texts = []
    for _ in range(60):
        texts.append(game.legal()[0])
        game.step(texts[-1])
    again = uno.Game.replay({**game.record(), "actions": texts})
    assert again.snapshot() == game.snapshot()


def test_a_record_is_left_as_it_was():
    game = play_out(uno.Game("classic", seed=1), Driver(1, 0.9))
    record = game.record()
    before = copy.deepcopy(record)
    again = uno.Game.replay(record)
    again.record()["actions"].append(0)
    assert record == before == again.record()


def a_record(**more: Any) -> dict[str, Any]:
    """A short record, spoilt by `more`."""
    game = Table(uno.Rules.preset("classic"), 3, 5, 5, 0.9).game()
    for _ in states(game, Driver(5, 0.9), most=10):
        pass
    return {**game.record(), **more}


FROM_SNAPSHOT = {
    "variant": "classic",
    "hands": [["red-1", "red-2"], ["blue-2", "blue-3"]],
    "discard": ["red-5"],
    "draw_pile": ["blue-1"] * 9,
}

WRONG: dict[str, dict[str, Any]] = {
    "format is 2; this version reads 'uno-replay-2'": {"format": 2},
    "format is 'uno-replay-0'": {"format": "uno-replay-0"},
    "unknown key 'players'": {"players": 3},
    "rules is 7": {"rules": 7},
    "rules text": {"rules": "classic(("},
    "bridge": {"rules": "bridge"},
    "stackin": {"rules": "classic(stackin=none)"},
    "num_players is 1;": {"num_players": 1},
    "num_players is '3'": {"num_players": "3"},
    "num_players is None": {"num_players": None},
    "seed is -1": {"seed": -1},
    "seed is 0.5": {"seed": 0.5},
    "episode": {"episode": "season"},
    "actions must be": {"actions": "draw"},
    r"actions\[0\].*unknown action": {"actions": ["fly"]},
    r"actions\[0\].*not legal": {"actions": ["catch"]},
    r"actions\[0\]: action 184": {"actions": [184]},
    r"actions\[0\]: action -1": {"actions": [-1]},
    r"actions\[0\].*neither": {"actions": [None]},
    r"actions\[0\]: action \[1\]": {"actions": [[1]]},
    "snapshot is a mapping": {"start": 7},
    "rules is 'teams', but that of start": {"start": FROM_SNAPSHOT, "rules": "teams"},
    "num_players is 3, but that of start": {"start": FROM_SNAPSHOT},
    "hands is missing": {"start": {"variant": "classic", "discard": [], "draw_pile": []}},
    r"hands\[0\].*blue-77": {"start": {**FROM_SNAPSHOT, "hands": [["blue-77"], ["red-1"]]}},
}


@pytest.mark.parametrize("named", WRONG)
def test_a_corrupt_record_says_what_is_wrong(named):
    with pytest.raises(uno.ReplayError, match=named):
        uno.Game.replay(a_record(**WRONG[named]))


@pytest.mark.parametrize("key", ["rules", "num_players", "seed", "actions"])
def test_a_missing_key_is_named(key):
    record = a_record()
    del record[key]
    with pytest.raises(uno.ReplayError, match=key):
        uno.Game.replay(record)


@pytest.mark.parametrize("record", [None, [], "classic", 7])
def test_what_is_no_record_at_all(record):
    with pytest.raises(uno.ReplayError, match="mapping"):
        uno.Game.replay(record)


def test_actions_after_the_end_are_refused():
    record = play_out(uno.Game("classic", seed=4), Driver(4, 0.9)).record()
    record["actions"].append(uno.action_id("draw"))
    with pytest.raises(uno.ReplayError, match=r"actions\[\d+\].*over"):
        uno.Game.replay(record)


@pytest.mark.parametrize("steps", [-1, 1.5, "3", True])
def test_steps_must_be_a_count(steps):
    with pytest.raises(ValueError, match="steps"):
        uno.Game.replay(a_record(), steps=steps)
