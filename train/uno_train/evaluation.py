"""How a learner fares: duplicate deals against anchors, at one table or over several kinds."""

import math
from collections.abc import Iterable, Sequence

from uno_agents.base import BatchAgent, batch_form
from uno_agents.registry import make_agent
from uno_arena.evaluate import Result, evaluate
from uno_arena.stats.intervals import Z95

from .tables import Table

FEWEST_DEALS = 20
Results = dict[str, Result]


def measure(
    agent: BatchAgent, anchors: Iterable[str], tables: Sequence[Table], deals: int, seed: int
) -> Results:
    """The agent against a table of each anchor, over `deals` deals in all."""
    each = max(2, math.ceil(deals / len(tables)), FEWEST_DEALS if len(tables) > 1 else 2)
    return {
        anchor: pooled([at_table(agent, anchor, table, each, seed) for table in tables])
        for anchor in anchors
    }


def at_table(agent: BatchAgent, anchor: str, table: Table, deals: int, seed: int) -> Result:
    """The agent against a table of one anchor."""
    opponent = batch_form(make_agent(anchor, seed=seed + 1))
    return evaluate(agent, opponent, table.rules, table.num_players, deals, seed)


def pooled(results: Sequence[Result]) -> Result:
    """The mean over several tables, each of them counting alike."""
    if len(results) == 1:
        return results[0]
    count = len(results)
    rate = sum(result.rate for result in results) / count
    half = Z95 * math.sqrt(sum(error(result) ** 2 for result in results)) / count
    return Result(
        rate,
        max(0.0, rate - half),
        min(1.0, rate + half),
        sum(result.deals for result in results),
        sum(result.games for result in results),
        sum(result.chance for result in results) / count,
    )


def error(result: Result) -> float:
    """The standard error of a win rate, from its interval."""
    return (result.high - result.low) / (2 * Z95)


def lead(newcomer: Results, incumbent: Results) -> float:
    """By how many standard errors the newcomer is ahead, over all anchors together.

    Both played the same deals, which makes the true error somewhat smaller than this one.
    """
    ahead = sum(newcomer[name].rate - incumbent[name].rate for name in newcomer)
    errors = [error(result) for results in (newcomer, incumbent) for result in results.values()]
    return ahead / max(1e-9, math.sqrt(sum(each**2 for each in errors)))
