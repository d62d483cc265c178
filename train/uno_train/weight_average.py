"""A moving average of the weights: what a run evaluates and saves, while it trains on.

Labels and returns are noisy, so the weights of a run wander about a good point at a distance that
grows with the learning rate; their average is closer to it (Polyak and Juditsky 1992,
https://doi.org/10.1137/0330046; stochastic weight averaging, Izmailov et al. 2018,
https://arxiv.org/abs/1803.05407).
"""

import copy

import torch
from torch import Tensor
from uno_agents.neural.network import PolicyNetwork

MOST_SHARE = 0.1
"""The average reaches back over this share of the steps so far, at most: what a run began with is
soon forgotten."""


class WeightAverage:
    """An exponential moving average of a network's weights.

    Args:
        network: whose weights are averaged.
        decay: of what was averaged before, per gradient step.
    """

    def __init__(self, network: PolicyNetwork, decay: float) -> None:
        self.network = copy.deepcopy(network)
        self._decay = decay
        self.steps = 0

    @torch.no_grad()
    def add(self, network: PolicyNetwork) -> None:
        """Add the weights after a gradient step."""
        self.steps += 1
        keep = min(self._decay, 1 - 1 / max(1.0, MOST_SHARE * self.steps))
        for mean, weights in zip(self.network.parameters(), network.parameters(), strict=True):
            mean.lerp_(weights, 1 - keep)

    def state(self) -> dict[str, Tensor]:
        """The average, and how many steps are in it."""
        return {"steps": torch.tensor(self.steps), **self.network.state_dict()}

    def load_state(self, state: dict[str, Tensor]) -> None:
        """Go on from what `state` gave."""
        self.steps = int(state["steps"])
        self.network.load_state_dict({name: w for name, w in state.items() if name != "steps"})
