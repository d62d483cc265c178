"""`uno-train --ray` from the command line: killed, and gone on with on another number of cores."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("ray")
pytest.importorskip("torch")
pytest.importorskip("safetensors")

sys.path.insert(0, str(Path(__file__).parent))
from clusters import LOOPBACK, running
from safetensors.torch import load_file
from uno_train.cli import main

ROOT = Path(__file__).resolve().parents[2]
WORDS = (
    "--minutes 0 --decisions 12000 --num-envs 48 --rollout-steps 16 --minibatch 256 --hidden 24"
    " --threads 1 --imitation-teacher heuristic --imitation-decisions 3000"
    " --opponents greedy=0.2 --opponent-pool-share 0.2 --snapshot-every 2 --eval-every 1000"
    " --curve-deals 20 --eval-deals 20 --save-every 0"
    " --seed 7 --shards 3 --quiet"
).split()


def weights(out):
    return {
        name: tensor
        for name, tensor in load_file(out / "last" / "training.safetensors").items()
        if name.startswith(("network.", "adam.", "pool."))
    }


def command(out, address, *more):
    words = [sys.executable, "-m", "uno_train", *more, "--out", str(out), "--ray", address]
    return {"args": words, "cwd": ROOT, "env": {**os.environ, **LOOPBACK}}


def decisions(out):
    try:
        return json.loads((out / "last" / "model.json").read_text())["decisions"]
    except (OSError, ValueError):
        return 0


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # Ray's own
def test_a_killed_run_goes_on_with_another_number_of_workers(tmp_path):
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    with running(1) as nodes:
        subprocess.run(**command(whole, nodes.address, *WORDS), check=True, timeout=300)
        run = subprocess.Popen(**command(killed, nodes.address, *WORDS))
        try:
            deadline = time.monotonic() + 240
            while decisions(killed) < 4000 and time.monotonic() < deadline:
                time.sleep(0.05)
        finally:
            os.kill(run.pid, signal.SIGKILL)
            run.wait()
        assert 4000 <= decisions(killed) < 12000
        nodes.add()
        again = command(killed, nodes.address, "--resume", "--quiet")
        subprocess.run(**again, check=True, timeout=300)
    first, second = weights(whole), weights(killed)
    assert first.keys() == second.keys()
    assert all(first[name].equal(second[name]) for name in first)


def test_shards_need_a_cluster(tmp_path, capsys):
    assert main([*WORDS, "--out", str(tmp_path / "run")]) == 2
    assert "shards is 3: the run needs --ray" in capsys.readouterr().err
    assert main([*WORDS, "--workers", "2", "--out", str(tmp_path / "run")]) == 2
    assert "it needs --ray" in capsys.readouterr().err
