"""What a single-learner batch must do, told slowly with one `Game` at a time."""

import numpy as np

import uno_env
from uno_env.engine.lowlevel.bits import below, key, splitmix64
from uno_env.engine.single_agent import SEAT_KEY
from uno_env.vector.layout import rngs_of


def first_legal(obs, mask):
    """A deterministic opponent: the lowest legal id in each row."""
    assert obs.dtype == mask.dtype == np.uint8 and len(obs) == len(mask)
    return mask.argmax(1)


class SlowSingleAgent:
    """One learner in one game: row `index` of a `SingleAgentVec`, reset with this game's seed."""

    def __init__(self, vec, index, seed, seat, opponents, reward):
        self.rules = vec.games.rules_of(index)
        self.n = int(vec.games.num_players[index])
        self.episode, self.mode, self.seat_rule = vec.games.episode, reward, seat
        self.opponents = opponents
        self.rng = rngs_of(np.array([seed], np.uint64))[0]
        self.seat = index % self.n if seat == "rotate" else seat
        self.deal(seed)
        self.play_on()

    def deal(self, seed):
        self.game = uno_env.Game(self.rules, self.n, seed=seed, episode=self.episode)
        if self.seat_rule == "random":
            self.seat = int(below(np.uint64(key(np.uint64(seed), 0, SEAT_KEY)), self.n))
        self.moves = 0

    def step(self, action):
        self.end = None
        self.game.step(action)
        self.moves += 1
        self.play_on()

    def play_on(self):
        """Up to the learner's next decision; `end` is how a game ended on the way."""
        while self.game.over or self.game.actor != self.seat:
            if self.game.over:
                if self.moves:
                    self.end = (
                        self.game.rewards(self.mode)[self.seat],
                        self.game.void,
                        self.moves,
                        self.seat,
                        self.game.observe(self.seat),
                    )
                if self.seat_rule == "rotate":
                    self.seat = (self.seat + 1) % self.n
                self.deal(int(splitmix64(np.uint64(self.game.seed))))
            else:
                self.game.step(self.opponent_choice())

    def opponent_choice(self):
        place = (self.game.actor - self.seat) % self.n - 1
        legal = self.game.legal_ids()
        if self.opponents[place % len(self.opponents)] != "random":
            return legal[0]
        self.rng = np.uint64(splitmix64(self.rng))
        return legal[below(self.rng, len(legal))]
