"""`python docs/make_results.py`: the win rates of the shipped agents, into docs/model-cards.md.

The numbers are those in the agents' own files, as `python -m uno_train.pretrained` measured them.
Also draws them: docs/strength.png.
"""

import re
from pathlib import Path
from typing import Any

from uno_agents.neural.weights import read_metadata
from uno_agents.pretrained import pretrained_path

PAGE = Path(__file__).with_name("model-cards.md")
PLOT = Path(__file__).with_name("strength.png")
ROW = re.compile(
    r"^\| (?P<table>(?P<variant>\w+), \d+ players) \| (?P<level>[\d.]+) % \|.*$", re.MULTILINE
)


def result(name: str, table: str) -> tuple[float, float, float]:
    """Win rate of an agent against the heuristic at a table, and its interval, in percent."""
    rows: list[dict[str, Any]] = read_metadata(pretrained_path(name))["results"]
    row = next(row for row in rows if (row["table"], row["opponent"]) == (table, "heuristic"))
    return 100 * row["rate"], 100 * row["low"], 100 * row["high"]


def cell(name: str, table: str) -> str:
    """The same as text."""
    return "{:.1f} % ({:.1f} to {:.1f})".format(*result(name, table))


def fill(row: re.Match[str]) -> str:
    """The row with the numbers of today."""
    table = row["table"]
    numbers = f"{cell(row['variant'], table)} | {cell('generalist', table)}"
    return f"| {table} | {row['level']} % | {numbers} |"


def draw(rows: list[re.Match[str]]) -> None:
    """Points above the chance level, with intervals, a line for each table."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 0.36 * len(rows) + 1))
    for label, color, shift in (
        ("its own agent", "#2f5f9f", 0.16),
        ("generalist", "#c2352b", -0.16),
    ):
        for place, row in enumerate(reversed(rows)):
            name = row["variant"] if label != "generalist" else "generalist"
            rate, low, high = (value - float(row["level"]) for value in result(name, row["table"]))
            axes.errorbar(
                rate, place + shift, xerr=[[rate - low], [high - rate]], fmt="o", markersize=4,
                color=color, label=label if place == 0 else None,
            )  # fmt: skip
    axes.axvline(0, color="grey", linewidth=1, linestyle="--")
    axes.set_yticks(range(len(rows)), [row["table"] for row in reversed(rows)])
    axes.set_xlabel("games won against heuristic, points above the chance level (95 % intervals)")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, loc="lower right")
    figure.tight_layout()
    figure.savefig(PLOT, dpi=110)


if __name__ == "__main__":
    text = ROW.sub(fill, PAGE.read_text(encoding="utf-8"))
    PAGE.write_text(text, encoding="utf-8")
    draw(list(ROW.finditer(text)))
