"""RLlib's PPO with its action-masking module, one policy for all seats, on the registered game."""

import warnings

import numpy as np
import pytest

pytest.importorskip("ray.rllib", reason="RLlib is not installed; see docs/interop.md")

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # its imports use names that other libraries have deprecated
    import ray
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.core.rl_module.rl_module import RLModuleSpec
    from ray.rllib.examples.rl_modules.classes.action_masking_rlm import (
        ActionMaskingTorchRLModule,
    )

from uno_env.adapters.rllib import register_rllib, rllib_env

# Ray warns about its own coming changes and leaves sockets to the collector.
pytestmark = pytest.mark.filterwarnings("ignore")
TABLES = [("classic", 3), ("no_mercy", 4)]


@pytest.mark.parametrize(("variant", "num_players"), TABLES)
def test_every_seat_is_paid_at_the_end(variant, num_players):
    env = rllib_env(variant=variant, num_players=num_players, illegal="raise")
    seen, _ = env.reset(seed=3)
    rng = np.random.default_rng(0)
    ended = {"__all__": False}
    while not ended["__all__"]:
        ((agent, observation),) = seen.items()
        assert env.observation_spaces[agent].contains(observation)
        action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
        seen, rewards, ended, _, _ = env.step({agent: action})
    assert len(rewards) == num_players
    assert max(rewards.values()) == 1 and abs(sum(rewards.values())) < 1e-6


@pytest.fixture(scope="module")
def local_ray():
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


@pytest.mark.parametrize(("variant", "num_players"), TABLES)
def test_masked_ppo_trains(local_ray, variant, num_players):
    # Nothing illegal is ever sampled, or the environment raises.
    name = register_rllib(f"uno-{variant}", variant=variant, num_players=num_players,
                          illegal="raise")  # fmt: skip
    config = (
        PPOConfig()
        .environment(name, disable_env_checking=True)  # the check ignores masks
        .multi_agent(policies={"shared"}, policy_mapping_fn=lambda agent, episode, **_: "shared")
        .rl_module(
            rl_module_spec=RLModuleSpec(
                module_class=ActionMaskingTorchRLModule, model_config={"fcnet_hiddens": [32]}
            )
        )
        .env_runners(num_env_runners=0)
        .learners(num_learners=0)
        .training(train_batch_size_per_learner=400, minibatch_size=64, num_epochs=1)
    )
    algorithm = config.build_algo()
    try:
        before = algorithm.get_module("shared").get_state()
        result = algorithm.train()
        after = algorithm.get_module("shared").get_state()
    finally:
        algorithm.stop()
    assert result["env_runners"]["num_env_steps_sampled"] >= 400
    assert np.isfinite(result["learners"]["shared"]["total_loss"])
    assert any((np.asarray(before[key]) != np.asarray(after[key])).any() for key in before)


def test_wrong_options_fail_at_once():
    with pytest.raises(ValueError, match="reward is 'money'"):
        register_rllib("uno-money", reward="money")
