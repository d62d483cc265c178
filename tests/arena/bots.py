"""Agents for the tests, good and bad; `spec(name)` names one that is to leave the process."""

import os
import signal
import threading
import time
from pathlib import Path

import numpy as np

from uno_env.actions import SUM
from uno_env.cards import NUM_FACES

HERE = Path(__file__)


def spec(name):
    """The spec string of a class in this file; options may follow a colon."""
    return f"{HERE}:{name}"


class FirstLegal:
    """The first legal action, asked in batches."""

    name = "first"

    def act_batch(self, obs, mask):
        return mask.argmax(axis=1)


class LastLegal:
    """The last legal action, asked in batches."""

    name = "last"

    def act_batch(self, obs, mask):
        return mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)


class FirstAsked:
    """The first legal action, asked move by move."""

    def act(self, view, legal):
        return legal[0]


class LastAsked:
    """The last legal action, asked move by move."""

    def act(self, view, legal):
        return legal[-1]


class Diced:
    """A random legal action, from a generator of its own."""

    def __init__(self, seed=0):
        self.rng = np.random.default_rng(seed)

    def act(self, view, legal):
        return legal[int(self.rng.integers(len(legal)))]


class Peeks:
    """Cheats, and spoils the game it was shown."""

    cheats = True

    def act_game(self, game):
        legal = game.legal()
        while not game.over:
            game.step(game.legal()[0])
        return legal[0]


class ManyCardsMalady(FirstLegal):
    """Does something bad whenever it holds more than eight cards; else the first legal action."""

    def __init__(self, kind="crash"):
        self.kind = kind

    def act_batch(self, obs, mask):
        ids = super().act_batch(obs, mask)
        ill = obs[:, :NUM_FACES].sum(axis=1) > 8
        if not ill.any():
            return ids
        match self.kind:
            case "crash":
                raise KeyError(f"too many cards for {object()}")
            case "illegal":
                ids[ill] = SUM
            case "huge":
                ids[ill] = 10**12
            case "exit":
                raise SystemExit(3)
            case "malformed":
                return ids.astype(float)
            case "short":
                return ids[:-1]
        return ids


class Acts:
    """BatchActions its first moves well, then does something bad in one move of every game.

    Args:
        kind: what it does.
        after: questions of a process before that.
        every: whether it goes on doing so.
    """

    def __init__(self, kind="crash", after=3, every=1):
        self.kind, self.after, self.every = kind, after, every
        self.asked = 0

    def act(self, view, legal):
        self.asked += 1
        if self.asked <= self.after or (not self.every and self.asked > self.after + 1):
            return legal[0]
        match self.kind:
            case "crash":
                raise ZeroDivisionError("oops")
            case "spin":
                while True:
                    pass
            case "die":
                os.kill(os.getpid(), signal.SIGKILL)
            case "late":
                time.sleep(0.5)
                return legal[0]
            case "illegal":
                return "play blue-9+give"
            case "none":
                return None
        return self.kind


class HangsInBatch(FirstLegal):
    """Hangs when it is asked about several games at once, never when asked about one."""

    def act_batch(self, obs, mask):
        if len(obs) > 1:
            time.sleep(600)
        return super().act_batch(obs, mask)


class CannotBeBuilt:
    """An agent that fails before it plays."""

    def __init__(self):
        raise FileNotFoundError("no weights here")

    def act(self, view, legal):
        return legal[0]


class SlowToBuild:
    """An agent that never gets ready."""

    def __init__(self):
        time.sleep(600)

    def act(self, view, legal):
        return legal[0]


class Thinks:
    """The first legal action after a while, for any number of games; counts what it is asked."""

    name = "thinks"

    def __init__(self, concurrency=8, seconds=0.0, hangs_at=None):
        self.concurrency, self.seconds, self.hangs_at = concurrency, seconds, hangs_at
        self.guard = threading.Lock()
        self.asked = self.at_once = self.most_at_once = 0

    def act(self, view, legal):
        with self.guard:
            self.asked += 1
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            if self.hangs_at is not None and view["turns"] == self.hangs_at and view["seat"] == 0:
                time.sleep(60)
            time.sleep(self.seconds)
        finally:
            with self.guard:
                self.at_once -= 1
        return legal[0]

    def usage(self):
        return {"decisions": self.asked, "cost": 0.5 * self.asked}


class EndsItsProcess(Thinks):
    """Ends its process in games that it starts from seat 0; else the last legal action."""

    def act(self, view, legal):
        if view["seat"] == 0 and len(view["hand"]) < 6:
            os._exit(5)
        return legal[-1]
