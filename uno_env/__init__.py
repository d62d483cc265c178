"""uno_env: UNO and its variants as a reinforcement-learning environment."""

import gymnasium
import pettingzoo

from . import rulesets
from ._version import __version__
from .actions import (
    ACTIONS,
    ACTIONS_VERSION,
    NUM_ACTIONS,
    UnknownAction,
    action_id,
    action_text,
)
from .cards import CARDS, COLORS, FACES, UnknownCard
from .envs.aec import env, raw_env
from .envs.observation_spec import (
    OBS_SIZE,
    OBS_VERSION,
    STATE_SIZE,
    describe_observation,
    describe_state,
    scaled,
)
from .game import Game, IllegalAction
from .rules.deck import Deck
from .rules.presets import VARIANTS
from .rules.rules import Rules, RulesError
from .state_io.decode_observation import decode_observation
from .state_io.determinize import determinize
from .state_io.position import SnapshotError
from .state_io.replay import ReplayError
from .text.describe import describe
from .vector.vec import UnoVec, vec

variants = VARIANTS

gymnasium.register(
    "uno_env/Uno-v0",
    entry_point="uno_env.envs.gymnasium_env:UnoEnv",
    vector_entry_point="uno_env.vector.gymnasium:UnoVectorEnv",
)
pettingzoo.register("aec", "uno/uno-v0", entry_point="uno_env.envs.aec:env")

__all__ = [
    "ACTIONS",
    "ACTIONS_VERSION",
    "CARDS",
    "COLORS",
    "FACES",
    "NUM_ACTIONS",
    "OBS_SIZE",
    "OBS_VERSION",
    "STATE_SIZE",
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
    "decode_observation",
    "describe",
    "describe_observation",
    "describe_state",
    "determinize",
    "env",
    "raw_env",
    "rulesets",
    "scaled",
    "variants",
    "vec",
]
