"""Files without columns of zeros.

A network reads a column for each byte of the observation, and most rule sets use half of them. The
others are zeros in the first layer, which a file need not hold: its metadata says which columns it
does hold.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from uno_env.array_types import Floats

FIRST_LAYER = "trunk.0.weight"
KEPT_COLUMNS = "kept_columns"
"""Metadata key: by the names of first layers, the columns that the file holds."""
Arrays = dict[str, npt.NDArray[Any]]


def without_zero_columns(weights: Mapping[str, npt.NDArray[Any]]) -> tuple[Arrays, dict[str, Any]]:
    """The arrays with shorter first layers, also of experts, and what the metadata says of it."""
    found, kept = dict(weights), {}
    for name, array in weights.items():
        if name.endswith(FIRST_LAYER):
            columns = np.flatnonzero(array.any(axis=0))
            found[name], kept[name] = np.ascontiguousarray(array[:, columns]), columns.tolist()
    return found, {KEPT_COLUMNS: kept}


def with_zero_columns(weights: dict[str, Floats], kept: Any, width: int) -> None:
    """Put the columns of zeros back in place.

    Args:
        kept: what the metadata says, if it says anything.
        width: of a whole first layer.

    Raises:
        ValueError: it does not fit the arrays.
    """
    if not isinstance(kept, dict):
        raise ValueError(f"{KEPT_COLUMNS} is {kept!r}; columns by the names of arrays are needed")
    for name, columns in kept.items():
        array = weights.get(name)
        if not _are_columns(columns, width) or array is None or array.ndim != 2:
            raise ValueError(f"{KEPT_COLUMNS} of {name} are damaged")
        if array.shape[1] != len(columns):
            raise ValueError(f"{name} has {array.shape[1]} columns, {KEPT_COLUMNS} {len(columns)}")
        whole = np.zeros((len(array), width), np.float32)
        whole[:, columns] = array
        weights[name] = whole


def _are_columns(columns: Any, width: int) -> bool:
    if not isinstance(columns, list) or any(type(column) is not int for column in columns):
        return False
    return len({*columns}) == len(columns) and all(0 <= column < width for column in columns)
