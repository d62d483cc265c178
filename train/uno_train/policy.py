"""The network as a policy on arrays of games: canonical input, heuristic prior, sampled actions."""

import torch
from torch import Tensor
from uno_agents.neural.network import CanonicalInput, PolicyNetwork

from uno_env.array_types import Bytes, Ints

BELOW_ONE = 1 - 1e-5
"""Keeps a random number below the last cumulative probability, whatever the rounding."""


def encode(network: PolicyNetwork, obs: Bytes, mask: Bytes) -> CanonicalInput:
    """Observations and masks of games as canonical input of the network."""
    device = network.scales.device
    return network.encode(torch.from_numpy(obs).to(device), torch.from_numpy(mask).to(device))


def canonical_actions(network: PolicyNetwork, encoded: CanonicalInput, ids: Ints) -> Tensor:
    """Action ids as indices of the network's canonical actions."""
    raw = torch.from_numpy(ids).to(encoded.code.device)
    return network.canonical_places(encoded).gather(1, raw[:, None])[:, 0]


def action_ids(network: PolicyNetwork, encoded: CanonicalInput, actions: Tensor) -> Ints:
    """Canonical actions as action ids."""
    raw = network.raw_actions(encoded.code, encoded.seat_code).gather(1, actions[:, None])[:, 0]
    ids: Ints = raw.cpu().numpy()
    return ids


def add_prior(logits: Tensor, prior_action: Tensor, bonus: float) -> Tensor:
    """The logits with a bonus on one action of each row: the heuristic prior."""
    if not bonus:
        return logits
    return logits.scatter_add(1, prior_action[:, None], logits.new_full((len(logits), 1), bonus))


def sample(logits: Tensor, rng: torch.Generator) -> tuple[Tensor, Tensor]:
    """One action a row, drawn from the softmax, and its log-probability."""
    probs = logits.softmax(-1)
    # Cumulative sums as one product, which is several times faster than cumsum.
    sums = probs @ torch.ones(logits.shape[1], logits.shape[1], device=logits.device).triu()
    draw = torch.rand(len(logits), 1, generator=rng, device=logits.device) * BELOW_ONE
    # Sums may be rounded differently; an action of probability 0 is never chosen all the same.
    reached = (sums > draw) & (probs > 0)
    action = reached.to(torch.uint8).argmax(-1)
    return action, probs.gather(1, action[:, None])[:, 0].log()
