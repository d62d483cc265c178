"""Fit the value function of the search; writes agents/uno_agents/search/kernels/coefficients.py.

    python -m benchmarks.search_fit [--positions 40000]

Turns of rounds among heuristics are described by the features of `uno_agents.search.kernels.value`.
The coefficients maximise the likelihood of the seats (in Teams the pairs) that won: a conditional
logit, fitted by Newton's method with a small L2 penalty. Fit them anew when the heuristic has
changed much.
"""

import argparse
from pathlib import Path

import numpy as np
from uno_agents.search.kernels.rollout import collect_positions, new_scratch
from uno_agents.search.kernels.value import FEATURE_NAMES, NUM_FEATURES

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
HEAD = '''"""Coefficients of the value function; written by `python -m benchmarks.search_fit`.

House rules use the coefficients of the preset they start from, team games those of `teams`.
"""

import numpy as np

# fmt: off
SEARCH_COEFFICIENTS = {
'''


def positions(variant: str, num_players: int, count: int) -> tuple[Doubles, Doubles]:
    """Features (B, sides, F) and who won (B, sides); a side is a seat, or a pair in Teams."""
    rules = Rules.preset(variant)
    features = np.zeros((count, num_players, NUM_FEATURES))
    winners = np.zeros(count, np.int64)
    collect_positions(
        new_records(1, STATE), rules_table([rules]), new_logs(0), new_scratch(),
        num_players, np.uint64(1), EVERY, features, winners,
    )  # fmt: skip
    features, winners = features[winners > 0], winners[winners > 0]
    won = ((winners[:, None] >> np.arange(num_players)) & 1).astype(np.float64)
    if rules.team_mode == "pairs":
        half = num_players // 2
        features, won = features[:, :half] + features[:, half:], won[:, :half]
    return features, won


def fit(samples: list[tuple[Doubles, Doubles]]) -> tuple[Doubles, float]:
    """Coefficients and their mean log loss."""
    coefficients = np.zeros(NUM_FEATURES)
    for _ in range(STEPS):
        gradient = -PENALTY * coefficients
        curvature = PENALTY * np.eye(NUM_FEATURES)
        loss = 0.0
        for features, won in samples:
            probabilities = softmax(features @ coefficients)
            loss -= float((won * np.log(probabilities)).sum())
            gradient += np.einsum("bs,bst->t", won - probabilities, features)
            mean = np.einsum("bs,bst->bt", probabilities, features)
            weighted = (features * probabilities[..., None]).reshape(-1, NUM_FEATURES)
            curvature += weighted.T @ features.reshape(-1, NUM_FEATURES) - mean.T @ mean
        step = np.linalg.solve(curvature, gradient)
        coefficients += step
        if np.abs(step).max() < 1e-6:
            break
    return coefficients, loss / sum(len(won) for _, won in samples)


def softmax(strengths: Doubles) -> Doubles:
    """Win probabilities of each side."""
    exponentials = np.exp(strengths - strengths.max(axis=1, keepdims=True))
    probabilities: Doubles = exponentials / exponentials.sum(axis=1, keepdims=True)
    return probabilities


def source(fitted: dict[str, Doubles]) -> str:
    """The source file of coefficients."""
    lines = []
    for variant, coefficients in fitted.items():
        numbers = [f"{coefficient + 0.0:.2f}" for coefficient in coefficients]
        lines.append(f'    "{variant}": np.array((')
        rows = (numbers[at : at + PER_LINE] for at in range(0, NUM_FEATURES, PER_LINE))
        lines += [f"        {', '.join(row)}," for row in rows]
        lines.append("    )),")
    return HEAD + "\n".join(lines) + "\n}\n# fmt: on\n"


def main() -> None:
    """Fit every preset, print the coefficients and write the file."""
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
        for name, coefficient in zip(FEATURE_NAMES, fitted[variant], strict=True):
            print(f"  {coefficient:6.2f}  {name}")
    FILE.write_text(source(fitted), encoding="utf-8")


if __name__ == "__main__":
    main()
