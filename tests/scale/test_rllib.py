"""What RLlib trains plays as one of our agents, and the past self is what the learner was."""

import warnings
from collections import Counter
from types import SimpleNamespace

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

    from train import rllib

from agents.registry import make_agent
from arena import compare
from arena.ray_cluster import joined
from train.config import ConfigError
from uno_env import scaled, vec

# Ray warns about its own coming changes and leaves sockets to the collector.
pytestmark = pytest.mark.filterwarnings("ignore")
SMALL = {"num_players": 2, "batch": 300, "minibatch": 128, "hidden": (24,), "pool": 2}


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    out = tmp_path_factory.mktemp("rllib")
    config = rllib.read_config(None, **SMALL, iterations=1, envs_per_runner=2)
    with joined("local", 1):
        algorithm = rllib.make_algorithm(config)
        try:
            before = algorithm.get_module(rllib.LEARNER).get_state()
            rllib.remember(algorithm, 1)
            result = algorithm.train()
            rllib.save(algorithm, config, out, 300)
            modules = [algorithm.get_module(name) for name in ("learner", "past_0", "past_1")]
        finally:
            algorithm.stop()
    return before, result, modules, out / "last"


def equal(first, second):
    return all(np.array_equal(first[name], second[name]) for name in first)


def test_only_the_learner_learns(trained):
    before, result, (learner, _, past), _ = trained
    assert np.isfinite(result["learners"]["learner"]["total_loss"])
    assert not equal(before, learner.get_state())
    assert equal(before, past.get_state())


def test_the_folder_plays_as_the_module_does(trained):
    _, _, (learner, _, _), folder = trained
    games = vec("classic", 64, 2, seed=3)
    games.reset()
    for _ in range(12):
        games.step(games.random_actions())
    seen = {
        "observations": torch.from_numpy(scaled(games.obs)),
        "action_mask": torch.from_numpy(games.mask.astype(np.float32)),
    }
    with torch.no_grad():
        logits = learner.forward_inference({Columns.OBS: seen})[Columns.ACTION_DIST_INPUTS]
    chosen = make_agent(str(folder)).act_batch(games.obs, games.mask)
    assert np.array_equal(logits.argmax(-1).numpy(), chosen)
    assert compare(str(folder), "random", players=2, deals=20).games == 40


def test_a_share_of_the_games_is_against_past_selves():
    module_of = rllib.seating(0.25, 2, 3)
    tables = [
        tuple(module_of(f"player_{seat}", SimpleNamespace(id_=f"episode {n}")) for seat in range(3))
        for n in range(4000)
    ]
    kinds = Counter(table.count(rllib.LEARNER) for table in tables)
    assert set(kinds) == {1, 3} and 0.22 < kinds[1] / 4000 < 0.28
    assert {name for table in tables for name in table} == {"learner", "past_0", "past_1"}


def test_an_unknown_key_is_an_error():
    with pytest.raises(ConfigError, match="lerning_rate"):
        rllib.read_config(None, lerning_rate=1)
