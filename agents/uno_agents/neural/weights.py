"""Read network weights with NumPy alone: safetensors files with our metadata in the header.

The format is a length, a JSON header and plain numbers, so reading a file executes no code. A file
of another observation version, or of another program, is refused with the reason.
"""

import json
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from uno_env.array_types import Floats

from ..base import AgentError
from .borrowed_weights import WEIGHTS_OF, borrow
from .experts import HEURISTIC_PRIOR, experts_of
from .input_layout import LAYOUT, InputLayout
from .policy_overrides import OVERRIDE_SWAPS
from .sum_features import NUM_SUMS
from .version1 import LAYOUT_1
from .zero_columns import FIRST_LAYER, KEPT_COLUMNS, with_zero_columns

WEIGHTS_FILE = "model.safetensors"
FORMAT = "uno_env-policy-2"
SEATS_BY_TURN = "seats_by_turn"
"""Metadata key of networks that read seats in the order of turn; without it, clockwise."""
MAX_LAYERS, MAX_WIDTH, MAX_HEADER = 16, 8192, 1 << 20
_DTYPES: dict[str, str] = {"F16": "<f2", "F32": "<f4"}

LAYOUTS = {layout.version: layout for layout in (LAYOUT, LAYOUT_1)}
"""Observation versions whose networks can be played."""

OLD_KEYS = {"leans": HEURISTIC_PRIOR, "leaves_swaps": OVERRIDE_SWAPS}
"""Metadata keys of checkpoints and ONNX files from before 0.1.0, by what they are called now."""


class CheckpointError(AgentError):
    """A checkpoint that is missing, damaged, or made for something else."""


def weights_path(folder: str | Path) -> Path:
    """The weights file of a checkpoint folder, or the file itself; says what is there if none."""
    path = Path(folder)
    if path.suffix == ".safetensors":
        if not path.is_file():
            raise CheckpointError(f"there is no file {path}")
        return path
    if (path / WEIGHTS_FILE).is_file():
        return path / WEIGHTS_FILE
    if not path.is_dir():
        raise CheckpointError(f"there is no folder {path}, which should hold {WEIGHTS_FILE}")
    inside = sorted(str(file.parent) for file in path.glob(f"*/{WEIGHTS_FILE}"))
    hint = f"; did you mean {' or '.join(inside)}?" if inside else ""
    raise CheckpointError(f"{path} holds no {WEIGHTS_FILE}; it is no checkpoint folder{hint}")


def read_metadata(path: Path) -> dict[str, Any]:
    """The checked metadata in the header of a weights file."""
    return _metadata(path, _header(path)[0])


def read_weights(path: Path) -> tuple[dict[str, Floats], dict[str, Any]]:
    """Named float32 arrays and checked metadata; refuses numbers that are not finite."""
    weights, metadata = read_own_weights(path)
    borrowed = _raw_metadata(_header(path)[0]).get(WEIGHTS_OF, {})
    try:
        borrow(weights, borrowed, path.parent, lambda lender: read_own_weights(lender)[0])
    except ValueError as error:
        raise CheckpointError(f"{path}: {error}") from None
    return weights, metadata


def read_own_weights(path: Path) -> tuple[dict[str, Floats], dict[str, Any]]:
    """The same without the experts whose arrays are in other files (`borrowed_weights.py`)."""
    header, start = _header(path)
    metadata = _metadata(path, header)
    octets = path.read_bytes()[start:]
    weights = {}
    for name, entry in header.items():
        if name != "__metadata__":
            weights[name] = _array(path, name, entry, octets)
    if "network" in metadata:
        return weights, metadata
    layout, kept = layout_of(metadata), _raw_metadata(header).get(KEPT_COLUMNS, {})
    try:
        with_zero_columns(weights, kept, layout.obs_size + NUM_SUMS)
    except ValueError as error:
        raise CheckpointError(f"{path}: {error}") from None
    return _with_sum_inputs(weights, layout), metadata


def layout_of(metadata: Mapping[str, Any]) -> InputLayout:
    """The layout of the observation version that a network was made for."""
    return LAYOUTS[metadata["observation_version"]]


def reads_seats_by_turn(metadata: Mapping[str, Any]) -> bool:
    """Whether a network reads seats in the order of turn (`turn_order.py`)."""
    return bool(metadata.get(SEATS_BY_TURN))


