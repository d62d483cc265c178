"""Agents that play a policy network, in torch, ONNX or NumPy, and checkpoints as agents.

A checkpoint is one safetensors file with the metadata as JSON in its header, so weights and
metadata cannot get out of step; reading it never executes code.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from uno_env.actions import action_id
from uno_env.array_types import Bools, Bytes, Floats, Ints
from uno_env.rules import Rules
from uno_env.state_io.encode_view import chosen_text, encode_batch_of_one
from uno_env.state_io.view import View

from ..advice import Advice, win_estimate
from .experts import BASE, MixturePolicy, deciding_network, experts_of, split_weights
from .input_layout import LAYOUT
from .mlp import MlpPolicy, check_shapes
from .policy_overrides import Policy, apply_overrides
from .version1 import present_policy
from .weights import (
    FORMAT,
    WEIGHTS_FILE,
    CheckpointError,
    layout_of,
    read_metadata,
    read_weights,
    reads_seats_by_turn,
    weights_path,
)

if TYPE_CHECKING:
    from .network import PolicyNetwork

TIE = np.float32(1e-3)
"""Logits that differ by less are tied, and the lowest action id is taken. Where several cards do
the same, such as two numbers with shared weights, their logits differ by rounding alone, which
depends on the processor; decisions do not."""

__all__ = [
    "FORMAT",
    "WEIGHTS_FILE",
    "CheckpointError",
    "NeuralAgent",
    "best_actions",
    "compiled_policy",
    "load_network",
    "read_metadata",
    "torch_policy",
]


class NeuralAgent:
    """Plays the most probable action of a policy network, or samples from it.

    Args:
        network: the policy: a function over arrays, or a `PolicyNetwork` of torch.
        metadata: what its file says about it, policy overrides included (`policy_overrides.py`).
        sample: draw actions by their probability instead of taking the best.
        seed: of the generator that samples.
    """

    def __init__(
        self,
        network: "Policy | PolicyNetwork",
        metadata: dict[str, Any],
        sample: bool = False,
        seed: int = 0,
    ) -> None:
        # Tested by attribute, so that torch need not be installed.
        is_torch = hasattr(network, "state_dict")
        policy: Policy = torch_policy(network) if is_torch else network  # type: ignore[arg-type]
        self.policy = apply_overrides(policy, metadata)
        self.metadata = metadata
        self.sample = sample
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """With a seed, sample as a new agent of that seed."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)

    @classmethod
    def load(cls, folder: str | Path, sample: bool = False, seed: int = 0) -> Self:
        """The agent of a checkpoint folder or weights file, without torch."""
        path = weights_path(folder)
        weights, metadata = read_weights(path)
        if "network" in metadata:
            raise CheckpointError(
                f"{path} holds the weights of {metadata['network']}; play it as "
                f"{folder}:network={metadata['network']}, which runs that file"
            )
        try:
            policy = compiled_policy(weights, metadata)
        except ValueError as error:
            raise CheckpointError(f"{path}: {error}") from None
        return cls(policy, metadata, sample, seed)

    def act_batch(self, obs: Bytes, mask: Bytes) -> Ints:
        """One action id a row."""
        return self._choose(self.policy(obs, mask)[0])

    def act(self, view: View, legal: list[str]) -> str:
        """One action for a view."""
        return chosen_text(int(self.act_batch(*encode_batch_of_one(view, legal))[0]), legal)

    def probabilities_batch(self, obs: Bytes, mask: Bytes) -> tuple[Floats, Floats]:
        """Probabilities (B, 208), zero where illegal, and expected rewards (B,)."""
        logits, values = self.policy(obs, mask)
        return _softmax(logits), values

    def advise(self, view: View, legal: list[str]) -> Advice:
        """The action, the probability of every legal one, and the chance to win."""
        logits, values = self.policy(*encode_batch_of_one(view, legal))
        probabilities = _softmax(logits)[0]
        by_action = {text: float(probabilities[action_id(text)]) for text in legal}
        action = chosen_text(int(self._choose(logits)[0]), legal)
        is_win = self.metadata.get("reward", "win") == "win"
        return Advice(action, by_action, win_estimate(float(values[0]), view) if is_win else None)

    def _choose(self, logits: Floats) -> Ints:
        if self.sample:
            # Gumbel-max trick: the argmax is distributed as the softmax of the logits.
            ids: Ints = (logits + self._rng.gumbel(size=logits.shape)).argmax(axis=1)
        else:
            ids = best_actions(logits).argmax(axis=1)
        return ids

    def __repr__(self) -> str:
        return f"<neural agent for {self.metadata.get('rules')}>"


def best_actions(logits: Floats) -> Bools:
    """Which actions (B, 208) are the best, or as good but for rounding."""
    best: Bools = logits >= logits.max(axis=1, keepdims=True) - TIE
    return best


def _softmax(logits: Floats) -> Floats:
    exponentials = np.exp(logits - logits.max(axis=1, keepdims=True))
    probabilities: Floats = exponentials / exponentials.sum(axis=1, keepdims=True)
    return probabilities


def compiled_policy(weights: Mapping[str, Floats], metadata: Mapping[str, Any]) -> Policy:
    """The compiled policy of a checkpoint's weights, for present observations and actions."""
    layout, experts = layout_of(metadata), experts_of(metadata)
    base, *others = split_weights(weights, len(experts))
    policy: Policy = MlpPolicy(base, metadata["hidden"], layout, reads_seats_by_turn(metadata))
    if experts:
        each = [
            MlpPolicy(arrays, expert.hidden, layout, expert.seats_by_turn)
            for expert, arrays in zip(experts, others, strict=True)
        ]
        policy = MixturePolicy([policy, *each], experts)
    return present_policy(policy, layout)


def torch_policy(network: "PolicyNetwork") -> Policy:
    """A torch network, on any device, as a function over arrays."""
    import torch

    network.eval()

    def policy(obs: Bytes, mask: Bytes) -> tuple[Floats, Floats]:
        device = next(network.parameters()).device
        with torch.inference_mode():
            # Copies, because the next step may overwrite both arrays.
            logits, values = network(
                torch.tensor(obs, device=device), torch.tensor(mask, device=device)
            )
        return logits.cpu().numpy(), values.cpu().numpy()

    return policy


def load_network(
    folder: str | Path, rule_sets: Sequence[Rules] = ()
) -> tuple["PolicyNetwork", dict[str, Any]]:
    """Torch network and metadata of a checkpoint; refuses what does not fit this version.

    Args:
        rule_sets: of a mixture of experts, take the expert that decides under all of these, if one
            does; the base network otherwise.
    """
    import torch

    from .network import PolicyNetwork

    path = weights_path(folder)
    weights, metadata = read_weights(path)
    if layout_of(metadata) is not LAYOUT:
        raise CheckpointError(
            f"{path} was made for observation_version={metadata['observation_version']}; it plays "
            f"as an agent, but only networks of version {LAYOUT.version} can be trained on"
        )
    experts = experts_of(metadata)
    number = deciding_network(experts, rule_sets)
    hidden, by_turn = metadata["hidden"], reads_seats_by_turn(metadata)
    if number != BASE:
        expert = experts[number - 1]
        hidden, by_turn = expert.hidden, expert.seats_by_turn
    arrays = split_weights(weights, len(experts))[number]
    try:
        check_shapes(arrays, hidden)
    except ValueError as error:
        raise CheckpointError(f"{path}: {error}") from None
    network = PolicyNetwork(hidden)
    network.seats_by_turn = by_turn
    network.load_state_dict({name: torch.from_numpy(array) for name, array in arrays.items()})
    return network, metadata
