"""How styles of the heuristic differ from it: `python -m benchmarks.styles`.

A Markdown table by variant: the share of decisions that differ from the plain heuristic's in the
same position, and the win rate of one seat of that style against a table of plain heuristics.
"""

import argparse
from collections.abc import Iterator

from uno_agents.heuristic.agent import HeuristicAgent
from uno_agents.heuristic.kernels.styles import STYLE_TABLE
from uno_arena.evaluate import evaluate

import uno_env

TABLES = (
    ("classic", 2), ("classic", 4), ("hyper_speed", 4), ("no_mercy", 4), ("ig2000", 4),
    ("loche", 4), ("teams", 4),
)  # fmt: skip
GAMES, STEPS = 2048, 60


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=2000, help="duplicate deals a cell (2000)")
    deals = parser.parse_args().deals
    styles = [name for name in STYLE_TABLE if name != "plain"]
    columns = [f"`{variant}` {players}" for variant, players in TABLES]
    print(f"| style | {' | '.join(columns)} |\n|---|{'---|' * len(columns)}")
    for style in styles:
        cells = [_cell(style, variant, players, deals) for variant, players in TABLES]
        print(f"| `{style}` | {' | '.join(cells)} |", flush=True)


def _cell(style: str, variant: str, players: int, deals: int) -> str:
    rules = uno_env.Rules.preset(variant)
    result = evaluate(HeuristicAgent(1, style), HeuristicAgent(2), rules, players, deals, seed=7)
    half = 50 * (result.high - result.low)
    different = 100 * _share_of_differences(style, rules, players)
    return f"{different:.1f} · {100 * result.rate:.1f} ± {half:.1f}"


def _share_of_differences(style: str, rules: uno_env.Rules, players: int) -> float:
    different = list(_differences(style, rules, players))
    return sum(different) / len(different)


def _differences(style: str, rules: uno_env.Rules, players: int) -> Iterator[float]:
    """The share of each step of games among plain heuristics."""
    v = uno_env.vec(rules.replace(auto_forced=True), GAMES, players, seed=3)
    v.reset()
    agent, plain = HeuristicAgent(1, style), HeuristicAgent(1)
    for step in range(STEPS):
        # The same seed breaks ties alike, so that only the style makes a difference.
        agent.reset(step)
        plain.reset(step)
        usual = plain.act_batch(v.obs, v.mask)
        yield float((agent.act_batch(v.obs, v.mask) != usual).mean())
        v.step(usual)


if __name__ == "__main__":
    main()
