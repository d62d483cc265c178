"""Cards that change hands: targets of a seven, pairs of a wild-swap, gifts to a partner."""

import numpy as np

from uno_env.actions import NO_SWAP, SWAP_0, SWAP_PAIRS, TARGET_1
from uno_env.cards import NUM_FACES
from uno_env.engine.jit import jit
from uno_env.engine.observation.layout import O_SEATS
from uno_env.engine.state import SEAT_ROW, SEAT_SCORE
from uno_env.engine.tables import COLOR_OF, KIND_OF, SWAP_I, SWAP_J
from uno_env.kinds import FIRST_ACTION_KIND

from .coefficients import GIFT_ACTION, GIFT_COLOR, GIFT_WILD, NO_CARDS
from .features import color_counts, is_in_play, of_color, partner_seat, size_of, table_size
from .styles import STYLES, SWAP_EAGERNESS_AT
from .tie_break import tie_breaker


@jit
def choose_target(obs, mask, style):
    """The smallest hand of an opponent; the partner's, or none, only when all those are larger."""
    best, most = 1, NO_CARDS
    for seat in range(1, table_size(obs)):
        gain = _gain(obs, seat, size_of(obs, 0))
        if mask[TARGET_1 + seat - 1] and gain > most:
            best, most = seat, gain
    least = -STYLES[style, SWAP_EAGERNESS_AT]
    return NO_SWAP if mask[NO_SWAP] and most < least else TARGET_1 + best - 1


@jit
def choose_victim(obs, mask):
    """Whom a targeted draw hits: the opponent with the fewest cards, the partner last of all."""
    best, fewest = 1, np.int64(1 << 30)
    for seat in range(1, table_size(obs)):
        cards = size_of(obs, seat) + (seat == partner_seat(obs)) * (1 << 16)
        if mask[TARGET_1 + seat - 1] and cards < fewest:
            best, fewest = seat, cards
    return TARGET_1 + best - 1


@jit
def best_gain(obs, size):
    """Cards by which the best swap makes a hand of this size smaller; may be negative."""
    most = NO_CARDS
    for seat in range(1, table_size(obs)):
        if is_in_play(obs, seat):
            most = max(most, _gain(obs, seat, size))
    return most


@jit
def _gain(obs, seat, size):
    return 0 if seat == partner_seat(obs) else size - size_of(obs, seat)


@jit
def choose_pair(obs, mask, style):
    """The swap that takes most cards from the own side, if any does.

    Whoever has won may still swap two losers: the one ahead in the match gets the larger hand.
    """
    best, most = NO_SWAP, -STYLES[style, SWAP_EAGERNESS_AT]
    for pair in range(len(SWAP_PAIRS)):
        if mask[SWAP_0 + pair]:
            gain = _pair_gain(obs, SWAP_I[pair], SWAP_J[pair])
            if gain > most:
                best, most = SWAP_0 + pair, gain
    return best


@jit
def _pair_gain(obs, i, j):
    more = size_of(obs, i) - size_of(obs, j)
    if size_of(obs, 0) == 0:
        ahead = np.int64(obs[O_SEATS + SEAT_ROW * i + SEAT_SCORE]) - np.int64(
            obs[O_SEATS + SEAT_ROW * j + SEAT_SCORE]
        )
        return ahead * more
    partner = partner_seat(obs)
    return more * ((i in (0, partner)) - (j in (0, partner)))


@jit
def choose_gift(obs, mask, x):
    """A number of the colour held most, so that many colours are left; a wild last of all."""
    own = color_counts(obs, 0)
    best, most = 0, NO_CARDS
    for face in range(NUM_FACES):
        if mask[face]:
            color = COLOR_OF[face]
            value = GIFT_COLOR * of_color(own, color) if color < 4 else -GIFT_WILD
            if color < 4 and KIND_OF[face] >= FIRST_ACTION_KIND:
                value -= GIFT_ACTION
            value = 4 * value + tie_breaker(x, face)
            if value > most:
                best, most = face, value
    return best
