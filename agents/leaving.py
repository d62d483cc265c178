"""Leaving decisions to the hand-written player: a policy that does not choose whom to swap with.

Which two of ten seats swap hands is one of 45 answers to a question that is asked about once a
game. A network learns it slowly and `heuristic` answers it well, so a checkpoint whose metadata has
`leaves_swaps` is asked about everything else. At small tables, with few answers, it decides itself.
"""

from collections.abc import Callable

import numpy as np

from uno_env.actions import SWAP_0, SWAP_PAIRS

from .base import Bytes
from .kernels.heuristic import choose_batch
from .weights import Floats

Policy = Callable[[Bytes, Bytes], tuple[Floats, Floats]]
"""Observations (B, 640) and masks (B, 185) to masked logits (B, 185) and values (B,)."""

LEAVES_SWAPS = "leaves_swaps"
FEW_PAIRS = 6
"""Pairs of seats at a table of four: up to there the network knows better."""
SURE, NEVER = 0.0, -1e9
_SWAPS = slice(SWAP_0, SWAP_0 + len(SWAP_PAIRS))


def leaving_swaps(policy: Policy) -> Policy:
    """The same policy, but sure of the heuristic's choice where many pairs of seats may swap."""

    def left(obs: Bytes, mask: Bytes) -> tuple[Floats, Floats]:
        logits, values = policy(obs, mask)
        rows = np.flatnonzero(mask[:, _SWAPS].sum(axis=1) > FEW_PAIRS)
        if len(rows):
            logits = logits.copy()
            logits[rows] = NEVER
            logits[rows, [_heuristic(obs[row], mask[row]) for row in rows]] = SURE
        return logits, values

    return left


def _heuristic(obs: Bytes, mask: Bytes) -> int:
    """The heuristic's action, the same for the same position, whatever else is asked with it."""
    action = np.empty(1, np.int64)
    stream = np.zeros(1, np.uint64)
    choose_batch(np.array(obs[None]), np.array(mask[None]), stream, action)
    return int(action[0])
