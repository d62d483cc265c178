"""`uno_env.vec`: the same games as `Game`, many at a time."""

import copy

import numpy as np
import pytest

import uno_env
from uno_env.engine.lowlevel.bits import splitmix64

from .playing import TABLES

SHORT = uno_env.Rules.preset("classic").replace(max_steps=30)
"""Rounds that nearly always end void, by the limit of decisions."""


def mixed(**options):
    """One game of every preset at several table sizes, and some that end void."""
    tables = [*TABLES, (SHORT, 4)]
    variants, sizes = zip(*tables, strict=True)
    return uno_env.vec(list(variants), len(tables), list(sizes), **options)


def twin_of(v, i):
    """The game that env i is playing, from its seed."""
    n, seed = int(v.num_players[i]), int(v.seeds[i])
    return uno_env.Game(v.rules_of(i), n, seed=seed, episode=v.episode)


def assert_same_row(v, i, game):
    assert v.actor[i] == game.actor
    assert (v.mask[i] == game.mask()).all()
    assert (v.obs[i] == game.observe(game.actor)).all()


@pytest.mark.parametrize(("episode", "reward"), [("round", "win"), ("match", "points")])
def test_every_row_is_the_row_of_a_game_with_the_same_seed_and_actions(episode, reward):
    v = mixed(seed=5, episode=episode, reward=reward)
    v.reset()
    games = [twin_of(v, i) for i in range(v.num_envs)]
    for i, game in enumerate(games):
        assert_same_row(v, i, game)
    ended = 0
    for _ in range(500):
        actions = v.random_actions().copy()
        v.step(actions)
        for i, game in enumerate(games):
            game.step(int(actions[i]))
            assert bool(v.done[i]) == game.over
            if not game.over:
                assert not v.rewards[i].any()
                assert_same_row(v, i, game)
                continue
            ended += 1
            assert v.void[i] == game.void
            n = game.num_players
            assert v.rewards[i, :n] == pytest.approx(game.rewards(reward), abs=1e-6)
            assert not v.rewards[i, n:].any()
            assert v.seeds[i] == splitmix64(np.uint64(game.seed))
            games[i] = twin_of(v, i)
            assert_same_row(v, i, games[i])
    assert ended > (40 if episode == "round" else 0)


def test_rewards_sum_to_zero_and_void_games_pay_nothing():
    v = mixed(seed=1)
    v.reset()
    ends = {1: 0, 2: 0}
    for _ in range(1500):
        v.step(v.random_actions())
        assert np.abs(v.rewards.sum(1)).max() < 1e-6
        assert not v.rewards[v.done != 1].any()
        assert (v.rewards[v.done == 1].max(1, initial=0) == 1).all()
        for kind in ends:
            ends[kind] += int((v.done == kind).sum())
    assert min(ends.values()) > 20


def test_results_do_not_depend_on_threads():
    one = mixed(seed=3)
    with mixed(seed=3, threads=4) as four:
        one.reset()
        four.reset()
        for _ in range(300):
            actions = one.random_actions()
            assert (actions == four.random_actions()).all()
            one.step(actions)
            four.step(actions)
            for name in ("obs", "mask", "actor", "done", "rewards", "seeds"):
                assert (getattr(one, name) == getattr(four, name)).all(), name


def test_a_game_far_into_the_batch_replays_from_its_seed():
    v = uno_env.vec("no_mercy", num_envs=8, num_players=3, seed=11)
    v.reset()
    taken = [[] for _ in range(8)]
    redealt = np.zeros(8, int)
    for _ in range(600):
        actions = v.random_actions().copy()
        v.step(actions)
        for i in range(8):
            taken[i] = [] if v.done[i] else [*taken[i], int(actions[i])]
        redealt += v.done > 0
    assert redealt.min() >= 2
    for i in range(8):
        record = {"rules": "no_mercy", "num_players": 3, "seed": int(v.seeds[i])}
        game = uno_env.Game.replay({**record, "actions": taken[i]})
        assert game.snapshot() == v.game(i).snapshot()


def test_game_of_a_batch_is_independent_and_plays_on_alike():
    v = mixed(seed=2)
    v.reset()
    for _ in range(60):
        v.step(v.random_actions())
    games = [v.game(i) for i in range(v.num_envs)]
    for i, game in enumerate(games):
        assert_same_row(v, i, game)
        assert game.rules == v.rules_of(i)
        assert uno_env.Game.replay(game.record()).snapshot() == game.snapshot()
    actions = v.random_actions().copy()
    before = v.obs.copy()
    for i, game in enumerate(games):
        game.step(int(actions[i]))
    assert (v.obs == before).all()
    v.step(actions)
    for i in np.flatnonzero(v.done == 0):
        assert_same_row(v, i, games[i])


def test_an_illegal_action_is_named_and_only_its_game_stays():
    v = uno_env.vec("classic", num_envs=6, num_players=4, seed=0)
    v.reset()
    actions = v.random_actions().copy()
    before, state = v.obs.copy(), v.game(4).snapshot()
    actions[4] = np.flatnonzero(v.mask[4] == 0)[0]
    actions[5] = 9999
    text = uno_env.action_text(int(actions[4]), v.game(4).phase)
    with pytest.raises(uno_env.IllegalAction) as caught:
        v.step(actions)
    message = str(caught.value)
    assert "game 4 " in message and f"seat {v.actor[4]}" in message
    assert f"action {actions[4]} ({text})" in message
    assert message.endswith("legal: " + ", ".join(v.game(4).legal()))
    assert v.game(4).snapshot() == state
    assert (v.obs == before).all(1).tolist() == [False] * 4 + [True] * 2
    with uno_env.vec("classic", 6, 4, threads=3) as threaded:
        threaded.reset()
        with pytest.raises(uno_env.IllegalAction, match="game 4 "):
            threaded.step(actions)


