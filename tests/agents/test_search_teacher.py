"""The search teacher: fair, reproducible, and right where the best action is known."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from uno_agents.registry import make_agent
from uno_agents.search.prior import SPREAD
from uno_agents.search.rollouts import RolloutPolicies
from uno_agents.search.teacher import SearchTeacher

import uno_env as uno
from uno_env.actions import NUM_ACTIONS

from ..engine.strategies import Table, tables
from ..engine.worlds import other_world, two_worlds


def batch_of(game, copies=1):
    """A batch in which every game is a copy of this one."""
    v = uno.vec(game.rules, copies, game.num_players)
    v.clone_from(game)
    return v


def action_values(game, sims=64, key=5):
    """The value of each action of the seat to act."""
    return SearchTeacher([game.rules], sims).q_values(batch_of(game), np.array([0]), key)[0]


@settings(max_examples=40)
@given(tables(), st.integers(0, 150), st.integers(0, 2**32 - 1))
def test_hidden_cards_change_nothing(table, steps, seed):
    worlds = two_worlds(table, steps, seed)
    if worlds is None or worlds[0].episode == "match":
        return
    game, world = worlds
    here, there = action_values(game, 16), action_values(world, 16)
    assert np.array_equal(here, there)
    assert not here[game.mask()[:NUM_ACTIONS] == 0].any()


@pytest.mark.parametrize("variant", uno.VARIANTS)
def test_threads_and_other_rows_change_nothing(variant):
    rules = uno.Rules.preset(variant)
    v = uno.vec(rules, 64, 4, seed=3)
    v.reset()
    rows = np.arange(0, 64, 3)
    before = v.state
    alone, shared = (SearchTeacher([rules], 32, threads).q_values(v, rows, 9) for threads in (1, 2))
    assert np.array_equal(alone, shared)
    assert np.array_equal(v.state, before)
    assert np.array_equal(alone[:5], SearchTeacher([rules], 32).q_values(v, rows[:5], 9))
    assert not np.array_equal(alone, SearchTeacher([rules], 32).q_values(v, rows, 10))


def test_each_game_of_a_mixed_batch_is_valued_by_its_own_rules():
    rule_sets = [uno.Rules.preset(variant) for variant in uno.VARIANTS]
    games = 2 * len(rule_sets)
    v = uno.vec(rule_sets, games, 4, seed=1)
    v.reset()
    found = SearchTeacher(rule_sets, 48).q_values(v, np.arange(games), 2)
    assert ((found > 0) <= (v.mask > 0)).all()
    for index, rules in enumerate(rule_sets):
        alone = uno.vec(rules, games, 4)
        for row in (index, index + len(rule_sets)):
            alone.clone_from(v.game(row))
            same = SearchTeacher([rules], 48).q_values(alone, np.arange(row + 1), 2)[row]
            assert np.allclose(found[row], same), rules


def test_going_out_has_the_highest_value():
    game = uno.Game.from_snapshot(
        {
            "variant": "classic",
            "rules": {"uno_call": "off"},
            "discard": ["red-5"],
            "draw_pile": ["blue-1", "green-2", "yellow-3", "blue-6"] * 8,
            "hands": [["red-7"], ["red-1", "blue-2", "green-3"]],
        }
    )
    q_values = action_values(game)
    assert q_values.argmax() == uno.action_id("play red-7")
    assert q_values.max() > 3 * q_values[uno.action_id("draw")]


def test_the_teacher_improves_on_the_heuristic():
    """The best actions by few simulations beat the heuristic's by the values of many."""
    rules = uno.Rules.preset("no_mercy").replace(auto_forced=True)
    v = uno.vec(rules, 512, 4, seed=1)
    v.reset()
    heuristic = make_agent("heuristic", 1)
    for _ in range(25):
        v.step(heuristic.act_batch(v.obs, v.mask))
    rows = np.arange(512)
    brief, long = (
        SearchTeacher([rules], 64).q_values(v, rows, 1),
        SearchTeacher([rules], 512).q_values(v, rows, 2),
    )
    best = np.where(v.mask > 0, brief, -1).argmax(axis=1)
    gain = long[rows, best] - long[rows, heuristic.act_batch(v.obs, v.mask)]
    assert gain.mean() > 3 * gain.std() / np.sqrt(len(gain))


@pytest.mark.parametrize("num_players", [2, 5])
def test_rollouts_are_cut_after_ten_decisions_and_one_a_seat_unless_told(num_players):
    rules = uno.Rules.preset("classic").replace(auto_forced=True)
    v = uno.vec(rules, 32, num_players, seed=1)
    v.reset()
    rows = np.arange(32)
    default, same, longer = (
        SearchTeacher([rules], 32, depth=depth).q_values(v, rows, 1)
        for depth in (0, 10 + num_players, 40)
    )
    assert np.array_equal(default, same)
    assert not np.array_equal(default, longer)


def test_rollouts_by_policies_agree_with_the_compiled_ones():
    """The same heuristic, asked by batches: other random numbers, the same values but for noise."""
    game = Table(uno.Rules.preset("no_mercy"), 4, 2, 2, 0.9).game()
    v, rows = batch_of(game), np.array([0])
    compiled, batched = SearchTeacher([game.rules], 4000), SearchTeacher([game.rules], 4000)
    heuristic = make_agent("heuristic")
    batched.set_policies(RolloutPolicies(heuristic, heuristic))
    here, there = (SPREAD * teacher.q_values(v, rows, 3)[0] for teacher in (compiled, batched))
    legal = v.mask[0] > 0
    assert 0.02 < here[legal].mean() < 0.98
    assert np.abs(here - there).max() < 0.06
    assert np.array_equal(there > 0, legal)


@pytest.mark.parametrize("leaf", ["linear", "value"])
def test_a_network_labels_without_hidden_cards_and_without_other_rows(leaf):
    rules = uno.Rules.preset("classic")
    v = uno.vec(rules, 12, 3, seed=3)
    v.reset()
    network = make_agent("pretrained:classic")
    value = network if leaf == "value" else None
    teacher = SearchTeacher([rules], 24, depth=3)
    teacher.set_policies(RolloutPolicies(network, make_agent("greedy"), value))
    rows = np.arange(12)
    found = teacher.q_values(v, rows, 9)
    assert np.array_equal(found[:5], teacher.q_values(v, rows[:5], 9))
    assert not np.array_equal(found, teacher.q_values(v, rows, 10))
    # The same positions with other cards where nobody can see them.
    for row in rows:
        game = v.game(int(row))
        hidden = uno.Game.from_snapshot(other_world(game, game.actor, np.random.default_rng(1)))
        alone = uno.vec(rules, 12, 3)
        alone.clone_from(hidden)
        assert np.array_equal(found[row], teacher.q_values(alone, rows[: row + 1], 9)[row])


def test_buffers_are_reused():
    """The same question again gets the same answer, whatever was asked in between."""
    game = Table(uno.Rules.preset("ig2000"), 4, 2, 2, 0.9).game()
    teacher, v = SearchTeacher([game.rules], 40), batch_of(game, 3)
    rows = np.array([0, 1, 2])
    first = teacher.q_values(v, rows, 4)
    teacher.q_values(v, rows[:1], 8)
    assert np.array_equal(first, teacher.q_values(v, rows, 4))
