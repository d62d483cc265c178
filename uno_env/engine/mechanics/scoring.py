"""The end of a round and of a match: who won, points, totals."""

from ..jit import always_inline, cold, jit
from ..lowlevel.bits import popcount
from ..observation.event_log import E_HAND, E_MATCH_END, E_ROUND_END, EVERYBODY, emit, emit_hand
from ..state import SEAT_SCORE, STAGE_OVER, code
from ..tables import P_OVER
from .piles import hand_points
from .seats import partner_of

HOLDERS_ADD = code("scoring_mode", "holders_add")
LOWEST_WINS = code("match_winner", "lowest")


@always_inline
def team_bits(s, r, seat):
    """The seat, and in Teams its partner."""
    bits = 1 << seat
    if r.has_teams:
        bits |= 1 << partner_of(s, seat)
    return bits


@cold
def end_round(s, r, log, winners):
    """Close the round: `winners` are the bits of the winning seats, 0 for a void round."""
    s.round_winners = winners
    s.pending_amount = 0
    s.pending_value = 0
    s.pending_source = -1
    s.contestable = 0
    if r.play_on and winners:
        _fill_places(s)
    _count_points(s, r, winners)
    emit(s, log, E_ROUND_END, winners, s.round_no, EVERYBODY)
    for seat in range(s.num_players):
        emit_hand(s, log, E_HAND, seat, s.points[seat], EVERYBODY)
    if winners:
        _add_scores(s, r, winners)
    s.stage = STAGE_OVER
    s.phase = P_OVER
    s.actor = -1
    if not s.match:
        s.finished = 1
        s.winners = winners
        s.is_void = winners == 0
    elif _match_is_over(s, r):
        s.finished = 1
        s.winners = _match_winners(s, r)
        emit(s, log, E_MATCH_END, s.winners, s.round_no, EVERYBODY)
    elif s.round_no + 1 >= r.max_rounds:
        s.finished = 1
        s.winners = 0
        s.is_void = 1


@jit
def _fill_places(s):
    """The seats still in play share the next place, those eliminated the one after it."""
    place = 1
    for seat in range(s.num_players):
        place += s.places[seat] > 0
    for seat in range(s.num_players):
        if s.places[seat] == 0:
            s.places[seat] = place + ((s.eliminated >> seat) & 1) * s.n_live


@jit
def _count_points(s, r, winners):
    left = 0
    for seat in range(s.num_players):
        s.points[seat] = 0
        if winners and not (winners >> seat) & 1 and not (s.eliminated >> seat) & 1:
            points = hand_points(s, r, seat)
            left += points
            if r.scoring_mode == HOLDERS_ADD:
                s.points[seat] = points
    if r.scoring_mode == HOLDERS_ADD:
        if r.has_teams:
            _share_in_teams(s)
        return
    left += r.elimination_bonus * popcount(s.eliminated)
    for seat in range(s.num_players):
        if (winners >> seat) & 1:
            s.points[seat] = left


@jit
def _share_in_teams(s):
    for seat in range(s.num_players // 2):
        other = partner_of(s, seat)
        s.points[seat] += s.points[other]
        s.points[other] = s.points[seat]


@jit
def _add_scores(s, r, winners):
    for seat in range(s.num_players):
        s.scores[seat] += s.points[seat]
        if (winners >> seat) & 1:
            # IG-R20: the rounding belongs to the ten percent.
            s.scores[seat] -= s.scores[seat] * r.winner_bonus_percent // 100
        share = s.scores[seat] * 255 // r.match_target
        s.seats[seat, SEAT_SCORE] = min(max(share, 0), 255)


@jit
def _match_is_over(s, r):
    for seat in range(s.num_players):
        if s.scores[seat] > r.match_target:
            return True
        if s.scores[seat] == r.match_target and not r.match_target_strict:
            return True
    return False


@jit
def _match_winners(s, r):
    best = s.scores[0]
    for seat in range(s.num_players):
        if r.match_winner == LOWEST_WINS:
            best = min(best, s.scores[seat])
        else:
            best = max(best, s.scores[seat])
    winners = 0
    for seat in range(s.num_players):
        if s.scores[seat] == best:
            winners |= 1 << seat
    return winners
