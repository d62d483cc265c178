"""The Gymnasium environment: conformity, the same game as `Game`, opponents of every kind, ends."""

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import uno_env
from uno_env.envs import opponents as opponents_module
from uno_env.envs.gymnasium_env import UnoEnv

from .playing import TABLES, choose, eager

SEATS = ["random", 0, 1]


def first_legal(view, legal):
    """The simplest opponent: a function of its view and the legal texts."""
    assert view["legal"] == legal
    return legal[0]


class ByAct:
    def act(self, view, legal):
        return legal[-1]


class ByBatch:
    def act_batch(self, obs, mask):
        assert obs.shape == (1, uno_env.OBS_SIZE) and mask.shape == (1, uno_env.NUM_ACTIONS)
        return mask.argmax(axis=1)


def play_out(env, seed, pick=choose):
    rng = np.random.default_rng(seed)
    env.reset(seed=seed)
    while True:
        obs, reward, terminated, truncated, info = env.step(pick(env.action_masks(), rng))
        if terminated or truncated:
            return obs, reward, terminated, truncated, info


@pytest.mark.parametrize(("variant", "num_players"), TABLES)
def test_gymnasium_accepts_it(variant, num_players):
    made = gymnasium.make("uno_env/Uno-v0", variant=variant, num_players=num_players)
    check_env(made.unwrapped, skip_render_check=True)


@pytest.mark.parametrize(
    "options",
    [
        {"scaled": True, "reward": "points"},
        {"episode": "match", "variant": "hyper_speed(match_target=60)", "seat": 1},
        {"illegal": "penalty", "info_actions": True},
        {"opponents": [first_legal, ByAct(), ByBatch()], "seat": 2},
        {"max_cycles": 10, "void_reward": -1},
    ],
    ids=lambda options: "-".join(options),
)
def test_gymnasium_accepts_every_option(options):
    check_env(UnoEnv(**options), skip_render_check=True)


def test_sb3_accepts_it():
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    for options in ({}, {"scaled": True, "variant": "teams"}):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            checker.check_env(UnoEnv(**options), skip_render_check=True)


def test_render_modes_are_accepted_by_gymnasium():
    pytest.importorskip("PIL")
    for mode in ("ansi", "rgb_array"):
        env = gymnasium.make("uno_env/Uno-v0", render_mode=mode)
        env.reset(seed=1)
        picture = env.render()
        assert isinstance(picture, str if mode == "ansi" else np.ndarray)
        env.close()


@pytest.mark.parametrize(("variant", "num_players"), TABLES)
@pytest.mark.parametrize("seat", SEATS)
def test_the_same_game_as_game(variant, num_players, seat):
    """Same seed and actions: the learner's observations, masks and rewards are those of `Game`."""
    rules = uno_env.Rules.preset(variant).replace(max_steps=120)
    env = UnoEnv(rules=rules, num_players=num_players, opponents=first_legal, seat=seat)
    rng = np.random.default_rng(3)
    obs, info = env.reset(seed=21)
    game = uno_env.Game(rules, num_players, seed=21)
    learner = info["seat"]
    assert seat in ("random", learner)
    done, reward = False, 0.0
    while not game.over:
        if game.actor != learner:
            game.step(game.legal()[0])
            continue
        assert not done and reward == 0 and info["phase"] == game.phase
        assert np.array_equal(obs, game.observe(learner))
        assert np.array_equal(env.action_masks(), game.mask())
        action = eager(game.mask(), rng)
        game.step(action)
        obs, reward, terminated, truncated, info = env.step(action)
        done = terminated or truncated
    assert done and truncated == game.void and terminated != truncated
    assert reward == game.rewards("win")[learner]
    assert np.array_equal(obs, game.observe(learner))
    assert info["winners"] == list(game.winners) and info["scores"] == game.scores


def test_opponents_sit_clockwise_from_the_learner():
    asked = []

    def named(name):
        def act(view, legal):
            asked.append((name, view["seat"]))
            return legal[0]

        return act

    env = UnoEnv("classic", opponents=[named("next"), named("after")], seat=2)
    assert env.num_players == 3
    play_out(env, 0, eager)
    assert set(asked) == {("next", 0), ("after", 1)}


def test_a_random_seat_moves_and_a_seed_fixes_everything():
    env, twin = UnoEnv("classic", num_players=4), UnoEnv("classic", num_players=4)
    seats = {env.reset(seed=seed)[1]["seat"] for seed in range(30)}
    assert seats == {0, 1, 2, 3}
    for seed in range(3):
        one, other = play_out(env, seed), play_out(twin, seed)
        assert np.array_equal(one[0], other[0]) and one[1:] == other[1:]
    games = set()
    for _ in range(4):
        env.reset()
        games.add(env._session.game.seed)
    assert len(games) == 4


def test_the_learner_wins_and_loses():
    """Rewards are the learner's own: +1 or its share of the loss, with the last step only."""
    env = UnoEnv("classic", num_players=4)
    rewards = set()
    for seed in range(25):
        _, reward, terminated, _, info = play_out(env, seed, eager)
        assert terminated and (reward == 1) == (info["winners"] == [info["seat"]])
        rewards.add(round(reward, 3))
    assert rewards == {1.0, -0.333}


