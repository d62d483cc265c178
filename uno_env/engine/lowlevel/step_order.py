"""The order in which a block of games is stepped: games with like actions one after another.

Games do not depend on each other, so any order gives the same results. In the order of the batch
every step takes another way through the rules and the processor guesses most branches wrong.
"""

import numpy as np

from ...actions import COLOR_0, NUM_ACTIONS, TARGET_1
from ...cards import NUM_FACES
from ..jit import always_inline
from ..tables import KIND_OF

BLOCK = 256
"""Games that are sorted and stepped before their observations are written.

Writing at once would read words whose bytes were stored a moment ago, which stalls the
processor; a block is short enough to stay in the second cache.
"""

GROUPS = 64

_FIRST_OTHER = int(KIND_OF.max()) + 1
LIKENESS = np.full(NUM_ACTIONS + 1, GROUPS - 1)
LIKENESS[:NUM_ACTIONS] = [
    KIND_OF[action] if action < NUM_FACES else _FIRST_OTHER + min(action, TARGET_1) - NUM_FACES
    for action in range(NUM_ACTIONS)
]
LIKENESS[COLOR_0:TARGET_1] = LIKENESS[COLOR_0]
"""Which actions take the same way: plays of one kind, the four colours, ...; at most 63. The last
entry is for what is no action at all."""


@always_inline
def sort_block(actions, start, end, starts, order):
    """Fill `order` with the games start..end, like actions together."""
    for group in range(GROUPS + 1):
        starts[group] = 0
    for i in range(start, end):
        starts[_group(actions[i]) + 1] += 1
    for group in range(GROUPS):
        starts[group + 1] += starts[group]
    for i in range(start, end):
        group = _group(actions[i])
        order[starts[group]] = i
        starts[group] += 1


@always_inline
def _group(action):
    # One comparison without a sign: a negative number is a large one.
    return LIKENESS[np.int64(min(np.uint64(action), np.uint64(NUM_ACTIONS)))]
