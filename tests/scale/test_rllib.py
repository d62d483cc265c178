"""RLlib on the vector env: what it learns from, what it leaves behind, and a runner that dies."""

import os
import signal
import warnings
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("safetensors")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # its imports use names that other libraries have deprecated
    pytest.importorskip(
        "ray.rllib", reason="RLlib is not installed; see docs/scale.md", exc_type=ImportError
    )
    import torch
    from ray.rllib.core.columns import Columns
    from uno_train.rllib import trainer as rllib
    from uno_train.rllib.env_runner import LEARNER, Fragment
    from uno_train.rllib.module import INPUTS, MASK, TrainBatchConnector

from uno_agents.registry import make_agent
from uno_arena import compare
from uno_arena.play.ray_cluster import joined
from uno_train.config import ConfigError

from uno_env import vec

# Ray warns about its own coming changes and leaves sockets to the collector.
pytestmark = pytest.mark.filterwarnings("ignore")
SMALL = {
    "players": 2, "batch": 640, "minibatch": 256, "hidden": (24,), "opponent_pool_size": 2,
    "envs_per_runner": 32, "opponent_pool_share": 0.5,
}  # fmt: skip
CONFIGS = Path(__file__).parents[2] / "configs" / "train"


@pytest.fixture(scope="module")
def ray():
    with joined("local", 3) as ray:
        yield ray


@pytest.fixture
def build(ray):
    """Algorithms that are stopped at the end of the test."""
    made = []

    def build(**more):
        config = rllib.read_config(None, **SMALL, **more)
        made.append(rllib.make_algorithm(config))
        return config, made[-1]

    yield build
    for algorithm in made:
        algorithm.stop()


def weights(algorithm, name=LEARNER):
    state = algorithm.get_module(name).get_state()
    return {key: np.array(value) for key, value in state.items()}


def equal(first, second):
    return all(np.array_equal(first[name], second[name]) for name in first)


def test_only_the_learner_learns(build):
    _, algorithm = build(epochs=1)
    before = weights(algorithm)
    result = algorithm.train()
    assert np.isfinite(result["learners"][LEARNER]["total_loss"])
    assert not equal(before, weights(algorithm))
    assert equal(before, weights(algorithm, "snapshot_0")) and equal(
        before, weights(algorithm, "snapshot_1")
    )
    # From now on one snapshot is the learner as it is.
    rllib.snapshot(algorithm, 1)
    assert equal(weights(algorithm), weights(algorithm, "snapshot_1"))
    assert result["env_runners"]["num_env_steps_sampled"] == 640
    # Half of the games are against a snapshot, whose decisions nobody learns from.
    assert 380 < result["env_runners"]["num_module_steps_sampled"][LEARNER] < 540


def test_runners_return_what_the_learner_decided(build):
    _, algorithm = build()
    runner = algorithm.env_runner
    (fragment,) = runner.sample()
    batch = fragment.columns
    assert batch.mask[np.arange(len(fragment)), batch.action].all()
    network = algorithm.get_module(LEARNER).network
    with torch.no_grad():
        logits, _ = network.forward_canonical(
            torch.from_numpy(batch.inputs), torch.from_numpy(batch.mask)
        )
        odds = logits.log_softmax(-1).gather(1, torch.from_numpy(batch.action)[:, None])[:, 0]
    np.testing.assert_allclose(odds.numpy(), batch.log_prob, atol=1e-5)
    assert abs(batch.advantage.mean()) < 1e-5
    # With a snapshot at the table there are fewer decisions of the learner than without.
    runner._player.opponent_pool._cumulative_shares[:] = 1
    runner._player.reset_games(0)
    (alone,) = runner.sample()
    assert len(alone) > len(fragment)


