"""Policy gradient with TorchRL: one shared network for all seats, masked actions.

    .interop/torchrl/bin/python examples/torchrl_policy_gradient.py --updates 50

TorchRL's pins exclude those of other libraries; `make interop INTEROP=torchrl` makes its
environment.
"""

import argparse
import warnings

import torch
from tensordict.nn import ProbabilisticTensorDictModule, TensorDictModule, TensorDictSequential
from torchrl.modules import MaskedCategorical

import uno_env
from uno_env.adapters.torchrl import torchrl_env

OBSERVATION = ("player", "observation", "observation")


def main() -> None:
    """Some updates of REINFORCE on single rounds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--variant", default="classic")
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--updates", type=int, default=50)
    options = parser.parse_args()
    warnings.filterwarnings("ignore", message="PettingZoo in TorchRL is tested")
    torch.manual_seed(0)

    # All seats form the group "player": one more axis, one network for all of them.
    env = torchrl_env(options.variant, options.players, illegal="raise")
    env.set_seed(0)
    network = torch.nn.Sequential(
        torch.nn.Linear(uno_env.OBS_SIZE, 128),
        torch.nn.ReLU(),
        torch.nn.Linear(128, uno_env.NUM_ACTIONS),
    )
    logits = TensorDictModule(
        lambda obs: network(obs.float() / 255),
        in_keys=[OBSERVATION],
        out_keys=[("player", "logits")],
    )
    choice = ProbabilisticTensorDictModule(
        in_keys={"logits": ("player", "logits"), "mask": ("player", "action_mask")},
        out_keys=[("player", "action")],
        distribution_class=MaskedCategorical,
    )
    policy = TensorDictSequential(logits, choice)
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-3)
    for update in range(options.updates):
        rollout = env.rollout(1000, policy)  # one round, up to its end
        acting = rollout["player", "mask"]  # (steps, seats): who decided
        # A round pays at its end; every decision of a seat is reinforced by that seat's reward.
        returns = rollout["next", "player", "reward"].sum(0).squeeze(-1).expand(acting.shape)
        chosen = MaskedCategorical(
            logits=network(rollout[OBSERVATION].float() / 255),
            mask=rollout["player", "action_mask"],
        )
        loss = -(chosen.log_prob(rollout["player", "action"]) * returns)[acting].mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(f"update {update + 1}: {len(rollout)} decisions, loss {loss.item():.3f}")
        assert torch.isfinite(loss)


if __name__ == "__main__":
    main()