def _with_sum_inputs(weights: dict[str, Floats], layout: InputLayout) -> dict[str, Floats]:
    """Pad the first layer of a network trained before there were sum features with zeros."""
    first = weights.get(FIRST_LAYER)
    if first is not None and first.ndim == 2 and first.shape[1] == layout.obs_size:
        weights[FIRST_LAYER] = np.pad(first, ((0, 0), (0, NUM_SUMS)))
    return weights


def _header(path: Path) -> tuple[dict[str, Any], int]:
    """The JSON header and the offset of the numbers."""
    try:
        with path.open("rb") as file:
            first = file.read(8)
            length = struct.unpack("<Q", first)[0] if len(first) == 8 else 0
            text = file.read(length) if 2 <= length <= MAX_HEADER else b""
        header = json.loads(text) if text and len(text) == length else None
    except (OSError, ValueError, RecursionError):
        header = None
    if not isinstance(header, dict):
        raise CheckpointError(f"{path} is no safetensors file or is damaged")
    return header, 8 + length


def _metadata(path: Path, header: dict[str, Any]) -> dict[str, Any]:
    metadata = _raw_metadata(header)
    if not isinstance(metadata, dict) or metadata.get("format") != FORMAT:
        raise CheckpointError(f"{path} was not written by uno-train (no {FORMAT!r} metadata)")
    check_metadata(path, metadata)
    return rename_old_keys(metadata)


def _raw_metadata(header: dict[str, Any]) -> Any:
    """The metadata as it stands in the file; None if there is none."""
    try:
        return json.loads(header["__metadata__"]["uno_env"])
    except (KeyError, TypeError, ValueError):
        return None


def rename_old_keys(metadata: dict[str, Any]) -> dict[str, Any]:
    """The metadata under today's keys, without what only concerns the file."""
    of_the_file = (KEPT_COLUMNS, WEIGHTS_OF)
    return {
        OLD_KEYS.get(key, key): value for key, value in metadata.items() if key not in of_the_file
    }


def check_metadata(path: str | Path, metadata: dict[str, Any]) -> None:
    """Refuse a network that was made for observations or actions that are not known here."""
    version = metadata.get("observation_version")
    layout = LAYOUTS.get(version, LAYOUT) if isinstance(version, int) else LAYOUT
    needed = {
        "observation_version": layout.version,
        "observation_size": layout.obs_size,
        "num_actions": layout.num_actions,
    }
    for key, ours in needed.items():
        if metadata.get(key) != ours:
            raise CheckpointError(
                f"{path} was made for {key}={metadata.get(key)!r}; this version of uno_env has "
                f"{ours}. Train it anew, or install the version it was made with "
                f"({metadata.get('uno_env_version', 'unknown')})"
            )
    try:
        experts = experts_of(metadata)
    except ValueError as error:
        raise CheckpointError(f"{path}: {error}") from None
    if experts and layout is not LAYOUT:
        raise CheckpointError(f"{path}: experts need observation version {LAYOUT.version}")
    for hidden in (metadata.get("hidden"), *(expert.hidden for expert in experts)):
        _check_widths(path, hidden)


def _check_widths(path: str | Path, hidden: Any) -> None:
    if (
        not isinstance(hidden, list)
        or not 1 <= len(hidden) <= MAX_LAYERS
        or not all(type(width) is int and 1 <= width <= MAX_WIDTH for width in hidden)
    ):
        raise CheckpointError(f"{path}: hidden is {hidden!r}; a list of layer widths is needed")


def _array(path: Path, name: str, entry: Any, octets: bytes) -> Floats:
    """The array that a header entry describes."""
    try:
        dtype = _DTYPES[entry["dtype"]]
        shape = tuple(int(size) for size in entry["shape"])
        first, last = (int(offset) for offset in entry["data_offsets"])
        if not 0 <= first <= last <= len(octets):
            raise ValueError("it lies outside the file")
        stored = np.frombuffer(octets[first:last], dtype).reshape(shape)
    except (KeyError, TypeError, ValueError) as error:
        raise CheckpointError(f"{path}: {name} is damaged: {error}") from None
    array: Floats = stored.astype(np.float32)
    if not np.isfinite(array).all():
        raise CheckpointError(f"{path}: {name} holds numbers that are not finite")
    return array
