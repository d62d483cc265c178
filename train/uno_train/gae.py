"""Credit: what each decision earned for the seat that took it.

A seat's decisions form one trajectory, however many decisions of others lie between them: each is
credited with what that seat came to at its next one or at the end of the game.
"""

from dataclasses import dataclass

import numpy as np

from uno_env.actions import MAX_SEATS
from uno_env.array_types import Bools, Floats, Ints


@dataclass(slots=True)
class Course:
    """What happened in `steps` decisions of each of `games` games, in the order of time.

    Attributes:
        actor: seat that decided (steps, games).
        ours: whether the learner sat there.
        value: what the learner expected then; of its own decisions only.
        done: whether the decision ended the game.
        rewards: per seat (steps, games, 10), of games that ended.
    """

    actor: Ints
    ours: Bools
    value: Floats
    done: Bools
    rewards: Floats

    @classmethod
    def empty(cls, steps: int, games: int) -> "Course":
        """A course to be filled in."""
        shape = (steps, games)
        return cls(
            actor=np.zeros(shape, np.int64),
            ours=np.ones(shape, bool),
            value=np.zeros(shape, np.float32),
            done=np.zeros(shape, bool),
            rewards=np.zeros((*shape, MAX_SEATS), np.float32),
        )


def credit(
    course: Course, last_actor: Ints, last_value: Floats, lam: float
) -> tuple[Floats, Bools]:
    """Advantages by generalised advantage estimation per seat, and which of them are known.

    Going back in time, tables of (game, seat) hold what the seat came to afterwards. Of a game
    still running only the seat to act next has a value to look ahead to; the last decision of
    every other seat has no sequel yet, and is left out of the learning. Nobody changes seats in
    a game, so what opponents did never enters the sums of a learner's seat.
    """
    steps, games = course.actor.shape
    rows = np.arange(games)
    reward = np.zeros((games, MAX_SEATS), np.float32)
    next_value, next_advantage = np.zeros_like(reward), np.zeros_like(reward)
    has_sequel = np.zeros((games, MAX_SEATS), bool)
    next_value[rows, last_actor], has_sequel[rows, last_actor] = last_value, True
    advantage = np.zeros((steps, games), np.float32)
    known = np.zeros((steps, games), bool)
    for t in reversed(range(steps)):
        ended = course.done[t]
        reward[ended] = course.rewards[t, ended]
        next_value[ended] = next_advantage[ended] = 0
        has_sequel[ended] = True
        seat = (rows, course.actor[t])
        surprise = reward[seat] + next_value[seat] - course.value[t]
        known[t] = has_sequel[seat]
        advantage[t] = np.where(known[t], surprise + lam * next_advantage[seat], 0)
        next_value[seat], next_advantage[seat] = course.value[t], advantage[t]
        reward[seat], has_sequel[seat] = 0, True
    return advantage, known & course.ours
