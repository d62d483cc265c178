"""Positions made up by strangers are refused or answered: no crash, no index out of bounds."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def fuzz(first: int, count: int) -> str:
    """Run the fuzzer; returns its last line."""
    run = subprocess.run(
        [sys.executable, "-m", "tests.agents.fuzz", "--first", str(first), "--count", str(count)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=1800,
    )
    last = run.stdout.splitlines()[-1:]
    assert run.returncode == 0, f"{last}\n{run.stderr[-2000:]}"
    return last[0]


def test_bad_positions():
    answered, total = map(int, fuzz(0, 100).removesuffix(" answered").split(" of "))
    assert 0 < answered < total, "cases must be of both kinds"


@pytest.mark.slow
def test_bad_positions_in_depth():
    fuzz(1000, 1600)
