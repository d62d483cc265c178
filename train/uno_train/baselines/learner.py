"""What every baseline offers to the code around it."""

from collections.abc import Sequence
from typing import Any, Protocol

from uno_agents.neural.network import PolicyNetwork

from ..tables import TableConfig
from .games import Opponent

Metrics = dict[str, float]
"""Means over an iteration, by their TensorBoard names."""


class Learner(Protocol):
    """One run of an algorithm, from a seed; `run.py` calls `iterate` until the budget is used up.

    Attributes:
        decisions: how many decisions it has learned from, the unit of all budgets.
    """

    decisions: int

    def iterate(self, progress: float) -> Metrics:
        """Play and learn; `progress` from 0 to 1 moves the schedules."""

    def policy(self) -> PolicyNetwork:
        """The network whose most probable action is the agent's; it is saved as a checkpoint."""

    def state_dict(self) -> dict[str, Any]:
        """Tensors and numbers from which a new learner goes on as if nothing had happened."""

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from what `state_dict` gave."""


class LearnerClass(Protocol):
    """How a learner is made: tables, seed, and opponents (nobody for self-play)."""

    def __call__(
        self, tables: Sequence[TableConfig], seed: int, *, opponents: Sequence[Opponent] = ()
    ) -> Learner:
        """A new learner."""
