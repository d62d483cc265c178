"""Checkpoints: what is written is read back; foreign, damaged and hostile files are refused."""

import json
import pickle

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("safetensors")

from safetensors.torch import load_file, save_file  # noqa: E402
from uno_agents.neural.agent import WEIGHTS_FILE, CheckpointError, NeuralAgent, read_metadata  # noqa: E402
from uno_agents.neural.network import PolicyNetwork  # noqa: E402
from uno_agents.registry import make_agent  # noqa: E402
from uno_train.checkpoint import describe_run, save_checkpoint, write_at_once  # noqa: E402
from uno_train.config import TrainConfig  # noqa: E402

import uno_env  # noqa: E402


@pytest.fixture
def folder(tmp_path):
    """A checkpoint with a lively policy."""
    torch.manual_seed(3)
    network = PolicyNetwork([32, 16])
    torch.nn.init.normal_(network.policy.weight)
    save_checkpoint(tmp_path / "last", network, describe_run(TrainConfig(), 1234))
    return tmp_path / "last"


def played(agent, steps=100):
    v = uno_env.vec(["classic", "no_mercy"], 64, 3, seed=8)
    v.reset()
    taken = []
    for _ in range(steps):
        taken.append(agent.act_batch(v.obs, v.mask))
        v.step(taken[-1])
    return np.array(taken)


def rewrite(folder, **changes):
    """The same weights under other metadata."""
    path = folder / WEIGHTS_FILE
    metadata = read_metadata(path) | changes
    save_file(load_file(path), path, {"uno_env": json.dumps(metadata)})


def test_round_trip_plays_the_same(folder):
    torch.manual_seed(3)
    original = PolicyNetwork([32, 16])
    torch.nn.init.normal_(original.policy.weight)
    loaded = make_agent(str(folder))
    assert (played(loaded) == played(NeuralAgent(original, {}))).all()
    assert loaded.metadata["decisions"] == 1234
    assert loaded.metadata["rules"] == "classic"
    assert json.loads((folder / "model.json").read_text()) == loaded.metadata


@pytest.mark.parametrize("variant", uno_env.VARIANTS)
def test_view_and_batch_give_the_same_action(folder, variant):
    agent = make_agent(str(folder))
    game = uno_env.Game(variant, 4, seed=2)
    rng = np.random.default_rng(0)
    for _ in range(40):
        if game.over:
            break
        obs, mask = game.observe(game.actor)[None], game.mask()[None]
        by_batch = int(agent.act_batch(obs, mask)[0])
        by_view = uno_env.action_id(agent.act(game.view(game.actor), game.legal()))
        assert by_view == by_batch, (game.phase, game.actor)
        game.step(int(rng.choice(game.legal_ids())))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"observation_version": 999}, "observation_version=999; this version of uno_env has 2"),
        ({"num_actions": 61}, "num_actions=61"),
        ({"format": "other"}, "was not written by uno-train"),
        ({"hidden": [10**9]}, "hidden is"),
        ({"hidden": [32, 17]}, "do not fit"),
    ],
)
def test_foreign_checkpoints_are_refused(folder, changes, message):
    rewrite(folder, **changes)
    with pytest.raises(CheckpointError, match=message):
        make_agent(str(folder))


@pytest.mark.parametrize("keep", [0, 7, 100, 5000])
def test_cut_off_files_are_refused(folder, keep):
    path = folder / WEIGHTS_FILE
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(CheckpointError, match="damaged"):
        make_agent(str(folder))


def test_weights_that_are_no_numbers_are_refused(folder):
    path = folder / WEIGHTS_FILE
    metadata = read_metadata(path)
    weights = load_file(path)
    weights["value.bias"][:] = float("nan")
    save_file(weights, path, {"uno_env": json.dumps(metadata)})
    with pytest.raises(CheckpointError, match="not finite"):
        make_agent(str(folder))


class Trap:
    """Touches a file when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return (open, (str(self.path), "w"))


def test_code_in_a_checkpoint_is_never_executed(folder, tmp_path):
    sprung = tmp_path / "sprung"
    (folder / WEIGHTS_FILE).write_bytes(pickle.dumps(Trap(sprung)))
    with pytest.raises(CheckpointError):
        make_agent(str(folder))
    torch.save({"w": Trap(sprung)}, folder / WEIGHTS_FILE)
    with pytest.raises(CheckpointError):
        make_agent(str(folder))
    assert not sprung.exists()


def test_a_failed_write_leaves_the_old_file(tmp_path):
    path = tmp_path / "file"
    write_at_once(path, b"old")
    with pytest.raises(TypeError):
        write_at_once(path, "not bytes")
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]
