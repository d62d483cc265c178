"""A digest of games played in this process: snapshots, views, observations, masks, rewards.

    python -m tests.engine.digest 250        one line a preset, 250 steps each

Run with and without `NUMBA_DISABLE_JIT=1` the lines must be equal.
"""

import hashlib
import json
import sys

import numpy as np

import uno_env as uno
from uno_env.engine.jit import IS_COMPILED

from .strategies import Driver

TABLES = {
    "hyper_speed": 3,
    "classic": 4,
    "no_mercy": 4,
    "ig2000": 3,
    "loche": 5,
    "teams": 4,
    "all_wild": 4,
}


def digest(variant: str, steps: int) -> str:
    """The digest of that many steps of a preset, game after game, rounds and matches."""
    told = hashlib.sha256()
    rng = np.random.default_rng(1)
    left, seed = steps, 0
    while left > 0:
        episode = ("round", "match")[seed % 2]
        game = uno.Game(variant, TABLES[variant], seed, episode)
        driver = Driver(seed, 0.8)
        seed += 1
        while left > 0 and not game.over:
            game.step(driver.choose(game))
            left -= 1
            seat = int(rng.integers(game.num_players))
            told.update(json.dumps(game.snapshot(), sort_keys=True).encode())
            told.update(json.dumps(game.view(seat), sort_keys=True).encode())
            told.update(game.observe(seat).tobytes() + game.mask().tobytes())
            if left % 50 == 0:
                loaded = uno.Game.from_snapshot(game.snapshot())
                sampled = uno.determinize(game.view(seat), np.random.default_rng(left))
                for other in (loaded, sampled):
                    told.update(json.dumps(other.snapshot(), sort_keys=True).encode())
        told.update(json.dumps([game.rewards("win"), game.rewards("points")]).encode())
    return told.hexdigest()


if __name__ == "__main__":
    print("compiled" if IS_COMPILED else "plain Python", file=sys.stderr)
    for name in uno.VARIANTS:
        print(name, digest(name, int(sys.argv[1])))
