"""Random bits that let equally good cards take turns."""

import numpy as np

from uno_env.cards import FIRST_GIVE, NUM_FACES
from uno_env.engine.jit import always_inline
from uno_env.engine.tables import COLOR_OF, KIND_OF, NO_COLOR
from uno_env.kinds import FIRST_WILD_KIND


def _tie_shift(face: int) -> int:
    """Which bits of a random word break a tie for a face: a number all its own of 0 to 30."""
    color, kind = int(COLOR_OF[face]), int(KIND_OF[face])
    if color == NO_COLOR:
        number = kind - FIRST_WILD_KIND
    elif face < FIRST_GIVE:
        number = 16 * color + kind
    else:
        number = 10 + 10 * color + kind
    return number & 31


TIE_SHIFT = np.array([_tie_shift(face) for face in range(NUM_FACES)], np.int64)


@always_inline
def tie_breaker(x, face):
    """Two random bits, so that equally good cards take turns."""
    return np.int64(x >> np.uint64(TIE_SHIFT[face])) & 3
