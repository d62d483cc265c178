"""The Gymnasium vector environment: spaces, autoreset in the same step, infos in its form."""

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics

import uno_env
from uno_env.vector.gymnasium import UnoVectorEnv

from .playing import TABLES

SHORT = uno_env.Rules.preset("classic").replace(max_steps=30)


def sampled(env, infos):
    """Legal actions by chance, the way Gymnasium's spaces do it."""
    return np.array([env.single_action_space.sample(mask) for mask in infos["action_mask"]])


def test_made_by_gymnasium():
    env = gymnasium.make_vec("uno_env/Uno-v0", num_envs=3, variant="no_mercy", num_players=4)
    assert isinstance(env.unwrapped, UnoVectorEnv) and isinstance(env, VectorEnv)
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    single = gymnasium.make("uno_env/Uno-v0", variant="no_mercy", num_players=4)
    assert env.single_observation_space == single.observation_space
    assert env.single_action_space == single.action_space
    env.close()


@pytest.mark.parametrize("scaled", [False, True])
def test_observations_lie_in_their_space_and_are_the_callers_to_keep(scaled):
    variants, sizes = zip(*TABLES, strict=True)
    env = UnoVectorEnv(list(variants), len(TABLES), num_players=list(sizes), scaled=scaled)
    obs, infos = env.reset(seed=1)
    for _ in range(40):
        kept = obs.copy()
        following, rewards, terminated, truncated, infos = env.step(sampled(env, infos))
        assert (obs == kept).all()
        obs = following
        assert obs in env.observation_space and obs.dtype == env.observation_space.dtype
        assert rewards.shape == terminated.shape == truncated.shape == (env.num_envs,)
        assert rewards.dtype == np.float64 and terminated.dtype == truncated.dtype == np.bool_
        assert (infos["action_mask"] == env.action_masks()).all()
        assert (infos["action_mask"].sum(1) > 0).all()


def test_the_last_observation_of_an_ended_game_is_in_the_infos():
    env = UnoVectorEnv(["classic", SHORT], 8, num_players=3)
    _, infos = env.reset(seed=0)
    reasons = []
    for _ in range(80):
        seats = infos["seat"]
        _, rewards, terminated, truncated, infos = env.step(sampled(env, infos))
        done = terminated | truncated
        assert ("final_obs" in infos) == done.any()
        if not done.any():
            continue
        assert (infos["_final_obs"] == done).all() and (infos["_final_info"] == done).all()
        for i in np.flatnonzero(done):
            assert infos["final_obs"][i] in env.single_observation_space
            assert infos["final_info"]["seat"][i] == seats[i]
            reason = infos["final_info"]["reason"][i]
            assert reason == ("void" if truncated[i] else "won")
            reasons.append(reason)
        assert all(infos["final_obs"][i] is None for i in np.flatnonzero(~done))
        assert not rewards[~done].any()
    assert set(reasons) == {"won", "void"}


def test_seeds():
    env = UnoVectorEnv("classic", 4, num_players=3)
    first, _ = env.reset(seed=3)
    assert (env.reset()[0] != first).any()
    assert (env.reset(seed=3)[0] == first).all()
    env.reset(seed=[5, 6, 7, 8])
    assert env.vec.games.seeds.tolist() == [5, 6, 7, 8]
    with pytest.raises(ValueError, match="options has 'deck'"):
        env.reset(options={"deck": 1})


def test_an_action_by_mere_chance_is_usually_the_end():
    env = UnoVectorEnv("classic", 64)
    env.reset(seed=0)
    env.action_space.seed(0)
    _, rewards, terminated, _, infos = env.step(env.action_space.sample())
    wrong = infos["final_info"]["reason"] == "illegal action"
    assert wrong.sum() > 32 and terminated[wrong].all() and (rewards[wrong] == -1).all()


def test_gymnasiums_episode_statistics():
    env = RecordEpisodeStatistics(UnoVectorEnv("classic", 16))
    _, infos = env.reset(seed=0)
    for _ in range(120):
        _, rewards, terminated, truncated, infos = env.step(sampled(env, infos))
        done = terminated | truncated
        if done.any():
            assert (infos["episode"]["r"][done] == rewards[done]).all()
            assert (infos["episode"]["l"][done] == env.unwrapped.vec.length[done]).all()
    assert env.episode_count > 16
