"""An earlier version of the project beside this one, to measure both in one run."""

import contextlib
import io
import os
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
BASELINE = "8619d9a"
"""The version before kernels were emitted in groups and a game was stepped by one number."""

PACKAGES = (".", "agents", "arena", "train", "serve")


@contextlib.contextmanager
def version(commit: str = BASELINE) -> Iterator[Path | None]:
    """A folder with the files of a commit; None if its history is not here."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["git", "-C", str(ROOT), "archive", "--format=tar", commit]
        try:
            files = subprocess.run(command, capture_output=True, check=True).stdout  # noqa: S603
        except (OSError, subprocess.CalledProcessError):
            yield None
            return
        with tarfile.open(fileobj=io.BytesIO(files)) as archive:
            archive.extractall(folder, filter="data")
        yield Path(folder)


def environment(root: Path = ROOT, **more: str) -> dict[str, str]:
    """Environment variables with which Python imports the packages of that folder."""
    path = os.pathsep.join(str(root / package) for package in PACKAGES)
    return {**os.environ, "PYTHONPATH": path, **more}
