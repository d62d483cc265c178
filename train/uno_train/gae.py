"""Generalised advantage estimation (Schulman et al. 2016), one trajectory for each seat.

The decisions of one seat form a trajectory, however many decisions of others lie between them. The
next state of a decision is the same seat's next decision, or the end of the game.
"""

from dataclasses import dataclass

import numpy as np

from uno_env.actions import MAX_SEATS
from uno_env.array_types import Bools, Floats, Ints


@dataclass(slots=True)
class Trajectories:
    """`steps` decisions of each of `games` games, in the order of time.

    Attributes:
        actor: seat that decided (steps, games).
        is_learner: whether the learner decided.
        value: the learner's value estimate; zero for decisions of others.
        done: whether the decision ended the game.
        rewards: per seat (steps, games, 10), of games that ended.
    """

    actor: Ints
    is_learner: Bools
    value: Floats
    done: Bools
    rewards: Floats

    @classmethod
    def empty(cls, steps: int, games: int) -> "Trajectories":
        """Arrays to be filled in."""
        shape = (steps, games)
        return cls(
            actor=np.zeros(shape, np.int64),
            is_learner=np.ones(shape, bool),
            value=np.zeros(shape, np.float32),
            done=np.zeros(shape, bool),
            rewards=np.zeros((*shape, MAX_SEATS), np.float32),
        )


def compute_gae(
    trajectories: Trajectories, last_actor: Ints, last_value: Floats, gae_lambda: float
) -> tuple[Floats, Bools]:
    """Advantages of the learner's decisions, and which of them are known; rewards are undiscounted.

    Going back in time, tables of (game, seat) hold the seat's later reward, value and advantage.
    In a game still running only the seat to act next has a value to bootstrap from; the last
    decision of every other seat has no next state yet, and is left out of the update. Nobody
    changes seats in a game, so what opponents did never enters the sums of a learner's seat.

    Args:
        last_actor: seat to act after the rollout, per game.
        last_value: its value estimate.
    """
    steps, games = trajectories.actor.shape
    rows = np.arange(games)
    reward = np.zeros((games, MAX_SEATS), np.float32)
    next_value, next_advantage = np.zeros_like(reward), np.zeros_like(reward)
    has_next = np.zeros((games, MAX_SEATS), bool)
    next_value[rows, last_actor], has_next[rows, last_actor] = last_value, True
    advantage = np.zeros((steps, games), np.float32)
    known = np.zeros((steps, games), bool)
    for t in reversed(range(steps)):
        ended = trajectories.done[t]
        reward[ended] = trajectories.rewards[t, ended]
        next_value[ended] = next_advantage[ended] = 0
        has_next[ended] = True
        seat = (rows, trajectories.actor[t])
        td_error = reward[seat] + next_value[seat] - trajectories.value[t]
        known[t] = has_next[seat]
        advantage[t] = np.where(known[t], td_error + gae_lambda * next_advantage[seat], 0)
        next_value[seat], next_advantage[seat] = trajectories.value[t], advantage[t]
        reward[seat], has_next[seat] = 0, True
    return advantage, known & trajectories.is_learner
