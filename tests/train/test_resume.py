"""A killed run goes on as if nothing had happened; what cannot be resumed is refused."""

import json
import os
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("safetensors")

from safetensors.torch import load_file, save_file  # noqa: E402
from uno_agents.neural.weights import CheckpointError  # noqa: E402
from uno_agents.registry import make_agent  # noqa: E402
from uno_train.cli import main  # noqa: E402
from uno_train.config import TrainConfig  # noqa: E402
from uno_train.ppo import Learner, run  # noqa: E402
from uno_train.resume import TRAINING, resume, save_training  # noqa: E402

from uno_env.engine.state import STATE  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
WORDS = (
    "--minutes 0 --decisions 12000 --num-envs 48 --rollout-steps 16 --minibatch 256 --hidden 24"
    " --threads 1 --imitation-teacher heuristic --imitation-decisions 3000"
    " --opponents greedy=0.2,heuristic=0.2 --opponent-pool-share 0.2 --distill-until 0.6"
    " --distill-sims 8 --snapshot-every 2 --imitation-coef 0.1 --heuristic-prior 0.5"
    " --critic all_hands"
    " --eval-every 4 --curve-deals 20 --eval-deals 20 --save-every 0 --seed 7 --quiet"
).split()


def everything(folder):
    """All tensors of a run's last state, by name."""
    return load_file(folder / "last" / TRAINING)


def differences(first, second):
    """What differs between two states, but for which network was called best when."""
    names = {name for name in first if not name.startswith("best.")}
    assert names == {name for name in second if not name.startswith("best.")}
    tensors = names - {"games"}
    games = [np.frombuffer(state["games"].numpy().tobytes(), STATE) for state in (first, second)]
    # Field by field, because nothing is written between the fields.
    fields = [field for field in STATE.names if not np.array_equal(*(g[field] for g in games))]
    return [name for name in tensors if not torch.equal(first[name], second[name])] + fields


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory):
    out = tmp_path_factory.mktemp("runs") / "whole"
    assert main([*WORDS, "--out", str(out)]) == 0
    return out


def test_a_run_killed_for_real_ends_as_if_it_had_not_been(uninterrupted, tmp_path):
    out = tmp_path / "killed"
    environment = {**os.environ, "OMP_WAIT_POLICY": "passive"}
    process = subprocess.Popen(
        [sys.executable, "-m", "uno_train", *WORDS, "--out", str(out)], cwd=ROOT, env=environment
    )
    try:
        saved = wait_for_iterations(out, process, iterations=5)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert process.returncode == -signal.SIGKILL
    assert make_agent(str(out / "last")).metadata["decisions"] > 0
    assert saved["decisions"] < 12000
    assert main(["--resume", "--out", str(out), "--quiet"]) == 0
    assert differences(everything(out), everything(uninterrupted)) == []


def wait_for_iterations(out, process, iterations):
    """Metadata of the state file once so many iterations are in it."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.02)
        if (out / "last" / TRAINING).exists():
            metadata = metadata_of(out)
            if metadata["iterations"] >= iterations:
                return metadata
    raise AssertionError("the run did not get that far")


def metadata_of(out):
    import safetensors

    with safetensors.safe_open(out / "last" / TRAINING, "pt") as file:
        return json.loads(file.metadata()["uno_env"])


def test_time_used_is_kept_and_a_finished_run_may_be_lengthened(uninterrupted, capsys):
    metadata = metadata_of(uninterrupted)
    assert metadata["seconds"] > 0
    learner, evaluator, _ = resume(uninterrupted / "last")
    assert learner.seconds == metadata["seconds"]
    assert learner.decisions >= 12000
    assert len(evaluator["curve"]) >= 1
    before = learner.decisions
    longer = learner.config.model_copy(update={"decisions": before + 1500})
    learner, _, _ = resume(uninterrupted / "last", longer)
    run(learner, lambda progress, metrics: False)
    assert before < learner.decisions <= before + 1500 + 1024
    assert learner.seconds > metadata["seconds"]


def test_what_was_trained_cannot_be_changed_by_resuming(uninterrupted, capsys):
    assert main(["--resume", "--out", str(uninterrupted), "--hidden", "32"]) == 2
    message = capsys.readouterr().err
    assert "was trained with hidden=(24,), not (32,)" in message
    assert "may only change anchors, curve_deals, decisions" in message


def test_nothing_to_resume_is_said(tmp_path, capsys):
    assert main(["--resume", "--out", str(tmp_path / "none")]) == 2
    assert "cannot resume" in capsys.readouterr().err
    with pytest.raises(CheckpointError, match="no run to resume"):
        resume(tmp_path)


@pytest.fixture
def saved(tmp_path):
    config = TrainConfig(num_envs=8, rollout_steps=4, hidden=(20,), threads=1)
    save_training(tmp_path, Learner(config), {})
    return tmp_path


@pytest.mark.parametrize("keep", [0, 50, 20_000])
def test_cut_off_states_are_refused(saved, keep):
    path = saved / TRAINING
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(CheckpointError, match="damaged"):
        resume(saved)


def test_foreign_states_are_refused_and_code_in_them_never_runs(saved, tmp_path):
    path = saved / TRAINING
    save_file(load_file(path), path, {"uno_env": json.dumps({"format": "other"})})
    with pytest.raises(CheckpointError, match="was not written by uno-train"):
        resume(saved)
    sprung = tmp_path / "sprung"
    path.write_bytes(pickle.dumps(Trap(sprung)))
    with pytest.raises(CheckpointError, match="damaged"):
        resume(saved)
    assert not sprung.exists()


def test_a_state_whose_parts_do_not_belong_together_is_refused(saved):
    import safetensors

    path = saved / TRAINING
    with safetensors.safe_open(path, "pt") as file:
        header = file.metadata()
    tensors = load_file(path)
    tensors["games"] = tensors["games"][:-1000]
    save_file(tensors, path, header)
    with pytest.raises(CheckpointError, match="does not fit its own config"):
        resume(saved)


class Trap:
    """Touches a file when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return (open, (str(self.path), "w"))
