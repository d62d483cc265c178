"""What to give to a partner: the opening pass, an exchange, half of the hand."""

import numpy as np

from uno_env.cards import NUM_FACES
from uno_env.engine.jit import jit
from uno_env.engine.tables import COLOR_OF, KIND_OF

from .coefficients import GIFT_ACTION, GIFT_COLOR, GIFT_WILD, NO_CARDS
from .features import color_counts, of_color


@jit
def choose_gift(obs, mask, x):
    """A number of the colour held most, so that many colours are left; a wild last of all."""
    own = color_counts(obs, 0)
    best, most = 0, NO_CARDS
    for face in range(NUM_FACES):
        if mask[face]:
            color = COLOR_OF[face]
            value = GIFT_COLOR * of_color(own, color) if color < 4 else -GIFT_WILD
            if color < 4 and KIND_OF[face] >= 10:
                value -= GIFT_ACTION
            value = 4 * value + (np.int64(x >> np.uint64(face & 31)) & 3)
            if value > most:
                best, most = face, value
    return best
