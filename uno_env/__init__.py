"""uno_env: UNO and its variants as a reinforcement-learning environment."""

from ._version import __version__
from .actions import ACTIONS, NUM_ACTIONS, UnknownAction, action_id, action_text
from .cards import COLORS, FACES, UnknownCard
from .deck import Deck
from .determinize import determinize
from .game import Game, IllegalAction
from .position import SnapshotError
from .presets import VARIANTS
from .replay import ReplayError
from .rules import Rules, RulesError

variants = VARIANTS

__all__ = [
    "ACTIONS",
    "COLORS",
    "FACES",
    "NUM_ACTIONS",
    "VARIANTS",
    "Deck",
    "Game",
    "IllegalAction",
    "ReplayError",
    "Rules",
    "RulesError",
    "SnapshotError",
    "UnknownAction",
    "UnknownCard",
    "__version__",
    "action_id",
    "action_text",
    "determinize",
    "variants",
]
