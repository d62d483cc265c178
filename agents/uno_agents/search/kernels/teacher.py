"""Action values of many positions, from a few simulations of each legal action."""

from uno_env.engine.jit import jit, jit_entry
from uno_env.engine.lowlevel.bits import splitmix64
from uno_env.engine.lowlevel.copy_game import copy_game
from uno_env.engine.mechanics.legal_actions import is_allowed
from uno_env.engine.step import step

from .returns import rollout_return
from .rollout import rollout
from .sample_world import sample_world

ROOT, WORLD, LEAF = range(3)
MIN_WORLDS = 8
"""Worlds that every action is simulated in, however many actions there are."""
SCRATCH_GAMES = 3
"""Records to work in, in the order of `sample_world`: position, world, leaf."""


@jit_entry("search teacher")
def evaluate_actions(
    games, rules, coefficients, rows, first, last, scratch_games, logs, scratch, sims, depths, key,
    q_values,
):  # fmt: skip
    """Write the mean return of every legal action of the seat to act, in rows `first` to `last`.

    All actions of a position are simulated in the same worlds with the same random numbers, so
    their differences have a much lower variance than the values themselves. Worlds fit what the
    seat knows: the true hidden cards have no influence.

    Args:
        coefficients: a row for each of the rules, see `search_coefficients`.
        rows: numbers of games.
        scratch_games: `SCRATCH_GAMES` records to work in.
        sims: simulations for each position, shared among its actions; at least `MIN_WORLDS` for
            each of them.
        depths: decisions of a rollout, for each row.
        key: a random word; with a row's index it fixes the worlds.
        q_values: (rows, actions), zero at first; written where an action is legal.
    """
    for i in range(first, last):
        copy_game(scratch_games[ROOT], games[rows[i]])
        root = scratch_games[ROOT]
        # A round is simulated, never the rest of a match.
        root.match = 0
        r = rules[root.rule]
        worlds = max(MIN_WORLDS, sims // _count_allowed(root, q_values.shape[1]))
        for number in range(worlds):
            x = splitmix64(key ^ splitmix64((i << 20) + number))
            x = sample_world(scratch_games, r, scratch[0], root.actor, x)
            for action in range(q_values.shape[1]):
                if is_allowed(root, action):
                    copy_game(scratch_games[LEAF], scratch_games[WORLD])
                    leaf = scratch_games[LEAF]
                    step(leaf, r, logs[0], action)
                    rollout(leaf, r, logs[0], scratch[0], splitmix64(x), depths[i])
                    value = rollout_return(
                        leaf, r, root.actor, 0, coefficients[root.rule], scratch[0]
                    )
                    q_values[i, action] += value / worlds


@jit
def _count_allowed(s, actions):
    count = 0
    for action in range(actions):
        if is_allowed(s, action):
            count += 1
    return count
