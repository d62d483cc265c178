"""From a view to the bytes that batch agents read, without the game behind it."""

import numpy as np

from uno_env.actions import NUM_ACTIONS, action_id
from uno_env.array_types import Bytes
from uno_env.state_io.determinize import determinize
from uno_env.state_io.view import View


def encode(view: View, legal: list[str]) -> tuple[Bytes, Bytes]:
    """Observation (1, 640) and mask (1, 185) of the seat a view belongs to.

    The observation is that of any game that fits the view: it shows only what the seat may know.
    """
    game = determinize(view, np.random.default_rng(0))
    mask = np.zeros((1, NUM_ACTIONS), np.uint8)
    mask[0, [action_id(text) for text in legal]] = 1
    return game.observe(view["seat"])[None], mask


def decode(action: int, legal: list[str]) -> str:
    """The text among the legal ones that has this action id."""
    return next(text for text in legal if action_id(text) == action)
