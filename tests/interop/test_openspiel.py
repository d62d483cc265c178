"""OpenSpiel: its own simulation check, honest and plain tree search, and DQN on our states."""

import json

import numpy as np
import pytest

import uno_env
from uno_env import OBS_SIZE
from uno_env.actions import NUM_ACTIONS
from uno_env.adapters.event_recall import ROW, ROW_SCALES
from uno_env.adapters.openspiel import CHANCE, OWN_ACTIONS, TERMINAL, UnoGame

TABLES = [("classic", 2), ("no_mercy", 3)]


def play_out(state, rng):
    while state.current_player() != TERMINAL:
        state.apply_action(int(rng.choice(state.legal_actions())))
    return state


# Without OpenSpiel.


@pytest.mark.parametrize("variant", uno_env.variants)
def test_a_state_is_the_game_of_its_seed(variant):
    rules = uno_env.Rules.preset(variant).replace(max_steps=150)
    game = UnoGame(rules, deals=5, seed=40)
    state = game.new_initial_state()
    assert state.current_player() == CHANCE and state.chance_outcomes()[2] == (2, 0.2)
    assert state.legal_actions() == [0, 1, 2, 3, 4]
    state.apply_action(2)
    twin = uno_env.Game(rules, seed=42)
    rng = np.random.default_rng(0)
    while not state.is_terminal():
        seat = state.current_player()
        assert (seat, state.legal_actions()) == (twin.actor, twin.legal_ids())
        assert (state.observation_tensor(seat) == uno_env.scaled(twin.observe(seat))).all()
        assert state.legal_actions((seat + 1) % game.players) == []
        assert sum(state.returns()) == 0
        action = int(rng.choice(state.legal_actions()))
        assert state.action_to_string(action) in twin.legal()
        state.apply_action(action)
        twin.step(action)
    assert state.current_player() == TERMINAL
    assert state.returns() == twin.rewards("win")
    assert max(state.returns()) <= game.max_utility() and min(state.returns()) >= -1


@pytest.mark.parametrize("variant", uno_env.variants)
def test_resampled_states_look_the_same_to_the_player_only(variant):
    game = UnoGame(variant, 4)
    rng = np.random.default_rng(1)
    differing = 0
    for deal in range(3):
        state = game.new_initial_state().child(deal)
        for _ in range(25):
            if state.is_terminal():
                break
            seat = state.current_player()
            other = state.resample_from_infostate(seat, rng.random)
            assert other.information_state_string() == state.information_state_string()
            assert other.legal_actions() == state.legal_actions()
            assert (other.observation_tensor() == state.observation_tensor()).all()
            assert (other.information_state_tensor() == state.information_state_tensor()).all()
            hands = [s.table.view((seat + 1) % 4)["hand"] for s in (state, other)]
            differing += hands[0] != hands[1]
            state.apply_action(int(rng.choice(state.legal_actions())))
    assert differing > 20


@pytest.mark.parametrize("variant", ["classic", "ig2000"])
def test_the_information_state_tensor_tells_all_events_and_own_actions(variant):
    game = UnoGame(variant, 3, history=400)
    rng = np.random.default_rng(2)
    state, seen = game.new_initial_state().child(5), {}
    assert not game.new_initial_state().information_state_tensor(0).any()
    while not state.is_terminal() and len(state.history()) < 150:
        seat = state.current_player()
        tensor = state.information_state_tensor()
        assert tensor.shape == (game.information_state_tensor_size(),)
        rows = tensor[OBS_SIZE:-OWN_ACTIONS].reshape(400, ROW)
        short = state.table.history(seat, 20)
        known = (short[:, 0] > 0).sum()
        assert known and np.allclose(rows[-known:], short[-known:] * ROW_SCALES)
        own = np.round(tensor[-OWN_ACTIONS:] * NUM_ACTIONS).astype(int) - 1
        mine = json.loads(state.information_state_string())["own"]
        assert own[own >= 0].tolist() == mine[-OWN_ACTIONS:]
        # Equal tensors mean equal information states: it forgets nothing.
        assert seen.setdefault(tensor.tobytes(), state.information_state_string()) == (
            state.information_state_string()
        )
        state.apply_action(int(rng.choice(state.legal_actions())))
    events = (rows[:, 0] > 0).sum()
    assert len(seen) > 40 and events > 48, "more than a game's own ring of rows tells"


