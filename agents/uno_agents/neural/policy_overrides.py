"""Policy overrides: where a network's logits are combined with the hand-written player's action.

Metadata `heuristic_prior` is a logit bonus for the action `heuristic` would take. The network then
learns by how much actions differ, and need not learn which of nearly equal ones `heuristic` takes.
In a mixture of experts it is that of the base network, and each expert may have its own.
Metadata `override_swaps` hands the choice of a swap to `heuristic` at large tables: which two of
ten seats swap hands is one of 45 actions, asked about once a game, and a network learns it slowly.
Metadata `override_targets` does the same for the one seat to swap with or to let draw.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from uno_env.actions import MAX_SEATS, SWAP_0, SWAP_PAIRS, TARGET_1
from uno_env.array_types import Bytes, Floats, Ints

from ..heuristic.kernels.features import R_TEAMS
from ..heuristic.kernels.policy import choose_each
from .experts import HEURISTIC_PRIOR, GateColumns, experts_of, route

Policy = Callable[[Bytes, Bytes], tuple[Floats, Floats]]
"""Observations (B, 1280) and masks (B, 208) to masked logits (B, 208) and values (B,)."""

OVERRIDE_SWAPS, OVERRIDE_TARGETS = "override_swaps", "override_targets"
MAX_OWN_PAIRS, MAX_OWN_TARGETS = 6, 6
"""Up to the pairs of a table of four, and the seats of a table of seven, the network chooses."""
CHOSEN_LOGIT, OTHER_LOGIT = 0.0, -1e9
_SWAPS = slice(SWAP_0, SWAP_0 + len(SWAP_PAIRS))
_TARGETS = slice(TARGET_1, TARGET_1 + MAX_SEATS - 1)


def apply_overrides(policy: Policy, metadata: Mapping[str, Any]) -> Policy:
    """The policy with the overrides that its metadata asks for."""
    experts = experts_of(metadata)
    own = float(metadata.get(HEURISTIC_PRIOR) or 0.0)
    priors = np.array([own, *(expert.heuristic_prior for expert in experts)], np.float32)
    if priors.any():
        columns = [expert.columns() for expert in experts]
        policy = with_heuristic_prior(policy, priors, columns)
    if metadata.get(OVERRIDE_SWAPS):
        policy = with_override(policy, _SWAPS, MAX_OWN_PAIRS)
    if metadata.get(OVERRIDE_TARGETS):
        policy = with_override(policy, _TARGETS, MAX_OWN_TARGETS)
    return policy


def with_heuristic_prior(
    policy: Policy, priors: Floats, columns: Sequence[GateColumns] = ()
) -> Policy:
    """Add a bonus to the logit of the heuristic's action, except in Teams.

    In Teams a single action changes the outcome so little that logits have another scale; there
    networks play better without the prior.

    Args:
        policy: whose logits.
        priors: the bonus where the base network decides, then where each expert does.
        columns: the gates of the experts.
    """

    def biased(obs: Bytes, mask: Bytes) -> tuple[Floats, Floats]:
        logits, values = policy(obs, mask)
        bonus = np.where(obs[:, R_TEAMS] == 0, priors[route(obs, columns)], np.float32(0))
        rows = np.flatnonzero(bonus)
        if len(rows):
            logits = logits.copy()
            logits[rows, heuristic_actions(obs[rows], mask[rows])] += bonus[rows]
        return logits, values

    return biased


def with_override(policy: Policy, actions: slice, most: int) -> Policy:
    """Give the heuristic's action all the probability where more of these actions are legal."""

    def overridden(obs: Bytes, mask: Bytes) -> tuple[Floats, Floats]:
        logits, values = policy(obs, mask)
        rows = np.flatnonzero(mask[:, actions].sum(axis=1) > most)
        if len(rows):
            logits = logits.copy()
            logits[rows] = OTHER_LOGIT
            logits[rows, heuristic_actions(obs[rows], mask[rows])] = CHOSEN_LOGIT
        return logits, values

    return overridden


def heuristic_actions(obs: Bytes, mask: Bytes) -> Ints:
    """The heuristic's actions (B,); each depends on its own row alone."""
    actions = np.empty(len(obs), np.int64)
    # The kernel is compiled for contiguous arrays only.
    choose_each(np.ascontiguousarray(obs), np.ascontiguousarray(mask), actions)
    return actions
