"""`python docs/make_results.py`: write the win rates of the shipped agents into the README.

The numbers are those in the agents' own files, as `python -m uno_train.pretrained` measured them.
"""

import re
from pathlib import Path
from typing import Any

from uno_agents.neural.weights import read_metadata
from uno_agents.pretrained import pretrained_path

README = Path(__file__).parents[1] / "README.md"
ROW = re.compile(
    r"^\| (?P<table>(?P<variant>\w+), \d+ players) \| (?P<level>[\d.]+ %) \|.*$", re.MULTILINE
)


def cell(name: str, table: str) -> str:
    """How an agent fares against the hand-written player at a table."""
    rows: list[dict[str, Any]] = read_metadata(pretrained_path(name))["results"]
    row = next(row for row in rows if (row["table"], row["opponent"]) == (table, "heuristic"))
    rate, low, high = (100 * row[key] for key in ("rate", "low", "high"))
    return f"{rate:.1f} % ({low:.1f} to {high:.1f})"


def fill(row: re.Match[str]) -> str:
    """The row with the numbers of today."""
    table = row["table"]
    numbers = f"{cell(row['variant'], table)} | {cell('generalist', table)}"
    return f"| {table} | {row['level']} | {numbers} |"


if __name__ == "__main__":
    README.write_text(ROW.sub(fill, README.read_text()))
