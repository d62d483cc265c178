"""Networks of any width with random weights, as ONNX files: what a larger bot would cost."""

from pathlib import Path

import torch
from uno_agents.neural.network import PolicyNetwork
from uno_agents.neural.weights import WEIGHTS_FILE, read_weights
from uno_train.checkpoint import save_checkpoint
from uno_train.export import build_model


def write_network(folder: Path, width: int, layers: int = 2) -> Path:
    """An ONNX file with hidden layers of a width; it plays, though without any sense."""
    name = f"{layers}x{width}"
    torch.manual_seed(width)
    save_checkpoint(folder / name, PolicyNetwork([width] * layers), {"rules": "random weights"})
    weights, metadata = read_weights(folder / name / WEIGHTS_FILE)
    path = folder / f"{name}.onnx"
    path.write_bytes(build_model(weights, metadata["hidden"], metadata).SerializeToString())
    return path
