"""Store: compiled code on disk, a file for each kernel, signature and form.

A damaged or missing file costs a compilation, never an error. The folder is named by a hash of all
sources (`folder`), so their path and modification time do not matter: all checkouts and
environments with the same code share one store. Files are replaced whole, so processes may read and
write at the same time, and an interrupted one leaves what it had finished.
"""

import contextlib
import importlib
import os
import pickle
import uuid
from pathlib import Path
from typing import Any

from numba.core.serialize import dumps

from .folder import cache_folder, external_package
from .names import Ref

_stores: dict[str, "Store | None"] = {}


class Store:
    """The files of one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def load(self, ref: Ref, kind: str) -> Any:
        """What was saved, or None."""
        try:
            return pickle.loads(self._path(ref, kind).read_bytes())  # noqa: S301  # private folder
        except Exception:  # whatever reading and unpickling a damaged file may raise
            return None

    def save(self, ref: Ref, kind: str, payload: Any) -> None:
        """Keep a payload if possible: a full disk is no reason to fail."""
        path = self._path(ref, kind)
        unfinished = path.with_name(f"{uuid.uuid4().hex}.tmp")
        try:
            path.parent.mkdir(exist_ok=True)
            unfinished.write_bytes(dumps(payload))
            os.replace(unfinished, path)
        except OSError:
            with contextlib.suppress(OSError):
                unfinished.unlink()

    def note(self, use: str) -> None:
        """Note that the kernels of a use are all here."""
        with contextlib.suppress(OSError):
            self._note(use).parent.mkdir(exist_ok=True)
            self._note(use).touch()

    def is_noted(self, use: str) -> bool:
        """Whether `note` was called for that use."""
        return self._note(use).exists()

    def _note(self, use: str) -> Path:
        return self.folder / "uses" / use

    def _path(self, ref: Ref, kind: str) -> Path:
        return self.folder / ref.module / f"{ref.name}-{ref.digest}.{kind}"


def store_for(function: Any) -> Store | None:
    """Where the code of a function is kept, None if it came from no file."""
    module, source = function.__module__, function.__code__.co_filename
    if module not in _stores:
        folder = cache_folder(external_package(source)) if os.path.isfile(source) else None
        _stores[module] = Store(folder) if folder is not None else None
    return _stores[module]


def store_of(module: str) -> Store | None:
    """Where the kernels of a module are kept."""
    if module not in _stores:
        importlib.import_module(module)  # its decorators ask for the store
    return _stores.get(module)
