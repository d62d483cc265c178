"""Single-learner batches: what the kernel does is what a slow loop over `Game` does."""

import numpy as np
import pytest

import uno_env
from uno_env.vector.single_agent import SingleAgentVec

from .playing import TABLES
from .single_agent_twin import SlowSingleAgent, first_legal

SHORT = uno_env.Rules.preset("classic").replace(max_steps=30)
ALL = [*TABLES, (SHORT, 4)]


def all_tables(**options):
    variants, sizes = zip(*ALL, strict=True)
    return SingleAgentVec(list(variants), len(ALL), list(sizes), **options)


def some_legal(mask, rng):
    return (rng.random(mask.shape) * mask).argmax(1)


@pytest.mark.parametrize(
    ("seat", "opponents", "episode", "reward"),
    [
        ("random", ["random"], "round", "win"),
        ("rotate", ["random"], "round", "points"),
        (1, ["random"], "match", "win"),
        ("random", [first_legal], "round", "win"),
        (0, ["random", first_legal], "round", "points"),
    ],
)
def test_a_batch_does_what_single_games_do(seat, opponents, episode, reward):
    if len(opponents) == 2:
        tables = [(variant, n) for variant, n in ALL if n > 2]
    else:
        tables = ALL
    variants, sizes = zip(*tables, strict=True)
    vec = SingleAgentVec(
        list(variants), len(tables), list(sizes),
        opponents=opponents, seat=seat, episode=episode, reward=reward,
    )  # fmt: skip
    seeds = list(range(100, 100 + len(tables)))
    vec.reset(seed=seeds)
    twins = [SlowSingleAgent(vec, i, seeds[i], seat, opponents, reward) for i in range(len(tables))]
    rng = np.random.default_rng(0)
    ended = 0
    for _ in range(150):
        actions = some_legal(vec.mask, rng)
        vec.step(actions)
        for i, twin in enumerate(twins):
            twin.step(int(actions[i]))
            assert_same(vec, i, twin)
            ended += twin.end is not None
    assert ended > (30 if episode == "round" else 0)


def assert_same(vec, i, twin):
    game = twin.game
    assert vec.seat[i] == twin.seat == game.actor
    assert (vec.obs[i] == game.observe(twin.seat)).all()
    assert (vec.mask[i] == game.mask()).all()
    assert vec.done[i] == (twin.end is not None)
    if twin.end is None:
        assert vec.reward[i] == 0 and not vec.terminated[i] and not vec.truncated[i]
        return
    reward, void, length, seat, seen = twin.end
    assert vec.reward[i] == pytest.approx(reward, abs=1e-6)
    assert vec.truncated[i] == void and vec.terminated[i] != void
    assert vec.reason(i) == ("void" if void else "won")
    assert (vec.length[i], vec.final_seat[i]) == (length, seat)
    assert (vec.final_obs[i] == seen).all()


@pytest.mark.parametrize("opponents", ["random", first_legal])
def test_results_do_not_depend_on_threads(opponents):
    one = all_tables(seed=3, opponents=opponents)
    three = all_tables(seed=3, opponents=opponents, threads=3)
    one.reset()
    three.reset()
    rng = np.random.default_rng(1)
    for _ in range(100):
        actions = some_legal(one.mask, rng)
        one.step(actions)
        three.step(actions)
        for name in ("obs", "mask", "reward", "done", "seat", "final_obs"):
            assert (getattr(one, name) == getattr(three, name)).all(), name
    three.close()


def test_a_random_learner_wins_its_share():
    vec = SingleAgentVec("classic", 256, 4, seed=0)
    vec.reset()
    rng = np.random.default_rng(2)
    rewards = []
    seats = np.zeros(4)
    for _ in range(250):
        vec.step(some_legal(vec.mask, rng))
        rewards += vec.reward[vec.done].tolist()
        seats += np.bincount(vec.final_seat[vec.done], minlength=4)
    share = np.mean(np.array(rewards) > 0)
    assert abs(share - 0.25) < 5 * np.sqrt(0.25 * 0.75 / len(rewards))
    assert seats.min() > 0.2 * seats.sum()