def test_a_fragment_is_cut_and_put_together_again(build):
    _, algorithm = build()
    (fragment,) = algorithm.env_runner.sample()
    parts = [fragment[:100], fragment.slice(slice(100, None), len_lookback_buffer=1)]
    assert [len(part) for part in parts] == [100, len(fragment) - 100]
    modules = algorithm.env_runner.module
    batch = TrainBatchConnector(LEARNER)(rl_module=modules, batch={}, episodes=parts)[LEARNER]
    assert sorted(batch["value_targets"].tolist()) == sorted(fragment.columns.returns.tolist())
    columns = fragment.columns
    rows = dict(zip((row.tobytes() for row in columns.inputs), columns.log_prob, strict=True))
    seen = batch[Columns.OBS][INPUTS].numpy()
    known = [rows[row.tobytes()] for row in seen]
    # Shuffled, and each row still has its own numbers; positions may repeat.
    assert np.mean(np.isclose(known, batch[Columns.ACTION_LOGP].numpy())) > 0.9
    assert not np.array_equal(seen, columns.inputs)
    assert isinstance(parts[0], Fragment)


def test_the_folder_plays_as_the_module_does(build, tmp_path):
    config, algorithm = build(epochs=1)
    algorithm.train()
    rllib.save(algorithm, config, tmp_path, 300)
    folder, module = tmp_path / "last", algorithm.get_module(LEARNER)
    games = vec("classic", 64, 2, seed=3)
    games.reset()
    for _ in range(12):
        games.step(games.random_actions())
    network = module.network
    with torch.no_grad():
        encoded = network.encode(torch.from_numpy(games.obs), torch.from_numpy(games.mask))
        seen = {INPUTS: encoded.inputs, MASK: encoded.mask}
        logits = module.forward_inference({Columns.OBS: seen})[Columns.ACTION_DIST_INPUTS]
        best = logits.argmax(-1)[:, None]
    chosen = network.raw_actions(encoded.code, encoded.seat_code).gather(1, best)[:, 0]
    assert np.array_equal(chosen.numpy(), make_agent(str(folder)).act_batch(games.obs, games.mask))
    assert compare(str(folder), "random", players=2, deals=20).games == 40


def test_a_runner_that_dies_is_replaced(ray, build):
    _, algorithm = build(epochs=1, env_runners=2)
    algorithm.train()
    rllib.snapshot(algorithm, 0)
    group = algorithm.env_runner_group
    pids = group.foreach_env_runner(lambda runner: os.getpid(), local_env_runner=False)
    os.kill(pids[0], signal.SIGKILL)
    for _ in range(20):
        result = algorithm.train()
        if group.num_healthy_remote_workers() == 2 and group.num_remote_worker_restarts():
            break
    assert np.isfinite(result["learners"][LEARNER]["total_loss"])
    again = group.foreach_env_runner(lambda runner: os.getpid(), local_env_runner=False)
    assert len(again) == 2 and pids[0] not in again and pids[1] in again
    # The newcomer has the snapshots and not only the learner.
    snapshots = group.foreach_env_runner(
        lambda runner: runner.module["snapshot_0"].get_state(), local_env_runner=False
    )
    assert all(equal(weights(algorithm, "snapshot_0"), snapshot) for snapshot in snapshots)


@pytest.mark.slow
def test_two_learners_stay_alike(build):
    _, algorithm = build(epochs=2, learners=2)
    before = weights(algorithm)
    algorithm.train()
    states = [
        result.get()
        for result in algorithm.learner_group.foreach_learner(
            lambda learner: learner.module[LEARNER].get_state()
        )
    ]
    assert len(states) == 2 and equal(*states)
    assert not equal(before, weights(algorithm)) and equal(states[0], weights(algorithm))


@pytest.mark.parametrize("name", ["rllib", "rllib-cluster"])
def test_a_batch_is_a_whole_number_of_steps(name):
    config = rllib.read_config(CONFIGS / f"{name}.yaml")
    games = max(1, config.env_runners) * config.envs_per_runner
    assert config.run.steps * games == config.batch


def test_a_wrong_config_is_an_error():
    with pytest.raises(ConfigError, match="lerning_rate"):
        rllib.read_config(None, lerning_rate=1)
    with pytest.raises(ConfigError, match="with share_number_weights each is at least"):
        _ = rllib.read_config(None, hidden=(8,)).run
