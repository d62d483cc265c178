"""`uno-arena cross-play`: the win matrix of some agents, as a table, a picture and JSON.

A cell is the win rate of the row's agent, alone on one side, against a table of the column's. All
cells are played on the same deals.
"""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from uno_agents.field import FIELD_VERSION, expand_field
from uno_agents.registry import make_agent

from uno_env import Rules

from ..code_version import code_version
from ..evaluate import Result
from ..play.matchup import sides_of
from .field import Deals, add_table_arguments, play_pair, read_table

FORM = "uno-arena-cross-play-1"
LOSING_TO_WINNING = ("#e08a8d", "#fff", "#7cc3a0")


class CrossPlay(NamedTuple):
    """A win matrix.

    Attributes:
        cells: by row and column; an agent against itself is left out.
    """

    agents: list[str]
    rules: Rules
    num_players: int
    deals: Deals
    cells: dict[tuple[str, str], Result]

    @property
    def chance(self) -> float:
        """The chance level 1/n."""
        return 1 / sides_of(self.rules, self.num_players)

    def mean(self, agent: str) -> float:
        """The mean of a row."""
        return float(np.mean([self.cells[agent, other].rate for other in self.others(agent)]))

    def others(self, agent: str) -> list[str]:
        """Everybody else."""
        return [other for other in self.agents if other != agent]


def cross_play(
    agents: Sequence[str],
    rules: Rules,
    num_players: int,
    deals: Deals,
    on_cell: Callable[[str, str, Result], None] = lambda row, column, result: None,
) -> CrossPlay:
    """Play every agent against a table of every other."""
    cells: dict[tuple[str, str], Result] = {}
    two_sides = sides_of(rules, num_players) == 2
    for row, agent in enumerate(agents):
        for column, other in enumerate(agents):
            if agent == other:
                continue
            if two_sides and column < row:
                cells[agent, other] = _seen_from_there(cells[other, agent])
                continue
            cells[agent, other] = play_pair(agent, other, rules, num_players, deals)
            on_cell(agent, other, cells[agent, other])
    return CrossPlay(list(agents), rules, num_players, deals, cells)


def _seen_from_there(result: Result) -> Result:
    """The same games with two sides, as the other one sees them."""
    return result._replace(rate=1 - result.rate, low=1 - result.high, high=1 - result.low)


def markdown(matrix: CrossPlay) -> str:
    """The matrix as a Markdown table; columns are numbered like rows."""
    numbers = [str(number) for number in range(1, len(matrix.agents) + 1)]
    lines = [f"| row against a table of column, % | {' | '.join(numbers)} | mean |",
             f"|---|{'---|' * (len(numbers) + 1)}"]  # fmt: skip
    for number, agent in enumerate(matrix.agents, 1):
        cells = [_cell(matrix.cells.get((agent, other))) for other in matrix.agents]
        lines.append(
            f"| {number} `{agent}` | {' | '.join(cells)} | **{100 * matrix.mean(agent):.1f}** |"
        )
    return "\n".join(lines) + "\n"


def _cell(result: Result | None) -> str:
    if result is None:
        return ""
    return f"{100 * result.rate:.1f} ± {50 * (result.high - result.low):.1f}"


def draw(matrix: CrossPlay, path: Path) -> None:
    """The matrix as a picture; green is above the chance level."""
    # A figure of its own needs no window system and leaves matplotlib's global state alone.
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.figure import Figure

    names, count = matrix.agents, len(matrix.agents)
    above = np.full((count, count), np.nan)
    for (row, column), result in matrix.cells.items():
        above[names.index(row), names.index(column)] = 100 * (result.rate - matrix.chance)
    figure = Figure(figsize=(4 + 0.75 * count, 2.4 + 0.55 * count), dpi=120, layout="constrained")
    axes = figure.subplots()
    most = max(float(np.nanmax(np.abs(above))), 1e-9)
    colors = LinearSegmentedColormap.from_list("losing to winning", LOSING_TO_WINNING)
    axes.imshow(above, cmap=colors, vmin=-most, vmax=most, aspect="auto")
    for (row, column), result in matrix.cells.items():
        at, half = (names.index(column), names.index(row)), 50 * (result.high - result.low)
        axes.text(at[0], at[1] - 0.12, f"{100 * result.rate:.1f}", ha="center", va="center")
        axes.text(at[0], at[1] + 0.26, f"± {half:.1f}", ha="center", va="center", fontsize=6)
    axes.set_xticks(range(count), names, rotation=40, ha="right", fontsize=8)
    axes.set_yticks(range(count), names, fontsize=8)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    axes.set_title(
        f"Won by row against a table of column, %: {matrix.rules.text()} with "
        f"{matrix.num_players} players, chance level {100 * matrix.chance:.0f} %",
        loc="left",
        fontsize=10,
    )
    # No software version or date inside, so that the same games give the same bytes.
    figure.savefig(path, metadata={"Software": None})


def as_json(matrix: CrossPlay) -> str:
    """The matrix with all intervals."""
    cells = [
        {"agent": row, "against": column, **result._asdict()}
        for (row, column), result in matrix.cells.items()
    ]
    about: dict[str, Any] = {
        "form": FORM,
        "code_version": code_version(),
        "rules": matrix.rules.text(),
        "num_players": matrix.num_players,
        **matrix.deals._asdict(),
        "agents": matrix.agents,
        "cells": cells,
    }
    return f"{json.dumps(about, indent=1)}\n"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `uno-arena cross-play`."""
    parser.add_argument("agents", nargs="*", default=[f"field:{FIELD_VERSION}"], metavar="AGENT",
                        help=f"agent specs, field:{FIELD_VERSION} for all of its members "
                        f"(field:{FIELD_VERSION})")  # fmt: skip
    add_table_arguments(parser, 1000, 50)
    parser.add_argument("--out", type=Path, default=Path("cross-play"), metavar="NAME", help=(
        "writes NAME.md, NAME.png and NAME.json (cross-play)"
    ))  # fmt: skip
    parser.add_argument("--quiet", action="store_true", help="no line for each cell")


def run(options: argparse.Namespace) -> int:
    """Play the matrix, print the table and write the files."""
    rules, num_players, deals = read_table(options)
    agents = expand_field(options.agents, [rules.variant])
    if len(agents) < 2:
        raise ValueError(f"agents are {agents}; two or more are needed")
    for agent in agents:
        make_agent(agent)

    def show(row: str, column: str, result: Result) -> None:
        if not options.quiet:
            print(f"{row} against {column}: {result}", file=sys.stderr, flush=True)

    matrix = cross_play(agents, rules, num_players, deals, show)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    table = markdown(matrix)
    # Not with_suffix: a name such as classic-1.5 keeps its dot.
    for ending, text in ((".md", table), (".json", as_json(matrix))):
        Path(f"{options.out}{ending}").write_text(text, encoding="utf-8")
    draw(matrix, Path(f"{options.out}.png"))
    print(table)
    print(f"Files: {options.out}.md, {options.out}.png, {options.out}.json", file=sys.stderr)
    return 0
