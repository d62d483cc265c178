"""`uno-train nash-conv TASK AGENT ...`: exact exploitability of agents in a tiny game."""

import json
from collections.abc import Sequence
from pathlib import Path

from uno_agents.base import batch_form
from uno_agents.registry import make_agent

from uno_env.command_line import CommandParser

from .games import TINY, tiny_task
from .nash_conv import Evaluation, policy_of
from .tree import build_tree

EXAMPLE = "uno-train nash-conv tiny-numbers greedy heuristic"
UNIFORM = "uniform"


def main(words: Sequence[str]) -> int:
    """Print the NashConv of the uniform policy and of each agent."""
    parser = CommandParser(
        example=EXAMPLE, prog="uno-train nash-conv", description="Exact NashConv in a tiny game."
    )
    parser.add_argument("task", help=", ".join(TINY))
    parser.add_argument("agents", nargs="*", metavar="AGENT", help="agent specs")
    parser.add_argument("--draws", type=int, default=64, help=(
        "how often an agent that draws random numbers is asked in each position (64)"
    ))  # fmt: skip
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the numbers there")
    options = parser.parse_args(words)
    tree = build_tree(tiny_task(options.task).game())
    evaluation = Evaluation(tree)
    deals = sorted(tree.deals_per_information_state().tolist())
    print(
        f"{options.task}: {len(tree.parent):,} nodes, {len(tree.level):,} information states; "
        f"first decisions fit {deals[len(deals) // 2]} deals (median)"
    )
    rows = {UNIFORM: evaluation.nash_conv(tree.uniform())}
    for spec in options.agents:
        agent = batch_form(make_agent(spec, seed=1))
        rows[spec] = evaluation.nash_conv(policy_of(tree, agent, options.draws))
    for name, value in rows.items():
        print(f"{name:>40}  NashConv {value:.4f}")
    if options.json:
        found = {"task": options.task, "nodes": len(tree.parent), "nash_conv": rows}
        options.json.write_text(f"{json.dumps(found, indent=1)}\n")
    return 0
