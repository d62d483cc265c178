"""Rewards of a finished game, per absolute seat; they sum to zero at any table size."""

import numpy as np

from ..jit import cold, jit
from ..lowlevel.bits import popcount
from .scoring import LOWEST_WINS

REWARDS = ("win", "points", "places")
WIN, POINTS, PLACES = range(3)
POINT_SCALE = 100.0


@cold
def write_rewards(s, r, mode, out):
    """`win`: +1 to winners and a shared loss. `points`: score gained against the others' mean.

    `places`: from +1 for the first to -1 for the last place, where seats play on for places; else
    as `win`.
    """
    n = s.num_players
    for seat in range(out.shape[0]):
        out[seat] = 0.0
    if s.winners == 0:
        return
    if mode == PLACES and r.play_on:
        _write_places(s, out)
        return
    if mode != POINTS:
        won = popcount(np.int64(s.winners))
        for seat in range(n):
            if (s.winners >> seat) & 1:
                out[seat] = 1.0 if won < n else 0.0
            else:
                out[seat] = -won / (n - won)
        return
    total = 0.0
    for seat in range(n):
        total += _gain(s, r, seat)
    for seat in range(n):
        gain = _gain(s, r, seat)
        out[seat] = (gain - (total - gain) / (n - 1)) / POINT_SCALE


@jit
def _gain(s, r, seat):
    points = s.scores[seat] if s.match else s.points[seat]
    return -1.0 * points if r.match_winner == LOWEST_WINS else 1.0 * points


@jit
def _write_places(s, out):
    n = s.num_players
    mean = 0.0
    for seat in range(n):
        mean += s.places[seat] / n
    for seat in range(n):
        out[seat] = 2.0 * (mean - s.places[seat]) / (n - 1)
