"""`uno-arena field AGENT`: one agent against a table of each member of the field, and the mean.

Each member gets deals of its own, so that the results are independent and the interval of the mean
follows from theirs.
"""

import argparse
import json
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from uno_agents.base import BatchAgent
from uno_agents.field import FIELD_VERSION, expand_field
from uno_agents.registry import make_agent

from uno_env import Rules
from uno_env.envs.options import table_size

from ..api import compare
from ..code_version import code_version
from ..config import rules_of
from ..evaluate import Result, evaluate
from ..stats.intervals import Z95

FORM = "uno-arena-field-1"
SEEDS_APART = 1_000_003
"""Between the seeds of two members: a prime above every number of deals in use."""


class Deals(NamedTuple):
    """How many deals, and which.

    Attributes:
        slow: deals where an agent plays one view at a time.
    """

    fast: int
    slow: int
    seed: int

    def shifted(self, number: int) -> "Deals":
        """Deals apart from those of other numbers."""
        return self._replace(seed=self.seed + SEEDS_APART * number)


def play_pair(agent: str, opponent: str, rules: Rules, num_players: int, deals: Deals) -> Result:
    """One agent (in Teams: one team) against a table of another, both by spec."""
    first, second = make_agent(agent, deals.seed), make_agent(opponent, deals.seed + 1)
    if isinstance(first, BatchAgent) and isinstance(second, BatchAgent):
        return evaluate(first, second, rules, num_players, deals.fast, deals.seed)
    return compare(first, second, variant=rules.text(), players=num_players,
                   deals=deals.slow, seed=deals.seed)  # fmt: skip


def mean_result(results: Iterable[Result]) -> Result:
    """The mean of independent results, each counting alike."""
    all_of = list(results)
    if len(all_of) == 1:
        return all_of[0]
    count = len(all_of)
    rate = sum(result.rate for result in all_of) / count
    half = Z95 * math.sqrt(sum(standard_error(result) ** 2 for result in all_of)) / count
    return Result(
        rate,
        max(0.0, rate - half),
        min(1.0, rate + half),
        sum(result.deals for result in all_of),
        sum(result.games for result in all_of),
        sum(result.chance for result in all_of) / count,
    )


def standard_error(result: Result) -> float:
    """The standard error of a win rate, from its interval."""
    return (result.high - result.low) / (2 * Z95)


def evaluate_on_field(
    agent: str, members: Sequence[str], rules: Rules, num_players: int, deals: Deals
) -> dict[str, Result]:
    """The agent's result against each member, in their order."""
    return {
        member: play_pair(agent, member, rules, num_players, deals.shifted(number))
        for number, member in enumerate(members)
    }


def add_table_arguments(parser: argparse.ArgumentParser, deals: int, slow: int) -> None:
    """Flags that say what is played and how often."""
    parser.add_argument("--variant", default="classic", help="preset, rules text or YAML file")
    parser.add_argument("--players", type=int, help="table size (the usual one of the rules)")
    parser.add_argument("--deals", type=int, default=deals, help=f"duplicate deals ({deals})")
    parser.add_argument("--slow-deals", type=int, default=slow, help=(
        f"the same for agents that play one view at a time, such as search ({slow})"
    ))  # fmt: skip
    parser.add_argument("--seed", type=int, default=0, help="which deals (0)")


def read_table(options: argparse.Namespace) -> tuple[Rules, int, Deals]:
    """Rules, table size and deals of those flags."""
    rules = rules_of(options.variant)
    for name in ("deals", "slow_deals"):
        if getattr(options, name) < 2:
            raise ValueError(f"--{name.replace('_', '-')} is {getattr(options, name)}; 2 or more")
    deals = Deals(options.deals, options.slow_deals, options.seed)
    return rules, table_size(rules, options.players), deals


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `uno-arena field`."""
    parser.add_argument("agents", nargs="+", metavar="AGENT", help="agent specs")
    parser.add_argument("--field", default=f"field:{FIELD_VERSION}", help=(
        f"which field (field:{FIELD_VERSION})"
    ))  # fmt: skip
    add_table_arguments(parser, 2000, 100)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results as JSON")


def run(options: argparse.Namespace) -> int:
    """Play, print a table for each agent, and write the file."""
    from rich.console import Console

    rules, num_players, deals = read_table(options)
    members = expand_field([options.field], [rules.variant])
    console = Console()
    report: dict[str, Any] = {
        "form": FORM,
        "code_version": code_version(),
        "field": options.field,
        "rules": rules.text(),
        "num_players": num_players,
        "seed": deals.seed,
        "agents": {},
    }
    for agent in options.agents:
        make_agent(agent)
    for agent in options.agents:
        results = evaluate_on_field(agent, members, rules, num_players, deals)
        mean = mean_result(results.values())
        _show(console, f"{agent}, {rules.text()} with {num_players} players", results, mean)
        report["agents"][agent] = {
            "members": {name: result._asdict() for name, result in results.items()},
            "mean": mean._asdict(),
        }
    if options.json:
        options.json.write_text(f"{json.dumps(report, indent=2)}\n", encoding="utf-8")
    return 0


def _show(console: Any, title: str, results: dict[str, Result], mean: Result) -> None:
    from rich.table import Table

    title += f", chance level {100 * mean.chance:.0f} %"
    table = Table(title=title, title_justify="left", title_style="bold")
    for number, column in enumerate(("against", "won", "95 % interval", "games")):
        table.add_column(column, justify="right" if number else "left", no_wrap=True)
    for name, result in (*results.items(), ("mean of the field", mean)):
        table.add_row(
            name,
            f"{100 * result.rate:.1f} %",
            f"{100 * result.low:.1f} to {100 * result.high:.1f} %",
            f"{result.games:,}",
            style="bold" if result is mean else None,
        )
    console.print(table)
