"""Simulations of one decision: candidate actions in the same worlds, rolled out and valued."""

from uno_env.engine.jit import jit_entry
from uno_env.engine.lowlevel.bits import splitmix64
from uno_env.engine.lowlevel.copy_game import copy_game
from uno_env.engine.step import step

from .returns import rollout_return
from .rollout import heuristic_action, rollout
from .sample_world import make_world

ROOT, WORLD, LEAF = range(3)
GAMES = 3
"""Records a search works in: the position, a world, the leaf of a rollout."""

RETURN_SUM, LEAD_SUM, LEAD_SQUARES = range(3)
NUM_SUMS = 3
"""Per candidate: the sum of its returns, of its leads over candidate 0, and of their squares."""


@jit_entry("heuristic's action")
def root_heuristic_action(games, rules, scratch, x):
    """The heuristic's action in the root position."""
    s = games[ROOT]
    scratch[0].num_players = 0
    return heuristic_action(s, rules[s.rule], scratch[0], x)


@jit_entry("search")
def simulate(
    games, rules, logs, scratch, seat, knows_all, candidates, first, last, key, depth,
    coefficients, sums,
):  # fmt: skip
    """Simulate each candidate in each of the worlds `first` to `last`; returns decisions made.

    All candidates share worlds (`make_world`) and random numbers (common random numbers).
    """
    root = games[ROOT]
    r = rules[root.rule]
    made = 0
    for number in range(first, last):
        x = make_world(games, r, scratch[0], seat, knows_all, key, number)
        base = 0.0
        for i in range(candidates.shape[0]):
            copy_game(games[LEAF], games[WORLD])
            leaf = games[LEAF]
            step(leaf, r, logs[0], candidates[i])
            made += 1 + rollout(leaf, r, logs[0], scratch[0], splitmix64(x), depth)
            value = rollout_return(leaf, r, seat, root.match, coefficients, scratch[0])
            if i == 0:
                base = value
            lead = value - base
            sums[RETURN_SUM, i] += value
            sums[LEAD_SUM, i] += lead
            sums[LEAD_SQUARES, i] += lead * lead
    return made
