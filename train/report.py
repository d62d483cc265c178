"""What a run leaves behind: the table of results, the learning curve, the next commands."""

import json
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from .checkpoint import write_at_once
from .evaluate import Result


def save_results(out: Path, results: dict[str, Result], curve: list[dict[str, Any]]) -> None:
    """The numbers as JSON: `results.json` in the run folder."""
    data = {"results": {name: r._asdict() for name, r in results.items()}, "curve": curve}
    write_at_once(out / "results.json", f"{json.dumps(data, indent=2)}\n".encode())


def draw_curve(out: Path, curve: list[dict[str, Any]], chance: float) -> Path:
    """The learning curve against greedy as `curve.png`."""
    # A figure of its own needs no window system and leaves matplotlib's global state alone.
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), dpi=120, layout="constrained")
    axes = figure.subplots()
    decisions = [point["decisions"] / 1e6 for point in curve]
    rate, low, high = ([100 * point[key] for point in curve] for key in ("rate", "low", "high"))
    axes.fill_between(decisions, low, high, alpha=0.2, label="95 % interval")
    axes.plot(decisions, rate, marker="o", markersize=3)
    axes.axhline(100 * chance, color="grey", linewidth=1, linestyle="--", label="level with greedy")
    axes.set_xlabel("million decisions")
    axes.set_ylabel("games won against greedy, %")
    axes.legend(loc="lower right")
    path = out / "curve.png"
    figure.savefig(path)
    return path


def show_results(console: Console, results: dict[str, Result], heading: str) -> None:
    """The table of win rates."""
    table = Table(title=heading, title_justify="left")
    table.add_column("opponent")
    for column in ("games won", "95 % interval", "level play", "games"):
        table.add_column(column, justify="right")
    for name, r in results.items():
        table.add_row(
            name,
            f"{100 * r.rate:.1f} %",
            f"{100 * r.low:.1f} to {100 * r.high:.1f} %",
            f"{100 * r.chance:.0f} %",
            f"{r.games:,}",
        )
    console.print(table)


def next_commands(checkpoint: Path, variant: str, num_players: int, run: str) -> list[str]:
    """What to do with the agent, as commands that work as they are printed.

    Args:
        run: how this Python is called, such as `.venv/bin/python`.
    """
    quoted = f"'{variant}'" if not variant.isidentifier() else variant
    game = f"--variant {quoted} --players {num_players}"
    return [
        f"{run} -m agents.play {checkpoint} {game}   # play against it",
        f"{run} -m train evaluate {checkpoint} --deals 20000   # narrower intervals",
        f"{run} -m train --variant {quoted} --num-players {num_players} --minutes 30 "
        f"--num-envs 4096 --minibatch 8192 --learning-rate 5e-4 --out {checkpoint.parent}-30"
        "   # train longer",
    ]
