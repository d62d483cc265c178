"""Between the games' arrays and the network's own order of colours and actions."""

import torch
from torch import Tensor
from uno_agents.neural.network import CanonicalInput, PolicyNetwork

from uno_env.array_types import Bytes, Ints


def see(network: PolicyNetwork, obs: Bytes, mask: Bytes) -> CanonicalInput:
    """What the network sees of rows of the games."""
    device = network.scales.device
    return network.encode(torch.from_numpy(obs).to(device), torch.from_numpy(mask).to(device))


def turned(network: PolicyNetwork, sight: CanonicalInput, ids: Ints) -> Tensor:
    """Action ids as numbers of the network's own choices."""
    raw = torch.from_numpy(ids).to(sight.code.device)
    return network.write_actions[sight.code].gather(1, raw[:, None])[:, 0]
