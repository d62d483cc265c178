"""What `make` says on a machine that lacks something: each message names the remedy."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")

NO_ENSUREPIP = {"ensurepip.py": "raise ModuleNotFoundError('No module named ensurepip')\n"}
OLD_PYTHON = {
    "sitecustomize.py": "import sys\nsys.version_info, sys.version = (3, 9, 18), '3.9.18 (main)'\n"
}


def make(folder, *arguments, modules=None, **variables):
    """`make play` in a folder with our Makefile; what it wrote to stderr."""
    shutil.copy(ROOT / "Makefile", folder)
    for name in ("pyproject.toml", "constraints.txt"):
        (folder / name).touch()
        os.utime(folder / name, (0, 0))  # older than any stamp
    path = folder / "modules"
    path.mkdir()
    for name, text in (modules or {}).items():
        (path / name).write_text(text)
    env = {**os.environ, "PYTHONPATH": str(path), "PIP_CONFIG_FILE": os.devnull, **variables}
    command = ["make", "play", f"PYTHON={sys.executable}", *arguments]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=120)
    assert done.returncode == 2
    return done.stderr


def test_no_python(tmp_path):
    said = make(tmp_path, "PYTHON=no-such-python")
    assert "no-such-python was not found. Install Python 3.11 or newer" in said
    assert not (tmp_path / ".venv").exists()


def test_an_old_python(tmp_path):
    said = make(tmp_path, modules=OLD_PYTHON)
    assert "needs Python 3.11 or newer" in said and "is 3.9.18" in said
    assert "make PYTHON=python3.12" in said


def test_no_venv_module(tmp_path):
    said = make(tmp_path, modules=NO_ENSUREPIP)
    assert "apt install python3-venv" in said and "Traceback" not in said
    assert not (tmp_path / ".venv").exists()


def test_a_half_made_environment(tmp_path):
    command = [sys.executable, "-m", "venv", "--without-pip", str(tmp_path / ".venv")]
    subprocess.run(command, check=True)
    assert "run make clean" in make(tmp_path)


def test_no_network_after_an_upgrade_of_python(tmp_path):
    """The old environment is cleared: stamps of its packages must not remain, nor be set anew."""
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "python").symlink_to(tmp_path / "gone")
    (tmp_path / ".venv" / ".installed-serve").touch()
    said = make(tmp_path, PIP_NO_INDEX="1")
    assert "Without a network" in said and "PIP_INDEX_URL" in said
    assert not (tmp_path / ".venv" / ".installed-serve").exists()
