"""Games for the tests of rendering: played at random, to some point."""

from collections.abc import Iterator

import numpy as np

import uno_env as uno


def played(variant: str, num_players: int, seed: int, steps: int, **options: str) -> uno.Game:
    """A game after some random steps, or at its end if it has fewer."""
    game = uno.Game(variant, num_players=num_players, seed=seed, **options)
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        if game.over:
            break
        game.step(int(rng.choice(game.legal_ids())))
    return game


def tables(steps: int) -> Iterator[uno.Game]:
    """Every variant at its smallest and largest table."""
    for variant in uno.VARIANTS:
        rules = uno.Rules.preset(variant)
        for seats in (rules.min_players, rules.max_players):
            yield played(variant, seats, seed=seats, steps=steps)
