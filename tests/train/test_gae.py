"""GAE by hand: each seat's decisions are one trajectory, whoever decides in between."""

import numpy as np
import pytest
from uno_train.gae import Trajectories, compute_gae


def gae_of(actors, values, ends, last_actor, last_value, lam, is_learner=None):
    """Advantages in one game: `ends` maps steps to the rewards of a game that ended there."""
    trajectories = Trajectories.empty(len(actors), 1)
    trajectories.actor[:, 0], trajectories.value[:, 0] = actors, values
    if is_learner is not None:
        trajectories.is_learner[:, 0] = is_learner
    for t, rewards in ends.items():
        trajectories.done[t, 0] = True
        trajectories.rewards[t, 0, : len(rewards)] = rewards
    last = (np.array([last_actor]), np.array([last_value], np.float32))
    advantage, known = compute_gae(trajectories, *last, lam)
    return advantage[:, 0].tolist(), known[:, 0].tolist()


def test_each_seat_gets_the_return_of_its_own_game():
    # Seat 0 decides twice in a turn, seat 1 once, seat 0 ends the game; seat 1 begins the next.
    advantage, known = gae_of(
        [0, 0, 1, 0, 1], [0.1, 0.2, -0.3, 0.4, 0.0], {3: [1, -1]}, 1, 0.5, lam=1.0
    )
    assert advantage == pytest.approx([0.9, 0.8, -0.7, 0.6, 0.5])
    assert known == [True] * 5


def test_lambda_zero_looks_one_own_decision_ahead():
    advantage, _ = gae_of([0, 1, 0], [0.1, 0.0, 0.4], {2: [1, -1]}, 0, 0.0, lam=0.0)
    assert advantage == pytest.approx([0.3, -1.0, 0.6])


def test_a_last_decision_without_a_next_state_is_left_out():
    # The game goes on and seat 0 acts: of seat 1's two decisions only the first has a next one.
    advantage, known = gae_of([1, 0, 1], [0.2, 0.1, 0.6], {}, 0, 0.7, lam=0.5)
    assert known == [True, True, False]
    assert advantage == pytest.approx([0.4, 0.6, 0.0])


def test_a_seat_that_waits_gets_the_end_of_its_own_game_only():
    # Seat 2 never decides after the first step; two games end afterwards.
    advantage, _ = gae_of([2, 0, 1], [0.0, 0.0, 0.0], {1: [1, -0.5, -0.5], 2: [-1, 1, 0]}, 0, 0, 1)
    assert advantage == pytest.approx([-0.5, 1.0, 1.0])


def test_decisions_of_opponents_do_not_enter_the_learners_advantages():
    # Seat 1 is an opponent's; its rows carry no value, and garbage there must not leak.
    actors, is_learner = [0, 1, 0, 1, 0], [True, False, True, False, True]
    clean = gae_of(actors, [0.1, 0, 0.3, 0, 0.5], {3: [1, -1]}, 1, 0.0, 0.9, is_learner)
    dirty = gae_of(actors, [0.1, 9, 0.3, -9, 0.5], {3: [1, -1]}, 1, 7.0, 0.9, is_learner)
    assert clean[1] == dirty[1] == [True, False, True, False, False]
    learned = [0, 2]
    assert [clean[0][t] for t in learned] == [dirty[0][t] for t in learned]
    # 0.3 to the end: 1 - 0.3; 0.1 to 0.3, then the TD error after it.
    assert [clean[0][t] for t in learned] == pytest.approx([0.2 + 0.9 * 0.7, 0.7])
