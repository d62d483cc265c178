"""Who plays: random, heuristic, search, neural, language-model and remote agents by spec string.

Imports `uno_env` only; agents get a view of the game, never the game itself.
"""

from .registry import make_agent

__all__ = ["make_agent"]
