"""Kinds of decisions, as the reports count them: a phase of the game and what was chosen in it."""

import numpy as np
import numpy.typing as npt

from uno_env.actions import ACTIONS
from uno_env.array_types import Ints
from uno_env.cards import COLORS
from uno_env.engine.tables import PHASES

__all__ = ["CHOICES", "CHOICE_OF", "PHASES", "choice_of", "no_counts"]


CHOICES = (
    "number",
    "action",
    "wild",
    "draw",
    "keep",
    "pass",
    "take",
    "accept",
    "challenge",
    "color",
    "target",
    "swap",
    "no-swap",
    "call-uno",
    "stay-silent",
    "catch",
    "ignore",
    "jump-in",
    "sum",
)
"""What can be chosen; the first three are cards, played or (in the giving phases) given."""


def choice_of(action: str) -> str:
    """The kind of choice an action text is."""
    word, _, rest = action.partition(" ")
    if word != "play":
        return word
    if rest.startswith("wild"):
        return "wild"
    color, _, symbol = rest.removesuffix("+give").partition("-")
    if color not in COLORS:
        raise ValueError(f"action {action!r} plays no known card")
    return "number" if symbol.isdecimal() else "action"


CHOICE_OF: npt.NDArray[np.uint8] = np.array(
    [CHOICES.index(choice_of(a)) for a in ACTIONS], np.uint8
)
"""The kind of choice of each action id."""


def no_counts(agents: int) -> Ints:
    """Zeros (agents, phases, choices), to count decisions in."""
    return np.zeros((agents, len(PHASES), len(CHOICES)), np.int64)
