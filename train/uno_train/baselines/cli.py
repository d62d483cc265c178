"""`uno-train baseline NAME --task T --seeds 1 2 3`: run a baseline from several seeds."""

import argparse
import importlib
import json
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from uno_arena.benchmark.tasks import ALL_TASKS

from uno_env import Rules
from uno_env.command_line import CommandParser
from uno_env.first_use import warm_up

from ..config import ConfigError
from ..tables import TableConfig

EXAMPLE = "uno-train baseline ppo --task classic-2 --seeds 1 2 3 4 5 --decisions 200000"
BASELINES = {
    "ppo": "masked PPO in self-play",
    "dqn": "double dueling DQN in self-play",
    "dmc": "deep Monte Carlo, as DouZero",
    "nfsp": "neural fictitious self-play",
    "rnad": "R-NaD, the update of DeepNash",
}
"""Algorithms by the module of this package that holds the `Learner`."""
RUNS = Path("runs/baselines")
USES = ("game", "batch", "heuristic", "network", "arena")


def task_tables(name: str) -> list[TableConfig]:
    """The tables of a named task."""
    task = ALL_TASKS.get(name)
    if task is None:
        raise ConfigError(f"unknown task {name!r}; allowed: {', '.join(ALL_TASKS)}")
    return [TableConfig(Rules.from_text(text), task.players) for text in task.rules]


def learner_class(baseline: str) -> Any:
    """The `Learner` of a baseline."""
    if baseline not in BASELINES:
        raise ConfigError(f"unknown baseline {baseline!r}; allowed: {', '.join(BASELINES)}")
    return importlib.import_module(f".{baseline}", __package__).Learner


def parser() -> argparse.ArgumentParser:
    """Flags of `uno-train baseline`."""
    flags = CommandParser(
        example=EXAMPLE,
        prog="uno-train baseline",
        description="Run a baseline from several seeds. Runs that were cut off go on; finished "
        "ones are not run again.",
    )
    flags.add_argument("baseline", help=", ".join(f"{n}: {what}" for n, what in BASELINES.items()))
    flags.add_argument("--task", default="classic-2", help="a task of uno-arena bench (classic-2)")
    flags.add_argument("--seeds", type=int, nargs="+", default=[1], help="one run for each (1)")
    flags.add_argument("--decisions", type=int, default=200_000, help="of each run (200000)")
    flags.add_argument("--curve-deals", type=int, default=200, metavar="N", help=(
        "duplicate deals of each of the ten points of the learning curve (200)"
    ))  # fmt: skip
    flags.add_argument("--final-deals", type=int, default=1000, metavar="N", help=(
        "duplicate deals of the final evaluation (1000)"
    ))  # fmt: skip
    flags.add_argument("--out", type=Path, default=RUNS, help=f"folder of the runs ({RUNS})")
    flags.add_argument("--results", type=Path, metavar="FOLDER", help=(
        "also write each result there, as NAME-TASK-seedS.json"
    ))  # fmt: skip
    flags.add_argument("--quiet", action="store_true", help="no progress")
    return flags


def main(words: Sequence[str]) -> int:
    """Run what is missing, then say where the agents are."""
    options = parser().parse_args(words)
    make, tables = learner_class(options.baseline), task_tables(options.task)
    if options.decisions < 1 or min(options.curve_deals, options.final_deals) < 2:
        raise ConfigError("--decisions needs at least 1, --curve-deals and --final-deals 2")
    from .run import Budget, Job, finished, run

    warm_up(USES)
    budget = Budget(options.decisions, options.curve_deals, options.final_deals)
    for seed in options.seeds:
        job = Job(options.baseline, options.task, tables, seed, budget)
        out = options.out / job.name
        result = finished(job, out) or run(
            job, partial(make, tables, seed), out, _silent if options.quiet else _say
        )
        if options.results:
            options.results.mkdir(parents=True, exist_ok=True)
            path = options.results / f"{job.name}.json"
            path.write_text(f"{json.dumps(result, indent=1)}\n")
        rates = ", ".join(
            f"{name} {100 * rate:.1f} % ({100 * low:.1f} to {100 * high:.1f})"
            for name, (rate, low, high) in result["final"].items()
        )
        print(f"{out / 'agent'}: against {rates}; chance level {100 * result['chance']:.0f} %")
    return 0


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _silent(text: str) -> None:
    pass
