"""Games a minute through the arena: dealt, played, scored and stored in a database, on one core.

    python -m benchmarks.arena [--rounds 5]

Every round plays the same deals anew into a new file; a row is the median over the rounds with
the least and the greatest. Times are CPU times, so other work on the machine matters
little.
"""

import argparse
import statistics
import tempfile
import time
from pathlib import Path

import uno_arena

MATCHUPS = (
    ("heuristic", "heuristic", "classic", 4, 5000),
    ("heuristic", "heuristic", "no_mercy", 4, 2000),
    ("heuristic", "greedy", "classic", 2, 5000),
    ("greedy", "random", "classic", 4, 2000),
)


def games_a_minute(first: str, second: str, variant: str, players: int, deals: int) -> float:
    """Play one match-up and time it."""
    with tempfile.TemporaryDirectory() as folder:
        started = time.process_time()
        results = uno_arena.tournament(
            [first, second],
            variant=variant,
            players=players,
            deals=deals,
            schedule="first",
            db=Path(folder) / "arena.db",
        )
        return 60 * results.total_games / (time.process_time() - started)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="python -m benchmarks.arena --rounds 5")
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    print("| match-up | table | games per round | games per minute | min to max |")
    print("|---|---|---|---|---|")
    for first, second, variant, players, deals in MATCHUPS:
        games_a_minute(first, second, variant, players, 10)
        found = [games_a_minute(first, second, variant, players, deals) for _ in range(rounds)]
        print(
            f"| {first} against {second} | {variant}, {players} players | {deals * players:,} "
            f"| {statistics.median(found):,.0f} | {min(found):,.0f} to {max(found):,.0f} |"
        )


if __name__ == "__main__":
    main()
