"""The compiled engine equals itself run as plain Python, bit for bit."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import uno_env as uno

from .digest import digest

ROOT = Path(__file__).parents[2]


def plain_digests(steps: int) -> dict[str, str]:
    """The digests of all presets, by kernels that are not compiled."""
    run = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.engine.digest", str(steps)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=1800,
    )
    assert run.returncode == 0, run.stderr[-3000:]
    assert "plain Python" in run.stderr, "the kernels were compiled after all"
    return dict(line.split() for line in run.stdout.splitlines())


def check_equal(steps: int) -> None:
    """Plain and compiled digests of so many steps a preset are equal."""
    assert plain_digests(steps) == {name: digest(name, steps) for name in uno.VARIANTS}


def test_plain_python_plays_the_same_games():
    check_equal(250)


@pytest.mark.slow
def test_plain_python_plays_the_same_games_in_depth():
    check_equal(1500)
