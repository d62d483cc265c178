"""Our policy network as a module of RLlib, and the connector that makes RLlib's train batch."""

from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from torch import Tensor
from uno_agents.neural.network import PolicyNetwork

from ..config import TrainConfig
from ..weight_sharing import make_network

try:
    from ray.rllib.connectors.connector_v2 import ConnectorV2
    from ray.rllib.core.columns import Columns
    from ray.rllib.core.rl_module.apis import ValueFunctionAPI
    from ray.rllib.core.rl_module.torch import TorchRLModule
    from ray.rllib.evaluation.postprocessing import Postprocessing
except ImportError as error:
    raise ValueError(f"uno-train rllib needs RLlib: pip install 'ray[rllib]' ({error})") from error

INPUTS, MASK = "inputs", "mask"
"""The two parts of an observation: what the network sees of a position, and its legal choices."""


def module_spaces(network: PolicyNetwork) -> tuple[spaces.Dict, spaces.Discrete]:
    """What a module with this network reads, and what it chooses from."""
    seen = spaces.Box(0, 255, (len(network.inputs),), np.uint8)
    legal = spaces.Box(0, 1, (len(network.actions),), np.uint8)
    return spaces.Dict({INPUTS: seen, MASK: legal}), spaces.Discrete(len(network.actions))


class MaskedPolicy(TorchRLModule, ValueFunctionAPI):
    """Reads positions as `PolicyNetwork.encode` gives them; illegal choices have no probability."""

    network: PolicyNetwork

    def setup(self) -> None:
        """Build the network; RLlib calls it."""
        config: Any = self.model_config
        self.network = make_network(TrainConfig.model_validate_json(config["run"]))

    def _forward(self, batch: dict[str, Any], **_: Any) -> dict[str, Any]:
        logits, values = self._evaluate(batch)
        # Handed on to `compute_values`, so that the network is asked once a step and not twice.
        return {Columns.ACTION_DIST_INPUTS: logits, Columns.EMBEDDINGS: values}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> Tensor:
        """Value estimates."""
        return self._evaluate(batch)[1] if embeddings is None else embeddings

    def _evaluate(self, batch: dict[str, Any]) -> tuple[Tensor, Tensor]:
        seen = batch[Columns.OBS]
        return self.network.forward_canonical(seen[INPUTS], seen[MASK])


class TrainBatchConnector(ConnectorV2):
    """Learner connector: from what runners return to the train batch of PPO.

    It replaces RLlib's own connectors, which take episodes apart step by step in Python.

    Args:
        module: the name of the module that learns.
    """

    def __init__(self, module: str, **more: Any) -> None:
        super().__init__(**more)
        self._module = module

    def __call__(
        self, *, rl_module: Any, batch: dict[str, Any], episodes: list[Any], **_: Any
    ) -> dict[str, Any]:
        """One shuffled batch of all fragments, which come in the order of time."""
        device = next(rl_module[self._module].parameters()).device
        parts = zip(*(episode.columns for episode in episodes), strict=True)
        columns = [np.concatenate(part) for part in parts]
        order = torch.randperm(len(columns[0]))
        inputs, mask, action, log_prob, advantage, returns = (
            torch.from_numpy(column)[order].to(device) for column in columns
        )
        batch[self._module] = {
            Columns.OBS: {INPUTS: inputs, MASK: mask},
            Columns.ACTIONS: action,
            Columns.ACTION_LOGP: log_prob,
            Postprocessing.ADVANTAGES: advantage,
            Postprocessing.VALUE_TARGETS: returns,
            # Only the KL term reads it, which is off; the loss wants the column all the same.
            Columns.ACTION_DIST_INPUTS: torch.zeros(len(action), 1, device=device),
        }
        return batch
