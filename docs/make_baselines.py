"""`python docs/make_baselines.py`: write docs/benchmark-baselines.md from the result files.

Results are the files that `uno-train baseline NAME --results benchmarks/results/baselines` writes,
and those of `python -m benchmarks.rlcard_learners`.
"""

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import rcParams
from matplotlib.figure import Figure
from uno_arena.stats.intervals import Estimate
from uno_arena.stats.multi_seed import (
    MIN_RUNS,
    bootstrap,
    interquartile_mean,
    performance_profile,
    probability_of_improvement,
    profile_band,
)
from uno_train.baselines.cli import BASELINES

from uno_env.array_types import Doubles

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks/results/baselines"
RLCARD = ROOT / "benchmarks/results/rlcard"
PAGE = ROOT / "docs/benchmark-baselines.md"
TEXT = ROOT / "docs/benchmark-baselines.in.md"
MARK, RLCARD_MARK = "<!-- results -->", "<!-- rlcard -->"
OPPONENTS = ("heuristic", "greedy", "random")
RLCARD_NAMES = {"rlcard-dqn": "RLCard's DQN", "rlcard-nfsp": "RLCard's NFSP"}
RLCARD_OPPONENTS = ("random", "uno-rule-v1")
Runs = dict[str, list[dict[str, Any]]]
Scores = dict[str, Doubles]
"""Scores (seeds, tasks) by baseline."""


def load(folder: Path) -> dict[str, Runs]:
    """Results by task and baseline, in the order of seeds."""
    tasks: dict[str, Runs] = defaultdict(lambda: defaultdict(list))
    for path in sorted(folder.glob("*.json")):
        result = json.loads(path.read_text())
        tasks[result["task"]][result["baseline"]].append(result)
    for runs in tasks.values():
        for results in runs.values():
            results.sort(key=lambda result: int(result["seed"]))
    return {
        task: {
            name: each for name, each in sorted(runs.items(), key=_order) if len(each) >= MIN_RUNS
        }
        for task, runs in sorted(tasks.items())
    }


def _order(item: tuple[str, Any]) -> int:
    names = list(BASELINES)
    return names.index(item[0]) if item[0] in names else len(names)


def scores(results: list[dict[str, Any]], opponent: str) -> Doubles:
    """Final win rates (seeds, 1)."""
    return np.array([[result["final"][opponent][0]] for result in results])


def task_scores(runs: Runs) -> Scores:
    """Final win rates against `heuristic`."""
    return {name: scores(results, "heuristic") for name, results in runs.items()}


def relative_scores(tasks: dict[str, Runs]) -> Scores:
    """The same on all tasks, each divided by the chance level of its table size.

    Only baselines that ran on every task, with as many seeds as the task with the fewest has.
    """
    names = [name for name in BASELINES if all(name in runs for runs in tasks.values())]
    columns = {
        name: [scores(runs[name], "heuristic") / runs[name][0]["chance"] for runs in tasks.values()]
        for name in names
    }
    return {
        name: np.hstack([column[: min(map(len, each))] for column in each])
        for name, each in columns.items()
    }


def percent(estimate: Estimate) -> str:
    """A rate and its interval."""
    value, low, high = (100 * number for number in estimate)
    return f"{value:.1f} % ({low:.1f} to {high:.1f})"


def final_table(runs: Runs) -> list[str]:
    """Interquartile means against each opponent."""
    lines = [
        f"| baseline | seeds | {' | '.join(f'against `{name}`' for name in OPPONENTS)} |",
        f"| --- | ---: | {' | '.join('---:' for _ in OPPONENTS)} |",
    ]
    for name, results in runs.items():
        cells = [
            percent(bootstrap(interquartile_mean, scores(results, opponent)))
            for opponent in OPPONENTS
        ]
        lines.append(f"| `{name}` | {len(results)} | {' | '.join(cells)} |")
    return lines


def improvement_table(found: Scores) -> list[str]:
    """How probably a run of the row beats one of the column."""
    lines = [
        f"| | {' | '.join(f'`{name}`' for name in found)} |",
        f"| --- | {' | '.join('---:' for _ in found)} |",
    ]
    for row, first in found.items():
        cells = []
        for column, second in found.items():
            if row == column:
                cells.append("")
                continue
            chance = bootstrap(probability_of_improvement, first, second)
            cells.append(f"{chance.value:.2f} ({chance.low:.2f} to {chance.high:.2f})")
        lines.append(f"| `{row}` | {' | '.join(cells)} |")
    return lines


def draw_profiles(axes: Any, found: Scores) -> None:
    """The share of runs above each score."""
    every = np.concatenate([values.ravel() for values in found.values()])
    margin = 0.1 * every.max()
    thresholds = np.linspace(every.min() - margin, every.max() + margin, 121)
    for name, values in found.items():
        (line,) = axes.plot(thresholds, performance_profile(values, thresholds), label=name)
        low, high = profile_band(values, thresholds, resamples=500)
        axes.fill_between(thresholds, low, high, alpha=0.12, color=line.get_color(), lw=0)
    axes.set(ylabel="share of runs above", title="performance profile")


