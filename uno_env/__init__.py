"""uno_env: UNO and its variants as a reinforcement-learning environment."""

import gymnasium
import pettingzoo

from ._version import __version__
from .actions import ACTIONS, NUM_ACTIONS, UnknownAction, action_id, action_text
from .aec import env, raw_env
from .cards import COLORS, FACES, UnknownCard
from .deck import Deck
from .describe import OBS_SIZE, OBS_VERSION, describe_observation, scaled
from .determinize import determinize
from .game import Game, IllegalAction
from .position import SnapshotError
from .presets import VARIANTS
from .replay import ReplayError
from .rules import Rules, RulesError
from .vec import UnoVec, vec

variants = VARIANTS

gymnasium.register(
    "uno_env/Uno-v0",
    entry_point="uno_env.solo:UnoEnv",
    vector_entry_point="uno_env.vec_gym:UnoVectorEnv",
)
pettingzoo.register("aec", "uno/uno-v0", entry_point="uno_env.aec:env")

__all__ = [
    "ACTIONS",
    "COLORS",
    "FACES",
    "NUM_ACTIONS",
    "OBS_SIZE",
    "OBS_VERSION",
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
    "UnoVec",
    "__version__",
    "action_id",
    "action_text",
    "describe_observation",
    "determinize",
    "env",
    "raw_env",
    "scaled",
    "variants",
    "vec",
]
