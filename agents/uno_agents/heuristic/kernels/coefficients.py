"""The heuristic's coefficients. The unit is about 1/16 of a card in hand.

A coefficient says how much better an action becomes, a `HOLD` how much using a card up costs. They
were tuned by play against `greedy` and against itself; most have wide optima.
"""

import numpy as np

from uno_env.cards import KINDS

# What playing a card leaves in the hand.
FOLLOW = 1
"""Each card left of the colour played."""
BRIDGE = 8
"""Lost for each card of the same kind in another colour: together they change the colour."""
SURE = 24
"""All cards left are wilds, which can always be played; in proportion when some are."""
SUM_READY = 12
"""A hand left that a single card could equal, where hands may be summed out."""
POINTS = 2
"""Ten points out of the hand, where each seat adds its own and somebody may soon go out."""
POINTS_AT = 4
"""Cards of another hand from which on that is so."""

# What the colour played means to others.
DENY = 14
"""The next seat surely cannot follow it, when it has more than two cards."""
DENY_TWO = 16
"""The same when it has two cards."""
DENY_ONE = 50
"""The same when it has one card."""
DENY_OTHERS = 8
"""Another opponent with one card surely cannot follow it."""
HELP = 4
"""The partner can surely follow it."""

HOLD_KINDS = {
    "skip": 4,
    "reverse": 3,
    "draw2": 8,
    "draw4": 18,
    "discard-all": 12,
    "skip-all": 6,
    "wild": 24,
    "wild-draw4": 28,
    "wild-hyper-speed": 20,
    "wild-reverse-draw4": 34,
    "wild-draw6": 45,
    "wild-draw10": 55,
    "wild-roulette": 28,
    "wild-swap": 16,
    "wild-team-play": 28,
    "wild-team-draw2": 34,
    "wild-skip": 26,
    "wild-reverse": 25,
    "wild-skip2": 27,
    "wild-draw2": 28,
    "wild-target-draw2": 28,
    "wild-forced-swap": 16,
    "wild-blank": 24,
}
"""The value of keeping a card: a wild as a last card, a draw card against a penalty."""
HOLD = np.array([HOLD_KINDS.get(kind, 0) for kind in KINDS], np.int64)
"""The same by the number of a kind."""

# What a card does.
STOP = 3
"""The next seat loses its turn."""
HIT = 2
"""The next seat draws a card."""
CLOSE_TWO = 2
"""Times as much when that seat holds two cards."""
CLOSE_ONE = 7
"""Times as much when that seat holds its last card."""
AGAIN = 8
"""Another turn at once, with a card to follow."""
WIN = 1000
"""The round is won, or an opponent eliminated, at once."""
EXTRA = 12
"""Each further card that a discard-all takes along."""
SWAP = 14
"""Each card by which the own side's hands get smaller through a swap."""
BLUFF = 12
"""Lost for each card in hand by a wild draw four against its rule that may be challenged."""
OWN_GOAL = 64
"""Lost by a penalty that comes back to oneself, or a turn the partner loses."""

# The target of a wild draw four.
CHALLENGE_AT = 22
"""Percent of certainty from which a challenge pays."""
BLUFF_RATE = 25
"""Percent of hands that could follow which play the wild draw four all the same."""

# Naming a colour.
COLOR_OWN = 20
"""Each own card of it."""
COLOR_OWN_TEAM = 6
"""The same in Teams, where the partner's cards count as well."""
COLOR_RISK = 12
"""The seat that has to follow surely can."""
COLOR_CLOSE = 24
"""The same when that seat has no more than two cards."""
COLOR_HELP = 24
"""The partner surely can follow."""

# Giving a card to the partner.
GIFT_COLOR = 3
"""Each own card of its colour: what is left should be of many colours."""
GIFT_ACTION = 4
"""Lost by giving an action card."""
GIFT_WILD = 80
"""Lost by giving a wild."""

NO_CARDS = np.int64(-(1 << 30))
"""Lower than any value."""
