"""ONNX files as agents: they run without torch, and what is not ours is refused."""

import json
import subprocess
import sys

import numpy as np
import pytest
from uno_agents.neural.agent import CheckpointError
from uno_agents.registry import make_agent

import uno_env

from .networks import positions, save_lively

onnx = pytest.importorskip("onnx", reason="the train extra is not installed")
pytest.importorskip("onnxruntime", reason="the onnx extra is not installed")

from uno_train.export import export_onnx  # noqa: E402


@pytest.fixture(scope="module")
def bot(tmp_path_factory):
    folder = tmp_path_factory.mktemp("onnx")
    save_lively(folder / "best", decisions=1234)
    export_onnx(str(folder / "best"), folder / "bot.onnx")
    return folder / "bot.onnx"


def rewritten(bot, path, **changes):
    """The same graph under other metadata."""
    model = onnx.load(bot)
    metadata = json.loads(model.metadata_props[0].value) | changes
    onnx.helper.set_model_props(model, {"uno_env": json.dumps(metadata)})
    path.write_bytes(model.SerializeToString())
    return str(path)


def test_it_plays_without_torch_and_onnx(bot):
    code = (
        "import sys; sys.modules.update(dict.fromkeys(['torch', 'onnx', 'safetensors']))\n"
        "import uno_env; from uno_agents.registry import make_agent\n"
        f"agent = make_agent({str(bot)!r}); game = uno_env.Game('no_mercy', 3, seed=2)\n"
        "while not game.over: game.step(agent.act(game.view(game.actor), game.legal()))\n"
        "print(game.record()['actions'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    original, game = make_agent(str(bot.parent / "best")), uno_env.Game("no_mercy", 3, seed=2)
    while not game.over:
        game.step(original.act(game.view(game.actor), game.legal()))
    assert done.stdout.strip() == str(game.record()["actions"])


def test_metadata_travels_with_the_file(bot):
    assert make_agent(str(bot)).metadata == make_agent(str(bot.parent / "best")).metadata
    assert make_agent(str(bot)).metadata["decisions"] == 1234


def test_options(bot):
    obs, mask = positions(steps=10)
    plain = make_agent(str(bot)).act_batch(obs, mask)
    assert (make_agent(f"{bot}:threads=2").act_batch(obs, mask) == plain).all()
    sampled = [make_agent(f"{bot}:sample=1", seed=s).act_batch(obs, mask) for s in (1, 1, 2)]
    assert (sampled[0] == sampled[1]).all()
    assert (sampled[0] != sampled[2]).any()
    assert (mask[np.arange(len(mask)), sampled[0]] == 1).all()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"observation_version": 999}, "observation_version=999; this version of uno_env has 2"),
        ({"num_actions": 61}, "num_actions=61"),
        ({"format": "other"}, "not written by this version's uno-train export"),
    ],
)
def test_other_versions_are_refused(bot, tmp_path, changes, message):
    with pytest.raises(CheckpointError, match=message):
        make_agent(rewritten(bot, tmp_path / "bot.onnx", **changes))


def test_foreign_and_damaged_files_are_refused(bot, tmp_path):
    path = tmp_path / "bot.onnx"
    for octets in (b"", b"PK\x03\x04 no network", bot.read_bytes()[:5000]):
        path.write_bytes(octets)
        with pytest.raises(CheckpointError, match=r"bot\.onnx (is no ONNX file|was not written)"):
            make_agent(str(path))
    model = onnx.load(bot)
    onnx.helper.set_model_props(model, {})
    path.write_bytes(model.SerializeToString())
    with pytest.raises(CheckpointError, match="was not written by"):
        make_agent(str(path))


def test_graphs_of_another_shape_are_refused(bot, tmp_path):
    path = tmp_path / "bot.onnx"
    model = onnx.load(bot)
    del model.graph.output[1]
    path.write_bytes(model.SerializeToString())
    with pytest.raises(CheckpointError, match=r"outputs \['logits'\]"):
        make_agent(str(path))


def test_a_graph_cannot_read_other_files(bot, tmp_path):
    secret = tmp_path / "secret"
    secret.write_bytes(b"x" * 4096)
    model = onnx.load(bot)
    array = next(a for a in model.graph.initializer if len(a.dims) == 2)
    array.ClearField("raw_data")
    array.data_location = onnx.TensorProto.EXTERNAL
    array.external_data.add(key="location", value=str(secret))
    path = tmp_path / "bot.onnx"
    path.write_bytes(model.SerializeToString())
    with pytest.raises(CheckpointError, match="is no ONNX file or is damaged"):
        make_agent(str(path))
