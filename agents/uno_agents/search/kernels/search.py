"""The search itself: candidate actions tried in the same worlds, played on, and weighed."""

from uno_env.engine.jit import jit_entry
from uno_env.engine.lowlevel.bits import splitmix64
from uno_env.engine.step import step

from .returns import worth
from .rollout import ask, play_on
from .worlds import imagine

ROOT, WORLD, LINE = range(3)
GAMES = 3
"""Records a search works with: the position, a world, a line played in it."""

SUM, GAP, SQUARE = range(3)
TALLIES = 3
"""Per candidate: the sum of its worths, of its leads over candidate 0, and of their squares."""


@jit_entry("heuristic's choice")
def first_choice(games, rules, desk, x):
    """What the heuristic would do in the root position."""
    s = games[ROOT]
    return ask(s, rules[s.rule], desk[0], x)


@jit_entry("search")
def simulate(
    games, rules, logs, desk, seat, knows_all, candidates, first, last, stream, most, weights, tally
):
    """Play each candidate in each of the worlds `first` to `last`; returns decisions made.

    Worlds are numbered: world k is a function of (stream, k) and what `seat` knows, or the true
    position if it `knows_all`. All candidates meet the same worlds with the same luck.
    """
    root = games[ROOT]
    r = rules[root.rule]
    made = 0
    for number in range(first, last):
        x = splitmix64(stream ^ splitmix64(number))
        if knows_all:
            games[WORLD] = root
        else:
            x = imagine(games, r, desk[0], seat, x)
        # A round is simulated, never the rest of a match.
        games[WORLD].match = 0
        base = 0.0
        for i in range(candidates.shape[0]):
            games[LINE] = games[WORLD]
            line = games[LINE]
            step(line, r, logs[0], candidates[i])
            made += 1 + play_on(line, r, logs[0], desk[0], splitmix64(x), most)
            value = worth(line, r, seat, root.match, weights, desk[0])
            if i == 0:
                base = value
            lead = value - base
            tally[SUM, i] += value
            tally[GAP, i] += lead
            tally[SQUARE, i] += lead * lead
    return made
