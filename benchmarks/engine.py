"""Speed of the compiled engine against RLCard's `uno`; writes docs/benchmarks-engine.md.

    python -m benchmarks.engine [--rounds 7]

One process; the rows are measured in turn in every round. A figure is the median over the rounds
with minimum and maximum, a ratio the median of the ratios within each round.
"""

import argparse
import statistics
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.contestants import (
    BATCH,
    LARGE_BATCH,
    MIDDLE_BATCH,
    PLAYERS,
    Lap,
    batch_steps,
    clones,
    rlcard_steps,
    rollouts,
)
from benchmarks.startup import startup_rows
from uno_env import VARIANTS

PAGE = Path(__file__).parent.parent / "docs" / "benchmarks-engine.md"
RLCARD = "RLCard 1.2.0 `uno`: choose, env.step"
MIDDLE = f"classic: step, {MIDDLE_BATCH:,} games"
LARGE = f"classic: step, {LARGE_BATCH:,} games"
TWO_THREADS = f"classic: step, {LARGE_BATCH:,} games, 2 threads"
CLONE = "clone a game"

# What each row is called on the page, in front of the variant it is about.
STEP, CHOOSE_AND_STEP, ROLLOUT = "step", "choose and step", "rollouts, no observation"

INTRODUCTION = f"""# How fast is the engine?

    {{command}}

prints and writes this page. One process, one core unless a row says otherwise; in each of
{{rounds}} rounds every row is measured once. A figure is the median over the rounds, with minimum
and maximum; `x RLCard` is the median of the ratios within each round, so that a busy machine
affects both sides.

- **RLCard**: version 1.2.0, its two-player `uno`; a step is `random.choice` among the legal ids and
  `env.step`, with `env.reset` when a game is over.
- **step**: `uno_env.vec(variant, {BATCH}, {PLAYERS}).step(actions)`: actions are checked and
  applied, finished games reset, observation (1,280 bytes) and mask (208 bytes) of every game
  written. {BATCH} games and their rows fit a second-level cache of 1 MB; in larger batches a step
  takes longer, as the rows of {MIDDLE_BATCH} and {LARGE_BATCH:,} games show.
  **choose and step** also counts `random_actions`: uniformly random legal actions.
- **rollouts**: whole random games inside the engine, deals included, nothing written.

Times are CPU times, except for the speed-up of two threads (wall time); the cost of reading the
clock is subtracted.
"""


def measured_rows() -> dict[str, Callable[[], Lap]]:
    """Everything that is measured in rounds, by name."""
    rows: dict[str, Callable[[], Lap]] = {RLCARD: rlcard_steps()}
    ordered = sorted(VARIANTS, key=lambda variant: variant != "classic")
    for variant in ordered:
        rows[f"{variant}: {STEP}"] = batch_steps(variant, is_choice_timed=False)
        if variant == "classic":
            large: dict[str, Any] = {"is_choice_timed": False, "games": LARGE_BATCH}
            rows[MIDDLE] = batch_steps(variant, is_choice_timed=False, games=MIDDLE_BATCH)
            rows[LARGE] = batch_steps(variant, **large)
            rows[TWO_THREADS] = batch_steps(variant, **large, threads=2)
        rows[f"{variant}: {CHOOSE_AND_STEP}"] = batch_steps(variant, is_choice_timed=True)
    for variant in ordered:
        rows[f"{variant}: {ROLLOUT}"] = rollouts(variant)
    rows[CLONE] = clones()
    return rows


def measure(rows: dict[str, Callable[[], Lap]], rounds: int) -> dict[str, list[Lap]]:
    """All laps of all rows, after one lap each to warm up."""
    for run in rows.values():
        run()
    laps: dict[str, list[Lap]] = {name: [] for name in rows}
    for _ in range(rounds):
        for name, run in rows.items():
            laps[name].append(run())
    return laps


def spread(values: list[float], form: str) -> str:
    """Median, then minimum and maximum."""
    return f"{statistics.median(values):{form}} | {min(values):{form}} to {max(values):{form}}"


def ratio(mine: list[float], theirs: list[float]) -> float:
    """Median over the rounds of how many times longer theirs took."""
    return statistics.median(b / a for a, b in zip(mine, theirs, strict=True))


def speed_table(laps: dict[str, list[Lap]]) -> list[str]:
    """One line per row that plays games."""
    lines = [
        "| | ns/step | min to max | million steps/s | x RLCard |",
        "|---|---:|---:|---:|---:|",
    ]
    base = [lap.cpu / lap.done for lap in laps[RLCARD]]
    for name, found in laps.items():
        if name in (CLONE, TWO_THREADS):
            continue
        each = [lap.cpu / lap.done for lap in found]
        nanoseconds = [1e9 * one for one in each]
        lines.append(
            f"| {name} | {spread(nanoseconds, ',.0f')} "
            f"| {1e3 / statistics.median(nanoseconds):.2f} | {ratio(each, base):,.0f} |"
        )
    return lines


def other_table(laps: dict[str, list[Lap]]) -> list[str]:
    """Threads, copies, start-up."""
    one = [lap.wall / lap.done for lap in laps[LARGE]]
    two = [lap.wall / lap.done for lap in laps[TWO_THREADS]]
    gains = [a / b for a, b in zip(one, two, strict=True)]
    copies = [1e9 * lap.cpu / lap.done for lap in laps[CLONE]]
    return [
        "| | median | min to max |",
        "|---|---:|---:|",
        f"| {TWO_THREADS}: speed-up over one, wall time | {spread(gains, '.2f')} |",
        f"| {CLONE} in compiled code, ns | {spread(copies, ',.0f')} |",
        *(f"| {name} | {spread(values, '.2f')} |" for name, values in startup_rows()),
    ]


def main() -> None:
    """Print the tables and write the page."""
    parser = argparse.ArgumentParser(description="python -m benchmarks.engine --rounds 7")
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    if rounds < 1:
        parser.error(f"--rounds is {rounds}; at least 1 is needed")
    laps = measure(measured_rows(), rounds)
    text = INTRODUCTION.format(
        command=f"python -m benchmarks.engine --rounds {rounds}", rounds=rounds
    )
    page = "\n".join([text, *speed_table(laps), "", *other_table(laps), ""])
    PAGE.write_text(page, encoding="utf-8")
    print(page)


if __name__ == "__main__":
    main()
