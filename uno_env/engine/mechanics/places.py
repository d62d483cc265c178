"""Playing on for places (HR-12): seats without cards are out, until one is left."""

import numpy as np

from ..jit import cold
from ..lowlevel.bits import lowest_bit
from ..observation.event_log import E_OUT, EVERYBODY, emit
from .scoring import end_round
from .seats import set_called, set_live


@cold
def finish_with_place(s, r, log, seat):
    """The seat takes the best place that is left; with one seat left the round is over."""
    s.places[seat] = 1 + _places_taken(s)
    s.out_seats |= 1 << seat
    set_live(s, seat, False)
    set_called(s, seat, False)
    emit(s, log, E_OUT, seat, s.places[seat], EVERYBODY)
    if s.n_live == 1:
        end_round(s, r, log, 1 << winner_of_places(s))


@cold
def _places_taken(s):
    taken = 0
    for seat in range(s.num_players):
        taken += s.places[seat] > 0
    return taken


@cold
def winner_of_places(s):
    """The seat that was out first; the last one in play if all others were eliminated."""
    for seat in range(s.num_players):
        if s.places[seat] == 1:
            return seat
    return lowest_bit(np.int64(s.live))
