"""Secrecy through every exit of the environments: nothing depends on cards a seat cannot know."""

import numpy as np
import pytest
from pettingzoo.utils.env_logger import EnvLogger

import uno_env
from uno_env.cards import FACES

from ..engine.worlds import other_world
from .playing import TABLES, play_some


def twin_in_another_world(env, seat, rng, options):
    """An env in the same position but for the cards that the seat cannot know."""
    twin = uno_env.env(rules=env.rules, num_players=env.num_players, **options)
    twin.reset(seed=0)
    game = uno_env.Game.from_snapshot(other_world(env._session.game, seat, rng))
    twin._session.game.copy_record(game.engine_arrays.games[0])
    twin._session._observe_actor()
    twin.agent_selection = env.agent_selection
    return twin


def exits(env, agent):
    """All that the env says to an agent now, and its answer to an illegal action."""
    told = {"observe": env.observe(agent), "info": env.infos[agent]}
    if env.agent_selection == agent:
        told["last"] = env.last()
        with pytest.raises(uno_env.IllegalAction) as caught:
            env.step(int(np.flatnonzero(told["observe"]["action_mask"] == 0)[0]))
        told["error"] = str(caught.value)
    return told


def same(one, other):
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return np.array_equal(one, other)


@pytest.mark.parametrize(("variant", "num_players"), TABLES)
def test_no_exit_depends_on_hidden_cards(variant, num_players):
    options = {"illegal": "raise", "info_actions": True}
    env = uno_env.env(variant, num_players, **options)
    rng = np.random.default_rng(0)
    moved = 0
    for steps in (3, 11, 24, 40):
        play_some(env, seed=steps, steps=steps)
        if env._ended:
            continue
        for seat, agent in enumerate(env.possible_agents):
            twin = twin_in_another_world(env, seat, rng, options)
            assert same(exits(env, agent), exits(twin, agent)), f"{agent} after {steps} steps"
            mine, theirs = env._session.game.snapshot(), twin._session.game.snapshot()
            moved += mine["hands"] != theirs["hands"]
    assert moved, "no card moved, so nothing was tested"


@pytest.mark.parametrize("variant", ["classic", "ig2000"])
def test_hidden_choices_read_as_a_turn(variant):
    """Only the seat that is asked learns that it may play its drawn card, or jump in."""
    hidden = {"play-drawn", "react"}
    env = uno_env.env(variant, 4)
    seen = set()
    for seed in range(30):
        for steps in (10, 20, 30):
            play_some(env, seed, steps)
            for agent in env.agents:
                phase = env.infos[agent]["phase"]
                if agent == env.agent_selection:
                    seen.add(phase)
                else:
                    assert phase not in hidden
    assert seen & hidden, "no hidden choice came up"


def test_the_reason_of_an_illegal_end_names_no_card_of_the_hand():
    """It names the action tried, which is public, and nothing of what could have been played."""
    EnvLogger.suppress_output()
    env = uno_env.env("classic", 3, info_actions=True)
    play_some(env, seed=2, steps=6)
    tried = uno_env.action_id("challenge")
    assert not env.last()[0]["action_mask"][tried]
    env.step(tried)
    EnvLogger.unsuppress_output()
    for agent in env.agents:
        said = str({key: env.infos[agent][key] for key in env.infos[agent]})
        assert "challenge" in said and not any(face in said for face in FACES)
        assert not env.observe(agent)["action_mask"].any()


def test_the_learner_is_told_only_its_own_hand():
    """The Gymnasium env gives the observation of the learner's seat, also while others act."""
    from uno_env.envs.gymnasium_env import UnoEnv

    asked = []

    def watcher(view, legal):
        asked.append((view["seat"], view["actor"], view["legal"] == legal))
        return legal[0]

    env = UnoEnv("classic", num_players=3, opponents=watcher, seat=1)
    env.reset(seed=3)
    for _ in range(10):
        obs, _, terminated, truncated, _ = env.step(int(env.action_masks().argmax()))
        assert np.array_equal(obs, env._session.game.observe(1))
        if terminated or truncated:
            break
    assert {seat for seat, _, _ in asked} == {0, 2}
    assert all(seat == actor and is_same for seat, actor, is_same in asked)
