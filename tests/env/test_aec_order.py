"""Calls out of order and illegal actions: the same answers as PettingZoo's stock wrappers give."""

import numpy as np
import pytest
from pettingzoo.utils import wrappers
from pettingzoo.utils.env_logger import EnvLogger

import uno_env

from .playing import play_out, play_some

TOO_EARLY = {
    "step": lambda env: env.step(0),
    "observe": lambda env: env.observe("player_0"),
    "last": lambda env: env.last(),
    "agent_iter": lambda env: env.agent_iter(),
    "render": lambda env: env.render(),
    "state": lambda env: env.state(),
    "agents": lambda env: env.agents,
    "rewards": lambda env: env.rewards,
    "terminations": lambda env: env.terminations,
    "truncations": lambda env: env.truncations,
    "infos": lambda env: env.infos,
    "agent_selection": lambda env: env.agent_selection,
}


def stock_env(**options):
    env = wrappers.TerminateIllegalWrapper(uno_env.raw_env(**options), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))


@pytest.fixture(autouse=True)
def quiet_logger():
    EnvLogger.suppress_output()
    EnvLogger.flush()
    yield
    EnvLogger.unsuppress_output()
    EnvLogger.flush()


@pytest.mark.parametrize("name", TOO_EARLY)
def test_before_reset_as_the_stock_wrapper(name):
    errors = []
    for env in (uno_env.env(), stock_env()):
        with pytest.raises((AssertionError, AttributeError), match="reset") as caught:
            TOO_EARLY[name](env)
        errors.append((caught.type, str(caught.value)))
    assert errors[0] == errors[1]


def test_what_a_loop_needs_exists_before_reset():
    env = uno_env.env("teams")
    assert env.possible_agents == ["player_0", "player_1", "player_2", "player_3"]
    assert env.max_num_agents == 4 and not hasattr(env, "agents")
    with pytest.raises(AttributeError, match="before reset"):
        _ = env.num_agents
    with pytest.raises(AttributeError, match="no attribute 'no_such_thing'"):
        _ = env.no_such_thing


def test_agent_iter_needs_a_step():
    for env in (uno_env.env(), stock_env()):
        env.reset(seed=0)
        turns = iter(env.agent_iter())
        next(turns)
        with pytest.raises(AssertionError, match="need to call step"):
            next(turns)


def test_agent_iter_stops_at_max_iter():
    env = uno_env.env()
    env.reset(seed=0)
    seen = 0
    for _ in env.agent_iter(5):
        env.step(int(env.last()[0]["action_mask"].argmax()))
        seen += 1
    assert seen == 5


def test_a_dead_agent_takes_none_only():
    for env in (uno_env.env(max_cycles=10), stock_env(max_cycles=10)):
        play_some(env, seed=0, steps=10)
        with pytest.raises(ValueError, match="the only valid action is None"):
            env.step(0)
        env.step(None)
        assert env.agents == ["player_1"] and set(env.infos) == {"player_1"}


def test_a_step_too_many_warns():
    logged = []
    for env in (uno_env.env(), stock_env()):
        play_out(env, 3)
        EnvLogger.flush()
        env.step(0)
        logged.append(list(EnvLogger.mqueue))
        assert env.agents == []
    assert logged[0] == logged[1] and "Should reset() first" in logged[0][0]


@pytest.mark.parametrize("action", [-1, uno_env.NUM_ACTIONS, 2**70, 1.5, None, "draw", [3]])
@pytest.mark.parametrize("illegal", ["terminate", "raise", "penalty"])
def test_what_is_not_in_the_space_is_an_assertion_error(action, illegal):
    env = uno_env.env(illegal=illegal)
    env.reset(seed=0)
    with pytest.raises(AssertionError, match="action is not in action space"):
        env.step(action)
    assert not any(env.terminations.values())


@pytest.mark.parametrize("kind", [int, np.int64, np.int32, np.uint8, np.array])
def test_any_integer_is_an_action(kind):
    env = uno_env.env()
    env.reset(seed=0)
    before = env.last()[0]
    env.step(kind(int(before["action_mask"].argmax())))
    assert not any(env.terminations.values())
    assert not np.array_equal(env.observe("player_0")["observation"], before["observation"])


