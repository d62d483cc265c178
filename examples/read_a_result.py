"""Read a result honestly: what an interval over duplicate deals means.

    python examples/read_a_result.py --deals 1000

Three measurements of the same pair of agents, and what each of them does and does not say.
"""

import argparse

import numpy as np
import uno_arena


def main() -> None:
    """Few deals, many deals, and no difference at all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=1000)
    options = parser.parse_args()
    # --8<-- [start:few]
    for seed in range(3):
        few = uno_arena.compare("heuristic", "greedy", players=4, deals=20, seed=seed)
        print(f"20 deals, seed {seed}: {few}")
    # --8<-- [end:few]
    # --8<-- [start:many]
    many = uno_arena.compare("heuristic", "greedy", players=4, deals=options.deals, seed=0)
    print(f"{options.deals} deals: {many}; chance level {many.chance:.0%}")
    print("better" if many.low > many.chance else "not separated from the chance level")
    # --8<-- [end:many]
    # --8<-- [start:twins]
    misses = 0
    for seed in range(20):  # two copies of one agent: the truth is exactly one half
        twins = uno_arena.compare("greedy", "greedy", players=2, deals=100, seed=seed)
        misses += not twins.low <= 0.5 <= twins.high
    print(f"{misses} of 20 intervals miss the truth; one is expected")
    # --8<-- [end:twins]
    # --8<-- [start:clustered]
    results = uno_arena.tournament(["heuristic", "greedy"], players=4, deals=options.deals, seed=0)
    shares = results.games[0].focal_shares()  # (deals, rotations): the part of each win
    by_deal = shares.mean(axis=1)
    naive = shares.std() / np.sqrt(shares.size)
    clustered = by_deal.std(ddof=1) / np.sqrt(len(by_deal))
    print(f"standard error over games {naive:.4f}, over deals {clustered:.4f}")
    # --8<-- [end:clustered]


if __name__ == "__main__":
    main()
