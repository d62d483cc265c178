"""Export to ONNX: the same numbers as torch on real positions; a file that is whole or absent."""

import numpy as np
import pytest

import uno_env

torch = pytest.importorskip("torch", reason="the train extra is not installed")
onnx = pytest.importorskip("onnx", reason="the train extra is not installed")
pytest.importorskip("onnxruntime", reason="the onnx extra is not installed")

from uno_agents.base import AgentError  # noqa: E402
from uno_agents.neural import sum_features as sums  # noqa: E402
from uno_agents.neural.agent import load_network, torch_policy  # noqa: E402
from uno_agents.neural.onnx import load_onnx  # noqa: E402
from uno_train import export  # noqa: E402
from uno_train.checkpoint import save_checkpoint  # noqa: E402
from uno_train.cli import main  # noqa: E402

from ..agents.networks import lively, positions  # noqa: E402


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("runs") / "best"
    save_checkpoint(path, lively((64, 32)), {"rules": "classic", "num_players": 2})
    return path


def test_the_file_computes_what_torch_computes(folder, tmp_path, capsys):
    out = tmp_path / "deep" / "bot.onnx"
    assert main(["export", str(folder), str(out)]) == 0
    assert "largest difference" in capsys.readouterr().out
    obs, mask = positions()
    network, metadata = load_network(folder)
    ours, theirs = torch_policy(network)(obs, mask), load_onnx(out).policy(obs, mask)
    for a, b in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-4)
    assert load_onnx(out).metadata == metadata
    assert [entry.name for entry in out.parent.iterdir()] == ["bot.onnx"]


def test_the_file_says_in_itself_what_it_takes(folder, tmp_path):
    out = tmp_path / "bot.onnx"
    export.export_onnx(str(folder), out)
    model = onnx.load(out)
    onnx.checker.check_model(model, full_check=True)
    shapes = {
        entry.name: [size.dim_param or size.dim_value for size in entry.type.tensor_type.shape.dim]
        for entry in (*model.graph.input, *model.graph.output)
    }
    assert shapes == {
        "obs": ["games", uno_env.OBS_SIZE],
        "mask": ["games", uno_env.NUM_ACTIONS],
        "logits": ["games", uno_env.NUM_ACTIONS],
        "value": ["games"],
    }
    assert model.opset_import[0].version <= 17
    assert {node.domain for node in model.graph.node} == {""}


def test_a_wrong_graph_is_not_put_in_place(folder, tmp_path, monkeypatch):
    out = tmp_path / "bot.onnx"
    monkeypatch.setattr(export, "input_scales", lambda layout: np.ones(sums.INPUT_SIZE))
    with pytest.raises(AgentError, match="would differ"):
        export.export_onnx(str(folder), out)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nowhere", "bot.onnx"], "no folder nowhere"),
        (["nowhere", "bot.pt"], r"bot\.pt does not end in \.onnx"),
        (["pretrained:nobody", "bot.onnx"], "no pretrained agent 'nobody'"),
    ],
)
def test_errors_are_sentences(words, message, capsys, tmp_path, monkeypatch):
    import re

    monkeypatch.chdir(tmp_path)
    assert main(["export", *words]) == 2
    assert re.search(message, capsys.readouterr().err)
    assert list(tmp_path.iterdir()) == []
