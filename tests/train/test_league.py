"""The league: who sits where, who answers, and what is learned from."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from uno_agents.neural.network import PolicyNetwork  # noqa: E402
from uno_agents.registry import make_agent  # noqa: E402
from uno_train.config import TrainConfig  # noqa: E402
from uno_train.opponent_pool import LEARNER, PAST, POOL_SIZE, League, reseed  # noqa: E402
from uno_train.ppo import Learner  # noqa: E402
from uno_train.rollout import Crew, collect  # noqa: E402
from uno_train.tables import Table  # noqa: E402
from uno_train.timer import Clock  # noqa: E402

import uno_env  # noqa: E402

GREEDY = PAST + 1
SMALL = {"num_envs": 60, "steps": 24, "hidden": (24,), "threads": 1}


def league_of(variant, players, games, opponents, past=0.0):
    table = Table(uno_env.Rules.preset(variant), players)
    return League([table], games, PolicyNetwork([8]), past, opponents, seed=3)


@pytest.mark.parametrize(("variant", "players", "ours"), [("classic", 5, 1), ("teams", 6, 2)])
def test_one_seat_or_one_team_is_the_learners_and_it_rotates(variant, players, ours):
    league, rng = league_of(variant, players, 40, {"greedy": 1.0}), np.random.default_rng(1)
    found = []
    for _ in range(players // ours):
        league.seat(np.arange(40), rng)
        held = league.seats[:, :players] == LEARNER
        assert (held.sum(axis=1) == ours).all()
        assert (league.seats[:, :players][~held] == GREEDY).all()
        found.append(held.argmax(axis=1))
    if variant == "teams":
        assert (held[:, : players // 2] == held[:, players // 2 :]).all()
    # Over as many games as there are seatings, every game had the learner at each.
    assert (np.arange(players // ours) == np.sort(found, axis=0).T).all()


def test_shares_are_those_of_the_games():
    league = league_of("classic", 2, 4000, {"greedy": 0.3, "random": 0.2})
    league.seat(np.arange(4000), np.random.default_rng(2))
    kinds = league.seats[:, :2].max(axis=1)
    shares = [(kinds == kind).mean() for kind in (LEARNER, PAST, GREEDY, GREEDY + 1)]
    assert shares == pytest.approx([0.5, 0.0, 0.3, 0.2], abs=0.03)


def test_past_selves_play_only_once_there_are_some_and_the_pool_is_bounded():
    league, rng = league_of("classic", 2, 500, {}, past=0.5), np.random.default_rng(2)
    league.seat(np.arange(500), rng)
    assert (league.seats == LEARNER).all()
    for age in range(POOL_SIZE + 5):
        network = PolicyNetwork([8])
        torch.nn.init.constant_(network.value.bias, age)
        league.past.remember(network, rng)
    assert len(league.past.pool) == POOL_SIZE
    league.seat(np.arange(500), rng)
    assert (league.seats == PAST).any()
    ages = set()
    for number in range(60):
        league.new_round(number, rng)
        ages.add(league.past.network.value.bias.item())
    assert len(ages) > POOL_SIZE / 2
    # The pool holds copies: the learner goes on without changing them.
    torch.nn.init.constant_(network.value.bias, -1.0)
    assert league.past.pool[-1]["value.bias"].item() == POOL_SIZE + 4


class Telltale:
    """Plays the last legal action and remembers what it was asked."""

    def __init__(self):
        self.asked = 0

    def act_batch(self, obs, mask):
        self.asked += len(obs)
        return mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)


def test_opponents_answer_their_own_rows_and_only_the_learners_are_kept():
    config = TrainConfig(opponents={"greedy": 1.0}, num_players=3, **SMALL)
    learner = Learner(config)
    telltale = Telltale()
    opponent = learner.league.opponents[0]
    learner.league.opponents[0] = opponent._replace(agent=telltale)
    played = []
    step = learner.v.step

    def noted(actions):
        who = learner.league.players(learner.v.actor)
        played.append((who, learner.v.mask.copy(), actions.copy()))
        step(actions)

    learner.v.step = noted
    crew = Crew(learner.network, learner.league, None, 0.0, None, 0.0, learner.noise, learner.rng)
    collect(learner.v, crew, learner._batch, False, Clock())
    theirs = 0
    for who, mask, actions in played:
        rows = who != LEARNER
        last = mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)
        assert (actions[rows] == last[rows]).all()
        theirs += int(rows.sum())
    batch = learner._batch
    assert telltale.asked == theirs > 0
    assert batch.decisions.used == batch.course.ours.sum() == 60 * 24 - theirs


def test_kept_decisions_are_what_the_learner_saw_and_did():
    """Rows of the batch belong together: sight, choice and probability of the same decision."""
    learner = Learner(TrainConfig(opponents={"greedy": 0.7}, **SMALL))
    crew = Crew(learner.network, learner.league, None, 0.0, None, 0.0, learner.noise, learner.rng)
    collect(learner.v, crew, learner._batch, False, Clock())
    kept, used = learner._batch.decisions, learner._batch.decisions.used
    with torch.inference_mode():
        logits, value = learner.network.forward_canonical(kept.inputs[:used], kept.mask[:used])
    chosen = logits.log_softmax(-1).gather(1, kept.action[:used, None])[:, 0]
    assert torch.allclose(chosen, kept.log_prob[:used], atol=1e-4)
    assert torch.allclose(value, kept.value[:used], atol=1e-4)
    course = learner._batch.course
    assert np.allclose(course.value[course.ours], value, atol=1e-4)
    assert not course.value[~course.ours].any()


@pytest.mark.parametrize("spec", ["greedy", "heuristic"])
def test_luck_that_starts_anew_is_the_same_luck(spec):
    v = uno_env.vec("classic", 500, 2, seed=5)
    v.reset()
    agent = make_agent(spec, 1)
    answers = []
    for _ in range(2):
        reseed(agent, [4, 2, 0])
        answers.append(agent.act_batch(v.obs, v.mask))
        agent.act_batch(v.obs, v.mask)
    assert (answers[0] == answers[1]).all()
