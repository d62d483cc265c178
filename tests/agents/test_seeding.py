"""Seeding by the agent protocol: `reset(seed)` makes an agent play as a new one of that seed."""

import gymnasium
import numpy as np
import pytest
from uno_agents.base import SeededAgent
from uno_agents.local_code import EncodedAgent
from uno_agents.registry import make_agent
from uno_agents.remote import RemoteAgent
from uno_arena.play.entrants import build_agent

import uno_env
from uno_env.envs.opponents import reset_agent
from uno_env.vector.single_agent import SingleAgentVec

BATCH_SPECS = ("random", "greedy", "heuristic", "pretrained:classic:sample=1")


@pytest.fixture(scope="module")
def rows():
    v = uno_env.vec("classic", 400, 3, seed=2)
    v.reset()
    return v.obs.copy(), v.mask.copy()


@pytest.mark.parametrize("spec", BATCH_SPECS)
def test_a_reset_agent_plays_as_a_new_one(spec, rows):
    agent, new = make_agent(spec, seed=1), make_agent(spec, seed=8)
    assert isinstance(agent, SeededAgent)
    agent.act_batch(*rows)
    agent.reset(8)
    assert (agent.act_batch(*rows) == new.act_batch(*rows)).all()
    agent.reset(None)
    assert (agent.act_batch(*rows) == new.act_batch(*rows)).all(), "None keeps the generator"


@pytest.mark.parametrize("spec", ["search:sims=30", "search:sims=30,policy=random"])
def test_a_reset_search_decides_as_a_new_one(spec):
    agent, new = make_agent(spec, seed=1), make_agent(spec, seed=8)
    assert reset_agent(agent, 8)
    for seed in range(6):
        game = uno_env.Game("classic", num_players=4, seed=seed)
        view, legal = game.view(game.actor), game.legal()
        assert agent.evaluate(view, legal) == new.evaluate(view, legal)


def test_agents_without_the_method_are_unseeded():
    class Bot:
        def act(self, view, legal):
            return legal[0]

    class Other:
        def reset(self):
            raise AssertionError("this reset takes no seed")

    assert not reset_agent(Bot(), 1)
    assert not reset_agent(Other(), 1)
    assert not reset_agent(lambda view, legal: legal[0], 1)
    assert not reset_agent(RemoteAgent("http://localhost:1/bot"), 1)
    assert not reset_agent(EncodedAgent(Bot(), "bot"), 1)


def test_wrapped_agents_hand_the_seed_on(rows):
    greedy = make_agent("greedy", 5)
    assert reset_agent(EncodedAgent(greedy, "wrapped"), 3)
    assert (greedy.act_batch(*rows) == make_agent("greedy", 3).act_batch(*rows)).all()


def test_the_arena_seeds_objects_as_it_seeds_specs(rows):
    agent = build_agent(make_agent("greedy", 5), seed=3)
    assert (agent.act_batch(*rows) == build_agent("greedy", 3).act_batch(*rows)).all()


@pytest.mark.parametrize("opponent", ["greedy", "heuristic"])
def test_a_seeded_environment_repeats_its_opponents(opponent):
    env = gymnasium.make("uno_env/Uno-v0", num_players=3, opponents=opponent)
    first, second = ([episode(env, seed) for seed in (5, 6)] for _ in range(2))
    assert first == second


def episode(env, seed):
    """All observations of an episode in which the learner takes the first legal action."""
    obs, _ = env.reset(seed=seed)
    seen, over = [obs.tobytes()], False
    while not over:
        action = int(np.flatnonzero(env.unwrapped.action_masks())[0])
        obs, _, terminated, truncated, _ = env.step(action)
        seen.append(obs.tobytes())
        over = terminated or truncated
    return seen


def test_a_seeded_batch_repeats_its_opponents():
    v = SingleAgentVec("classic", 32, num_players=3, opponents=["greedy", "heuristic"])
    runs = []
    for _ in range(2):
        v.reset(seed=4)
        for _ in range(40):
            v.step(v.mask.argmax(axis=1))
        runs.append(v.obs.tobytes())
    assert runs[0] == runs[1]
