"""`uno-arena calibrate-levels`: set how often each level slips so that Elo steps are equal.

Ratings are against `heuristic`, which has 0, averaged over `TABLES`. First the strength of each
base agent is measured at several slip rates, then rates for equal steps are read off those curves,
and last the levels whose rates were chosen are measured anew on deals that had no part in it.
"""

import argparse
import json
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from uno_agents.base import BatchAgent
from uno_agents.levels import FILE, NUM_LEVELS
from uno_agents.levels.agent import make_level_agent
from uno_agents.levels.slips import BEGINNER, SlipRates
from uno_agents.registry import make_agent

from uno_env import Rules

from ..api import compare
from ..code_version import code_version
from ..evaluate import Result, evaluate

TABLES = (
    ("classic", 2), ("classic", 4), ("hyper_speed", 4), ("no_mercy", 4), ("ig2000", 4),
    ("loche", 4), ("teams", 4),
)  # fmt: skip
ANCHOR = "heuristic"
STRONGEST = "search:sims=200"
"""Level 8, without slips."""
NETWORK = "frozen:generalist-1"
"""The base of all other levels above `heuristic`: a network that is never trained anew."""
ANCHOR_LEVEL = 6
"""The level that is `heuristic` without slips; the steps above it set those below."""
SLIP_GRID = (0.05, 0.1, 0.2, 0.35, 0.5, 0.7)
NETWORK_GRID = (0.05, 0.1)
FINAL_SEED = 1 << 40


class Elo(NamedTuple):
    """A mean rating over the tables, and its 95 % interval."""

    value: float
    low: float
    high: float


def elo_of(rate: float, chance: float) -> float:
    """The rating difference at which a side wins this often against a table of equals."""
    bounded = min(max(rate, 1e-4), 1 - 1e-4)
    return 400 * math.log10(bounded * (1 / chance - 1) / (1 - bounded))


def mean_elo(results: Sequence[Result]) -> Elo:
    """The mean of the ratings at several tables."""
    values = [elo_of(result.rate, result.chance) for result in results]
    halves = [(elo_of(r.high, r.chance) - elo_of(r.low, r.chance)) / 2 for r in results]
    value = sum(values) / len(values)
    half = math.sqrt(sum(each**2 for each in halves)) / len(halves)
    return Elo(round(value, 1), round(value - half, 1), round(value + half, 1))


class Meter:
    """Measures players against the anchor, on `deals` deals a table."""

    def __init__(self, deals: int, search_deals: int, seed: int) -> None:
        self.deals, self.search_deals, self.seed = deals, search_deals, seed

    def results(self, base: str, rates: SlipRates, seed: int) -> list[Result]:
        """The player's results at each table."""
        return [self._result(base, rates, Rules.preset(v), n, seed) for v, n in TABLES]

    def elo(self, base: str, rates: SlipRates, seed: int | None = None) -> Elo:
        """The player's mean rating, which is printed as well."""
        elo = mean_elo(self.results(base, rates, self.seed if seed is None else seed))
        print(f"{base:<16} slips {sum(rates) / sum(BEGINNER):5.3f}  {elo.value:+7.1f} "
              f"({elo.low:+.1f} to {elo.high:+.1f})", file=sys.stderr, flush=True)  # fmt: skip
        return elo

    def _result(self, base: str, rates: SlipRates, rules: Rules, n: int, seed: int) -> Result:
        agent: Any = make_level_agent("level", make_agent(base, seed), rates, seed)
        opponent: Any = make_agent(ANCHOR, seed + 1)
        if isinstance(agent, BatchAgent):
            return evaluate(agent, opponent, rules, n, self.deals, seed)
        return compare(agent, opponent, variant=rules.text(), players=n, deals=self.search_deals,
                       seed=seed)  # fmt: skip


def slip_for(target: float, grid: Sequence[float], elos: Sequence[float]) -> float:
    """The slip rate at which a base has the target rating, by interpolation."""
    order = np.argsort(elos)
    return float(np.interp(target, np.array(elos)[order], np.array(grid)[order]))


def calibrate(meter: Meter) -> dict[str, Any]:
    """All levels, as `levels.json` holds them."""
    none = SlipRates()
    top = meter.elo(STRONGEST, none)
    grids = {ANCHOR: (0.0, *SLIP_GRID), NETWORK: (0.0, *NETWORK_GRID)}
    curves = {ANCHOR: [0.0], NETWORK: [meter.elo(NETWORK, none).value]}
    for base, grid in grids.items():
        curves[base] += [meter.elo(base, BEGINNER.scaled(slip)).value for slip in grid[1:]]
    step = top.value / (NUM_LEVELS - ANCHOR_LEVEL)
    levels = []
    for number in range(1, NUM_LEVELS + 1):
        target, base, rates, elo = (number - ANCHOR_LEVEL) * step, STRONGEST, none, top
        if number == ANCHOR_LEVEL:
            base, elo = ANCHOR, Elo(0.0, 0.0, 0.0)
        elif number < NUM_LEVELS:
            base = NETWORK if target > 0 else ANCHOR
            rates = BEGINNER.scaled(slip_for(target, grids[base], curves[base]))
            elo = meter.elo(base, rates, meter.seed + FINAL_SEED)
        levels.append(_entry(target, base, rates, elo))
    return {
        "command": f"uno-arena calibrate-levels --deals {meter.deals} "
        f"--search-deals {meter.search_deals} --seed {meter.seed}",
        "code_version": code_version(),
        "anchor": ANCHOR,
        "tables": [f"{variant}-{players}" for variant, players in TABLES],
        "step": round(step, 1),
        "curves": {base: dict(zip(map(str, grids[base]), curve, strict=True))
                   for base, curve in curves.items()},
        "levels": levels,
    }  # fmt: skip


def _entry(target: float, base: str, rates: SlipRates, elo: Elo) -> dict[str, Any]:
    return {
        "base": base,
        "target": round(target, 1),
        "elo": elo.value,
        "interval": [elo.low, elo.high],
        "slips": {name: rate for name, rate in rates._asdict().items() if rate},
    }


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `uno-arena calibrate-levels`."""
    parser.add_argument("--deals", type=int, default=2000, help="deals a table (2000)")
    parser.add_argument(
        "--search-deals", type=int, default=200, help="deals a table of levels that search (200)"
    )
    parser.add_argument("--seed", type=int, default=0, help="which deals (0)")
    parser.add_argument("--out", type=Path, default=FILE, help=f"the file to write ({FILE.name})")


def run(options: argparse.Namespace) -> int:
    """Calibrate and write the file."""
    data = calibrate(Meter(options.deals, options.search_deals, options.seed))
    options.out.write_text(f"{json.dumps(data, indent=1)}\n", encoding="utf-8")
    print(f"Levels: {options.out}")
    return 0
