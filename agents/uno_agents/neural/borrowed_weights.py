"""Files of mixtures that leave the arrays of an expert to the file of the agent that it is.

A specialist that ships by itself and as an expert of another agent would be stored twice. The
mixture's metadata names the specialist's file, which lies beside it, and the digest of its arrays.
"""

import hashlib
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from uno_env.array_types import Floats

from .experts import EXPERTS

WEIGHTS_OF = "weights_of"
"""Metadata key: by the prefix of an expert's arrays, the file they are in and their digest."""
SUFFIX = ".safetensors"
_NAME = re.compile(r"[\w-]+")
Lender = Callable[[Path], Mapping[str, Floats]]


def digest(weights: Mapping[str, npt.NDArray[Any]]) -> str:
    """A digest of the arrays of a single network, whatever their precision in the file."""
    found = hashlib.sha256()
    for name in sorted(weights):
        found.update(name.encode())
        found.update(np.ascontiguousarray(weights[name], np.float32).tobytes())
    return found.hexdigest()


def without_borrowed(
    weights: Mapping[str, npt.NDArray[Any]], lenders: Mapping[str, str]
) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
    """The arrays without those of experts that have a file, and what the metadata says of it.

    Args:
        lenders: by the prefix of an expert's arrays, the name of its file without the suffix.
    """
    rest, borrowed = dict(weights), {}
    for prefix, name in lenders.items():
        own = {key: rest.pop(key) for key in list(rest) if key.startswith(prefix)}
        bare = {key.removeprefix(prefix): array for key, array in own.items()}
        borrowed[prefix] = [name, digest(bare)]
    return rest, {WEIGHTS_OF: borrowed}


def borrow(weights: dict[str, Floats], borrowed: Any, folder: Path, lender: Lender) -> None:
    """Add the arrays that other files of the folder hold.

    Args:
        borrowed: what the metadata says, if it says anything.
        lender: reads the arrays of a file.

    Raises:
        ValueError: it is damaged, or a file is missing or has other weights.
    """
    if not isinstance(borrowed, dict):
        raise ValueError(f"{WEIGHTS_OF} is {borrowed!r}; files by prefixes are needed")
    for prefix, entry in borrowed.items():
        name, wanted = _checked(prefix, entry)
        path = folder / f"{name}{SUFFIX}"
        if not path.is_file():
            raise ValueError(f"the weights of an expert are in {path.name}, which is not beside it")
        lent = lender(path)
        if digest(lent) != wanted:
            raise ValueError(
                f"the weights of an expert are in {path.name}, which has others by now; install "
                "the package anew, or pack the mixture: python -m uno_train.pretrained"
            )
        weights |= {f"{prefix}{key}": array for key, array in lent.items()}


def _checked(prefix: str, entry: Any) -> tuple[str, str]:
    is_pair = isinstance(entry, list) and [type(part) for part in entry] == [str, str]
    if not is_pair or not _NAME.fullmatch(entry[0]) or not prefix.startswith(f"{EXPERTS}."):
        raise ValueError(f"{WEIGHTS_OF} of {prefix!r} is {entry!r}; a file and a digest are needed")
    return entry[0], entry[1]
