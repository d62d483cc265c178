"""The order in which a block of games is stepped: games with similar actions in a row.

Games do not depend on each other, so any order gives the same results. In the order of the batch
every step takes another path through the rules, and most branches are mispredicted.
"""

import numpy as np

from ...actions import COLOR_0, NUM_ACTIONS, TARGET_1
from ...cards import NUM_FACES
from ..jit import always_inline
from ..tables import KIND_OF, NO_COLOR

BLOCK = 256
"""Games that are sorted and stepped before their observations are written.

Writing them at once would load words whose bytes have just been stored, which stalls store
forwarding; a block is small enough to stay in the second-level cache.
"""

GROUPS = 64

_FIRST_OTHER = int(KIND_OF.max()) + 1
ACTION_GROUP = np.full(NUM_ACTIONS + 1, GROUPS - 1)
ACTION_GROUP[:NUM_ACTIONS] = [
    KIND_OF[action] if action < NUM_FACES else _FIRST_OTHER + min(action, TARGET_1) - NUM_FACES
    for action in range(NUM_ACTIONS)
]
ACTION_GROUP[COLOR_0 : COLOR_0 + NO_COLOR] = ACTION_GROUP[COLOR_0]
"""Actions that take the same path: plays of one kind, the four colours, ...; at most 63. The last
entry is for numbers that are no action."""


@always_inline
def sort_block(actions, start, end, starts, order):
    """Fill `order` with the games start..end, sorted by the group of their action."""
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
    # One unsigned comparison: a negative number is a large one.
    return ACTION_GROUP[np.int64(min(np.uint64(action), np.uint64(NUM_ACTIONS)))]
