"""docs/architecture.md: the paths it lists are those that are run, file by file."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "architecture.md").read_text()
PATHS = {
    "A step": "step",
    "A training iteration": "training_iteration",
    "A `/v1/act` request": "act_request",
    "An arena game": "arena_game",
}
NEEDED = {"training_iteration": ("torch",), "act_request": ("fastapi", "httpx")}


def listed(title):
    """The files of a path, as the page lists them."""
    (section,) = re.findall(
        rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL
    )
    return re.findall(r"^\d+\. `([^`]+)`", section, re.MULTILINE)


@pytest.mark.parametrize(("title", "path"), PATHS.items())
def test_a_path_is_called_in_the_listed_order(title, path):
    for module in NEEDED.get(path, ()):
        pytest.importorskip(module)
    files = listed(title)
    assert len(files) >= 10 and [file for file in files if not (ROOT / file).is_file()] == []
    script = [sys.executable, "-W", "ignore", str(ROOT / "tests" / "call_paths.py"), path]
    env = {**os.environ, "UNO_ENV_QUIET": "1"}
    done = subprocess.run(script, capture_output=True, text=True, env=env, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    called = done.stdout.split()
    assert [file for file in files if file not in called] == []
    assert files == sorted(files, key=called.index)


def test_every_file_that_the_page_names_exists():
    named = re.findall(r"`((?:uno_env|agents|arena|train|serve|tests)/[\w./]+)`", PAGE)
    assert named and [name for name in named if not (ROOT / name).exists()] == []


def test_every_listed_package_is_installed():
    assert set(re.findall(r"^\| `(uno_\w+)` \|", PAGE, re.MULTILINE)) == {
        "uno_env", "uno_agents", "uno_arena", "uno_train", "uno_serve"
    }  # fmt: skip
