"""Running a fuzzer in a process of its own, which may crash."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def run_fuzzer(module: str, *arguments: str) -> str:
    """Run `python -m MODULE ARGUMENTS`; returns the last line it printed."""
    run = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=1800,
    )
    last = run.stdout.splitlines()[-1:]
    assert run.returncode == 0, f"{arguments}: {last}\n{run.stderr[-2000:]}"
    return last[0]
