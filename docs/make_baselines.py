"""`python docs/make_baselines.py`: write docs/benchmark-baselines.md from the result files.

Results are the files that `uno-train baseline NAME --results benchmarks/results/baselines` writes.
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
PAGE = ROOT / "docs/benchmark-baselines.md"
TEXT = ROOT / "docs/benchmark-baselines.in.md"
MARK = "<!-- results -->"
OPPONENTS = ("heuristic", "greedy", "random")
Runs = dict[str, list[dict[str, Any]]]


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


def improvement_table(runs: Runs) -> list[str]:
    """How probably a run of the row beats one of the column."""
    lines = [
        f"| | {' | '.join(f'`{name}`' for name in runs)} |",
        f"| --- | {' | '.join('---:' for _ in runs)} |",
    ]
    for row, first in runs.items():
        cells = []
        for column, second in runs.items():
            if row == column:
                cells.append("")
                continue
            pair = scores(first, "heuristic"), scores(second, "heuristic")
            chance = bootstrap(probability_of_improvement, *pair)
            cells.append(f"{chance.value:.2f} ({chance.low:.2f} to {chance.high:.2f})")
        lines.append(f"| `{row}` | {' | '.join(cells)} |")
    return lines


def draw(task: str, runs: Runs, out: Path) -> None:
    """Learning curves on the left, performance profiles on the right."""
    rcParams["svg.hashsalt"] = "uno_env"
    figure = Figure(figsize=(9, 3.4), layout="constrained")
    left, right = figure.subplots(1, 2)
    thresholds = np.linspace(0.2, 0.6, 81)
    for name, results in runs.items():
        budget = results[0]["decisions"]
        curves = np.array([[p["heuristic"] for p in result["curve"]] for result in results])
        x = budget * np.arange(1, curves.shape[1] + 1) / curves.shape[1]
        at = [bootstrap(interquartile_mean, curves[:, [i]], resamples=500) for i in range(len(x))]
        (line,) = left.plot(x, [e.value for e in at], label=name)
        left.fill_between(x, [e.low for e in at], [e.high for e in at], alpha=0.15, lw=0)
        final = scores(results, "heuristic")
        right.plot(thresholds, performance_profile(final, thresholds), color=line.get_color())
        low, high = profile_band(final, thresholds, resamples=500)
        right.fill_between(thresholds, low, high, alpha=0.12, color=line.get_color(), lw=0)
    left.set(
        xlabel="decisions", ylabel="win rate against heuristic", title=f"{task}: learning curves"
    )
    right.set(xlabel="win rate", ylabel="share of runs above", title="performance profile")
    left.axhline(next(iter(runs.values()))[0]["chance"], color="grey", lw=0.8, ls=":")
    left.legend(fontsize=8)
    figure.savefig(out, metadata={"Date": None})


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
        *improvement_table(runs),
        "",
        "```sh",
        f"{command} --decisions {first['decisions']} {to}",
        f"{command} --decisions {10 * first['decisions']} --out runs/long   # ten times as much",
        "```",
        "",
    ]


def page(folder: Path = RESULTS) -> str:
    """The whole page: the text around it, and the sections."""
    lines = [line for task, runs in load(folder).items() for line in section(task, runs)]
    return TEXT.read_text().replace(MARK, "\n".join(lines).rstrip())


if __name__ == "__main__":
    PAGE.write_text(page())
    print(f"wrote {PAGE}")
