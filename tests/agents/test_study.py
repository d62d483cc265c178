"""Studying positions in a batch: fair, repeatable, and right where the best action is known."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from uno_agents.registry import make_agent
from uno_agents.search.teacher import Scholar

import uno_env as uno
from uno_env.actions import NUM_ACTIONS

from ..engine.conftest import settings
from ..engine.strategies import Table, states, tables
from ..engine.worlds import other_world


def batch_of(game, copies=1):
    """A batch in which every game is a copy of this one."""
    v = uno.vec(game.rules, copies, game.num_players)
    v.clone_from(game)
    return v


def studied(game, sims=64, stream=5):
    """What each action of the seat to act is worth."""
    return Scholar([game.rules], sims).study(batch_of(game), np.array([0]), stream)[0]


@settings(max_examples=40)
@given(tables(), st.integers(0, 150), st.integers(0, 2**32 - 1))
def test_hidden_cards_change_nothing(table, steps, luck):
    game = table.game()
    for _ in states(game, table.driver(), most=steps):
        pass
    if game.actor is None or game.episode == "match":
        return
    world = uno.Game.from_snapshot(other_world(game, game.actor, np.random.default_rng(luck)))
    here, there = studied(game, 16), studied(world, 16)
    assert np.array_equal(here, there)
    assert not here[game.mask()[:NUM_ACTIONS] == 0].any()


@pytest.mark.parametrize("variant", uno.VARIANTS)
def test_threads_and_company_change_nothing(variant):
    rules = uno.Rules.preset(variant)
    v = uno.vec(rules, 64, 4, seed=3)
    v.reset()
    rows = np.arange(0, 64, 3)
    before = v.state
    alone, shared = (Scholar([rules], 32, threads).study(v, rows, 9) for threads in (1, 2))
    assert np.array_equal(alone, shared)
    assert np.array_equal(v.state, before)
    assert np.array_equal(alone[:5], Scholar([rules], 32).study(v, rows[:5], 9))
    assert not np.array_equal(alone, Scholar([rules], 32).study(v, rows, 10))


def test_each_game_of_a_mixed_batch_is_weighed_by_its_own_rules():
    rule_sets = [uno.Rules.preset(variant) for variant in uno.VARIANTS]
    v = uno.vec(rule_sets, 12, 4, seed=1)
    v.reset()
    found = Scholar(rule_sets, 48).study(v, np.arange(12), 2)
    assert ((found > 0) <= (v.mask > 0)).all()
    for index, rules in enumerate(rule_sets):
        alone = uno.vec(rules, 12, 4)
        for place in (index, index + len(rule_sets)):
            alone.clone_from(v.game(place))
            same = Scholar([rules], 48).study(alone, np.arange(place + 1), 2)[place]
            assert np.allclose(found[place], same), rules


def test_going_out_is_worth_most():
    game = uno.Game.from_snapshot(
        {
            "variant": "classic",
            "rules": {"uno_call": "off"},
            "discard": ["red-5"],
            "draw_pile": ["blue-1", "green-2", "yellow-3", "blue-6"] * 8,
            "hands": [["red-7"], ["red-1", "blue-2", "green-3"]],
        }
    )
    worths = studied(game)
    assert worths.argmax() == uno.action_id("play red-7")
    assert worths.max() > 3 * worths[uno.action_id("draw")]


def test_study_finds_more_than_the_heuristic_sees():
    """Actions that a brief study finds best are better than the heuristic's by a longer one."""
    rules = uno.Rules.preset("no_mercy").replace(auto_forced=True)
    v = uno.vec(rules, 512, 4, seed=1)
    v.reset()
    heuristic = make_agent("heuristic", 1)
    for _ in range(25):
        v.step(heuristic.act_batch(v.obs, v.mask))
    rows = np.arange(512)
    brief, long = Scholar([rules], 64).study(v, rows, 1), Scholar([rules], 512).study(v, rows, 2)
    best = np.where(v.mask > 0, brief, -1).argmax(axis=1)
    gain = long[rows, best] - long[rows, heuristic.act_batch(v.obs, v.mask)]
    assert gain.mean() > 3 * gain.std() / np.sqrt(len(gain))


def test_rooms_are_used_again():
    """The same question again gets the same answer, whatever was asked in between."""
    game = Table(uno.Rules.preset("ig2000"), 4, 2, 2, 0.9).game()
    scholar, v = Scholar([game.rules], 40), batch_of(game, 3)
    rows = np.array([0, 1, 2])
    first = scholar.study(v, rows, 4)
    scholar.study(v, rows[:1], 8)
    assert np.array_equal(first, scholar.study(v, rows, 4))
