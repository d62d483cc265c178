"""How agents do on rules they were not trained on: the table of docs/rulesets.md.

    python -m benchmarks.rulesets --networks runs/rulesets --out benchmarks/results/rulesets.json

`--networks` holds a run of `uno-train --variant ruleset:SPLIT/train` for each split, by its name.
Each cell plays one agent against a table of `heuristic` by the first rule sets of a list, every
rule set with deals of its own, and counts all rule sets alike. Without arguments the stored
results are printed as the table.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from uno_agents.base import batch_form
from uno_agents.registry import make_agent
from uno_arena.benchmark.field import mean_result
from uno_train.evaluation import at_table
from uno_train.tables import TableConfig

from uno_env.rulesets import SPLITS, ruleset

RESULTS = Path(__file__).parent / "results" / "rulesets.json"
PLAYERS = 4
RULE_SETS = 40
"""Rule sets of a list that are played: all of a test list, a fifth of a training list."""
SEED = 1 << 43
"""Deals that nothing was selected on."""
OPPONENT = "heuristic"


def measured(spec: str, name: str, deals: int) -> dict[str, Any]:
    """One agent on one list of rules."""
    agent = batch_form(make_agent(spec, seed=1))
    results = [
        at_table(agent, OPPONENT, TableConfig(rules, PLAYERS), deals, SEED + 1000 * number)
        for number, rules in enumerate(ruleset(name)[:RULE_SETS])
    ]
    return mean_result(results)._asdict()


def measure(networks: Path, deals: int, out: Path) -> None:
    """All cells, kept as they come."""
    found: dict[str, Any] = json.loads(out.read_text()) if out.exists() else {}
    for split in SPLITS:
        agents = {
            "trained on the split": str(networks / split / "best"),
            "pretrained:generalist": "pretrained:generalist",
            "greedy": "greedy",
        }
        for who, spec in agents.items():
            for part in ("train", "test"):
                key = f"{split}/{part}/{who}"
                if key not in found:
                    found[key] = measured(spec, f"ruleset:{split}/{part}", deals)
                    out.parent.mkdir(parents=True, exist_ok=True)
                    out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
                    print(key, _cell(found[key]), flush=True)


def table(found: dict[str, Any]) -> str:
    """The results as Markdown."""
    lines = ["| split | agent | training rules | test rules | games |", "|---|---|---|---|---|"]
    for split in SPLITS:
        for who in ("trained on the split", "pretrained:generalist", "greedy"):
            cells = [found[f"{split}/{part}/{who}"] for part in ("train", "test")]
            games = sum(cell["games"] for cell in cells)
            shown = " | ".join(map(_cell, cells))
            lines.append(f"| `{split}` | {who} | {shown} | {games:,} |")
    return "\n".join(lines)


def _cell(cell: dict[str, Any]) -> str:
    return f"{100 * cell['rate']:.1f} % ({100 * cell['low']:.1f} to {100 * cell['high']:.1f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--networks", type=Path, help="folder of the runs; else print the table")
    parser.add_argument("--deals", type=int, default=25, help="duplicate deals a rule set (25)")
    parser.add_argument("--out", type=Path, default=RESULTS)
    options = parser.parse_args()
    if options.networks:
        measure(options.networks, options.deals, options.out)
    print(table(json.loads(options.out.read_text())))


if __name__ == "__main__":
    main()