def draw(task: str, runs: Runs, out: Path) -> None:
    """Learning curves on the left, performance profiles on the right."""
    rcParams["svg.hashsalt"] = "uno_env"
    figure = Figure(figsize=(9, 3.4), layout="constrained")
    left, right = figure.subplots(1, 2)
    for name, results in runs.items():
        budget = results[0]["decisions"]
        curves = np.array([[p["heuristic"] for p in result["curve"]] for result in results])
        x = budget / 1000 * np.arange(1, curves.shape[1] + 1) / curves.shape[1]
        at = [bootstrap(interquartile_mean, curves[:, [i]], resamples=500) for i in range(len(x))]
        left.plot(x, [e.value for e in at], label=name)
        left.fill_between(x, [e.low for e in at], [e.high for e in at], alpha=0.15, lw=0)
    left.set(
        xlabel="thousand decisions",
        ylabel="win rate against heuristic",
        title=f"{task}: learning curves",
    )
    left.axhline(next(iter(runs.values()))[0]["chance"], color="grey", lw=0.8, ls=":")
    left.legend(fontsize=8)
    draw_profiles(right, task_scores(runs))
    right.set(xlabel="win rate")
    figure.savefig(out, metadata={"Date": None})


def draw_all(found: Scores, out: Path) -> None:
    """Performance profiles over all tasks."""
    rcParams["svg.hashsalt"] = "uno_env"
    figure = Figure(figsize=(5.4, 3.4), layout="constrained")
    axes = figure.subplots()
    draw_profiles(axes, found)
    axes.set(xlabel="win rate against heuristic / chance level")
    axes.legend(fontsize=8)
    figure.savefig(out, metadata={"Date": None})


def all_tasks(tasks: dict[str, Runs]) -> list[str]:
    """The aggregate over tasks; nothing if there is one task only."""
    if len(tasks) < 2:
        return []
    found = relative_scores(tasks)
    picture = PAGE.with_name("benchmark-baselines-all.svg")
    draw_all(found, picture)
    lines = ["| baseline | seeds x tasks | interquartile mean |", "| --- | ---: | ---: |"]
    for name, values in found.items():
        value, low, high = bootstrap(interquartile_mean, values)
        runs = f"{values.shape[0]} x {values.shape[1]}"
        lines.append(f"| `{name}` | {runs} | {value:.2f} ({low:.2f} to {high:.2f}) |")
    return [
        "## All tasks together",
        "",
        f"{' and '.join(f'`{task}`' for task in tasks)}. The score of a run is its win rate "
        "against a table of `heuristic`, divided by the chance level: 1 is an equal player. The "
        "bootstrap draws seeds anew within each task:",
        "",
        *lines,
        "",
        f"![Performance profiles over all tasks]({picture.name})",
        "",
        "Probability that a run of the row has a higher score than one of the column on the same "
        "task, mean over tasks:",
        "",
        *improvement_table(found),
        "",
    ]


def section(task: str, runs: Runs) -> list[str]:
    """All of one task."""
    first = next(iter(runs.values()))[0]
    picture = PAGE.with_name(f"benchmark-baselines-{task}.svg")
    draw(task, runs, picture)
    seeds = " ".join(str(result["seed"]) for result in next(iter(runs.values())))
    command = f"uno-train baseline NAME --task {task} --seeds {seeds}"
    to = "--results benchmarks/results/baselines"
    return [
        f"## {task}",
        "",
        f"{first['decisions']:,} decisions a run; final evaluation on {first['final_deals']:,} "
        f"duplicate deals, points of the curve on {first['curve_deals']:,}. Chance level "
        f"{100 * first['chance']:.0f} %. Interquartile mean over seeds with 95 % interval:",
        "",
        *final_table(runs),
        "",
        f"![Learning curves and performance profiles on {task}]({picture.name})",
        "",
        "Probability that a run of the row has a higher win rate against `heuristic` than one of "
        "the column:",
        "",
        *improvement_table(task_scores(runs)),
        "",
        "```sh",
        f"{command} --decisions {first['decisions']} {to}",
        f"{command} --decisions {10 * first['decisions']} --out runs/long   # ten times as much",
        "```",
        "",
    ]


def rlcard_table(folder: Path) -> list[str]:
    """Our baselines and RLCard's learners, trained in RLCard's game."""
    results = [json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))]
    lines = [
        f"| learner | seeds | {' | '.join(f'against {name}' for name in RLCARD_OPPONENTS)} |",
        f"| --- | ---: | {' | '.join('---:' for _ in RLCARD_OPPONENTS)} |",
    ]
    for name in (*BASELINES, *RLCARD_NAMES):
        runs = [result for result in results if result["learner"] == name]
        if len(runs) < MIN_RUNS:
            continue
        cells = [
            percent(bootstrap(interquartile_mean, scores(runs, opponent)))
            for opponent in RLCARD_OPPONENTS
        ]
        shown = RLCARD_NAMES.get(name, f"`{name}`")
        lines.append(f"| {shown} | {len(runs)} | {' | '.join(cells)} |")
    first = results[0]
    return [
        f"{first['frames']:,} frames a run; {first['deals']:,} decks, each from both seats. "
        "Interquartile mean over seeds with 95 % interval:",
        "",
        *lines,
    ]


def page(folder: Path = RESULTS, rlcard: Path = RLCARD) -> str:
    """The whole page: the text around it, and the sections."""
    tasks = load(folder)
    lines = all_tasks(tasks) + [
        line for task, runs in tasks.items() for line in section(task, runs)
    ]
    text = TEXT.read_text().replace(MARK, "\n".join(lines).rstrip())
    return text.replace(RLCARD_MARK, "\n".join(rlcard_table(rlcard)))


if __name__ == "__main__":
    PAGE.write_text(page())
    print(f"wrote {PAGE}")
