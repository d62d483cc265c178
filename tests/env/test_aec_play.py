"""Whole episodes of the AEC environment: the same game as `Game`, rewards, ends, copies."""

import copy
import pickle

import numpy as np
import pytest

import uno_env
from uno_env.envs.session import GameSession

from .playing import TABLES, choose, eager, play_out, play_some

VOID = "classic(max_steps=15)"


def pickled(env):
    """The env after a trip through pickle."""
    return pickle.loads(pickle.dumps(env))  # noqa: S301  # our own bytes


@pytest.mark.parametrize(("variant", "num_players"), TABLES)
@pytest.mark.parametrize("mode", ["win", "points"])
def test_the_same_game_as_game(variant, num_players, mode):
    """Same seed and actions: same observations, masks, phases and rewards, of every seat."""
    rules = uno_env.Rules.preset(variant).replace(max_steps=150)
    env = uno_env.env(rules=rules, num_players=num_players, reward=mode)
    game = uno_env.Game(rules, num_players, seed=11)
    rng = np.random.default_rng(11)
    env.reset(seed=11)
    while not game.over:
        assert env.agent_selection == f"player_{game.actor}"
        seen, _, _, _, info = env.last()
        assert np.array_equal(seen["action_mask"], game.mask())
        assert info["phase"] == game.phase
        for seat, agent in enumerate(env.agents):
            each = env.observe(agent)
            assert np.array_equal(each["observation"], game.observe(seat))
            assert each["action_mask"].any() == (seat == game.actor)
            assert env.infos[agent]["phase"] == game.view(seat)["phase"]
        action = choose(seen["action_mask"], rng)
        env.step(action)
        game.step(action)
    assert list(env.rewards.values()) == game.rewards(mode)
    assert list(env.truncations.values()) == [game.void] * num_players
    assert env.infos["player_0"]["scores"] == game.scores
    assert np.array_equal(env.last()[0]["observation"], game.observe(0))


@pytest.mark.parametrize(("variant", "num_players"), TABLES)
@pytest.mark.parametrize("reward", ["win", "points"])
def test_rewards_sum_to_zero_and_winners_gain_most(variant, num_players, reward):
    ends = play_out(uno_env.env(variant, num_players, reward=reward), seed=2, pick=eager)
    assert set(ends) == {f"player_{seat}" for seat in range(num_players)}
    assert sum(end[0] for end in ends.values()) == pytest.approx(0)
    _, terminated, truncated, info = ends["player_0"]
    assert terminated and not truncated and info["reason"] == "won"
    most = max(end[0] for end in ends.values())
    assert most > 0 and {ends[winner][0] for winner in info["winners"]} == {most}


def test_a_shared_loss():
    ends = play_out(uno_env.env("classic", 4), seed=0)
    assert sorted(end[0] for end in ends.values()) == pytest.approx([-1 / 3] * 3 + [1])


def test_partners_share_everything():
    env = uno_env.env("teams", 4)
    for seed in range(5):
        ends = play_out(env, seed, pick=eager)
        assert len(ends["player_0"][3]["winners"]) == 2
        assert ends["player_0"][0] == ends["player_2"][0] == -ends["player_1"][0]
        assert abs(ends["player_1"][0]) == 1 and ends["player_1"][0] == ends["player_3"][0]


def test_a_match_is_one_episode():
    env = uno_env.env("classic(match_target=120)", 3, episode="match")
    _, terminated, _, info = play_out(env, seed=1)["player_1"]
    assert terminated and max(info["scores"]) >= 120
    best = info["scores"].index(max(info["scores"]))
    assert info["winners"] == [f"player_{best}"]


def test_a_void_round_is_a_truncation():
    for reward, options in ((0.0, {}), (-0.5, {"void_reward": -0.5})):
        ends = play_out(uno_env.env(VOID, 3, **options), seed=1)
        assert {end[:3] for end in ends.values()} == {(reward, False, True)}
        assert {end[3]["reason"] for end in ends.values()} == {"void"}


def test_an_eliminated_seat_stays_an_agent_and_is_not_asked():
    env = uno_env.env("no_mercy(mercy_limit=12)", 6)
    found = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        env.reset(seed=seed)
        gone: set[str] = set()
        while not any(env.terminations.values()) and not any(env.truncations.values()):
            assert env.agent_selection not in gone
            assert len(env.agents) == 6
            env.step(choose(env.last()[0]["action_mask"], rng))
            eliminated = env._session.game.view(0)["eliminated"]
            gone = {f"player_{seat}" for seat in eliminated}
            found += len(gone) > 0
        assert all(env.rewards[agent] < 0 for agent in gone)
    assert found, "no seat was eliminated"


def test_a_seat_that_is_out_stays_an_agent_and_has_no_turn():
    env = uno_env.env("teams", 4)
    was_out = came_back = 0
    for seed in range(10):
        rng = np.random.default_rng(seed)
        env.reset(seed=seed)
        before: set[int] = set()
        while not env._ended:
            out = set(env._session.game.view(0)["out"])
            was_out += len(out)
            came_back += len(before - out)
            before = out
            assert len(env.agents) == 4
            seen, _, _, _, info = env.last()
            assert info["phase"] != "play" or env._session.actor not in out
            env.step(eager(seen["action_mask"], rng))
    assert was_out and came_back


