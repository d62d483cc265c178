"""The Stable-Baselines3 environment, tried with the real library."""

import warnings

import numpy as np
import pytest

import uno_env

pytest.importorskip("stable_baselines3", reason="the sb3 extra is not installed")
pytest.importorskip("sb3_contrib", reason="the sb3 extra is not installed")

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.vec_env import VecMonitor, VecNormalize

from uno_env.vector.sb3 import UnoVecEnv

SHORT = uno_env.Rules.preset("classic").replace(max_steps=30)
SMALL = {"n_steps": 16, "batch_size": 64, "n_epochs": 2, "policy_kwargs": {"net_arch": [32]}}


def some_legal(env, rng):
    masks = env.action_masks()
    return (rng.random(masks.shape) * masks).argmax(1)


@pytest.mark.parametrize(("variant", "num_players"), [("classic", 4), ("no_mercy", 3)])
def test_maskable_ppo_learns_on_it(variant, num_players):
    env = UnoVecEnv(variant, 16, num_players=num_players, seed=0, scaled=True, illegal="raise")
    model = MaskablePPO("MlpPolicy", env, seed=0, device="cpu", **SMALL)
    before = [p.detach().clone() for p in model.policy.parameters()]
    model.learn(768)
    assert model.num_timesteps == 768
    assert any((a != b).any() for a, b in zip(before, model.policy.parameters(), strict=True))
    assert len(model.ep_info_buffer) > 5
    lengths = [episode["l"] for episode in model.ep_info_buffer]
    assert min(lengths) >= 1 and {episode["r"] for episode in model.ep_info_buffer} & {1.0}
    mean, _ = evaluate_policy(model, env, n_eval_episodes=20, warn=True)
    assert -1 <= mean <= 1


def test_the_routes_by_which_masks_are_found():
    env = UnoVecEnv(["classic", "teams"], 6, seed=2)
    env.reset()
    assert is_masking_supported(env)
    masks = get_action_masks(env)
    assert masks.shape == (6, uno_env.NUM_ACTIONS) and masks.dtype == np.bool_
    assert (masks == env.vec.mask).all()
    assert (env.env_method("action_masks", indices=[4])[0] == masks[4]).all()
    assert (env.get_attr("action_masks", indices=3)[0]() == masks[3]).all()
    env.step(some_legal(env, np.random.default_rng(0)))
    assert (get_action_masks(env) != masks).any() and (masks.sum(1) > 0).all()
    assert env.get_attr("num_players") == [2, 4] * 3
    assert [rules.variant for rules in env.get_attr("rules", [0, 1])] == ["classic", "teams"]
    assert env.get_attr("seat") == env.vec.seat.tolist()
    for attempt in (
        lambda: env.get_attr("hands"),
        lambda: env.env_method("cheat"),
        lambda: env.set_attr("seat", 0),
    ):
        with pytest.raises(AttributeError):
            attempt()


def test_infos_of_ended_games():
    env = UnoVecEnv(["classic", SHORT], 8, num_players=3, seed=1)
    obs = env.reset()
    rng = np.random.default_rng(0)
    ends = set()
    for _ in range(80):
        seats, kept = env.get_attr("seat"), obs.copy()
        following, rewards, dones, infos = env.step(some_legal(env, rng))
        assert (obs == kept).all()
        obs = following
        assert obs.shape == (8, uno_env.OBS_SIZE)
        assert rewards.dtype == np.float32 and dones.dtype == np.bool_
        for i in range(8):
            if not dones[i]:
                assert infos[i] == {} and rewards[i] == 0
                continue
            assert (infos[i]["terminal_observation"] == env.vec.final_obs[i]).all()
            assert infos[i]["TimeLimit.truncated"] == (infos[i]["reason"] == "void")
            assert infos[i]["episode"]["r"] == rewards[i]
            assert infos[i]["episode"]["l"] == env.vec.length[i]
            assert infos[i]["seat"] == seats[i]
            ends.add(infos[i]["reason"])
    assert ends == {"won", "void"}


def test_seeding():
    env = UnoVecEnv("classic", 4, num_players=3)
    env.seed(5)
    first = env.reset()
    assert (env.reset() != first).any()
    seeds = env.seed(5)
    assert (env.reset() == first).all()
    assert seeds is not None and len(set(seeds)) == 4
    assert not set(seeds) & set(env.seed(6) or ())
    assert len(set(env.seed())) == 4


def test_sb3_wrappers_go_around_it():
    inner = UnoVecEnv("classic", 4, num_players=2, seed=0, scaled=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # it has a monitor's statistics already
        env = VecNormalize(VecMonitor(inner))
    env.reset()
    rng = np.random.default_rng(0)
    episodes = 0
    for _ in range(200):
        _, _, dones, infos = env.step(some_legal(inner, rng))
        for i in np.flatnonzero(dones):
            assert infos[i]["episode"]["l"] == inner.vec.length[i]
            episodes += 1
    assert episodes > 4
    env.close()


def test_an_illegal_action_ends_the_game():
    env = UnoVecEnv("classic", 3, seed=0)
    env.reset()
    actions = env.action_masks().argmax(1)
    actions[2] = env.action_masks()[2].argmin()
    _, rewards, dones, infos = env.step(actions)
    assert dones[2] and rewards[2] == -1 and infos[2]["reason"] == "illegal action"
    assert not infos[2]["TimeLimit.truncated"]
