"""The learner's score against each opponent, from which prioritised opponents are drawn."""

import numpy as np

from uno_env.array_types import Doubles, Floats

EQUAL_SCORE = 0.5
"""The score against an equal, and against whom the learner has not met yet."""
PRIOR_GAMES = 20
"""Games that this first guess counts for."""
RECENT_GAMES = 500
"""Games that a score remembers: a mean at first, then an exponential average."""


class OpponentScores:
    """Scores from 0 to 1, one for each opponent.

    Attributes:
        values: the scores.
        games: games behind each, up to `RECENT_GAMES`, the prior included.
    """

    def __init__(self, count: int) -> None:
        self.values: Doubles = np.full(count, EQUAL_SCORE)
        self.games: Doubles = np.full(count, float(PRIOR_GAMES))

    def add(self, opponent: int, rewards: Floats) -> None:
        """Note games against an opponent.

        Rewards are +1 for a win and sum to zero over a table, so equals have a mean of 0 at every
        table size; a score is that mean brought to the range from 0 to 1.
        """
        new = ((1 + rewards) / 2).clip(0, 1)
        before, after = self.games[opponent], self.games[opponent] + len(new)
        self.values[opponent] = (before * self.values[opponent] + new.sum()) / after
        self.games[opponent] = min(after, RECENT_GAMES)

    def renew(self, opponent: int) -> None:
        """Somebody else is this opponent from now on."""
        self.values[opponent], self.games[opponent] = EQUAL_SCORE, PRIOR_GAMES

    def leave(self, opponent: int) -> None:
        """Those after this opponent move up; the last place is free."""
        for column in (self.values, self.games):
            column[opponent:-1] = column[opponent + 1 :]
        self.renew(len(self.values) - 1)

    def weights(self, power: float, count: int | None = None) -> Doubles:
        """How much more often each should be met: (1 - score) to a power."""
        found: Doubles = (1 - self.values[:count]) ** power
        return found

    def state(self) -> Doubles:
        """All numbers, to go on from there."""
        return np.concatenate([self.values, self.games])

    def load(self, state: Doubles) -> None:
        """Go on from what `state` gave."""
        self.values[:], self.games[:] = np.split(np.asarray(state), 2)
