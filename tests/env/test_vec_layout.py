"""What a batch is made of: rules and sizes dealt out in turn, options that cannot be used."""

import importlib
import sys

import numpy as np
import pytest

import uno_env


def test_lists_are_dealt_out_in_turn():
    v = uno_env.vec(["classic", "no_mercy"], num_envs=7, num_players=[2, 4, 6])
    assert v.num_players.tolist() == [2, 4, 6, 2, 4, 6, 2]
    assert [v.rules_of(i).variant for i in range(3)] == ["classic", "no_mercy", "classic"]


def test_usual_table_sizes():
    v = uno_env.vec(["classic", "teams"], num_envs=4)
    assert v.num_players.tolist() == [2, 4, 2, 4]
    v = uno_env.vec("classic", num_envs=3, num_players=[None, 5, 3])
    assert v.num_players.tolist() == [2, 5, 3]
    assert uno_env.vec("classic", 2, np.array([4, 5])).num_players.tolist() == [4, 5]


def test_rules_by_value_and_by_text():
    house = uno_env.Rules.preset("no_mercy").replace(stacking="none")
    v = uno_env.vec([house, "no_mercy(stacking=none)", "no_mercy"], num_envs=3)
    assert v.rules_of(0) == v.rules_of(1) == house
    assert v.rules_of(2) == uno_env.Rules.preset("no_mercy")
    assert uno_env.vec(rules=house).rules_of(0) == house


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"variant": "klassik"}, "klassik"),
        ({"variant": []}, "variant lists 0"),
        ({"variant": ["classic"] * 5}, "variant lists 5 .* num_envs=4"),
        ({"num_players": 11}, "game 0 .*num_players is 11"),
        ({"num_players": [2, 3, 1]}, "game 2 .*num_players is 1"),
        ({"variant": ["classic", "teams"], "num_players": 3}, "game 1 .*num_players is 3"),
        ({"num_players": 2.0}, "num_players is 2.0"),
        ({"num_envs": 0}, "num_envs is 0"),
        ({"num_envs": True}, "num_envs is True"),
        ({"seed": -1}, "seed is -1"),
        ({"seed": [1, 2]}, "seed lists 2"),
        ({"threads": 0}, "threads is 0"),
        ({"threads": 5}, "threads is 5.* 1 to 4"),
        ({"threads": 2.0}, "threads is 2.0"),
        ({"episode": "set"}, "episode is 'set'; allowed: round, match"),
        ({"reward": "money"}, "reward is 'money'; allowed: win, points"),
    ],
)
def test_unusable_options_are_errors_that_name_them(options, message):
    with pytest.raises(ValueError, match=message):
        uno_env.vec(**{"num_envs": 4, **options})


def test_an_index_outside_the_batch():
    v = uno_env.vec("classic", num_envs=2)
    v.reset()
    for index in (-1, 2):
        with pytest.raises(IndexError, match="games 0 to 1"):
            v.game(index)


def test_without_sb3_the_view_says_what_to_install(monkeypatch):
    monkeypatch.delitem(sys.modules, "uno_env.vector.sb3", raising=False)
    monkeypatch.setitem(sys.modules, "stable_baselines3.common.monitor", None)
    with pytest.raises(ImportError, match=r"pip install 'uno-env\[sb3\]'"):
        importlib.import_module("uno_env.vector.sb3")
