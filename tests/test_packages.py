"""The packages as installed: ours and not a namesake's, and free of optional dependencies."""

import importlib
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import uno_env

OPTIONAL = ("torch", "fastapi", "matplotlib", "rlcard", "onnxruntime", "ray", "pygame")


@pytest.mark.parametrize("name", ["uno_env", "uno_agents", "uno_arena", "uno_train", "uno_serve"])
def test_package_lies_beside_uno_env(name):
    """Other distributions install a top-level `agents` too; the wrong one must not go unnoticed."""
    folder = Path(importlib.import_module(name).__file__).parent
    assert folder.name == name
    home = Path(uno_env.__file__).parents[1]  # the repository, or site-packages
    assert folder.parent in (home, home / name.removeprefix("uno_"))
    assert (folder / "py.typed").exists()


def test_version_is_the_one_of_the_distribution():
    assert uno_env.__version__ == version("uno-env")


def test_import_needs_no_optional_dependency():
    code = f"import sys, uno_env; print([name for name in {OPTIONAL!r} if name in sys.modules])"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "[]"
    assert result.stderr == ""
