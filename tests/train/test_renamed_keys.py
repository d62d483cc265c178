"""Old names: configs and flags are refused with the new name, saved runs are converted."""

import shutil
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("safetensors")

from uno_agents.registry import make_agent
from uno_train.cli import main
from uno_train.config import ConfigError, TrainConfig, make_config
from uno_train.renamed_keys import RENAMED, converted_tensor
from uno_train.resume import resume

SAVED = Path(__file__).parent / "saved_run"
"""A tiny run as uno-train wrote it under the old names, after 710 decisions."""


def test_every_new_name_is_an_option_and_no_old_one_is():
    assert set(RENAMED.values()) <= set(TrainConfig.model_fields)
    assert not set(RENAMED) & set(TrainConfig.model_fields)


@pytest.mark.parametrize(("old", "new"), RENAMED.items())
def test_an_old_key_or_flag_is_answered_with_the_new_name(old, new, tmp_path, capsys):
    file = tmp_path / "old.yaml"
    file.write_text(f"{old}: 1\n")
    with pytest.raises(ConfigError, match=f"the key '{old}' is called '{new}' now"):
        make_config(file, {})
    old_flag, new_flag = (f"--{name.replace('_', '-')}" for name in (old, new))
    for words in ([old_flag, "1"], [f"{old_flag}=1"]):
        assert main(words) == 2
        assert f"the flag {old_flag} is called {new_flag} now" in capsys.readouterr().err


def test_a_run_saved_under_the_old_names_goes_on(tmp_path):
    run = tmp_path / "run"
    shutil.copytree(SAVED, run)
    learner, evaluator, best = resume(run / "last")
    assert (learner.decisions, learner.iterations) == (710, 15)
    assert learner.config.imitation_teacher == "heuristic"
    assert learner.config.distill_share == 0.9
    assert len(learner.opponent_pool.snapshots.pool) == 2
    assert evaluator["best_decisions"] <= 710
    assert best.keys() == learner.network.state_dict().keys()
    assert main(["--resume", "--out", str(run), "--decisions", "1400", "--quiet"]) == 0
    assert make_agent(str(run / "last")).metadata["decisions"] >= 1400


def test_tensors_of_a_cluster_run_have_new_names_too():
    renamed = {
        "noise": "torch_rng",
        "more.value.bias": "best.value.bias",
        "pool.3.value.bias": "snapshot.3.value.bias",
        "shard.12.noise": "shard.12.torch_rng",
        "order.0.facts": "task.0.counters",
        "order.1.past.value.bias": "task.1.snapshot.value.bias",
        "order.1.weights.value.bias": "task.1.weights.value.bias",
        "network.value.bias": "network.value.bias",
    }
    assert {old: converted_tensor(old) for old in renamed} == renamed