def test_opponents_are_seated_clockwise_of_the_learner():
    asked = {"left": 0, "right": 0}

    def opponent(name):
        def act(obs, mask):
            asked[name] += len(obs)
            return mask.argmax(1)

        return act

    class Agent:
        act_batch = staticmethod(opponent("right"))

    vec = SingleAgentVec("classic", 20, 3, seat=0, opponents=[opponent("left"), Agent()])
    vec.reset()
    actors = vec.games.engine_arrays.games["dealer"]
    # The seat after the dealer begins, so deals of seats 0 and 1 ask the opponents first.
    assert asked["left"] >= (actors == 0).sum() > 0
    assert asked["right"] >= (actors == 1).sum() > 0


def test_an_opponents_illegal_choice_is_told_from_the_learners():
    vec = SingleAgentVec("classic", 4, 2, opponents=lambda obs, mask: mask.argmin(1))
    with pytest.raises(uno_env.IllegalAction, match="an opponent's choice in game"):
        vec.reset()
        vec.step(vec.mask.argmax(1))


class TestIllegalActionsOfTheLearner:
    def started(self, **options):
        vec = SingleAgentVec("classic", 3, 2, seed=1, **options)
        vec.reset()
        actions = vec.mask.argmax(1)
        actions[1] = vec.mask[1].argmin()
        return vec, actions

    def test_end_its_game_by_default(self):
        vec, actions = self.started(illegal_reward=-2.0)
        seen, seeds = vec.obs.copy(), vec.games.seeds
        vec.step(actions)
        assert vec.done.tolist() == vec.terminated.tolist() == [False, True, False]
        assert vec.reward.tolist() == [0, -2, 0]
        assert vec.reason(1) == "illegal action" and vec.length[1] == 1
        assert (vec.final_obs[1] == seen[1]).all()
        assert (vec.games.seeds != seeds).tolist() == [False, True, False]
        vec.step(vec.mask.argmax(1))
        assert not vec.done[1]

    def test_raise_on_request(self):
        vec, actions = self.started(illegal="raise")
        seen = vec.obs.copy()
        with pytest.raises(uno_env.IllegalAction, match=f"game 1 .*action {actions[1]} "):
            vec.step(actions)
        assert (vec.obs == seen).all(1).tolist() == [False, True, False]
        assert not vec.done.any()

    @pytest.mark.parametrize("by", ["option", "rules"])
    def test_cost_cards_where_the_rules_say_so(self, by):
        if by == "option":
            vec, actions = self.started(illegal="penalty")
        else:
            faults = uno_env.Rules.preset("classic").replace(fault_mode="penalty")
            vec, actions = self.started(rules=faults)
        game, seat = vec.games.game(1), int(vec.seat[1])
        vec.step(actions)
        game.step(int(actions[1]))
        assert not vec.done.any() and vec.seat[1] == seat
        assert (vec.obs[1] == game.observe(seat)).all()


def test_void_reward():
    vec = SingleAgentVec(SHORT, 8, 4, void_reward=-0.5)
    vec.reset()
    rng = np.random.default_rng(0)
    voids = 0
    for _ in range(60):
        vec.step(some_legal(vec.mask, rng))
        assert (vec.reward[vec.truncated] == -0.5).all()
        voids += vec.truncated.sum()
    assert voids > 20


def test_a_learner_who_never_decides_is_an_error_and_not_a_hang():
    rules = uno_env.Rules.preset("classic").replace(
        deck=uno_env.Deck({"1": 25}), hand_size=1, uno_call="auto", first_dealer="last_seat"
    )
    vec = SingleAgentVec(rules, 2, 2, seat=1)
    with pytest.raises(RuntimeError, match="before the learner could decide"):
        vec.reset()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seat": 3}, "seat is 3; allowed: random, rotate, or 0 to 2"),
        ({"seat": "north"}, "seat is 'north'"),
        ({"seat": True}, "seat is True"),
        ({"illegal": "ignore"}, "illegal is 'ignore'; allowed"),
        ({"opponents": []}, "opponents has 0"),
        ({"opponents": ["random"] * 4}, "opponents has 4 entries; allowed: 1 to 3"),
        ({"opponents": 7}, "opponents has 7; allowed: 'random'"),
        ({"opponents": [object()]}, "act_batch"),
    ],
)
def test_unusable_options_are_errors_that_name_them(options, message):
    with pytest.raises(ValueError, match=message):
        SingleAgentVec("classic", 2, [3, 4], **options)
