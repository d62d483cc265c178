"""ONNX files as agents: `bot.onnx`, run by onnxruntime without torch.

`uno-train export` writes them. Observation and mask go in as bytes; scaling and masking are part of
the graph, and the file carries the metadata of the checkpoint.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np

from uno_env.array_types import Bytes, Floats

from .agent import NeuralAgent
from .input_layout import LAYOUT
from .version1 import present_policy
from .weights import FORMAT, CheckpointError, check_metadata, layout_of, rename_old_keys

INPUTS = {"obs": LAYOUT.obs_size, "mask": LAYOUT.num_actions}
OUTPUTS = ("logits", "value")


class OnnxPolicy:
    """A session of onnxruntime as a function over arrays.

    Args:
        session: over a graph with the inputs and outputs named above.
    """

    def __init__(self, session: Any) -> None:
        self._session = session

    def __call__(self, obs: Bytes, mask: Bytes) -> tuple[Floats, Floats]:
        """Masked logits (B, actions) and values (B,)."""
        inputs = {"obs": np.ascontiguousarray(obs), "mask": np.ascontiguousarray(mask)}
        logits, value = self._session.run(OUTPUTS, inputs)
        return logits, value


def load_onnx(
    file: str | Path, sample: bool = False, threads: int = 1, seed: int = 0
) -> NeuralAgent:
    """The agent of an ONNX file; refuses files that are not ours or of another version.

    Args:
        threads: cores for one decision; more than one rarely pays for networks of this size.
        sample, seed: as for `NeuralAgent`.
    """
    path = Path(file)
    if not path.is_file():
        raise CheckpointError(f"there is no file {path}")
    session = _session(path, threads)
    metadata = _metadata(path, session)
    policy = present_policy(OnnxPolicy(session), layout_of(metadata))
    return NeuralAgent(policy, metadata, sample, seed)


def _session(path: Path, threads: int) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Errors arrive as exceptions; nothing is printed.
    options.log_severity_level = 4
    try:
        # From memory: a graph that points to other files cannot reach them.
        return onnxruntime.InferenceSession(
            path.read_bytes(), options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:  # onnxruntime has a class of its own for each failure
        raise CheckpointError(f"{path} is no ONNX file or is damaged: {error}") from None


def _metadata(path: Path, session: Any) -> dict[str, Any]:
    """The metadata of the file, if file and graph are ours."""
    text = session.get_modelmeta().custom_metadata_map.get("uno_env", "null")
    try:
        metadata = json.loads(text)
    except ValueError:
        metadata = None
    if not isinstance(metadata, dict) or metadata.get("format") != FORMAT:
        raise CheckpointError(
            f"{path} was not written by this version's uno-train export (no {FORMAT!r} metadata)"
        )
    check_metadata(path, metadata)
    layout = layout_of(metadata)
    needed = {"obs": layout.obs_size, "mask": layout.num_actions}
    inputs = {entry.name: entry.shape[-1] for entry in session.get_inputs() if entry.type == _BYTES}
    outputs = [entry.name for entry in session.get_outputs()]
    if inputs != needed or outputs != list(OUTPUTS):
        raise CheckpointError(
            f"{path} has inputs {inputs} and outputs {outputs}; bytes {needed} and "
            f"{list(OUTPUTS)} are needed"
        )
    return rename_old_keys(metadata)


_BYTES = "tensor(uint8)"
