"""The return of a rollout for one seat: win probability of the round, or of the match.

In a match a round counts by the totals it leaves: by how much a seat leads, more so near the
target.
"""

import numpy as np

from uno_env.engine.jit import jit
from uno_env.engine.lowlevel.bits import popcount
from uno_env.engine.mechanics.piles import hand_points
from uno_env.engine.mechanics.scoring import HOLDERS_ADD, LOWEST_WINS
from uno_env.engine.mechanics.seats import partner_of

from .value import write_win_probabilities

LEAD = 4.0
"""Log odds of winning a match with a lead of the whole target, at the beginning of a match."""
LATE = 0.6
"""A lead counts more near the target: LEAD is divided by this plus the fraction left to play."""


@jit
def rollout_return(s, r, seat, is_match, coefficients, scratch):
    """The estimated probability that a seat wins from here."""
    if s.finished:
        if is_match:
            return match_win_probability(s, r, seat, scratch.totals)
        if s.winners == 0:
            return 2.0 / s.num_players if r.has_teams else 1.0 / s.num_players
        return 1.0 if (s.winners >> seat) & 1 else 0.0
    write_win_probabilities(s, r, coefficients, scratch.features, scratch.win_probabilities)
    if not is_match:
        return scratch.win_probabilities[seat]
    value = 0.0
    for winner in range(s.num_players // 2 if r.has_teams else s.num_players):
        _totals_if_won(s, r, winner, scratch.totals)
        value += scratch.win_probabilities[winner] * _softmax_of_leads(s, r, seat, scratch.totals)
    return value


@jit
def _totals_if_won(s, r, winner, totals):
    """The totals if the round ended now, with the hands as they are."""
    won = 1 << winner
    if r.has_teams:
        won |= 1 << partner_of(s, winner)
    left = r.elimination_bonus * popcount(s.eliminated)
    for seat in range(s.num_players):
        totals[seat] = s.scores[seat]
        if not (won >> seat) & 1:
            points = hand_points(s, r, seat)
            left += points
            if r.scoring_mode == HOLDERS_ADD:
                totals[seat] += points
    for seat in range(s.num_players):
        if (won >> seat) & 1:
            if r.scoring_mode != HOLDERS_ADD:
                totals[seat] += left
            totals[seat] -= totals[seat] * r.winner_bonus_percent / 100


@jit
def match_win_probability(s, r, seat, totals):
    """The probability to win a match after a round that has been counted."""
    for other in range(s.num_players):
        totals[other] = s.scores[other]
    return _softmax_of_leads(s, r, seat, totals)


@jit
def _softmax_of_leads(s, r, seat, totals):
    sign = -1.0 if r.match_winner == LOWEST_WINS else 1.0
    top, best = totals[0], sign * totals[0]
    for other in range(s.num_players):
        top = max(top, totals[other])
        best = max(best, sign * totals[other])
    if top > r.match_target or (top == r.match_target and not r.match_target_strict):
        return 1.0 if sign * totals[seat] == best else 0.0
    scale = LEAD / (LATE + 1.0 - top / r.match_target) / r.match_target
    total = 0.0
    sides = s.num_players // 2 if r.has_teams else s.num_players
    for other in range(sides):
        total += np.exp(scale * (sign * totals[other] - best))
    return np.exp(scale * (sign * totals[seat] - best)) / total
