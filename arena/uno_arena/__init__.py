"""Who is better: duplicate deals, ratings and reports with confidence intervals.

Imports `agents` and `uno_env`; knows nothing of training or serving."""

from .api import compare, tournament
from .evaluate import Result
from .store.load import load_results
from .store.results import Entrant, GameTable, Matchup, TournamentResults

__all__ = [
    "Entrant",
    "GameTable",
    "Matchup",
    "Result",
    "TournamentResults",
    "compare",
    "load_results",
    "tournament",
]
