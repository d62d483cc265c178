"""Tianshou's PettingZoo environment around ours: masked DQN for one seat, random for the rest."""

import warnings

import pytest

pytest.importorskip("tianshou", reason="Tianshou is not installed; see docs/interop.md")

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # its imports use names that other libraries have deprecated
    import torch
    from tianshou.algorithm import DQN, MultiAgentOffPolicyAlgorithm
    from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
    from tianshou.algorithm.optim import AdamOptimizerFactory
    from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
    from tianshou.data import Collector, VectorReplayBuffer
    from tianshou.env import DummyVectorEnv
    from tianshou.env.pettingzoo_env import PettingZooEnv
    from tianshou.utils.net.common import Net
    from tianshou.utils.torch_utils import policy_within_training_step, torch_train_mode

import uno_env

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")


def learner(env):
    net = Net(state_shape=(uno_env.OBS_SIZE,), action_shape=uno_env.NUM_ACTIONS, hidden_sizes=[32])
    policy = DiscreteQLearningPolicy(
        model=net, action_space=env.action_space, observation_space=env.observation_space,
        eps_training=0.2,
    )  # fmt: skip
    algorithm = DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), target_update_freq=50)
    return net, algorithm


@pytest.mark.parametrize(("variant", "num_players"), [("classic", 3), ("no_mercy", 4)])
def test_masked_dqn_learns(variant, num_players):
    torch.manual_seed(0)
    env = PettingZooEnv(uno_env.env(variant, num_players=num_players, illegal="raise"))
    net, dqn = learner(env)
    others = [
        MARLRandomDiscreteMaskedOffPolicyAlgorithm(action_space=env.action_space)
        for _ in range(num_players - 1)
    ]
    algorithm = MultiAgentOffPolicyAlgorithm(algorithms=[dqn, *others], env=env)
    tables = DummyVectorEnv(
        [
            lambda: PettingZooEnv(uno_env.env(variant, num_players=num_players, illegal="raise"))
            for _ in range(2)
        ]
    )
    buffer = VectorReplayBuffer(4000, len(tables))
    collector = Collector(algorithm, tables, buffer, exploration_noise=True)
    before = [p.detach().clone() for p in net.parameters()]
    collected = collector.collect(n_step=600, reset_before_collect=True)
    assert len(buffer) == 600
    with policy_within_training_step(algorithm.policy), torch_train_mode(algorithm):
        for _ in range(10):
            algorithm.update(buffer=buffer, sample_size=64)
    assert any((a != b).any() for a, b in zip(before, net.parameters(), strict=True))
    assert collected.n_collected_steps == 600 and collected.n_collected_episodes > 0
    ended = buffer.sample(0)[0]
    rewards = ended.rew[ended.done]
    assert rewards.shape[1] == num_players
    assert abs(rewards.sum(1)).max() < 1e-6 and rewards.max() == 1
