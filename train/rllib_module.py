"""Our policy network as a module of RLlib, so that what RLlib trains is one of our agents."""

from typing import Any

import torch
from torch import Tensor

from agents.network import PolicyNetwork
from uno_env.describe import observation_scales

try:
    from ray.rllib.core.columns import Columns
    from ray.rllib.core.rl_module.apis import ValueFunctionAPI
    from ray.rllib.core.rl_module.torch import TorchRLModule
except ImportError as error:
    raise ValueError(f"uno-train rllib needs RLlib: pip install 'ray[rllib]' ({error})") from error


class MaskedPolicy(TorchRLModule, ValueFunctionAPI):
    """Reads the observations of `uno_env.adapters.rllib`; illegal actions have no probability."""

    network: PolicyNetwork

    def setup(self) -> None:
        """Build the network; RLlib calls it."""
        config: Any = self.model_config
        self.network = PolicyNetwork(config["hidden"])
        self._scales = torch.from_numpy(observation_scales())

    def _forward(self, batch: dict[str, Any], **_: Any) -> dict[str, Any]:
        return {Columns.ACTION_DIST_INPUTS: self._judge(batch)[0]}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> Tensor:
        """What each position is worth."""
        return self._judge(batch)[1]

    def _judge(self, batch: dict[str, Any]) -> tuple[Tensor, Tensor]:
        seen = batch[Columns.OBS]
        # The adapter has scaled the bytes, which the network does itself.
        obs = (seen["observations"] / self._scales.to(seen["observations"].device)).round()
        # Rows that only fill up a batch have no legal action; what comes of them is masked out.
        logits, values = self.network(obs.to(torch.uint8), seen["action_mask"].to(torch.uint8))
        return logits, values
