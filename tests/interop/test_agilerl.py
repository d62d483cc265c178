"""AgileRL's DQN with action masks, as learner of the Gymnasium environment."""

import warnings

import numpy as np
import pytest

pytest.importorskip("agilerl", reason="AgileRL is not installed; see docs/interop.md")

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # its imports use names that other libraries have deprecated
    import torch
    from agilerl.algorithms import DQN
    from agilerl.components.data import Transition
    from agilerl.components.replay_buffer import ReplayBuffer

from uno_env.envs.gymnasium_env import UnoEnv

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.mark.parametrize(("variant", "num_players"), [("classic", 3), ("no_mercy", 4)])
def test_masked_dqn_learns(variant, num_players):
    env = UnoEnv(variant, num_players, scaled=True, illegal="raise")
    agent = DQN(env.observation_space, env.action_space, batch_size=32, device="cpu")
    memory = ReplayBuffer(max_size=1000, device="cpu")
    before = [p.detach().clone() for p in agent.actor.parameters()]
    observation, _ = env.reset(seed=0)
    ends = 0
    for step in range(300):
        mask = env.action_masks()
        action = int(agent.get_action(observation, epsilon=0.3, action_mask=mask[None])[0])
        assert mask[action]
        following, reward, terminated, truncated, _ = env.step(action)
        seen = Transition(
            obs=observation[None], action=np.array([action]), reward=np.array([reward]),
            next_obs=following[None], done=np.array([terminated]), batch_size=[1],
        )  # fmt: skip
        memory.add(seen.to_tensordict())
        if terminated or truncated:
            ends += 1
            following, _ = env.reset()
        observation = following
        if step >= 64 and step % 8 == 0:
            assert np.isfinite(agent.learn(memory.sample(32)))
    assert ends > 0
    changed = zip(before, agent.actor.parameters(), strict=True)
    assert any(not torch.equal(a, b) for a, b in changed)
