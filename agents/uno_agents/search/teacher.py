"""Studying: what search thinks of every legal action, in many positions of a batch at once.

    scholar = Scholar(rule_sets, sims=64, threads=2)
    worths = scholar.study(v, rows, stream=7)      # (rows, 185)

The search agent answers one view; this is for training, where thousands of positions a second are
looked at briefly and the network averages over what chance there is in each.
"""

from collections.abc import Sequence

import numpy as np

from uno_env import Rules
from uno_env.actions import NUM_ACTIONS
from uno_env.array_types import Floats, Ints
from uno_env.engine.observation.event_log import new_logs
from uno_env.engine.state import STATE, new_records
from uno_env.vector.threads import Threads
from uno_env.vector.vec import UnoVec

from .kernels.coefficients import WEIGHTS
from .kernels.rollout import new_desk
from .kernels.teacher import SPARE, study

SPREAD, TEAMS_SPREAD = 0.07, 0.02
"""By how much chances to win usually differ among the actions of a position; rounds of Teams are so
long that a single action hardly matters."""


class Scholar:
    """Simulates each legal action of positions in deals that fit what the seat to act knows.

    Args:
        rule_sets: those of the batches to come, in their order.
        sims: simulations for each position.
        threads: how many share the work; results do not depend on it.
    """

    def __init__(self, rule_sets: Sequence[Rules], sims: int, threads: int = 1) -> None:
        teams = [rules.team_mode == "pairs" for rules in rule_sets]
        self._weights = np.array(
            [WEIGHTS["teams" if t else r.variant] for r, t in zip(rule_sets, teams, strict=True)]
        )
        self._spread = np.where(teams, TEAMS_SPREAD, SPREAD).astype(np.float32)
        self._sims = sims
        self._threads = Threads(threads, threads)
        self._rooms = [(new_records(SPARE, STATE), new_logs(0), new_desk()) for _ in range(threads)]

    def study(self, v: UnoVec, rows: Ints, stream: int) -> Floats:
        """What each legal action of these games is worth (rows, 185), zero elsewhere.

        It is the chance to win, in units of what actions usually differ by.
        """
        worths = np.zeros((len(rows), NUM_ACTIONS), np.float32)
        asked = (v._games, v._rules, self._weights, rows)
        calls = [
            (*asked, *part, *room, self._sims, np.uint64(stream), worths)
            for part, room in zip(self._threads.slices(len(rows)), self._rooms, strict=True)
        ]
        self._threads.run(study, calls)
        worths /= self._spread[v._games["rule"][rows], None]
        return worths
