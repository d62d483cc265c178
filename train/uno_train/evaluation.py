"""Evaluation on duplicate deals against anchors, and the command `uno-train evaluate`."""

import math
from collections.abc import Iterable, Sequence

from rich.console import Console
from uno_agents.base import BatchAgent, batch_form
from uno_agents.field import expand_field
from uno_agents.registry import make_agent
from uno_arena.benchmark.field import SEEDS_APART, mean_result, standard_error
from uno_arena.evaluate import Result, evaluate

from uno_env import Rules
from uno_env.command_line import CommandParser
from uno_env.envs.options import table_size

from .config import TrainConfig
from .report import show_results
from .tables import TableConfig

BASELINES = ("random", "greedy", "heuristic")
"""Opponents of every final evaluation."""
MIN_DEALS = 20
MIN_FIELD_DEALS = 100
MAX_TABLES = 8
"""Table configs that an evaluation against several opponents covers."""
Results = dict[str, Result]


def measure(
    agent: BatchAgent, anchors: Iterable[str], tables: Sequence[TableConfig], deals: int, seed: int
) -> Results:
    """The agent against a table of each anchor, over `deals` deals in all."""
    each = max(2, math.ceil(deals / len(tables)), MIN_DEALS if len(tables) > 1 else 2)
    return {
        anchor: mean_result([at_table(agent, anchor, table, each, seed) for table in tables])
        for anchor in anchors
    }


def at_table(agent: BatchAgent, anchor: str, table: TableConfig, deals: int, seed: int) -> Result:
    """The agent against a table of one anchor."""
    opponent = batch_form(make_agent(anchor, seed=seed + 1))
    return evaluate(agent, opponent, table.rules, table.num_players, deals, seed)


def on_field(agent: BatchAgent, config: TrainConfig, seed: int) -> Results:
    """The agent against each member of the field that plays batches; empty if there is none.

    Members get deals of their own. With a handful of deals, as in trials, nothing is measured.
    """
    if not config.eval_field or config.eval_deals < MIN_FIELD_DEALS:
        return {}
    tables = config.own_tables()
    tables = tables[:: -(-len(tables) // MAX_TABLES)]
    members = expand_field([config.eval_field], {t.rules.variant for t in tables}, batch_only=True)
    results: Results = {}
    for number, member in enumerate(members):
        own = seed + (number + 1) * SEEDS_APART
        results |= measure(agent, [member], tables, config.eval_deals, own)
    return results


def lead(newcomer: Results, incumbent: Results) -> float:
    """By how many standard errors the newcomer is ahead, over all anchors together.

    Both played the same deals, which makes the true error somewhat smaller than this one.
    """
    ahead = sum(newcomer[name].rate - incumbent[name].rate for name in newcomer)
    errors = [
        standard_error(result) for results in (newcomer, incumbent) for result in results.values()
    ]
    return ahead / max(1e-9, math.sqrt(sum(each**2 for each in errors)))


def main(words: Sequence[str]) -> int:
    """`uno-train evaluate`: evaluate a checkpoint."""
    parser = CommandParser(
        example="uno-train evaluate runs/quick/best --deals 20000",
        prog="uno-train evaluate",
        description="Evaluate a checkpoint.",
    )
    parser.add_argument("agent", help="agent spec: a checkpoint folder, greedy, ...")
    parser.add_argument("--variant", help="preset or rules text (those it was trained on)")
    parser.add_argument("--players", type=int, help="table size (that it was trained on)")
    parser.add_argument("--deals", type=int, default=4000, help="duplicate deals (4000)")
    parser.add_argument("--seed", type=int, default=0, help="which deals (0)")
    parser.add_argument(
        "--anchors",
        nargs="+",
        default=list(BASELINES),
        help="opponents; field:1 for all of the field",
    )
    options = parser.parse_args(words)
    agent = batch_form(make_agent(options.agent, seed=options.seed))
    trained_on = getattr(agent, "metadata", {})
    rules = Rules.from_text(options.variant or trained_on.get("rules", "classic"))
    usual = None if options.variant else trained_on.get("num_players")
    table = TableConfig(rules, table_size(rules, options.players or usual))
    rows = [
        (table, name, at_table(agent, name, table, options.deals, options.seed))
        for name in expand_field(options.anchors, [rules.variant], batch_only=True)
    ]
    show_results(Console(), rows, f"{options.agent}, {table}, {options.deals} duplicate deals")
    return 0
