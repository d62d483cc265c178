"""SuperSuit: its wrappers around the PettingZoo environment, and which of them do not fit."""

import numpy as np
import pytest

import uno_env

supersuit = pytest.importorskip("supersuit", reason="SuperSuit is not installed; docs/interop.md")

TABLES = [("classic", 2), ("no_mercy", 3)]


def play(env, seed=0, steps=400):
    """Random legal actions until the end; the rewards of all agents."""
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    rewards = dict.fromkeys(env.possible_agents, 0.0)
    for _, agent in zip(range(steps), env.agent_iter(), strict=False):
        observation, reward, terminated, truncated, _ = env.last()
        rewards[agent] += reward
        action = None
        if not (terminated or truncated):
            action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
        env.step(action)
    return rewards


def table(variant, players):
    return uno_env.env(variant, num_players=players, max_cycles=150)


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_rewards_can_be_clipped_and_scaled(variant, players):
    plain = play(table(variant, players))
    clipped = play(supersuit.clip_reward_v0(table(variant, players), -0.5, 0.5))
    assert clipped == {agent: min(max(reward, -0.5), 0.5) for agent, reward in plain.items()}
    doubled = play(supersuit.reward_lambda_v0(table(variant, players), lambda reward: 2 * reward))
    assert doubled == {agent: 2 * reward for agent, reward in plain.items()}


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_observations_are_changed_beside_their_mask(variant, players):
    def halve(observation, space):
        return {**observation, "observation": observation["observation"] // 2}

    env = supersuit.observation_lambda_v0(table(variant, players), halve, lambda space: space)
    env.reset(seed=3)
    plain = table(variant, players)
    plain.reset(seed=3)
    mine, theirs = env.last()[0], plain.last()[0]
    assert (mine["observation"] == theirs["observation"] // 2).all()
    assert (mine["action_mask"] == theirs["action_mask"]).all()
    assert sum(play(env).values()) == pytest.approx(0)


@pytest.mark.parametrize("name", ["pad_action_space_v0", "frame_skip_v0"])
def test_wrappers_that_leave_observations_alone_fit(name):
    arguments = {"frame_skip_v0": [1]}.get(name, [])
    env = getattr(supersuit, name)(table("classic", 2), *arguments)
    assert sum(play(env).values()) == pytest.approx(0)


@pytest.mark.parametrize("name", ["dtype_v0", "flatten_v0", "frame_stack_v1", "agent_indicator_v0"])
def test_wrappers_for_one_box_refuse_an_observation_with_a_mask(name):
    arguments = {"dtype_v0": [np.float32], "frame_stack_v1": [4]}.get(name, [])
    with pytest.raises((AssertionError, AttributeError), match=r"Box|Dict"):
        getattr(supersuit, name)(table("classic", 2), *arguments)
