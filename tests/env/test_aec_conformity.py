"""PettingZoo's own tests on every preset, table size and argument of the AEC environment."""

import re
import warnings

import gymnasium
import numpy as np
import pettingzoo
import pytest
from pettingzoo.utils import wrappers

import uno_env
from uno_env.envs.options import RENDER_MODES

from .playing import TABLES, choose, play_out

with warnings.catch_warnings():
    # PettingZoo's tests import one of its own environments in the way it has deprecated.
    warnings.filterwarnings("ignore", message="The old environment creation API")
    from pettingzoo.test import api_test, render_test, seed_test

# PettingZoo keeps a list of its own environments that may have dictionary observations; every
# other one gets these two warnings. Nothing else is let through.
DICT_OBSERVATION = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or "
    "gymnasium.spaces.discrete",
)
OPTIONS = [
    {"episode": "match", "variant": "hyper_speed(match_target=100)"},
    {"reward": "points", "variant": "ig2000"},
    {"reward": "points", "episode": "match", "variant": "no_mercy", "num_players": 3},
    {"illegal": "raise", "info_actions": True},
    {"illegal": "penalty", "variant": "loche", "num_players": 3},
    {"illegal_reward": -5, "void_reward": -0.5, "max_cycles": 20},
    {"rules": uno_env.Rules.preset("no_mercy").replace(stacking="none"), "num_players": 5},
    {"variant": "classic(auto_forced=true,jump_in=true)", "num_players": 4},
    {"render_mode": "ansi", "render_seat": "all"},
]


def check_api(env):
    with warnings.catch_warnings():
        for text in DICT_OBSERVATION:
            warnings.filterwarnings("ignore", message=f"^{re.escape(text)}$")
        api_test(env, num_cycles=200)


@pytest.mark.parametrize(("variant", "num_players"), TABLES)
@pytest.mark.parametrize("make", [uno_env.env, uno_env.raw_env])
def test_api_and_seed_on_every_preset(make, variant, num_players):
    check_api(make(variant, num_players))
    seed_test(lambda: make(variant, num_players), num_cycles=100)


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "-".join(options))
def test_api_and_seed_with_every_option(options):
    check_api(uno_env.env(**options))
    seed_test(lambda: uno_env.env(**options), num_cycles=100)


@pytest.mark.slow
@pytest.mark.parametrize("variant", uno_env.VARIANTS)
def test_api_and_seed_at_every_table_size(variant):
    rules = uno_env.Rules.preset(variant)
    step = 2 if rules.team_mode == "pairs" else 1
    for num_players in range(rules.min_players, rules.max_players + 1, step):
        for episode in ("round", "match"):
            for reward in ("win", "points"):
                options = {"num_players": num_players, "episode": episode, "reward": reward}
                check_api(uno_env.env(variant, **options))
                seed_test(lambda o=options: uno_env.env(variant, **o), num_cycles=200)


def test_the_registry_makes_it():
    env = pettingzoo.make("aec", "uno/uno-v0", variant="teams", num_players=6)
    assert type(env) is uno_env.env and len(env.possible_agents) == 6
    assert type(pettingzoo.make("aec", "uno/uno")) is uno_env.env
    capped = pettingzoo.make("aec", "uno/uno-v0", max_cycles=12)
    assert capped.rules.max_steps == 12


def test_spaces_are_the_same_object_and_equal_everywhere():
    one, other = uno_env.env("classic", 2), uno_env.env("teams", 8)
    space = one.observation_space("player_0")
    assert space is one.observation_space("player_0")
    assert one.action_space("player_1") is one.action_space("player_1")
    assert space == other.observation_space("player_7")
    assert one.action_space("player_0") == gymnasium.spaces.Discrete(uno_env.NUM_ACTIONS)
    assert space["observation"].version == uno_env.OBS_VERSION
    assert one.metadata["observation_version"] == uno_env.OBS_VERSION


def test_stock_wrappers_still_fit():
    env = wrappers.TerminateIllegalWrapper(uno_env.raw_env("classic", 3), illegal_reward=-1)
    env = wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))
    wrapped = play_out(env, 5)
    assert wrapped == play_out(uno_env.env("classic", 3), 5)
    env.reset(seed=5)
    env.step(int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0]))
    assert all(env.terminations.values()) and sum(env.rewards.values()) == -1


def test_render_modes():
    """Every mode in the metadata works, by PettingZoo's test."""
    pytest.importorskip("PIL")
    pytest.importorskip("pygame")
    custom = {"svg": lambda text: text.startswith("<svg")}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SDL_VIDEODRIVER", "dummy")
        render_test(lambda render_mode: uno_env.env("ig2000", 3, render_mode=render_mode), custom)


def test_render_modes_are_those_of_the_renderer():
    from uno_env.render import MODES

    assert sorted(MODES) == sorted(RENDER_MODES)


@pytest.mark.parametrize("max_cycles", [10, 17])
def test_max_cycles_truncates_after_as_many_decisions(max_cycles):
    env = uno_env.env("classic", 4, max_cycles=max_cycles, void_reward=-0.25)
    rng = np.random.default_rng(0)
    env.reset(seed=1)
    for _ in range(max_cycles):
        assert not any(env.truncations.values())
        env.step(choose(env.last()[0]["action_mask"], rng))
    assert all(env.truncations.values()) and not any(env.terminations.values())
    assert env.rewards == dict.fromkeys(env.agents, -0.25)
    assert env.infos["player_2"]["reason"] == "void" and env.infos["player_2"]["winners"] == []
