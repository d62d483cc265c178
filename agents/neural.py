"""Trained agents: a checkpoint folder becomes an agent, or a clear refusal.

A checkpoint is one safetensors file. Its header holds the metadata as JSON, so weights and
metadata can never belong to different moments; reading it never executes code.
"""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from uno_env.actions import NUM_ACTIONS, action_id
from uno_env.describe import OBS_SIZE, OBS_VERSION
from uno_env.determinize import determinize
from uno_env.view import View

from .base import AgentError, Bytes, Ints

if TYPE_CHECKING:
    from .network import PolicyNetwork

WEIGHTS = "model.safetensors"
FORMAT = "uno_env-policy-1"
MOST_LAYERS, WIDEST = 16, 8192


class CheckpointError(AgentError):
    """A checkpoint that is missing, damaged, or made for something else."""


class NeuralAgent:
    """Plays the most probable action of a policy network, or samples from it.

    Args:
        network: the policy.
        metadata: what the checkpoint says about itself.
        sample: draw actions by their probability instead of taking the best.
        seed: starts the generator that samples.
    """

    def __init__(
        self,
        network: "PolicyNetwork",
        metadata: dict[str, Any],
        sample: bool = False,
        seed: int = 0,
    ) -> None:
        self.network = network.eval()
        self.metadata = metadata
        self.sample = sample
        self._rng = np.random.default_rng(seed)

    @classmethod
    def load(cls, folder: str | Path, sample: bool = False, seed: int = 0) -> Self:
        """The agent of a checkpoint folder."""
        network, metadata = load_network(folder)
        return cls(network, metadata, sample, seed)

    def act_batch(self, obs: Bytes, mask: Bytes) -> Ints:
        """One action id a row."""
        import torch

        with torch.inference_mode():
            # Copies, because both may be views of arrays the next step overwrites.
            logits, _ = self.network(torch.tensor(obs), torch.tensor(mask))
        scores = logits.numpy()
        if self.sample:
            # The largest of logits plus Gumbel noise falls by the softmax probabilities.
            scores = scores + self._rng.gumbel(size=scores.shape)
        ids: Ints = scores.argmax(axis=1)
        return ids

    def act(self, view: View, legal: list[str]) -> str:
        """One action for a view: the observation is that of any game that fits the view."""
        obs = determinize(view, self._rng).observe(view["seat"])
        ids = [action_id(text) for text in legal]
        mask = np.zeros((1, NUM_ACTIONS), np.uint8)
        mask[0, ids] = 1
        return legal[ids.index(int(self.act_batch(obs[None], mask)[0]))]

    def __repr__(self) -> str:
        return f"<neural agent for {self.metadata.get('rules')}>"


def load_network(folder: str | Path) -> tuple["PolicyNetwork", dict[str, Any]]:
    """Network and metadata of a checkpoint folder; refuses what does not fit this version."""
    try:
        import safetensors
        from safetensors.torch import load_file

        from .network import PolicyNetwork
    except ImportError as error:
        raise AgentError(
            f"playing {folder} needs torch and safetensors: pip install 'uno-env[train]'"
        ) from error
    path = Path(folder) / WEIGHTS
    metadata = read_metadata(path)
    network = PolicyNetwork(metadata["hidden"])
    try:
        network.load_state_dict(load_file(path))
    except (safetensors.SafetensorError, RuntimeError, OSError) as error:
        raise CheckpointError(f"{path}: the weights do not fit the network: {error}") from None
    if any(not bool(tensor.isfinite().all()) for tensor in network.parameters()):
        raise CheckpointError(f"{path}: some weights are not finite numbers")
    return network, metadata


def read_metadata(path: Path) -> dict[str, Any]:
    """The checked metadata in the header of a weights file."""
    import safetensors

    if not path.is_file():
        raise CheckpointError(f"{path.parent} holds no {WEIGHTS}; it is no checkpoint folder")
    try:
        with safetensors.safe_open(path, "pt") as file:
            header = file.metadata() or {}
    except (safetensors.SafetensorError, OSError) as error:
        raise CheckpointError(f"{path} is no safetensors file or is damaged: {error}") from None
    try:
        metadata = json.loads(header.get("uno_env", "null"))
    except ValueError as error:
        raise CheckpointError(f"{path}: its metadata is not JSON: {error}") from None
    if not isinstance(metadata, dict) or metadata.get("format") != FORMAT:
        raise CheckpointError(f"{path} was not written by uno-train (no {FORMAT!r} metadata)")
    _check(path, metadata)
    return metadata


def _check(path: Path, metadata: dict[str, Any]) -> None:
    needed = {
        "observation_version": OBS_VERSION,
        "observation_size": OBS_SIZE,
        "num_actions": NUM_ACTIONS,
    }
    for key, ours in needed.items():
        if metadata.get(key) != ours:
            raise CheckpointError(
                f"{path} was made for {key}={metadata.get(key)!r}; this version of uno_env has "
                f"{ours}. Train it anew, or install the version it was made with "
                f"({metadata.get('uno_env_version', 'unknown')})"
            )
    hidden = metadata.get("hidden")
    if (
        not isinstance(hidden, list)
        or not 1 <= len(hidden) <= MOST_LAYERS
        or not all(type(width) is int and 1 <= width <= WIDEST for width in hidden)
    ):
        raise CheckpointError(f"{path}: hidden is {hidden!r}; a list of layer widths is needed")
