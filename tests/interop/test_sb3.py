"""Stable-Baselines3 on the Gymnasium environment; on the batch one: tests/env/test_vec_sb3.py."""

import pytest

pytest.importorskip("stable_baselines3", reason="the sb3 extra is not installed")
pytest.importorskip("sb3_contrib", reason="the sb3 extra is not installed")

import gymnasium
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.monitor import Monitor

import uno_env  # noqa: F401  # registers the environment

TABLES = [("classic", 3), ("no_mercy", 4)]


@pytest.mark.parametrize(("variant", "num_players"), TABLES)
def test_maskable_ppo_learns_and_comes_back(variant, num_players, tmp_path):
    env = gymnasium.make(
        "uno_env/Uno-v0", variant=variant, num_players=num_players, scaled=True, illegal="raise"
    )
    # Monitor hides methods no less than Gymnasium's own wrappers do; SB3 looks through them.
    model = MaskablePPO(
        "MlpPolicy", Monitor(env), n_steps=64, batch_size=64, n_epochs=1, seed=0, device="cpu",
        policy_kwargs={"net_arch": [32]},
    )  # fmt: skip
    before = [p.detach().clone() for p in model.policy.parameters()]
    model.learn(320)
    assert model.num_timesteps == 320 and len(model.ep_info_buffer) > 0
    assert any((a != b).any() for a, b in zip(before, model.policy.parameters(), strict=True))
    model.save(tmp_path / "model")
    again = MaskablePPO.load(tmp_path / "model", device="cpu")
    observation, _ = env.reset(seed=1)
    masks = env.get_wrapper_attr("action_masks")()
    choices = [m.predict(observation, action_masks=masks, deterministic=True)[0]
               for m in (model, again)]  # fmt: skip
    assert choices[0] == choices[1] and masks[int(choices[0])]


def test_its_env_checker():
    check_env(gymnasium.make("uno_env/Uno-v0", scaled=True).unwrapped)
