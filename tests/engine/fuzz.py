"""Fuzzing of snapshots, in a process of its own: a crash or a hang must not take the tests along.

    python -m tests.engine.fuzz --part engine_state --first 0 --count 500

Each case is a snapshot of a real game with a few values spoilt. It must be refused with an error
that is a ValueError, or load and play on; the case is printed when it does neither.
"""

import argparse
import copy
import faulthandler
from collections import Counter
from typing import Any

import numpy as np

import uno_env as uno
from uno_env.engine.tables import PHASES
from uno_env.state_io.engine_state import STAGES

from .strategies import Driver, bounded, states

GARBAGE: tuple[Any, ...] = (
    *(None, True, False, -1, 0, 1, 2, 3, 7, 10, 11, 17, 25, 99, 255, 256, 1000, 10**6),
    *(2**31, 2**63 - 1, 2**63, 2**64 - 1, 2**64, -(2**63), 10**30, 1.5, float("nan"), float("inf")),
    *("", "red", "blue", "red-1", "wild", "wild-draw4", "red-99", "x" * 999, *PHASES),
    *([], [0], [1, 2], [-1], [[]], [[[]]], [None], {}, {"a": 1}, ["red-1"] * 300, ["wild"]),
)
INTEGERS = (*range(-2, 26), 64, 99, 127, 128, 255, 2000, 10**6, 2**31, 2**40, 2**63 - 1, -(2**63))
SECONDS = 20
OUT_OF_BOUNDS = "index is out of bounds"
"""What a kernel says with `NUMBA_BOUNDSCHECK=1`: a read of foreign memory without it."""


def spoil(data: dict[str, Any], part: str, rng: np.random.Generator) -> str:
    """Spoil one value of a snapshot in place; returns what was done."""
    node: Any = data["engine_state"] if part == "engine_state" else data
    path = part if part == "engine_state" else ""
    while True:
        keys = list(node) if isinstance(node, dict) else list(range(len(node)))
        key = keys[int(rng.integers(len(keys)))]
        path += f"[{key!r}]"
        if not isinstance(node[key], (dict, list)) or not node[key] or rng.random() < 0.4:
            break
        node = node[key]
    how = rng.random()
    if how < 0.1:
        del node[key]
        return f"del {path}"
    kin = _of_its_kind(node[key]) if how < 0.75 else GARBAGE
    node[key] = copy.deepcopy(kin[int(rng.integers(len(kin)))])
    return f"{path} = {str(node[key])[:60]!r}"


def _of_its_kind(value: Any) -> tuple[Any, ...]:
    """Values that pass for this one at first sight: the dangerous ones."""
    if isinstance(value, bool):
        return (not value,)
    if isinstance(value, int):
        return INTEGERS
    for words in (PHASES, uno.COLORS, uno.FACES, uno.VARIANTS, STAGES):
        if value in words:
            return words
    return GARBAGE


def some_snapshot(rng: np.random.Generator) -> dict[str, Any]:
    """The snapshot of a preset's game at some moment."""
    rules = bounded(uno.Rules.preset(str(rng.choice(uno.VARIANTS))))
    if rng.random() < 0.2:
        rules = rules.replace(fault_mode="penalty")
    episode = str(rng.choice(["round", "match"]))
    game = uno.Game(rules, 4, int(rng.integers(2**32)), episode)
    for _ in states(game, Driver(int(rng.integers(2**32)), 0.8), most=int(rng.integers(150))):
        pass
    return game.snapshot()


def cards(game: uno.Game) -> Counter[str]:
    """Every card on the table."""
    now = game.snapshot()
    piles = [*now["hands"], now["draw_pile"], now["discard"], now["set_aside"]]
    return Counter(card for pile in piles for card in pile)


def try_case(number: int, part: str) -> bool:
    """One case: refused, or loaded (True) and played on."""
    rng = np.random.default_rng([number, len(part)])
    data = some_snapshot(rng)
    if part == "partial":
        del data["engine_state"]
    spoilt = [spoil(data, part, rng) for _ in range(int(rng.integers(1, 3)))]
    print(f"case {number}: {'; '.join(spoilt)}", flush=True)
    try:
        game = uno.Game.from_snapshot(data)
    except ValueError as refusal:
        assert str(refusal), "an error without a word"
        assert OUT_OF_BOUNDS not in str(refusal), refusal
        return False
    there = cards(game)
    for _ in states(game, Driver(number, 0.5), most=50):
        assert game.over or game.legal(), "nothing to do"
        assert (game.actor is None) == game.over
        if game.episode == "round":
            assert cards(game) == there, "cards came or went"
    return True


def main() -> None:
    """Run cases; the exit code is 0 if all were refused or played on."""
    parser = argparse.ArgumentParser(description="Fuzz the reading of snapshots.")
    parser.add_argument("--part", choices=("all", "partial", "engine_state"), default="all")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=200)
    options = parser.parse_args()
    faulthandler.enable()
    # The engine may have to be compiled: that is no hang.
    uno.Game.from_snapshot(some_snapshot(np.random.default_rng(0)))
    loaded = 0
    for number in range(options.first, options.first + options.count):
        faulthandler.dump_traceback_later(SECONDS, exit=True)
        loaded += try_case(number, options.part)
    faulthandler.cancel_dump_traceback_later()
    print(f"{loaded} of {options.count} loaded")


if __name__ == "__main__":
    main()
