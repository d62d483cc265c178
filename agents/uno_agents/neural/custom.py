"""Networks of your own, `my_net.py:MyNet`: a subclass of PolicyNetwork in a file.

`uno-train --network my_net.py:MyNet` trains one. Its checkpoint plays as
`runs/x/best:network=my_net.py:MyNet`: loading weights never runs code, so the spec names it.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base import AgentError
from ..local_code import load_class
from .agent import NeuralAgent
from .input_layout import LAYOUT
from .weights import (
    CheckpointError,
    layout_of,
    read_weights,
    reads_seats_by_turn,
    weights_path,
)

if TYPE_CHECKING:
    from .network import PolicyNetwork


def load_network_class(text: str) -> "type[PolicyNetwork]":
    """The class that `file.py:Class` names; runs the file."""
    from .network import PolicyNetwork

    found = load_class(text)
    if not isinstance(found, type) or not issubclass(found, PolicyNetwork):
        raise AgentError(
            f"network {text!r} is {found!r}; a subclass of "
            "uno_agents.neural.network.PolicyNetwork is needed"
        )
    return found


def load_custom(folder: str | Path, network: str, sample: bool = False, seed: int = 0) -> Any:
    """The agent of a checkpoint whose network is a class of the user's."""
    import torch

    path = weights_path(folder)
    weights, metadata = read_weights(path)
    if "network" not in metadata:
        raise CheckpointError(f"{path} holds no network of your own; leave out network={network}")
    if layout_of(metadata) is not LAYOUT:
        raise CheckpointError(f"{path} was made for another observation version; train it anew")
    inputs, actions = (np.array(metadata[key], np.int64) for key in ("inputs", "actions"))
    module = load_network_class(network)(metadata["hidden"], inputs, actions)
    module.seats_by_turn = reads_seats_by_turn(metadata)
    tensors = {name: torch.from_numpy(array) for name, array in weights.items()}
    try:
        module.load_state_dict(tensors)
    except RuntimeError as error:
        raise CheckpointError(f"{path} does not fit {network}: {error}") from None
    return NeuralAgent(module, metadata, sample, seed)