def test_an_eliminated_learner_waits_for_the_end():
    env = UnoEnv("no_mercy(mercy_limit=9)", num_players=4)
    waited = 0
    for seed in range(30):
        _, reward, terminated, _, info = play_out(env, seed)
        gone = info["seat"] in env._session.game.view(0)["eliminated"]
        waited += gone
        assert terminated and (not gone or reward < 0)
    assert waited


def test_a_game_that_ends_before_the_first_decision_is_dealt_again():
    """With two cards each, somebody often goes out before the last seat is asked."""

    def quick(view, legal):
        return legal[0]

    rules = uno_env.Rules.preset("classic").replace(hand_size=1, uno_call="off")
    env = UnoEnv(rules=rules, num_players=6, opponents=quick, seat=5)
    again = 0
    for seed in range(60):
        env.reset(seed=seed)
        assert env.action_masks().any()
        again += env._session.game.seed != seed
    assert again


def test_void_and_illegal_ends():
    env = UnoEnv("classic", num_players=3, max_cycles=12, void_reward=-0.5, illegal_reward=-3)
    _, reward, terminated, truncated, info = play_out(env, 1)
    assert (reward, terminated, truncated, info["reason"]) == (-0.5, False, True, "void")
    assert not env.action_masks().any()
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)
    env.reset(seed=1)
    bad = int((env.action_masks() == 0).argmax())
    _, reward, terminated, truncated, info = env.step(bad)
    assert (reward, terminated, truncated) == (-3.0, True, False)
    assert info["reason"] == f"illegal action {bad} ({uno_env.ACTIONS[bad]}) by the learner"
    assert not env.action_masks().any()


def test_illegal_actions_raise_or_cost():
    env = UnoEnv(illegal="raise")
    before, _ = env.reset(seed=1)
    with pytest.raises(uno_env.IllegalAction, match="by the learner"):
        env.step(int((env.action_masks() == 0).argmax()))
    assert np.array_equal(env._observation(), before)
    with pytest.raises(AssertionError, match="not in action space"):
        env.step(999)
    env = UnoEnv(illegal="penalty")
    before, _ = env.reset(seed=1)
    after, reward, terminated, truncated, _ = env.step(int((env.action_masks() == 0).argmax()))
    hand = slice(0, len(uno_env.FACES))
    assert after[hand].sum() == before[hand].sum() + 2
    assert (reward, terminated, truncated) == (0.0, False, False)


def test_scaled_observations():
    plain, floats = UnoEnv("ig2000", seat=0), UnoEnv("ig2000", seat=0, scaled=True)
    one, other = plain.reset(seed=1)[0], floats.reset(seed=1)[0]
    assert other.dtype == np.float32 and np.array_equal(uno_env.scaled(one), other)
    assert floats.observation_space.contains(other)
    assert floats.observation_space.version == uno_env.OBS_VERSION


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("play red-99", "unknown action 'play red-99'"),
        ("give red-1", "chose 'give red-1'"),
        ("catch", r"chose \d+ \(catch\), which is illegal"),
        (-7, "chose -7"),
        (None, "neither a text nor an id"),
    ],
)
def test_a_broken_opponent_is_named(answer, text):
    def broken(view, legal):
        return answer

    env = UnoEnv(opponents=broken, seat=0)
    env.reset(seed=1)
    with pytest.raises(uno_env.IllegalAction, match=f"opponent broken.*{text}"):
        for _ in range(30):
            env.step(int(env.action_masks().argmax()))


def test_specs_go_through_the_entry_point(monkeypatch, tmp_path):
    """Whoever registers the group resolves every spec but the built-in `random`."""
    (tmp_path / "uno_test_bots.py").write_text(BOTS)
    info = tmp_path / "uno_test_bots-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: uno-test-bots\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[uno_env.agents]\nbots = uno_test_bots:resolve\n")
    monkeypatch.syspath_prepend(tmp_path)
    env = UnoEnv(opponents=["random", "last:legal"], seat=0)
    assert [who.name for who in env.opponents] == ["random", "last:legal"]
    play_out(env, 0, eager)
    import uno_test_bots

    assert uno_test_bots.RESOLVED == ["last:legal"] and uno_test_bots.Last.asked > 0


BOTS = """
RESOLVED = []

class Last:
    asked = 0

    def act(self, view, legal):
        Last.asked += 1
        return legal[-1]

def resolve(spec):
    RESOLVED.append(spec)
    return Last()
"""


def test_without_agents_only_random_is_known(monkeypatch):
    monkeypatch.setattr(opponents_module, "entry_points", lambda group: [])
    with pytest.raises(ValueError, match=r"opponents has 'heuristic'.*uno_env\.agents"):
        UnoEnv(opponents="heuristic")
    play_out(UnoEnv(opponents="random"), 0)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"seat": 2}, "seat is 2; allowed: random, 0 to 1"),
        ({"seat": "dealer"}, "seat is 'dealer'"),
        ({"opponents": 7}, "opponents has 7; allowed"),
        (
            {"opponents": ["random"] * 2, "num_players": 4},
            "opponents has 2 entries; allowed: 1 .*3",
        ),
        ({"illegal": "ignore"}, "illegal is 'ignore'"),
        ({"render_mode": "film"}, "render_mode is 'film'"),
    ],
)
def test_unusable_options_are_named(options, text):
    with pytest.raises(ValueError, match=text):
        UnoEnv(**options)