def test_what_was_handed_out_never_changes():
    env = uno_env.env("ig2000", 3)
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    kept = []
    for _ in range(30):
        seen, _, _, _, info = env.last()
        other = env.observe(env.agents[0])
        kept.append([(item, copy.deepcopy(item)) for item in (seen, other, info)])
        env.step(choose(seen["action_mask"], rng))
    for item, before in (pair for step in kept for pair in step):
        assert item.keys() == before.keys()
        assert all(np.array_equal(item[key], before[key]) for key in item)


def test_what_was_handed_out_is_the_agents_own():
    """An agent that writes into it changes nothing for those who ask again."""
    env = uno_env.env("classic", 3)
    play_some(env, seed=1, steps=5)
    mine, *_, info = env.last()
    kept = copy.deepcopy(mine), dict(info)
    info["phase"] = "over"
    for array in mine.values():
        array[:] = 9
    for seen, told in (
        (env.last()[0], env.last()[-1]),
        (env.observe(env.agent_selection), kept[1]),
    ):
        assert all(np.array_equal(seen[key], kept[0][key]) for key in seen) and told == kept[1]


def test_observing_others_does_not_disturb_the_actor():
    env = uno_env.env("classic", 4)
    play_some(env, seed=3, steps=9)
    before = env.last()[0]
    for agent in env.agents:
        env.observe(agent)
    assert all(np.array_equal(env.last()[0][key], before[key]) for key in before)


@pytest.mark.parametrize("options", [{}, {"render_mode": "ansi"}], ids=["bare", "rendered"])
@pytest.mark.parametrize("duplicate", [copy.deepcopy, pickled])
def test_a_copy_goes_on_alone(options, duplicate):
    env = uno_env.env("loche", 3, **options)
    play_some(env, seed=6, steps=25)
    twin, frozen = duplicate(env), duplicate(env)
    rng = np.random.default_rng(0)
    for _ in range(25):
        assert all(np.array_equal(env.last()[0][k], twin.last()[0][k]) for k in env.last()[0])
        action = choose(env.last()[0]["action_mask"], rng)
        env.step(action)
        twin.step(action)
    # The copied game's own buffers must be connected too.
    assert np.array_equal(env._session.game.observe(1), twin._session.game.observe(1))
    if options:
        assert env.render() == twin.render() != frozen.render()
    assert not np.array_equal(env.observe("player_0")["observation"],
                              frozen.observe("player_0")["observation"])  # fmt: skip


def test_reset_without_a_seed_goes_on_with_the_next():
    env, other, third = (uno_env.env("classic", 2) for _ in range(3))
    env.reset(seed=9)
    env.reset()
    other.reset(seed=9)
    other.reset()
    first = env.last()[0]["observation"]
    assert np.array_equal(first, other.last()[0]["observation"])
    other.reset()
    assert not np.array_equal(first, other.last()[0]["observation"])
    third.reset()
    seeds = {third._session.game.seed}
    for _ in range(3):
        fresh = uno_env.env("classic", 2)
        fresh.reset()
        seeds.add(fresh._session.game.seed)
    assert len(seeds) == 4, "the first seed is not random"


@pytest.mark.parametrize(("variant", "num_players"), [("classic", 3), ("no_mercy", 4)])
def test_games_follow_each_other_as_in_a_batch(variant, num_players):
    """Same games as `vec`, and `reset()` deals the one that a batch goes on with by itself."""
    games = uno_env.vec(variant, num_envs=1, num_players=num_players, seed=77)
    games.reset()
    env = uno_env.env(variant, num_players)
    env.reset(seed=int(games.seeds[0]))
    for _ in range(3):
        while not env._ended:
            assert np.array_equal(env.last()[0]["observation"], games.obs[0])
            assert np.array_equal(env.last()[0]["action_mask"], games.mask[0])
            action = int(games.mask[0].argmax())
            games.step([action])
            env.step(action)
        assert games.done[0]
        assert list(env.rewards.values()) == pytest.approx(games.rewards[0, :num_players])
        env.reset()


def test_info_has_the_legal_actions_of_the_actor_only():
    env = uno_env.env("classic", 3, info_actions=True)
    play_some(env, seed=3, steps=5)
    mask = env.last()[0]["action_mask"]
    assert env.last()[4]["actions"] == [uno_env.ACTIONS[i] for i in np.flatnonzero(mask)]
    for agent in env.agents:
        assert ("actions" in env.infos[agent]) == (agent == env.agent_selection)
    plain = uno_env.env("classic", 3)
    plain.reset(seed=3)
    assert all(set(info) == {"phase"} for info in plain.infos.values())


def test_events_are_kept_only_for_pictures():
    """A table without events plays the same game as one with them."""
    teams = uno_env.Rules.preset("teams")
    tables = [GameSession(teams, 4, "round", kept) for kept in (False, True)]
    rng = np.random.default_rng(0)
    for table in tables:
        table.deal(5)
    for _ in range(60):
        action = choose(tables[0].mask, rng)
        assert tables[0].step(action) == tables[1].step(action)
        assert np.array_equal(tables[0].obs, tables[1].obs)
    assert tables[0].game.events == [] and len(tables[1].game.events) > 60
    assert len(tables[1].game.record()["actions"]) == 60
