"""The command `uno-env warm-up`, and that nothing is left to compile after it."""

import os
import subprocess
import sys

import pytest

EVERYTHING = """
import gymnasium, numpy as np, uno_env
from uno_agents import make_agent
from uno_env.vector.sb3 import UnoVecEnv

game = uno_env.Game("teams", 4, seed=3)
for _ in range(30):
    game.step(game.legal_ids()[0])
uno_env.Game.from_snapshot(game.snapshot()).step(game.legal_ids()[0])
uno_env.determinize(game.view(1), np.random.default_rng(0))
env = uno_env.env("no_mercy", num_players=3)
env.reset(seed=1)
for _ in env.agent_iter(40):
    observation, _, over, cut, _ = env.last()
    env.step(None if over or cut else int(observation["action_mask"].argmax()))
single = gymnasium.make("uno_env/Uno-v0", opponents=["heuristic"])
single.reset(seed=1)
single.step(single.unwrapped.action_masks().argmax())
with uno_env.vec(["classic", "loche"], 8, threads=2, episode="match") as batch:
    batch.reset()
    batch.step(batch.random_actions())
    for spec in ("heuristic", "pretrained:classic", "random"):
        make_agent(spec).act_batch(batch.obs, batch.mask)
for spec in ("search:sims=10", "search:sims=10,rollout=pretrained:teams,leaf=value"):
    make_agent(spec).act(game.view(game.actor), game.legal())
print("played")
"""


def run(*arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    return subprocess.run(
        command, env={**os.environ, **env}, capture_output=True, text=True, timeout=600, check=False
    )


def test_after_a_warm_up_nothing_is_left_to_compile():
    done = run("-m", "uno_env", "warm-up", UNO_ENV_QUIET="1")
    assert done.returncode == 0 and done.stdout.startswith(("ready: ", "all is compiled already"))
    again = run("-m", "uno_env", "warm-up")
    assert again.stdout.startswith("all is compiled already, in ") and not again.stderr
    played = run("-c", EVERYTHING)
    assert (played.stdout, played.stderr) == ("played\n", "")


@pytest.mark.slow
@pytest.mark.parametrize("helper", ["works", "fails"])
def test_a_cold_warm_up_compiles_everything_with_one_bar(tmp_path, helper):
    cache = {"UNO_ENV_CACHE_DIR": str(tmp_path)}
    command = "from uno_env.cli import main; main(['warm-up', '--processes', '2'])"
    if helper == "fails":
        command = f"import sys; sys.executable = '/bin/false'; {command}"
    done = run("-c", command, **cache)
    assert done.returncode == 0 and done.stdout.startswith("ready: game, env, batch, ")
    assert done.stderr.count("compiling") == done.stderr.count("done in") == 1
    shares = [int(line.split("%")[0].split()[-1]) for line in done.stderr.splitlines()[1:-1]]
    assert shares == sorted(shares) and len(shares) > 2
    played = run("-c", EVERYTHING, **cache)
    assert (played.stdout, played.stderr) == ("played\n", "")


def test_unknown_uses_are_refused_by_name():
    refused = run("-m", "uno_env", "warm-up", "--only", "games")
    assert refused.returncode == 2 and not refused.stdout
    assert refused.stderr.startswith("uno-env: unknown use 'games'; allowed: game, env, batch, ")


def test_plain_python_has_nothing_to_compile():
    refused = run("-m", "uno_env", "warm-up", NUMBA_DISABLE_JIT="1")
    assert refused.returncode == 1 and "NUMBA_DISABLE_JIT" in refused.stderr


def test_the_help_begins_with_an_example():
    for words in (["--help"], ["warm-up", "--help"]):
        assert run("-m", "uno_env", *words).stdout.startswith("example: uno-env warm-up")