def illegal_action(env):
    return int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0])


@pytest.mark.parametrize("make", [uno_env.env, uno_env.raw_env])
def test_an_illegal_action_terminates(make):
    env = make("classic", 3, illegal_reward=-2)
    play_some(env, seed=4, steps=7)
    offender, action = env.agent_selection, illegal_action(env)
    env.step(action)
    assert any("Illegal move made" in text for text in EnvLogger.mqueue)
    assert env.terminations == dict.fromkeys(env.agents, True)
    assert env.truncations == dict.fromkeys(env.agents, False)
    assert env.rewards == {agent: -2.0 if agent == offender else 0.0 for agent in env.agents}
    text = f"illegal action {action} ({uno_env.ACTIONS[action]}) by {offender}"
    assert [env.infos[agent]["reason"] for agent in env.agents] == [text] * 3
    for _ in range(3):
        observation, reward, terminated, truncated, info = env.last()
        assert terminated and not truncated and not observation["action_mask"].any()
        assert (reward == -2.0) == (env.agent_selection == offender)
        assert info["winners"] == [] and info["phase"] == "over"
        env.step(None)
    assert env.agents == []
    env.reset(seed=4)
    assert not any(env.terminations.values()) and env.last()[0]["action_mask"].any()


def test_an_illegal_action_raises_and_changes_nothing():
    env = uno_env.env("no_mercy", 3, illegal="raise")
    play_some(env, seed=4, steps=7)
    before, agent = env.last(), env.agent_selection
    with pytest.raises(uno_env.IllegalAction, match=f"by {agent}"):
        env.step(illegal_action(env))
    after = env.last()
    assert env.agent_selection == agent and after[1:] == before[1:]
    assert all(np.array_equal(after[0][key], before[0][key]) for key in before[0])


@pytest.mark.parametrize(
    "options",
    [
        {"illegal": "penalty"},
        {"rules": uno_env.Rules.preset("classic").replace(fault_mode="penalty")},
    ],
    ids=["illegal", "rules"],
)
def test_an_illegal_action_costs_cards(options):
    env = uno_env.env(num_players=3, **options)
    env.reset(seed=4)
    agent = env.agent_selection
    before = env.last()[0]["observation"]
    env.step(illegal_action(env))
    assert env.agent_selection == agent and not any(env.terminations.values())
    hand = slice(0, len(uno_env.FACES))
    assert env.last()[0]["observation"][hand].sum() == before[hand].sum() + env.rules.fault_draw


def test_an_explicit_policy_goes_before_the_rules():
    rules = uno_env.Rules.preset("classic").replace(fault_mode="penalty")
    env = uno_env.env(rules=rules, illegal="terminate")
    env.reset(seed=4)
    env.step(illegal_action(env))
    assert all(env.terminations.values())


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"illegal": "ignore"}, "illegal is 'ignore'; allowed: terminate, raise, penalty"),
        ({"reward": "score"}, "reward is 'score'; allowed: win, points"),
        ({"episode": "game"}, "episode is 'game'; allowed: round, match"),
        ({"render_mode": "gif"}, "render_mode is 'gif'; allowed: human, ansi"),
        ({"render_seat": 2}, "render_seat is 2; allowed: actor, all, 0 to 1"),
        ({"variant": "poker"}, "unknown variant 'poker'"),
        ({"num_players": 11}, "num_players is 11"),
        ({"max_cycles": 50, "episode": "match"}, "max_cycles is 50; it needs episode='round'"),
        ({"max_cycles": 0}, "max_steps"),
    ],
)
def test_unusable_options_are_named(options, text):
    with pytest.raises(ValueError) as caught:
        uno_env.env(**options)
    assert text in str(caught.value)


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, True])
def test_unusable_seeds_are_named(seed):
    with pytest.raises(ValueError, match="seed is"):
        uno_env.env().reset(seed=seed)
