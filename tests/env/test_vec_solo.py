"""Single-learner batches: what the kernel does is what a slow loop over `Game` does."""

import numpy as np
import pytest

import uno_env
from uno_env.vector.single_agent import SoloVec

from .playing import TABLES
from .solo_twin import SlowSolo, first_legal

SHORT = uno_env.Rules.preset("classic").replace(max_steps=30)
ALL = [*TABLES, (SHORT, 4)]


def all_tables(**options):
    variants, sizes = zip(*ALL, strict=True)
    return SoloVec(list(variants), len(ALL), list(sizes), **options)


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
    solo = SoloVec(
        list(variants), len(tables), list(sizes),
        opponents=opponents, seat=seat, episode=episode, reward=reward,
    )  # fmt: skip
    seeds = list(range(100, 100 + len(tables)))
    solo.reset(seed=seeds)
    twins = [SlowSolo(solo, i, seeds[i], seat, opponents, reward) for i in range(len(tables))]
    rng = np.random.default_rng(0)
    ended = 0
    for _ in range(150):
        actions = some_legal(solo.mask, rng)
        solo.step(actions)
        for i, twin in enumerate(twins):
            twin.step(int(actions[i]))
            assert_same(solo, i, twin)
            ended += twin.end is not None
    assert ended > (30 if episode == "round" else 0)


def assert_same(solo, i, twin):
    game = twin.game
    assert solo.seat[i] == twin.seat == game.actor
    assert (solo.obs[i] == game.observe(twin.seat)).all()
    assert (solo.mask[i] == game.mask()).all()
    assert solo.done[i] == (twin.end is not None)
    if twin.end is None:
        assert solo.reward[i] == 0 and not solo.terminated[i] and not solo.truncated[i]
        return
    reward, void, length, seat, seen = twin.end
    assert solo.reward[i] == pytest.approx(reward, abs=1e-6)
    assert solo.truncated[i] == void and solo.terminated[i] != void
    assert solo.reason(i) == ("void" if void else "won")
    assert (solo.length[i], solo.final_seat[i]) == (length, seat)
    assert (solo.final_obs[i] == seen).all()


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
    solo = SoloVec("classic", 256, 4, seed=0)
    solo.reset()
    rng = np.random.default_rng(2)
    rewards = []
    seats = np.zeros(4)
    for _ in range(250):
        solo.step(some_legal(solo.mask, rng))
        rewards += solo.reward[solo.done].tolist()
        seats += np.bincount(solo.final_seat[solo.done], minlength=4)
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

    solo = SoloVec("classic", 20, 3, seat=0, opponents=[opponent("left"), Agent()])
    solo.reset()
    actors = solo.games._games["dealer"]
    # The seat after the dealer begins, so deals of seats 0 and 1 ask the opponents first.
    assert asked["left"] >= (actors == 0).sum() > 0
    assert asked["right"] >= (actors == 1).sum() > 0


def test_an_opponents_illegal_choice_is_told_from_the_learners():
    solo = SoloVec("classic", 4, 2, opponents=lambda obs, mask: mask.argmin(1))
    with pytest.raises(uno_env.IllegalAction, match="an opponent's choice in game"):
        solo.reset()
        solo.step(solo.mask.argmax(1))


class TestIllegalActionsOfTheLearner:
    def started(self, **options):
        solo = SoloVec("classic", 3, 2, seed=1, **options)
        solo.reset()
        actions = solo.mask.argmax(1)
        actions[1] = solo.mask[1].argmin()
        return solo, actions

    def test_end_its_game_by_default(self):
        solo, actions = self.started(illegal_reward=-2.0)
        seen, seeds = solo.obs.copy(), solo.games.seeds
        solo.step(actions)
        assert solo.done.tolist() == solo.terminated.tolist() == [False, True, False]
        assert solo.reward.tolist() == [0, -2, 0]
        assert solo.reason(1) == "illegal action" and solo.length[1] == 1
        assert (solo.final_obs[1] == seen[1]).all()
        assert (solo.games.seeds != seeds).tolist() == [False, True, False]
        solo.step(solo.mask.argmax(1))
        assert not solo.done[1]

    def test_raise_on_request(self):
        solo, actions = self.started(illegal="raise")
        seen = solo.obs.copy()
        with pytest.raises(uno_env.IllegalAction, match=f"game 1 .*action {actions[1]} "):
            solo.step(actions)
        assert (solo.obs == seen).all(1).tolist() == [False, True, False]
        assert not solo.done.any()

    @pytest.mark.parametrize("by", ["option", "rules"])
    def test_cost_cards_where_the_rules_say_so(self, by):
        if by == "option":
            solo, actions = self.started(illegal="penalty")
        else:
            faults = uno_env.Rules.preset("classic").replace(fault_mode="penalty")
            solo, actions = self.started(rules=faults)
        game, seat = solo.games.game(1), int(solo.seat[1])
        solo.step(actions)
        game.step(int(actions[1]))
        assert not solo.done.any() and solo.seat[1] == seat
        assert (solo.obs[1] == game.observe(seat)).all()


def test_void_reward():
    solo = SoloVec(SHORT, 8, 4, void_reward=-0.5)
    solo.reset()
    rng = np.random.default_rng(0)
    voids = 0
    for _ in range(60):
        solo.step(some_legal(solo.mask, rng))
        assert (solo.reward[solo.truncated] == -0.5).all()
        voids += solo.truncated.sum()
    assert voids > 20


def test_a_learner_who_never_decides_is_an_error_and_not_a_hang():
    rules = uno_env.Rules.preset("classic").replace(
        deck=uno_env.Deck({"1": 25}), hand_size=1, uno_call="auto", first_dealer="last_seat"
    )
    solo = SoloVec(rules, 2, 2, seat=1)
    with pytest.raises(RuntimeError, match="before the learner could decide"):
        solo.reset()


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
        SoloVec("classic", 2, [3, 4], **options)
