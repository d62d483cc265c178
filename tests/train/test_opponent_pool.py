"""The opponent pool: who sits where, who acts, and what is learned from."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from uno_agents.neural.network import PolicyNetwork  # noqa: E402
from uno_agents.registry import make_agent  # noqa: E402
from uno_agents.simple import GreedyAgent  # noqa: E402
from uno_train.config import TrainConfig  # noqa: E402
from uno_train.opponent_pool import LEARNER, POOL_SIZE, SNAPSHOT, OpponentPool, reseed  # noqa: E402
from uno_train.opponent_scores import OpponentScores  # noqa: E402
from uno_train.ppo import Learner  # noqa: E402
from uno_train.rollout import RolloutActors, Timer, collect  # noqa: E402
from uno_train.tables import TableConfig  # noqa: E402

import uno_env  # noqa: E402

GREEDY = SNAPSHOT + 1
SMALL = {"num_envs": 60, "rollout_steps": 24, "hidden": (24,), "threads": 1}


def pool_of(variant, players, games, opponents, snapshot_share=0.0):
    table = TableConfig(uno_env.Rules.preset(variant), players)
    return OpponentPool([table], games, PolicyNetwork([8]), snapshot_share, opponents, seed=3)


def actors_of(learner):
    """The learner and its opponents, without teachers."""
    pool, rngs = learner.opponent_pool, (learner.torch_rng, learner.rng)
    return RolloutActors(learner.network, pool, None, 0.0, None, *rngs)


@pytest.mark.parametrize(("variant", "players", "ours"), [("classic", 5, 1), ("teams", 6, 2)])
def test_one_seat_or_one_team_is_the_learners_and_it_rotates(variant, players, ours):
    pool, rng = pool_of(variant, players, 40, {"greedy": 1.0}), np.random.default_rng(1)
    found = []
    for _ in range(players // ours):
        pool.assign_seats(np.arange(40), rng)
        held = pool.seats[:, :players] == LEARNER
        assert (held.sum(axis=1) == ours).all()
        assert (pool.seats[:, :players][~held] == GREEDY).all()
        found.append(held.argmax(axis=1))
    if variant == "teams":
        assert (held[:, : players // 2] == held[:, players // 2 :]).all()
    # Over as many games as there are seatings, every game had the learner at each.
    assert (np.arange(players // ours) == np.sort(found, axis=0).T).all()


def test_shares_are_those_of_the_games():
    pool = pool_of("classic", 2, 4000, {"greedy": 0.3, "random": 0.2})
    pool.assign_seats(np.arange(4000), np.random.default_rng(2))
    kinds = pool.seats[:, :2].max(axis=1)
    shares = [(kinds == kind).mean() for kind in (LEARNER, SNAPSHOT, GREEDY, GREEDY + 1)]
    assert shares == pytest.approx([0.5, 0.0, 0.3, 0.2], abs=0.03)


def test_snapshots_play_once_there_are_some_and_the_pool_is_bounded():
    pool, rng = (
        pool_of("classic", 2, 500, {}, snapshot_share=0.5),
        np.random.default_rng(2),
    )
    pool.assign_seats(np.arange(500), rng)
    assert (pool.seats == LEARNER).all()
    for age in range(POOL_SIZE + 5):
        network = PolicyNetwork([8])
        torch.nn.init.constant_(network.value.bias, age)
        pool.snapshots.add(network, rng)
    assert len(pool.snapshots.pool) == POOL_SIZE
    pool.assign_seats(np.arange(500), rng)
    assert (pool.seats == SNAPSHOT).any()
    ages = set()
    for number in range(60):
        pool.start_iteration(number, rng)
        ages.add(pool.snapshots.network.value.bias.item())
    assert len(ages) > POOL_SIZE / 2
    # The pool holds copies: the learner goes on without changing them.
    torch.nn.init.constant_(network.value.bias, -1.0)
    assert pool.snapshots.pool[-1]["value.bias"].item() == POOL_SIZE + 4


class RecordingOpponent:
    """Plays the last legal action and remembers what it was asked."""

    def __init__(self):
        self.asked = 0

    def act_batch(self, obs, mask):
        self.asked += len(obs)
        return mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)


def test_opponents_act_in_their_own_rows_and_only_the_learners_are_kept():
    config = TrainConfig(opponents={"greedy": 1.0}, players=3, **SMALL)
    learner = Learner(config)
    opponent_agent = RecordingOpponent()
    opponent = learner.opponent_pool.opponents[0]
    learner.opponent_pool.opponents[0] = opponent._replace(agent=opponent_agent)
    played = []
    step = learner.v.step

    def noted(actions):
        who = learner.opponent_pool.players_to_act(learner.v.actor)
        played.append((who, learner.v.mask.copy(), actions.copy()))
        step(actions)

    learner.v.step = noted
    collect(learner.v, actors_of(learner), learner._buffer, False, Timer())
    theirs = 0
    for who, mask, actions in played:
        rows = who != LEARNER
        last = mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)
        assert (actions[rows] == last[rows]).all()
        theirs += int(rows.sum())
    buffer = learner._buffer
    assert opponent_agent.asked == theirs > 0
    assert buffer.decisions.used == buffer.trajectories.is_learner.sum() == 60 * 24 - theirs


def test_kept_decisions_are_what_the_learner_saw_and_did():
    """Rows of the buffer belong together: input, action and probability of the same decision."""
    learner = Learner(TrainConfig(opponents={"greedy": 0.7}, **SMALL))
    collect(learner.v, actors_of(learner), learner._buffer, False, Timer())
    kept, used = learner._buffer.decisions, learner._buffer.decisions.used
    with torch.inference_mode():
        logits, value = learner.network.forward_canonical(kept.inputs[:used], kept.mask[:used])
    chosen = logits.log_softmax(-1).gather(1, kept.action[:used, None])[:, 0]
    assert torch.allclose(chosen, kept.log_prob[:used], atol=1e-4)
    assert torch.allclose(value, kept.value[:used], atol=1e-4)
    trajectories = learner._buffer.trajectories
    assert np.allclose(trajectories.value[trajectories.is_learner], value, atol=1e-4)
    assert not trajectories.value[~trajectories.is_learner].any()


@pytest.mark.parametrize("spec", ["greedy", "heuristic"])
def test_a_reseeded_agent_repeats_its_random_numbers(spec):
    v = uno_env.vec("classic", 500, 2, seed=5)
    v.reset()
    agent = make_agent(spec, 1)
    answers = []
    for _ in range(2):
        reseed(agent, [4, 2, 0])
        answers.append(agent.act_batch(v.obs, v.mask))
        agent.act_batch(v.obs, v.mask)
    assert (answers[0] == answers[1]).all()


@pytest.mark.parametrize("numbers", [[4, 2, 0], [0, 0, 0], [2**40 + 3, 7, 1], [5, 2**33, 3]])
def test_several_numbers_seed_as_one_integer(numbers):
    """An opponent plays as one whose generator NumPy seeds with the sequence."""
    agent = GreedyAgent()
    assert reseed(agent, numbers)
    assert agent._rng.random() == np.random.default_rng(numbers).random()


def prioritised(opponents, snapshot_share=0.0, power=2.0, games=4000):
    table = TableConfig(uno_env.Rules.preset("classic"), 2)
    return OpponentPool(
        [table], games, PolicyNetwork([8]), snapshot_share, opponents, 3, pfsp_power=power
    )


def test_opponents_that_beat_the_learner_are_drawn_more_often():
    pool, rng = prioritised({"greedy": 0.3, "random": 0.3}), np.random.default_rng(2)
    games = np.arange(4000)
    for _ in range(3):
        pool.assign_seats(games, rng)
        rewards = np.zeros((4000, uno_env.actions.MAX_SEATS), np.float32)
        # It loses to greedy and beats random, whatever the seat.
        won = np.where(pool.seats.max(axis=1) == GREEDY, -1, 1)
        rewards[games, pool.turns % 2] = won
        pool.record(games, rewards)
    pool.start_iteration(1, rng)
    assert pool.scores.values[0] < 0.1 and pool.scores.values[1] > 0.9
    pool.assign_seats(games, rng)
    kinds = pool.seats[:, :2].max(axis=1)
    shares = [(kinds == kind).mean() for kind in (LEARNER, GREEDY, GREEDY + 1)]
    assert shares == pytest.approx([0.4, 0.6, 0.0], abs=0.03)


def test_without_priorities_results_change_nothing():
    pool, rng = prioritised({"greedy": 0.3, "random": 0.3}, power=0.0), np.random.default_rng(2)
    pool.assign_seats(np.arange(4000), rng)
    pool.record(np.arange(4000), np.ones((4000, uno_env.actions.MAX_SEATS), np.float32))
    pool.start_iteration(1, rng)
    assert (pool.scores.values == 0.5).all() and pool.scores_state() == {}


def test_snapshots_are_prioritised_and_their_scores_move_with_them():
    pool, rng = prioritised({}, snapshot_share=1.0, power=4.0), np.random.default_rng(2)
    for age in range(POOL_SIZE):
        network = PolicyNetwork([8])
        torch.nn.init.constant_(network.value.bias, age)
        pool.snapshots.add(network, rng)
    pool.snapshots.scores.values[:] = 0.9
    pool.snapshots.scores.values[5] = 0.1
    drawn = []
    for iteration in range(40):
        pool.start_iteration(iteration, rng)
        drawn.append(pool.snapshots.network.value.bias.item())
    assert drawn.count(5.0) > 35
    pool.snapshots.add(network, rng)
    ages = [weights["value.bias"].item() for weights in pool.snapshots.pool]
    expected = [0.1 if age == 5 else 0.9 for age in ages[:-1]] + [0.5]
    assert pool.snapshots.scores.values.tolist() == expected


def test_priorities_are_kept_when_a_run_is_resumed():
    config = TrainConfig(opponents={"field:1": 0.5}, opponent_pool_share=0.2, pfsp_power=2.0,
                         snapshot_every=1, **SMALL)  # fmt: skip
    first, second = Learner(config), Learner(config)
    for _ in range(2):
        first.iteration(0.1)
    before, after = first.opponent_pool, second.opponent_pool
    assert len(set(before.scores.values.tolist())) > 1
    state = {name: tensor.clone() for name, tensor in first.rollout_state().items()}
    second.load_rollout_state(state)
    assert (after.scores.state() == before.scores.state()).all()
    assert (after.snapshots.scores.state() == before.snapshots.scores.state()).all()
    assert after.snapshots.playing == before.snapshots.playing


def test_games_of_the_teacher_are_nobodys_score():
    config = TrainConfig(opponents={"greedy": 0.9}, pfsp_power=1.0, imitation_teacher="heuristic",
                         **SMALL)  # fmt: skip
    learner = Learner(config)
    for _ in range(3):
        learner.iteration(0.1)
    assert learner.games and (learner.opponent_pool.scores.values == 0.5).all()


def test_a_score_is_a_mean_at_first_and_forgets_later():
    scores = OpponentScores(2)
    scores.add(0, np.array([1, 1, -1, 1] * 20, np.float32))
    assert scores.values[0] == pytest.approx((20 * 0.5 + 60) / 100)
    for _ in range(20):
        scores.add(0, -np.ones(200, np.float32))
    assert scores.values[0] < 0.01 and scores.values[1] == 0.5
    scores.leave(0)
    assert scores.values.tolist() == [0.5, 0.5]
