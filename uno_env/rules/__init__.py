"""How a game is played, as data: `Rules`, the presets and the deck."""

from .deck import Deck
from .presets import VARIANTS
from .rules import Rules, RulesError

__all__ = ["VARIANTS", "Deck", "Rules", "RulesError"]
