"""The policy network: observation bytes in, one logit for each action and a value out.

The mask is applied here, so an illegal action has probability zero whatever the weights are.
"""

from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import Tensor, nn

from uno_env.actions import NUM_ACTIONS
from uno_env.describe import OBS_SIZE, observation_scales

ILLEGAL_LOGIT = -1e9


class PolicyNetwork(nn.Module):
    """Fully connected layers with a policy head and a value head.

    Args:
        hidden: width of each hidden layer.
    """

    scales: Tensor

    def __init__(self, hidden: Sequence[int] = (256, 256)) -> None:
        super().__init__()
        self.hidden = tuple(hidden)
        # The scales belong to the observation's version, so they are no part of the weights.
        self.register_buffer("scales", torch.from_numpy(observation_scales()), persistent=False)
        layers: list[nn.Module] = []
        for before, after in pairwise((OBS_SIZE, *self.hidden)):
            layers += [nn.Linear(before, after), nn.ReLU()]
        self.trunk = nn.Sequential(*layers)
        self.policy = nn.Linear(self.hidden[-1], NUM_ACTIONS)
        self.value = nn.Linear(self.hidden[-1], 1)
        # A nearly uniform start explores everything alike.
        with torch.no_grad():
            self.policy.weight.mul_(0.01)
            self.policy.bias.zero_()

    def forward(self, obs: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Masked logits (B, 185) and values (B,) of observations and masks, both uint8."""
        features = self.trunk(obs * self.scales)
        logits = self.policy(features).masked_fill(mask == 0, ILLEGAL_LOGIT)
        return logits, self.value(features).squeeze(-1)
