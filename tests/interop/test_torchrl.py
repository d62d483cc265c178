"""TorchRL's PettingZoo wrapper around the environment: rollouts, specs, and a few updates."""

import warnings

import pytest

pytest.importorskip("torchrl", reason="TorchRL is not installed; see docs/interop.md")

import torch
from tensordict.nn import ProbabilisticTensorDictModule, TensorDictModule, TensorDictSequential
from torchrl.envs.utils import check_env_specs
from torchrl.modules import MaskedCategorical

import uno_env
from uno_env.adapters.torchrl import torchrl_env

TABLES = [("classic", 3), ("no_mercy", 4)]
OBSERVATION = ("player", "observation", "observation")


@pytest.fixture(autouse=True)
def _untested_version():
    # TorchRL names the one PettingZoo version it was tested with whenever it meets another.
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="PettingZoo in TorchRL is tested")
        warnings.filterwarnings("ignore", category=DeprecationWarning)
        warnings.filterwarnings("ignore", category=FutureWarning)
        yield


def masked_policy():
    net = torch.nn.Sequential(
        torch.nn.Linear(uno_env.OBS_SIZE, 64),
        torch.nn.ReLU(),
        torch.nn.Linear(64, uno_env.NUM_ACTIONS),
    )
    logits = TensorDictModule(
        lambda obs: net(obs.float() / 255), in_keys=[OBSERVATION], out_keys=[("player", "logits")]
    )
    choice = ProbabilisticTensorDictModule(
        in_keys={"logits": ("player", "logits"), "mask": ("player", "action_mask")},
        out_keys=[("player", "action")],
        distribution_class=MaskedCategorical,
    )
    return net, TensorDictSequential(logits, choice)


@pytest.mark.parametrize(("variant", "num_players"), TABLES)
def test_specs_and_random_rollout(variant, num_players):
    env = torchrl_env(variant, num_players, illegal="raise")
    check_env_specs(env)
    env.set_seed(0)
    rollout = env.rollout(500, break_when_any_done=False)
    assert rollout.batch_size == (500,)
    acting = rollout["player", "mask"]
    assert (acting.sum(-1) == 1).all()
    ends = rollout["next", "done"].squeeze(-1)
    assert ends.any()
    rewards = rollout["next", "player", "reward"].squeeze(-1)
    assert rewards[ends].abs().sum(-1).min() > 0
    assert torch.allclose(rewards.sum(-1), torch.zeros(500), atol=1e-6)
    taken = rollout["player", "action"][acting]
    legal = rollout["player", "action_mask"][acting]
    assert legal.gather(-1, taken[:, None]).all()


@pytest.mark.parametrize(("variant", "num_players"), TABLES)
def test_policy_gradient_steps(variant, num_players):
    torch.manual_seed(0)
    env = torchrl_env(variant, num_players, illegal="raise")
    net, policy = masked_policy()
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    before = [p.detach().clone() for p in net.parameters()]
    steps = 0
    for _ in range(4):
        rollout = env.rollout(400, policy)
        acting = rollout["player", "mask"]
        outcome = rollout["next", "player", "reward"].sum(0).squeeze(-1).expand(acting.shape)
        logits = net(rollout[OBSERVATION].float() / 255)
        chosen = MaskedCategorical(logits=logits, mask=rollout["player", "action_mask"])
        log_prob = chosen.log_prob(rollout["player", "action"])
        loss = -(log_prob * outcome)[acting].mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        assert torch.isfinite(loss)
        steps += len(rollout)
    assert steps > 100
    assert any((a != b).any() for a, b in zip(before, net.parameters(), strict=True))


def test_a_group_for_each_seat():
    env = torchrl_env("teams", 4, one_group=False)
    assert sorted(env.group_map) == [f"player_{seat}" for seat in range(4)]
    assert len(env.rollout(20)) > 0
