"""Old names: configs and flags are refused with the new name, saved runs are converted."""

from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("safetensors")

from uno_agents.neural.weights import CheckpointError
from uno_agents.registry import make_agent
from uno_train.cli import main
from uno_train.config import ConfigError, TrainConfig, make_config
from uno_train.renamed_keys import RENAMED
from uno_train.resume import resume

import uno_env

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


def test_a_run_of_another_observation_version_is_refused_and_its_agent_plays_on():
    with pytest.raises(CheckpointError, match="observation_version=1; this is 2"):
        resume(SAVED / "last")
    agent = make_agent(str(SAVED / "best"))
    assert agent.metadata["observation_version"] == 1
    batch = uno_env.vec("classic", 8, seed=1)
    batch.reset()
    for _ in range(50):
        batch.step(agent.act_batch(batch.obs, batch.mask))
