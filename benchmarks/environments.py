"""Speed of the PettingZoo environment beside its neighbours; writes a page and a picture in docs.

    python -m benchmarks.environments [--rounds 7]

One process; the contestants take turns in every round, each choosing random legal actions. A second
table has the time of a step alone, beside an environment that does nothing and beside an earlier
version, each in a process of its own.
"""

import argparse
import random
import statistics
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from pettingzoo.classic.connect_four import connect_four
from pettingzoo.classic.rlcard_envs.rlcard_base import RLCardBase

import uno_env
from benchmarks.contestants import Lap, repeated
from benchmarks.step_times import step_table, step_times

DOCS = Path(__file__).parent.parent / "docs"
YARDSTICK = "RLCard `uno` in a raw AEC"
STEPS = 300
"""Decisions between two looks at the clock."""

INTRODUCTION = """# How fast are the environments?

    {command}

prints and writes this page. One process, one core; {rounds} rounds in which all contestants take
turns, each choosing uniformly among its legal actions. Figures are medians over the rounds with the
minimum and maximum, ratios the median of the ratios within each round; time is CPU time.

- **AEC rows**: `agent_iter()` and `last()`, observation and mask read, `step(action)`.
- **RLCard**: version 1.2.0, its two-player `uno` in PettingZoo's own `RLCardBase`, no wrappers.
- **OpenSpiel**: `crazy_eights`, its nearest game, from Python with observation tensor and mask as
  arrays; the row is left out where `pyspiel` is not installed.

| | steps/s | min to max | x RLCard in an AEC |
|---|---:|---:|---:|
"""


def aec_steps(env: Any) -> Callable[[], Lap]:
    """Any AEC environment with an action mask, as its users step it."""
    uniform = random.Random(0).random  # noqa: S311 (no secret)

    def work() -> int:
        done = 0
        while done < STEPS:
            env.reset()
            for _agent in env.agent_iter():
                observation, _, over, cut, _ = env.last()
                if over or cut:
                    env.step(None)
                    continue
                legal = observation["action_mask"].nonzero()[0]
                env.step(int(legal[int(uniform() * len(legal))]))
                done += 1
                if done >= STEPS:
                    break
        return done

    return repeated(work)


def openspiel_steps() -> Callable[[], Lap] | None:
    """OpenSpiel's crazy eights for two, if it is installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game("crazy_eights(players=2)")
    rng = random.Random(0)  # noqa: S311 (no secret)
    mask = np.zeros(game.num_distinct_actions(), np.uint8)

    def work() -> int:
        done = 0
        state = game.new_initial_state()
        while done < STEPS and not state.is_terminal():
            if state.is_chance_node():
                outcomes, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, odds)[0])
                continue
            legal = state.legal_actions()
            np.asarray(state.observation_tensor(), np.float32)
            mask[:] = 0
            mask[legal] = 1
            state.apply_action(rng.choice(legal))
            done += 1
        return done

    return repeated(work)


def rlcard_in_aec() -> RLCardBase:
    """RLCard's game in the environment class PettingZoo keeps for RLCard's games."""
    env = RLCardBase("uno", 2, (4, 4, 15))
    env.render_mode = None  # subclasses set it, the class itself only reads it
    return env


def contestants() -> dict[str, Callable[[], Lap]]:
    """Every row of the table, in its order."""
    rows: dict[str, Callable[[], Lap]] = {
        YARDSTICK: aec_steps(rlcard_in_aec()),
        "connect_four, raw": aec_steps(connect_four.raw_env()),
        "connect_four, `env()`": aec_steps(connect_four.env()),
    }
    spiel = openspiel_steps()
    if spiel is not None:
        rows["OpenSpiel crazy_eights, 2 players"] = spiel
    rows["ours, raw: classic, 2 players"] = aec_steps(uno_env.raw_env("classic", num_players=2))
    for variant in uno_env.VARIANTS:
        name = f"ours, `env()`: {variant}, 4 players"
        rows[name] = aec_steps(uno_env.env(variant, num_players=4))
    return rows


def measure(rounds: int) -> dict[str, list[float]]:
    """Steps per CPU second of each contestant in each round; a first round warms up."""
    rows = contestants()
    speeds: dict[str, list[float]] = {name: [] for name in rows}
    for number in range(rounds + 1):
        print(f"round {number} of {rounds}", flush=True)
        for name, lap in rows.items():
            took = lap()
            if number:
                speeds[name].append(took.done / took.cpu)
    return speeds


def table(speeds: dict[str, list[float]]) -> str:
    """The rows of the page."""
    lines = []
    for name, values in speeds.items():
        pairs = zip(values, speeds[YARDSTICK], strict=True)
        ratio = statistics.median(mine / theirs for mine, theirs in pairs)
        lines.append(
            f"| {name} | {statistics.median(values):,.0f} | {min(values):,.0f} to "
            f"{max(values):,.0f} | {ratio:.1f} |"
        )
    return "\n".join(lines) + "\n"


def draw(speeds: dict[str, list[float]], path: Path) -> None:
    """The same as bars, with the spread of the rounds."""
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    names = list(speeds)[::-1]
    middles = [statistics.median(speeds[name]) for name in names]
    low = [m - min(speeds[name]) for m, name in zip(middles, names, strict=True)]
    high = [max(speeds[name]) - m for m, name in zip(middles, names, strict=True)]
    colors = ["#2f5d9c" if name.startswith("ours") else "#9aa3ad" for name in names]
    figure, axes = plt.subplots(figsize=(8, 4.2), layout="constrained")
    axes.barh([name.replace("`", "") for name in names], middles, xerr=[low, high], color=colors)
    axes.set_xscale("log")
    axes.set_xlabel("steps per second of CPU time (log scale), min to max of the rounds")
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=110)


def main() -> None:
    """Measure, print, write the page and the picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7, help="rounds that count (default 7)")
    rounds = parser.parse_args().rounds
    speeds = measure(rounds)
    command = "python -m benchmarks.environments" + (f" --rounds {rounds}" if rounds != 7 else "")
    page = INTRODUCTION.format(command=command, rounds=rounds) + table(speeds)
    page += step_table(step_times(rounds))
    print(page)
    draw(speeds, DOCS / "benchmarks-environments.png")
    picture = "\n![Steps per second](benchmarks-environments.png)\n"
    (DOCS / "benchmarks-environments.md").write_text(page + picture, encoding="utf-8")


if __name__ == "__main__":
    main()
