"""Masked DQN with Tianshou: one learner, random play on the other seats.

    .interop/tianshou/bin/python examples/tianshou_dqn.py --steps 5000

Tianshou's pins exclude those of other libraries; `make interop INTEROP=tianshou` makes the
environment. Its `PettingZooEnv` takes ours as it is.
"""

import argparse
import warnings

import torch

import uno_env

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # its imports use names that other libraries have deprecated
    from tianshou.algorithm import DQN, MultiAgentOffPolicyAlgorithm
    from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
    from tianshou.algorithm.optim import AdamOptimizerFactory
    from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
    from tianshou.data import Collector, VectorReplayBuffer
    from tianshou.env import DummyVectorEnv
    from tianshou.env.pettingzoo_env import PettingZooEnv
    from tianshou.utils.net.common import Net
    from tianshou.utils.torch_utils import policy_within_training_step, torch_train_mode


def main() -> None:
    """Collect, then learn, in turns."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--variant", default="classic")
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--steps", type=int, default=5000)
    options = parser.parse_args()
    torch.manual_seed(0)

    def table() -> PettingZooEnv:
        return PettingZooEnv(
            uno_env.env(options.variant, num_players=options.players, illegal="raise")
        )

    env = table()
    network = Net(
        state_shape=(uno_env.OBS_SIZE,), action_shape=uno_env.NUM_ACTIONS, hidden_sizes=[128]
    )
    policy = DiscreteQLearningPolicy(
        model=network, action_space=env.action_space, observation_space=env.observation_space,
        eps_training=0.1,
    )  # fmt: skip
    learner = DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), target_update_freq=100)
    others = [
        MARLRandomDiscreteMaskedOffPolicyAlgorithm(action_space=env.action_space)
        for _ in range(options.players - 1)
    ]
    algorithm = MultiAgentOffPolicyAlgorithm(algorithms=[learner, *others], env=env)
    tables = DummyVectorEnv([table] * 4)
    buffer = VectorReplayBuffer(20_000, len(tables))
    collector = Collector(algorithm, tables, buffer, exploration_noise=True)
    collector.reset()
    for start in range(0, options.steps, 500):
        stats = collector.collect(n_step=500)
        with policy_within_training_step(algorithm.policy), torch_train_mode(algorithm):
            for _ in range(20):
                algorithm.update(buffer=buffer, sample_size=64)
        print(f"{start + 500} decisions, {stats.n_collected_episodes} rounds ended")


if __name__ == "__main__":
    main()