def test_an_action_outside_the_table_is_illegal():
    v = uno_env.vec("classic", num_envs=2)
    v.reset()
    for action in (-1, uno_env.NUM_ACTIONS):
        with pytest.raises(uno_env.IllegalAction, match=f"game 0 .*: action {action} is not legal"):
            v.step([action, action])


def test_step_before_reset_says_so():
    v = uno_env.vec("classic", num_envs=2)
    with pytest.raises(uno_env.IllegalAction, match=r"call reset\(\)"):
        v.step(v.random_actions())
    with pytest.raises(IndexError, match=r"call reset\(\)"):
        v.game(0)


def test_actions_of_other_kinds():
    v, w = (uno_env.vec("classic", num_envs=4, seed=9) for _ in range(2))
    v.reset()
    w.reset()
    for kind in (np.int32, np.uint8, list, np.int64):
        actions = v.random_actions()
        v.step(actions)
        w.step(actions.tolist() if kind is list else actions.astype(kind))
        assert (v.obs == w.obs).all()
    with pytest.raises(TypeError, match="float64"):
        v.step(np.zeros(4))
    with pytest.raises(ValueError, match=r"\(4, 1\).*\(4,\)"):
        v.step(np.zeros((4, 1), int))


def test_arrays_stay_the_same_objects():
    v = uno_env.vec("classic", num_envs=3)
    arrays = [v.obs, v.mask, v.actor, v.done, v.rewards]
    v.reset()
    v.step(v.random_actions())
    now = [v.obs, v.mask, v.actor, v.done, v.rewards]
    assert all(a is b for a, b in zip(arrays, now, strict=True))
    assert v.obs.shape == (3, uno_env.OBS_SIZE) and v.obs.dtype == np.uint8
    assert v.mask.shape == (3, uno_env.NUM_ACTIONS) and v.mask.dtype == np.uint8
    assert v.rewards.shape == (3, 10)


def test_reset_repeats_with_a_seed_and_goes_on_without():
    v = uno_env.vec("classic", num_envs=4, num_players=3, seed=7)
    v.reset()
    first, seeds = v.obs.copy(), v.seeds
    v.reset()
    assert (v.seeds == mix_all(seeds)).all()
    v.reset(seed=7)
    assert (v.obs == first).all() and (v.seeds == seeds).all()
    v.reset(seed=[3, 1, 4, 1])
    assert v.seeds.tolist() == [3, 1, 4, 1]
    assert (v.obs[1] == v.obs[3]).all() and (v.obs[0] != v.obs[1]).any()
    game = uno_env.Game("classic", 3, seed=4)
    assert_same_row(v, 2, game)


def mix_all(seeds):
    return np.array([splitmix64(seed) for seed in seeds], np.uint64)


def test_batches_of_neighbouring_seeds_share_no_game():
    seeds = [uno_env.vec("classic", num_envs=500, seed=s) for s in range(4)]
    for v in seeds:
        v.reset()
    assert len({int(seed) for v in seeds for seed in v.seeds}) == 2000


def test_random_actions_are_uniform_over_the_legal_ones():
    v = uno_env.vec("classic", num_envs=4000, num_players=2, seed=0)
    v.reset(seed=np.zeros(4000, np.uint64))
    v._rngs[:] = np.arange(4000)
    legal = np.flatnonzero(v.mask[0])
    counts = np.bincount(v.random_actions(), minlength=uno_env.NUM_ACTIONS)
    assert (np.flatnonzero(counts) == legal).all()
    expected = 4000 / len(legal)
    assert (np.abs(counts[legal] - expected) < 5 * np.sqrt(expected)).all()


def test_state_comes_back():
    v = mixed(seed=4)
    v.reset()
    for _ in range(40):
        v.step(v.random_actions())
    state, obs, mask = v.state, v.obs.copy(), v.mask.copy()
    actions = v.random_actions().copy()
    v.step(actions)
    after = v.obs.copy()
    for _ in range(50):
        v.step(v.random_actions())
    v.restore(state)
    assert (v.obs == obs).all() and (v.mask == mask).all() and not v.done.any()
    v.step(actions)
    assert (v.obs == after).all()
    with pytest.raises(ValueError, match="same rules"):
        uno_env.vec("classic", num_envs=v.num_envs, num_players=4).restore(state)


def test_clones_of_one_game():
    game = uno_env.Game("teams", 4, seed=3)
    for _ in range(9):
        game.step(game.legal()[0])
    v = uno_env.vec("teams", num_envs=50, num_players=4, seed=1)
    v.reset()
    v.clone_from(game)
    twin = copy.deepcopy(game.snapshot())
    for i in (0, 49):
        assert_same_row(v, i, game)
    v.step(v.random_actions())
    assert game.snapshot() == twin
    with pytest.raises(ValueError, match="players"):
        v.clone_from(uno_env.Game("teams", 6))
    with pytest.raises(ValueError, match="no_mercy"):
        v.clone_from(uno_env.Game("no_mercy", 4))


def test_a_deal_that_plays_itself_out_gives_way_to_the_next_one():
    rules = uno_env.Rules.preset("classic").replace(hand_size=1, auto_forced=True)
    v = uno_env.vec(rules, num_envs=256, num_players=2, seed=3)
    v.reset()
    for _ in range(50):
        assert (v.actor >= 0).all() and v.mask.any(axis=1).all()
        v.step(v.random_actions())
