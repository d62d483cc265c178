"""Networks of any width with random weights, as ONNX files: what a larger bot would cost."""

from pathlib import Path

import numpy as np

from agents.mlp import expected_shapes
from agents.weights import FORMAT
from train.export import build_model
from uno_env.actions import NUM_ACTIONS
from uno_env.describe import OBS_SIZE, OBS_VERSION


def write_network(folder: Path, width: int, layers: int = 2) -> Path:
    """An ONNX file with hidden layers of a width; it plays, though without any sense."""
    rng = np.random.default_rng(width)
    hidden = [width] * layers
    weights = {
        name: (rng.standard_normal(shape) / np.sqrt(shape[-1])).astype(np.float32)
        for name, shape in expected_shapes(hidden).items()
    }
    metadata = {
        "format": FORMAT,
        "rules": "random weights",
        "hidden": hidden,
        "observation_version": OBS_VERSION,
        "observation_size": OBS_SIZE,
        "num_actions": NUM_ACTIONS,
    }
    path = folder / f"{layers}x{width}.onnx"
    path.write_bytes(build_model(weights, hidden, metadata).SerializeToString())
    return path
