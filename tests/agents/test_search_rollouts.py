"""Search whose rollouts are played by any agent and may end in a value network."""

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from uno_agents.advice import win_estimate
from uno_agents.base import AgentError
from uno_agents.registry import make_agent
from uno_agents.search.agent import SearchAgent
from uno_agents.search.interrupt import Interrupted, interruptible
from uno_agents.search.monte_carlo import MonteCarloSearch
from uno_agents.search.rollouts import RolloutPolicies
from uno_agents.search.sequential_halving import Budget

import uno_env as uno

from ..engine.strategies import Table, states, tables
from ..engine.worlds import two_worlds
from ..rules.given import given as position

NETWORK = "pretrained:generalist"
OPTIONS = (
    "rollout=greedy",
    "rollout=random,opponents=heuristic",
    f"rollout={NETWORK},depth=3",
    f"rollout=heuristic,opponents={NETWORK},depth=3",
    f"rollout={NETWORK},opponents=greedy,leaf=value,depth=2",
    f"policy={NETWORK},leaf=value,depth=0",
)


def questions(variant, players=4, count=12, seed=5):
    """Views of a game with their legal actions, one in three decisions."""
    table = Table(uno.Rules.preset(variant), players, seed, seed, 0.9)
    games = [game.clone() for game in states(table.game(), table.driver(), most=6 * count)]
    asked = [game for game in games[::3] if game.actor is not None and len(game.legal()) > 1]
    return [(game.view(game.actor), game.legal()) for game in asked[:count]]


def return_of(game, action, own, others, depth):
    """The return of one rollout by the rules of the search, played by the engine alone."""
    seat, world, made = game.actor, game.clone(), 0
    world.step(action)
    while not world.over:
        legal, actor = world.legal_ids(), world.actor
        side = {seat, (seat + 2) % 4} if world.rules.team_mode == "pairs" else {seat}
        obs, mask = world.observe(actor)[None], world.mask()[None]
        if made >= depth and actor in side and len(legal) > 1:
            _, values = own.probabilities_batch(obs, mask)
            return win_estimate(float(values[0]), game.view(seat))
        agent = own if actor in side else others
        world.step(legal[0] if len(legal) == 1 else int(agent.act_batch(obs, mask)[0]))
        made += 1
    return float(seat in world.winners)


@pytest.mark.parametrize("variant", ["classic", "no_mercy", "teams"])
@pytest.mark.parametrize("depth", [0, 7])
def test_rollouts_are_those_of_the_agents_and_end_in_the_network_s_value(variant, depth):
    """With the true cards there is one world; with depth 0 actions rank by the value network."""
    own, others = make_agent(NETWORK), make_agent("frozen:classic-1")
    search = MonteCarloSearch(RolloutPolicies(own, others, own), depth)
    table = Table(uno.Rules.preset(variant), 4, 3, 3, 0.9)
    compared = 0
    for number, game in enumerate(states(table.game(), table.driver(), most=60)):
        if game.actor is None or len(game.legal()) < 2 or number % 4:
            continue
        legal = game.legal_ids()
        found = search.evaluate(
            game.engine_arrays.games,
            game.engine_arrays.rules,
            variant,
            legal,
            1,
            Budget(8 * len(legal), None),
            knows_all=True,
        )
        expected = {action: return_of(game, action, own, others, depth) for action in legal}
        assert {one.action: one.q_value for one in found} == pytest.approx(expected, abs=1e-5)
        compared += len(legal)
    assert compared > 20


@pytest.mark.parametrize("options", ["rollout=heuristic", "opponents=heuristic,leaf=linear"])
def test_rollouts_by_heuristic_are_the_compiled_search(options):
    asked = questions("no_mercy")
    plain, same = make_agent("search:sims=60"), make_agent(f"search:sims=60,{options}")
    assert [plain.evaluate(*one) for one in asked] == [same.evaluate(*one) for one in asked]


