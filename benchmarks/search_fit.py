"""Fit what the search weighs positions by; writes agents/uno_agents/search/kernels/coefficients.py.

    python -m benchmarks.search_fit [--positions 40000]

Turns of rounds among heuristics are described by the features of `uno_agents.search.kernels.value`.
The weights are those under which the seats (in Teams the pairs) that won were likeliest to win: a
conditional logit, fitted by Newton's method with a small penalty on large weights. Fit them anew
when the heuristic has changed much.
"""

import argparse
from pathlib import Path

import numpy as np
from uno_agents.search.kernels.fit import gather
from uno_agents.search.kernels.rollout import new_desk
from uno_agents.search.kernels.value import TRAIT_NAMES, TRAITS

from uno_env import VARIANTS, Rules
from uno_env.array_types import Doubles
from uno_env.engine.observation.event_log import new_logs
from uno_env.engine.rules_record import rules_table
from uno_env.engine.state import STATE, new_records

FILE = Path(__file__).parent.parent / "agents/uno_agents/search/kernels/coefficients.py"
TABLES = (2, 4, 6)
EVERY = 8
PENALTY = 1.0
STEPS = 30
PER_LINE = 11
HEAD = '''"""What each trait of a seat is worth; written by `python -m benchmarks.search_fit`.

House rules are weighed as the preset they start from, teams as `teams`.
"""

import numpy as np

# fmt: off
WEIGHTS = {
'''


def positions(variant: str, num_players: int, count: int) -> tuple[Doubles, Doubles]:
    """Traits (B, sides, traits) and who won (B, sides); a side is a seat, or a pair in Teams."""
    rules = Rules.preset(variant)
    traits = np.zeros((count, num_players, TRAITS))
    winners = np.zeros(count, np.int64)
    gather(
        new_records(1, STATE), rules_table([rules]), new_logs(0), new_desk(),
        num_players, np.uint64(1), EVERY, traits, winners,
    )  # fmt: skip
    traits, winners = traits[winners > 0], winners[winners > 0]
    won = ((winners[:, None] >> np.arange(num_players)) & 1).astype(np.float64)
    if rules.team_mode == "pairs":
        half = num_players // 2
        traits, won = traits[:, :half] + traits[:, half:], won[:, :half]
    return traits, won


def fit(samples: list[tuple[Doubles, Doubles]]) -> tuple[Doubles, float]:
    """Weights, and the mean log loss they leave."""
    weights = np.zeros(TRAITS)
    for _ in range(STEPS):
        gradient = -PENALTY * weights
        curvature = PENALTY * np.eye(TRAITS)
        loss = 0.0
        for traits, won in samples:
            chances = softmax(traits @ weights)
            loss -= float((won * np.log(chances)).sum())
            gradient += np.einsum("bs,bst->t", won - chances, traits)
            mean = np.einsum("bs,bst->bt", chances, traits)
            weighted = (traits * chances[..., None]).reshape(-1, TRAITS)
            curvature += weighted.T @ traits.reshape(-1, TRAITS) - mean.T @ mean
        step = np.linalg.solve(curvature, gradient)
        weights += step
        if np.abs(step).max() < 1e-6:
            break
    return weights, loss / sum(len(won) for _, won in samples)


def softmax(strengths: Doubles) -> Doubles:
    """Chances of each side."""
    raised = np.exp(strengths - strengths.max(axis=1, keepdims=True))
    chances: Doubles = raised / raised.sum(axis=1, keepdims=True)
    return chances


def source(fitted: dict[str, Doubles]) -> str:
    """The file of weights."""
    lines = []
    for variant, weights in fitted.items():
        numbers = [f"{weight + 0.0:.2f}" for weight in weights]
        lines.append(f'    "{variant}": np.array((')
        rows = (numbers[at : at + PER_LINE] for at in range(0, TRAITS, PER_LINE))
        lines += [f"        {', '.join(row)}," for row in rows]
        lines.append("    )),")
    return HEAD + "\n".join(lines) + "\n}\n# fmt: on\n"


def main() -> None:
    """Fit every preset, print the weights and write the file."""
    parser = argparse.ArgumentParser(description="python -m benchmarks.search_fit")
    parser.add_argument("--positions", type=int, default=40_000, help="for each table size")
    count = parser.parse_args().positions
    if count < 1000:
        parser.error(f"--positions is {count}; at least 1000 are needed")
    fitted = {}
    for variant in VARIANTS:
        rules = Rules.preset(variant)
        sizes = [n for n in TABLES if rules.min_players <= n <= rules.max_players]
        fitted[variant], loss = fit([positions(variant, n, count) for n in sizes])
        print(f"{variant}: log loss {loss:.4f}")
        for name, weight in zip(TRAIT_NAMES, fitted[variant], strict=True):
            print(f"  {weight:6.2f}  {name}")
    FILE.write_text(source(fitted), encoding="utf-8")


if __name__ == "__main__":
    main()
