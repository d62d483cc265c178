"""Who is better: duplicate deals, ratings and reports with confidence intervals.

Imports `agents` and `uno_env`; knows nothing of training or serving."""

from .api import compare, tournament
from .evaluate import Result
from .results import Entrant, Matchup, MatchupGames, TournamentResults
from .store.load import load_results

__all__ = [
    "Entrant",
    "Matchup",
    "MatchupGames",
    "Result",
    "TournamentResults",
    "compare",
    "load_results",
    "tournament",
]
