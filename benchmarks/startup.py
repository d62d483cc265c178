"""How long a process takes until its first step; writes docs/benchmarks-startup.md.

    python -m benchmarks.startup [--rounds 3]

measures this version and an earlier one (`benchmarks/baseline.py`) in turn: first use with an empty
cache, and the start of a process with a warm one, less that of `import pettingzoo` alone.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeVar

from benchmarks.baseline import BASELINE, ROOT, environment, version

T = TypeVar("T")
PAGE = ROOT / "docs" / "benchmarks-startup.md"
STARTS = 5
PETTINGZOO = "import pettingzoo"
GAME = "import uno_env; game = uno_env.Game(); game.step(game.legal_ids()[0])"
ENV = """
import uno_env
env = uno_env.env(num_players=4)
env.reset(seed=1)
env.step(int(env.last()[0]["action_mask"].argmax()))
"""
BATCH = "import uno_env; v = uno_env.vec(num_envs=8); v.reset(); v.step(v.random_actions())"
TRAIN = """
try:
    from uno_env.first_use import warm_up
    from uno_train.cli import USES
    warm_up(USES)
except ImportError:
    pass  # an earlier version compiles each kernel where it is first called
import numpy as np
import uno_env
from uno_agents import make_agent
from uno_agents.search.teacher import SearchTeacher
from uno_arena.play.batch import BatchActions, play_batch
game = uno_env.Game()
game.observe(0)
with uno_env.vec(num_envs=8, threads=2) as v:
    v.reset()
    for agent in ("heuristic", "pretrained:classic"):
        v.step(make_agent(agent).act_batch(v.obs, v.mask))
    SearchTeacher([v.rules_of(0)], 8).q_values(v, np.arange(2), 0)
first = lambda instance, obs, mask: BatchActions(mask.argmax(axis=1), {})
play_batch(v.rules_of(0), 2, "round", np.ones(1, np.uint64), np.array([[0, 1]]), first)
"""


INTRODUCTION = f"""# How long does the first step take?

    {{command}}

prints and writes this page. This version and an earlier one, commit {BASELINE}, take turns. On
first use the engine is compiled, afterwards it is loaded from a cache.

- **empty cache**: whole processes that compile everything, import of Python packages included;
  median of {{rounds}}. `make train` also needs batches, the heuristic, search and trained agents;
  this version compiles them in two processes where there are two cores.
- **seconds more than `import pettingzoo`**: whole processes with a warm cache, less one that only
  imports PettingZoo; median of {STARTS}.

Seconds are wall time unless a row says otherwise, on {{cores}} cores.
"""


class Took(NamedTuple):
    """Seconds of a process."""

    wall: float
    cpu: float


class Row(NamedTuple):
    """One line of the table: this version, and the baseline if it is here."""

    name: str
    here: list[float]
    before: list[float]


COLD = {
    "first `env.reset()` and step ever, empty cache": ENV,
    "first step of a batch ever, empty cache": BATCH,
    "all that `make train` compiles, empty cache": TRAIN,
}
WARM = {
    "`Game` and its first step, seconds more than `import pettingzoo`": GAME,
    "`env.reset()` and a step, seconds more than `import pettingzoo`": ENV,
    "batch and its first step, seconds more than `import pettingzoo`": BATCH,
}


def startup_rows() -> list[tuple[str, list[float]]]:
    """Names and seconds of this version alone."""
    rows = [*_warm_rows([ROOT]), *_cold_rows([ROOT], 1)]
    return [(row.name, row.here) for row in rows]


def _cold_rows(roots: list[Path], rounds: int) -> list[Row]:
    rows = []
    for name, code in COLD.items():
        took = _alternate(roots, rounds, lambda root, code=code: _cold(code, root))  # type: ignore[misc]
        rows.append(_row(f"{name}: seconds", [[one.wall for one in each] for each in took]))
        rows.append(_row(f"{name}: CPU seconds", [[one.cpu for one in each] for each in took]))
    return rows


def _warm_rows(roots: list[Path]) -> list[Row]:
    rows = []
    for name, code in WARM.items():
        for root in roots:
            _python(code, environment(root))  # fills the cache if it is not warm yet
        took = _alternate(roots, STARTS, lambda root, code=code: _above(code, root))  # type: ignore[misc]
        rows.append(_row(name, took))
    return rows


def _alternate(roots: list[Path], rounds: int, measure: Callable[[Path], T]) -> list[list[T]]:
    """By version what was measured; the versions take turns."""
    found: list[list[T]] = [[] for _ in roots]
    for _ in range(rounds):
        for root, results in zip(roots, found, strict=True):
            results.append(measure(root))
    return found


def _row(name: str, found: list[list[float]]) -> Row:
    return Row(name, found[0], found[1] if len(found) > 1 else [])


def _above(code: str, root: Path) -> float:
    alone = _python(PETTINGZOO, environment(root)).wall
    return _python(code, environment(root)).wall - alone


def _cold(code: str, root: Path) -> Took:
    with tempfile.TemporaryDirectory() as folder:
        return _python(code, environment(root, UNO_ENV_CACHE_DIR=folder))


def _python(code: str, variables: dict[str, str]) -> Took:
    cpu, wall = _children_cpu(), time.perf_counter()
    # Without the current folder on its path, which may hold the packages of the other version.
    command = [sys.executable, "-P", "-c", code]
    # The code is one of the constants above.
    subprocess.run(command, check=True, env=variables, stderr=subprocess.DEVNULL)  # noqa: S603
    return Took(time.perf_counter() - wall, _children_cpu() - cpu)


def _children_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def table(rows: list[Row]) -> str:
    """The rows with the ratio to the baseline."""
    lines = [f"| | this version | {BASELINE} | ratio |", "|---|---:|---:|---:|"]
    for row in rows:
        here = statistics.median(row.here)
        line = f"| {row.name} | {here:.2f} | "
        if row.before:
            before = statistics.median(row.before)
            line += f"{before:.2f} | {here / before:.2f} |"
        lines.append(line if row.before else f"{line} | |")
    return "\n".join(lines)


def main() -> None:
    """Measure, print, and write the page if there is an earlier version to compare with."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="compilations a row (default 3)")
    rounds = parser.parse_args().rounds
    with version() as before:
        roots = [ROOT] if before is None else [ROOT, before]
        found = table([*_cold_rows(roots, rounds), *_warm_rows(roots)])
    command = f"python -m benchmarks.startup --rounds {rounds}"
    text = INTRODUCTION.format(command=command, rounds=rounds, cores=os.cpu_count())
    page = f"{text}\n{found}\n"
    print(page)
    if before is None:
        print(f"commit {BASELINE} is not in this checkout, so {PAGE.name} was left as it is")
    else:
        PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
