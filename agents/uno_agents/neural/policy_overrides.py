"""Networks that lean on the hand-written player, and leave some decisions to it.

With `leans` in its metadata, a network plays what `heuristic` would, unless it finds another action
better by more than that: it has learned by how much actions differ, and needs not spend itself on
which of nearly equal ones `heuristic` takes. With `leaves_swaps` it does not choose whom to swap
with: which two of ten seats swap hands is one of 45 answers to a question asked about once a game,
which a network learns slowly. At small tables, with few answers, it decides itself.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from uno_env.actions import SWAP_0, SWAP_PAIRS
from uno_env.array_types import Bytes, Floats, Ints

from ..heuristic.kernels.features import R_TEAMS
from ..heuristic.kernels.policy import choose_each

Policy = Callable[[Bytes, Bytes], tuple[Floats, Floats]]
"""Observations (B, 640) and masks (B, 185) to masked logits (B, 185) and values (B,)."""

LEANS, LEAVES_SWAPS = "leans", "leaves_swaps"
FEW_PAIRS = 6
"""Pairs of seats at a table of four: up to there the network knows better."""
SURE, NEVER = 0.0, -1e9
_SWAPS = slice(SWAP_0, SWAP_0 + len(SWAP_PAIRS))


def as_described(policy: Policy, metadata: Mapping[str, Any]) -> Policy:
    """The policy with whatever its metadata says that `heuristic` has a say in."""
    leans = float(metadata.get(LEANS) or 0.0)
    if leans:
        policy = leaning(policy, leans)
    return leaving_swaps(policy) if metadata.get(LEAVES_SWAPS) else policy


def leaning(policy: Policy, by: float) -> Policy:
    """The same policy with the logit of the heuristic's choice raised, but not in Teams.

    There an action hardly matters alone, so logits are of another scale, and networks play better
    by themselves.
    """

    def leant(obs: Bytes, mask: Bytes) -> tuple[Floats, Floats]:
        logits, values = policy(obs, mask)
        logits = logits.copy()
        rows = np.flatnonzero(obs[:, R_TEAMS] == 0)
        logits[rows, habits(obs[rows], mask[rows])] += np.float32(by)
        return logits, values

    return leant


def leaving_swaps(policy: Policy) -> Policy:
    """The same policy, but sure of the heuristic's choice where many pairs of seats may swap."""

    def left(obs: Bytes, mask: Bytes) -> tuple[Floats, Floats]:
        logits, values = policy(obs, mask)
        rows = np.flatnonzero(mask[:, _SWAPS].sum(axis=1) > FEW_PAIRS)
        if len(rows):
            logits = logits.copy()
            logits[rows] = NEVER
            logits[rows, habits(obs[rows], mask[rows])] = SURE
        return logits, values

    return left


def habits(obs: Bytes, mask: Bytes) -> Ints:
    """The heuristic's actions (B,), each the same whatever else is asked with it."""
    actions = np.empty(len(obs), np.int64)
    # One layout of arrays, one compiled kernel.
    choose_each(np.ascontiguousarray(obs), np.ascontiguousarray(mask), actions)
    return actions