@pytest.mark.parametrize("options", OPTIONS)
def test_same_view_and_seed_same_decision(options):
    """Whatever was asked before, and whoever may interrupt."""
    asked = questions("ig2000")
    one, two = (make_agent(f"search:sims=300,{options}", seed=3) for _ in range(2))
    forth = [one.evaluate(*question) for question in asked]
    with interruptible(lambda: None):
        back = [two.evaluate(*question) for question in asked[::-1]]
    assert forth == back[::-1]
    other = make_agent(f"search:sims=300,{options}", seed=4)
    assert [other.evaluate(*question) for question in asked] != forth


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("variant", uno.VARIANTS)
def test_decides_in_every_variant(variant, options):
    agent = make_agent(f"search:sims=12,{options}")
    for view, legal in questions(variant):
        found = agent.evaluate(view, legal)
        assert sorted(one.action for one in found) == sorted(legal)
        assert 0 < sum(one.sims for one in found) <= 12
        assert all(0 <= one.q_value <= 1 for one in found)


@settings(max_examples=15)
@given(tables(), st.integers(0, 120), st.integers(0, 2**32 - 1))
def test_hidden_cards_change_nothing(table, steps, seed):
    if (worlds := two_worlds(table, steps, seed)) is None:
        return
    game, world = worlds
    agent = make_agent(f"search:sims=20,{OPTIONS[4]}")
    here, there = (agent.evaluate(one.view(game.actor), one.legal()) for one in (game, world))
    assert here == there


def test_opponents_are_modelled_apart():
    """The other seat is known to hold its last card: whether it would play it, opponents say."""

    class Draws:
        def act_batch(self, obs, mask):
            draw = uno.action_id("draw")
            return np.where(mask[:, draw] > 0, draw, mask.argmax(axis=1))

    game = position(
        "classic",
        ["red-3 blue-9 blue-8 blue-7", "red-1"],
        "red-5",
        uno_called=[1],
        known=[{"holder": 1, "card": "red-1", "seats": [0]}],
        rules={"voluntary_draw": "always"},
    )
    heuristic = make_agent("heuristic")
    feared, harmless = (
        SearchAgent(sims=200, rollout=heuristic, opponents=opponents, depth=40)
        for opponents in (make_agent("greedy"), Draws())
    )
    asked = game.view(0), ["play red-3"]
    assert feared.evaluate(*asked)[0].q_value == 0
    assert harmless.evaluate(*asked)[0].q_value > 0.2


def test_illegal_actions_of_a_policy_are_refused():
    class Passes:
        def act_batch(self, obs, mask):
            return np.full(len(obs), uno.action_id("swap +8 +9"))

    with pytest.raises(AgentError, match="not legal"):
        SearchAgent(sims=10, rollout=Passes()).act(*questions("classic", count=1)[0])


def test_a_search_stops_between_two_forward_passes():
    calls = []

    def stop():
        calls.append(1)
        if len(calls) == 3:
            raise Interrupted

    agent = make_agent(f"search:sims=200,rollout={NETWORK}")
    with interruptible(stop), pytest.raises(Interrupted):
        agent.act(*questions("classic", count=1)[0])
    assert len(calls) == 3


def test_threads_do_not_disturb_each_other():
    asked = questions("classic", count=1)[0]
    agent = make_agent(f"search:sims=300,rollout=random,opponents={NETWORK}")
    alone, together = agent.evaluate(*asked), []
    threads = [
        threading.Thread(target=lambda: together.append(agent.evaluate(*asked))) for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert together == [alone] * 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("leaf=value", "leaf=value needs a network, as rollout or as policy"),
        ("leaf=value,rollout=greedy", "needs a network"),
        ("leaf=none", "leaf is 'none'; allowed: linear, value"),
        ("depth=-1", "depth is '-1'; allowed: a whole number from 0"),
        ("rollout=search:sims", "options are written key=value"),
        ("rollout=search", "has no act_batch"),
        ("opponents=heuristics", "unknown agent 'heuristics'"),
    ],
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(AgentError, match=message):
        make_agent(f"search:{options}")


def test_strangers_get_shorter_rollouts_and_no_files():
    with pytest.raises(AgentError, match="depth is '33'"):
        make_agent("search:rollout=greedy,depth=33", allow_local=False)
    with pytest.raises(AgentError, match="is not allowed here"):
        make_agent("search:rollout=runs/x/best", allow_local=False)
