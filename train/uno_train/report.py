"""The report of a run: the table of results, the learning curve, the next commands."""

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table as Grid
from uno_arena.benchmark.field import mean_result
from uno_arena.evaluate import Result

from .checkpoint import write_at_once
from .config import TrainConfig
from .tables import TableConfig

Rows = list[tuple[TableConfig, str, Result]]
"""Results by table and opponent."""


def save_results(
    out: Path, rows: Rows, curve: list[dict[str, Any]], field: Mapping[str, Result] | None = None
) -> None:
    """The numbers as JSON: `results.json` in the run folder."""
    results = [
        {
            "rules": table.rules.text(),
            "num_players": table.num_players,
            "opponent": name,
            **result._asdict(),
        }
        for table, name, result in rows
    ]
    data: dict[str, Any] = {"results": results, "curve": curve}
    if field:
        members = {name: result._asdict() for name, result in field.items()}
        data["field"] = {"members": members, "mean": mean_result(field.values())._asdict()}
    write_at_once(out / "results.json", f"{json.dumps(data, indent=2)}\n".encode())


def draw_curve(out: Path, curve: list[dict[str, Any]], best_decisions: int) -> Path:
    """The learning curve against each anchor as `curve.png`."""
    # A figure of its own needs no window system and leaves matplotlib's global state alone.
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), dpi=120, layout="constrained")
    axes = figure.subplots()
    decisions = [point["decisions"] / 1e6 for point in curve]
    for name in curve[0]["anchors"]:
        points = [point["anchors"][name] for point in curve]
        rate, low, high = ([100 * p[key] for p in points] for key in ("rate", "low", "high"))
        (line,) = axes.plot(decisions, rate, marker="o", markersize=3, label=f"against {name}")
        axes.fill_between(decisions, low, high, alpha=0.15, color=line.get_color())
    chance = 100 * next(iter(curve[0]["anchors"].values()))["chance"]
    axes.axhline(chance, color="grey", linewidth=1, linestyle="--", label="chance level")
    axes.axvline(best_decisions / 1e6, color="grey", linewidth=1, linestyle=":", label="best")
    axes.set_xlabel("million decisions")
    axes.set_ylabel("games won, % (shaded: 95 % interval)")
    axes.legend(loc="best")
    path = out / "curve.png"
    figure.savefig(path)
    return path


def show_results(console: Console, rows: Rows, heading: str) -> None:
    """The table of win rates; tables are named where there are several."""
    several = len({str(table) for table, _, _ in rows}) > 1
    grid = Grid()
    if several:
        # House rules are long texts: they fold, so that the numbers are always shown.
        grid.add_column("table", overflow="fold")
    grid.add_column("opponent", no_wrap=True)
    for column in ("games won", "95 % interval", "chance", "games"):
        grid.add_column(column, justify="right", no_wrap=True)
    for table, name, result in rows:
        grid.add_row(
            *([f"{table.rules.text()}-{table.num_players}"] if several else []),
            name,
            f"{100 * result.rate:.1f} %",
            f"{100 * result.low:.1f} to {100 * result.high:.1f} %",
            f"{100 * result.chance:.0f} %",
            f"{result.games:,}",
        )
    console.print(heading, highlight=False, soft_wrap=True)
    console.print(grid)


def show_field(console: Console, field: Mapping[str, Result], heading: str) -> None:
    """The table of win rates against each member of the field, and their mean."""
    mean = mean_result(field.values())
    grid = Grid()
    grid.add_column("member", no_wrap=True)
    for column in ("games won", "95 % interval", "games"):
        grid.add_column(column, justify="right")
    for name, result in (*field.items(), ("mean of the field", mean)):
        grid.add_row(
            name,
            f"{100 * result.rate:.1f} %",
            f"{100 * result.low:.1f} to {100 * result.high:.1f} %",
            f"{result.games:,}",
            style="bold" if result is mean else None,
        )
    console.print(f"{heading}; chance level {100 * mean.chance:.0f} %", highlight=False)
    console.print(grid)


def summarise_seeds(out: Path, folders: Mapping[int, Path]) -> str:
    """Lines about all runs of `--seeds`: means over seeds and their spread; `seeds.json`."""
    runs = {
        seed: json.loads((folder / "results.json").read_text()) for seed, folder in folders.items()
    }
    rates: dict[str, list[float]] = {}
    for data in runs.values():
        for row in data["results"]:
            table = f"{row['rules']}-{row['num_players']}"
            rates.setdefault(f"{table} against {row['opponent']}", []).append(row["rate"])
        if "field" in data:
            rates.setdefault("mean of the field", []).append(data["field"]["mean"]["rate"])
    summary = {name: _over_seeds(values) for name, values in rates.items()}
    about = {"seeds": list(folders), "rates": summary}
    write_at_once(out / "seeds.json", f"{json.dumps(about, indent=2)}\n".encode())
    lines = [f"{len(folders)} seeds ({' '.join(map(str, folders))}), mean and standard deviation:"]
    lines += [
        f"  {name}: {100 * of['mean']:.1f} % ± {100 * of['std']:.1f} "
        f"({100 * of['min']:.1f} to {100 * of['max']:.1f})"
        for name, of in summary.items()
    ]
    return "\n".join(lines)


def _over_seeds(values: list[float]) -> dict[str, float]:
    """Mean, sample standard deviation and range over the seeds."""
    mean = sum(values) / len(values)
    squares = sum((value - mean) ** 2 for value in values)
    spread = math.sqrt(squares / (len(values) - 1)) if len(values) > 1 else 0.0
    return {"mean": mean, "std": spread, "min": min(values), "max": max(values)}


def next_commands(out: Path, best: str, config: TrainConfig, run: str) -> list[str]:
    """What to do with the agent, as commands that work as they are printed.

    Args:
        best: spec of the trained agent.
        run: how this Python is called, such as `.venv/bin/python`.
    """
    table = config.own_tables()[0]
    text = table.rules.text()
    quoted = f"'{text}'" if not text.isidentifier() else text
    game = f"--variant {quoted} --players {table.num_players}"
    longer = f"--minutes {max(10, round(5 * config.minutes))}"
    if config.decisions:
        longer = f"--minutes 0 --decisions {5 * config.decisions}"
    return [
        f"{run} -m uno_serve --open --bots yours={best}   # play against it in the browser",
        f"{run} -m uno_agents.play {best} {game}   # play against it here",
        f"{run} -m uno_arena {best} heuristic greedy {game}   # benchmark it",
        f"{run} -m uno_train evaluate {best} --deals 20000   # narrower intervals",
        f"{run} -m uno_train --resume --out {out} {longer}   # train longer",
    ]
