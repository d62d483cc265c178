"""The time of a step through `env()`, beside a null environment and beside an earlier version.

Each version replays recorded games (`replayed.py`) in a process of its own; they take turns.
"""

import json
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks.baseline import BASELINE, ROOT, environment, version
from benchmarks.replayed import NULL

INTRODUCTION = f"""
A step alone: recorded games of four players are replayed through `env()`, so that no time goes into
choosing. Microseconds of CPU time; **{NULL}** is an environment that does nothing, which is what
PettingZoo's loop costs by itself. Version {BASELINE} is replayed in turn with this one.

| | this version | {BASELINE} | ratio |
|---|---:|---:|---:|
"""


def step_times(rounds: int) -> list[dict[str, list[float]]]:
    """Microseconds of a step by environment, of this version and of the baseline if it is here."""
    with version() as before:
        roots = [ROOT] if before is None else [ROOT, before]
        replayers = [_Replayer(root) for root in roots]
        found: list[dict[str, list[float]]] = [{} for _ in roots]
        for _ in range(rounds + 1):
            for replayer, times in zip(replayers, found, strict=True):
                for name, seconds in replayer.times().items():
                    times.setdefault(name, []).append(1e6 * seconds)
        for replayer in replayers:
            replayer.close()
    # The first round warms up.
    return [{name: values[1:] for name, values in times.items()} for times in found]


class _Replayer:
    """A process that replays games with the packages of one folder."""

    def __init__(self, root: Path) -> None:
        command = [sys.executable, str(ROOT / "benchmarks" / "replayed.py")]
        self._process: Any = subprocess.Popen(  # noqa: S603  # our own file
            command, env=environment(root), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def times(self) -> dict[str, float]:
        """Seconds of a step by environment."""
        self._process.stdin.write("again\n")
        self._process.stdin.flush()
        found: dict[str, float] = json.loads(self._process.stdout.readline())
        return found

    def close(self) -> None:
        """End the process."""
        self._process.stdin.close()
        self._process.wait()


def step_table(found: list[dict[str, list[float]]]) -> str:
    """The part of the page about steps alone."""
    lines = []
    for name, values in found[0].items():
        title = name if name == NULL else f"`env()`: {name}, 4 players"
        line = f"| {title} | {statistics.median(values):.2f} |"
        if len(found) > 1:
            pairs = list(zip(values, found[1][name], strict=True))
            ratio = statistics.median(here / before for here, before in pairs)
            line += f" {statistics.median(found[1][name]):.2f} | {ratio:.2f} |"
        lines.append(line if len(found) > 1 else f"{line} | |")
    return INTRODUCTION + "\n".join(lines) + "\n"
