"""Positions of games among heuristics with who won: the weights are fitted to them."""

from uno_env.engine.jit import jit_entry
from uno_env.engine.lowlevel.bits import below, splitmix64
from uno_env.engine.step import new_game, step
from uno_env.engine.tables import P_PLAY

from .rollout import ask
from .value import write_traits


@jit_entry("positions")
def gather(games, rules, logs, desk, num_players, stream, every, traits, winners):
    """Fill rows of traits and winners from rounds among heuristics, about one turn in `every`."""
    s = games[0]
    r = rules[0]
    x = stream
    taken = 0
    while taken < traits.shape[0]:
        x = splitmix64(x)
        new_game(s, r, logs[0], 0, num_players, x, 0)
        first = taken
        while not s.finished:
            x = splitmix64(x)
            if s.phase == P_PLAY and taken < traits.shape[0] and below(x, every) == 0:
                write_traits(s, r, traits[taken])
                taken += 1
            step(s, r, logs[0], ask(s, r, desk[0], x))
        for i in range(first, taken):
            winners[i] = s.winners
