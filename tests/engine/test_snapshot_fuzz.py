"""Spoilt snapshots are refused or play on: no crash, no hang, no other exception."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def fuzz(part: str, first: int, count: int) -> str:
    """Run the fuzzer; returns its last line."""
    command = [sys.executable, "-m", "tests.engine.fuzz", "--part", part]
    run = subprocess.run(
        [*command, "--first", str(first), "--count", str(count)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=1800,
    )
    last = run.stdout.splitlines()[-1:]
    assert run.returncode == 0, f"{part}: {last}\n{run.stderr[-2000:]}"
    return last[0]


@pytest.mark.parametrize("part", ["all", "partial", "engine_state"])
def test_spoilt_snapshots(part):
    loaded, total = map(int, fuzz(part, 0, 150).removesuffix(" loaded").split(" of "))
    assert 0 < loaded < total, "cases must be of both kinds"


@pytest.mark.slow
@pytest.mark.parametrize("part", ["all", "partial", "engine_state"])
def test_spoilt_snapshots_in_depth(part):
    fuzz(part, 1000, 1000)