def test_a_match_is_played_to_its_target_and_every_seat_has_a_return():
    rules = uno_env.Rules.preset("no_mercy").replace(match_target=1200)
    rng = np.random.default_rng(3)
    for reward in ("win", "points"):
        game = UnoGame(rules, 3, episode="match", reward=reward)
        state = play_out(game.new_initial_state().child(1), rng)
        assert state.table.engine_arrays.games["round_no"][0] > 0
        assert max(state.table.scores) >= 1200
        returns = state.returns()
        assert len(returns) == 3 and sum(returns) == pytest.approx(0)
        (winner,) = state.table.winners
        assert max(returns) == returns[winner] <= game.max_utility()
        assert state.player_return(winner) == returns[winner]
    for wrong in ({"episode": "day"}, {"reward": "gold"}, {"history": -1}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            UnoGame("classic", **wrong)


def test_clones_are_independent():
    state = UnoGame("classic", 3).new_initial_state().child(1)
    before = state.information_state_string()
    play_out(state.clone(), np.random.default_rng(0))
    assert state.information_state_string() == before and state.history() == [1]
    with pytest.raises(uno_env.IllegalAction):
        state.apply_action(next(a for a in range(NUM_ACTIONS) if a not in state.legal_actions()))
    with pytest.raises(ValueError, match="deals is 0"):
        UnoGame("classic", deals=0)
    with pytest.raises(ValueError, match="outcome is 7; this game has deals 0 to 4"):
        UnoGame("classic", deals=5).new_initial_state().apply_action(7)


# With it.


@pytest.fixture
def pyspiel():
    module = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed; docs/interop.md")
    from uno_env.adapters import openspiel

    assert openspiel.register() in module.registered_names()
    return module


def load(pyspiel, variant, players):
    return pyspiel.load_game("uno", {"variant": f"{variant}(max_steps=120)", "players": players})


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_simulation_check(pyspiel, variant, players):
    game = load(pyspiel, variant, players)
    assert (game.num_players(), game.num_distinct_actions()) == (players, NUM_ACTIONS)
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


def test_clone_and_serialisation(pyspiel):
    game = pyspiel.load_game("uno(variant=no_mercy,players=3,deals=9)")
    state = game.new_initial_state()
    for action in (4, None, None, None):
        state.apply_action(state.legal_actions()[0] if action is None else action)
    again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))[1]
    for twin in (state.clone(), again):
        assert twin.history() == state.history()
        assert twin.information_state_string(0) == state.information_state_string(0)
        twin.apply_action(twin.legal_actions()[0])
    assert len(state.history()) == 4


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_its_tree_searches_play(pyspiel, variant, players):
    from open_spiel.python.algorithms import ismcts, mcts

    game = load(pyspiel, variant, players)
    random = np.random.RandomState(0)
    evaluator = mcts.RandomRolloutEvaluator(1, random)
    bots = [
        ismcts.ISMCTSBot(
            game=game, evaluator=evaluator, uct_c=2.0, max_simulations=15, random_state=random,
            allow_inconsistent_action_sets=True,
        ),
        mcts.MCTSBot(game, 2.0, 15, evaluator, random_state=random),
    ]  # fmt: skip
    state = game.new_initial_state()
    state.apply_action(3)
    for decision in range(24):
        if state.is_terminal():
            break
        action = bots[decision % 2].step(state)
        assert action in state.legal_actions()
        state.apply_action(action)
    assert decision > 10


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_its_dqn_learns(pyspiel, variant, players):
    pytest.importorskip("tree")  # its DQN needs dm-tree, which OpenSpiel does not ask for
    pytest.importorskip("torch")
    from open_spiel.python import rl_environment
    from open_spiel.python.algorithms.random_agent import RandomAgent
    from open_spiel.python.pytorch import dqn

    env = rl_environment.Environment(load(pyspiel, variant, players))
    env.seed(0)
    spec = env.observation_spec()
    learner = dqn.DQN(
        player_id=0, state_representation_size=spec["info_state"][0], num_actions=NUM_ACTIONS,
        hidden_layers_sizes=[32], min_buffer_size_to_learn=50, learn_every=5, batch_size=16,
    )  # fmt: skip
    agents = [learner, *(RandomAgent(seat, NUM_ACTIONS) for seat in range(1, players))]
    steps = 0
    while steps < 300 or learner.loss is None:
        now = env.reset()
        while not now.last():
            choice = agents[now.observations["current_player"]].step(now)
            now = env.step([choice.action])
            steps += 1
        for agent in agents:
            agent.step(now)
        assert abs(sum(now.rewards)) < 1e-6
        assert steps < 5000
    assert np.isfinite(float(learner.loss))
