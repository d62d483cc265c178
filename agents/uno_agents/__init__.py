"""Who plays: random, heuristic, search, neural and remote agents, named by spec strings.

Imports `uno_env` only; agents get a view of the game, never the game itself."""
