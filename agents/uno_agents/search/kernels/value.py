"""The value function at rollout leaves: each seat's probability to win the round.

A rollout has no hidden cards, so every hand is read. A seat's strength is linear in its features;
probabilities are the softmax of the strengths, in Teams of the sums over partners.
"""

import numpy as np

from uno_env.array_types import Doubles
from uno_env.cards import FIRST_GIVE, FIRST_WILD
from uno_env.engine.jit import jit
from uno_env.engine.lowlevel.bits import popcount
from uno_env.engine.mechanics.playable import playable
from uno_env.engine.mechanics.seats import next_seat
from uno_env.engine.tables import COLOR_HI, COLOR_LO, NUMBER_HI, NUMBER_LO, WILD_HI

from .coefficients import DEFAULT_COEFFICIENTS, SEARCH_COEFFICIENTS

SIZE_CLASS = np.array(
    [0, 0, 1, 2, 3, 4, 5, 6, 7, 7, *[8] * 3, *[9] * 4, *[10] * 4, *[11] * 256], np.int64
)
"""Bins of hand sizes: 1 to 7 each, 8-9, 10-12, 13-16, 17-20, more."""

AWAY = 12
WILDS, ACTIONS, COLORS = 13, 14, 15
TO_MOVE, IS_NEXT, TURNS_TO_WAIT = 16, 17, 18
CAN_NOW, WAYS_NOW = 19, 20
CAN_NEXT, WAYS_NEXT = 21, 22
LAST_FITS, LAST_TWO_FIT = 23, 26
FEW_WILDS = 29
NUM_FEATURES = 32
FEATURE_NAMES = (
    "1 card",
    *(f"{size} cards" for size in (2, 3, 4, 5, 6, 7, "8-9", "10-12", "13-16", "17-20", "more")),
    "not in play",
    "wilds",
    "action faces",
    "colours held",
    "to move",
    "next to move",
    "turns to wait",
    "to move and can play",
    "to move: faces it can play",
    "next and could play",
    "next: faces it could play",
    *(f"1 card that fits, {when}" for when in ("to move", "next", "later")),
    *(f"2 cards, one fits, {when}" for when in ("to move", "next", "later")),
    *(f"wilds among {size}" for size in ("1 card", "2 cards", "3 cards")),
)


def search_coefficients(variant: str, has_teams: bool) -> Doubles:
    """The coefficient of each feature; team games of every variant share those of `teams`."""
    return SEARCH_COEFFICIENTS.get("teams" if has_teams else variant, DEFAULT_COEFFICIENTS)


@jit
def write_features(s, r, rows):
    """The features of every seat at the beginning of a turn, one row a seat."""
    for seat in range(s.num_players):
        for feature in range(NUM_FEATURES):
            rows[seat, feature] = 0.0
        if not (s.live >> seat) & 1:
            rows[seat, AWAY] = 1.0
    seat = s.turn
    for wait in range(s.n_live):
        _write_hand(s, seat, rows)
        _write_turn_order(s, r, seat, wait, rows)
        seat = next_seat(s, seat)


@jit
def _write_hand(s, seat, rows):
    size = np.int64(s.hand_sizes[seat])
    rows[seat, SIZE_CLASS[size]] = 1.0
    wilds = np.int64(0)
    for face in range(FIRST_WILD, FIRST_GIVE):
        wilds += np.int64(s.hands[seat, face])
    rows[seat, WILDS] = min(wilds, 4)
    actions = popcount(s.hand_sets[seat, 0] & ~NUMBER_LO)
    actions += popcount(s.hand_sets[seat, 1] & ~NUMBER_HI & ~WILD_HI)
    rows[seat, ACTIONS] = min(actions, 6)
    for color in range(4):
        if (s.hand_sets[seat, 0] & COLOR_LO[color]) | (s.hand_sets[seat, 1] & COLOR_HI[color]):
            rows[seat, COLORS] += 1.0
    if 1 <= size <= 3:
        rows[seat, FEW_WILDS + size - 1] = wilds


@jit
def _write_turn_order(s, r, seat, wait, rows):
    size = np.int64(s.hand_sizes[seat])
    lo, hi = playable(s, r, seat)
    ways = popcount(lo) + popcount(hi)
    can = 1.0 if ways else 0.0
    rows[seat, TURNS_TO_WAIT] = wait / s.n_live
    if wait == 0:
        rows[seat, TO_MOVE] = 1.0
        rows[seat, CAN_NOW] = can
        rows[seat, WAYS_NOW] = min(ways, 5)
    elif wait == 1:
        rows[seat, IS_NEXT] = 1.0
        rows[seat, CAN_NEXT] = can
        rows[seat, WAYS_NEXT] = min(ways, 5)
    if size == 1:
        rows[seat, LAST_FITS + min(wait, 2)] = can
    elif size == 2:
        rows[seat, LAST_TWO_FIT + min(wait, 2)] = can


@jit
def write_win_probabilities(s, r, coefficients, rows, probabilities):
    """Each seat's win probability, in Teams that of its team; `rows` is a scratch buffer."""
    write_features(s, r, rows)
    n = np.int64(s.num_players)
    sides = n // 2 if r.has_teams else n
    total = 0.0
    for seat in range(sides):
        strength = 0.0
        for feature in range(NUM_FEATURES):
            strength += coefficients[feature] * rows[seat, feature]
            if r.has_teams:
                strength += coefficients[feature] * rows[seat + sides, feature]
        probabilities[seat] = np.exp(strength)
        total += probabilities[seat]
    for seat in range(sides):
        probabilities[seat] /= total
        if r.has_teams:
            probabilities[seat + sides] = probabilities[seat]
