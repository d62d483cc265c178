"""Studying positions of a batch: what each legal action is worth, by the means of the search."""

from uno_env.engine.jit import jit, jit_entry
from uno_env.engine.lowlevel.bits import splitmix64
from uno_env.engine.mechanics.legal_actions import is_allowed
from uno_env.engine.step import step

from .returns import worth
from .rollout import play_on
from .worlds import imagine

ROOT, WORLD, LINE = range(3)
LEAST_WORLDS = 8
"""Worlds that every action meets, however many there are."""
LONG, TURNS = 16, 6
"""Decisions of a line, and of each seat in it: longer than in play, where noise matters more and a
wrong weight of unfinished lines less."""
SPARE = 3
"""Records to work in, in the order that `imagine` expects: position, world, a line played in it."""


@jit_entry("study")
def study(games, rules, weights, rows, first, last, spare, logs, desk, sims, stream, worths):
    """Write the mean worth of every legal action of the seat to act, in rows `first` to `last`.

    All actions of a position meet the same worlds with the same luck, so their differences are
    much surer than the numbers themselves. Worlds fit what the seat knows: the hidden cards of
    the true game have no part in them.

    Args:
        weights: a row for each of the rules, see `search_weights`.
        rows: numbers of games.
        spare: `SPARE` records to work in.
        sims: simulations for each position, shared among its actions; at least `LEAST_WORLDS`
            for each of them.
        stream: a random word; with a row's place it fixes the worlds.
        worths: (rows, actions), zero at first; written where an action is legal.
    """
    for i in range(first, last):
        spare[ROOT] = games[rows[i]]
        root = spare[ROOT]
        # A round is simulated, never the rest of a match.
        root.match = 0
        r = rules[root.rule]
        most = max(LONG, TURNS * root.num_players)
        worlds = max(LEAST_WORLDS, sims // _count_allowed(root, worths.shape[1]))
        for number in range(worlds):
            x = splitmix64(stream ^ splitmix64((i << 20) + number))
            x = imagine(spare, r, desk[0], root.actor, x)
            for action in range(worths.shape[1]):
                if is_allowed(root, action):
                    spare[LINE] = spare[WORLD]
                    line = spare[LINE]
                    step(line, r, logs[0], action)
                    play_on(line, r, logs[0], desk[0], splitmix64(x), most)
                    value = worth(line, r, root.actor, 0, weights[root.rule], desk[0])
                    worths[i, action] += value / worlds


@jit
def _count_allowed(s, actions):
    count = 0
    for action in range(actions):
        if is_allowed(s, action):
            count += 1
    return count
