"""PPO with RLlib: its action-masking module, one policy for all seats.

    .interop/rllib/bin/python examples/rllib_ppo.py --iterations 5

Ray pins another Gymnasium than other libraries; `make interop INTEROP=rllib` makes the environment.
"""

import argparse
import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # its imports use names that other libraries have deprecated
    import ray
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.core.rl_module.rl_module import RLModuleSpec
    from ray.rllib.examples.rl_modules.classes.action_masking_rlm import (
        ActionMaskingTorchRLModule,
    )

from uno_env.adapters.rllib import register_rllib


def main() -> None:
    """A few iterations on this machine."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--variant", default="no_mercy")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--iterations", type=int, default=5)
    parser.add_argument("--batch", type=int, default=2000)
    options = parser.parse_args()
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    # Nothing illegal is ever sampled, or the environment raises.
    name = register_rllib(
        "uno", variant=options.variant, num_players=options.players, illegal="raise"
    )
    config = (
        PPOConfig()
        .environment(name, disable_env_checking=True)  # RLlib's check ignores masks
        .multi_agent(policies={"shared"}, policy_mapping_fn=lambda agent, episode, **_: "shared")
        .rl_module(
            rl_module_spec=RLModuleSpec(
                module_class=ActionMaskingTorchRLModule, model_config={"fcnet_hiddens": [128]}
            )
        )
        .env_runners(num_env_runners=0)
        .learners(num_learners=0)
        .training(train_batch_size_per_learner=options.batch, minibatch_size=200, num_epochs=2)
    )
    algorithm = config.build_algo()
    for iteration in range(options.iterations):
        result = algorithm.train()
        loss = result["learners"]["shared"]["total_loss"]
        print(f"iteration {iteration + 1}: loss {loss:.3f}")
    algorithm.stop()
    ray.shutdown()


if __name__ == "__main__":
    main()
