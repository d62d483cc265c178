"""The examples of other libraries, each executed where its library is installed."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = {
    "torchrl": ["torchrl_policy_gradient.py", "--updates", "2"],
    "tianshou": ["tianshou_dqn.py", "--steps", "500"],
    "rllib": ["rllib_ppo.py", "--iterations", "1", "--batch", "400"],
    "openspiel": ["openspiel_ismcts.py", "--simulations", "5", "--rounds", "1"],
}
MODULES = {"rllib": "ray.rllib", "openspiel": "pyspiel"}


def is_installed(module):
    try:
        return find_spec(module) is not None
    except ImportError:
        return False


@pytest.mark.parametrize("library", EXAMPLES)
def test_example_runs(library):
    if not is_installed(MODULES.get(library, library)):
        pytest.skip(f"{library} is not installed; make interop INTEROP={library}")
    if library == "rllib" and not is_installed("ray.rllib.env"):
        pytest.skip("Ray is installed without RLlib")
    name, *options = EXAMPLES[library]
    env = {**os.environ, "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0", "OMP_NUM_THREADS": "2"}
    done = subprocess.run([sys.executable, str(ROOT / "examples" / name), *options], env=env,
                          capture_output=True, text=True, timeout=600)  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.strip(), "an example tells what it did"
