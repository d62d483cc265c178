"""Plugging back in: a product of training is the same string for env, batch, arena and terminal."""

import io
import re
import subprocess
import sys
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from uno_agents.play import main as uno_play
from uno_agents.pretrained import pretrained_names
from uno_agents.registry import make_agent

import uno_env
from uno_env.envs.opponents import reset_agent
from uno_env.vector.single_agent import SingleAgentVec

from .networks import save_lively

PAGE = Path(__file__).parents[2] / "docs" / "plug-in.md"
KINDS = ["checkpoint", "file", "onnx", "zip", "sampled", "pretrained", "code"]


@pytest.fixture(scope="module")
def specs(tmp_path_factory):
    """One spec of each kind."""
    pytest.importorskip("sb3_contrib")
    pytest.importorskip("onnxruntime")
    from sb3_contrib import MaskablePPO
    from uno_train.export import export_onnx

    from uno_env.vector.sb3 import UnoVecEnv

    folder = tmp_path_factory.mktemp("products")
    best = save_lively(folder / "run" / "best")
    export_onnx(str(best), folder / "bot.onnx")
    env = UnoVecEnv("classic", 2, num_players=2, scaled=True)
    MaskablePPO("MlpPolicy", env, seed=1, device="cpu").save(folder / "model.zip")
    (folder / "my_bot.py").write_text(python_block("class Careful"))
    shipped = list(pretrained_names())
    return {
        "checkpoint": str(best),
        "file": str(best / "model.safetensors"),
        "onnx": str(folder / "bot.onnx"),
        "zip": str(folder / "model.zip"),
        "sampled": f"{best}:sample=1",
        "pretrained": f"pretrained:{shipped[0]}" if shipped else str(best),
        "code": f"{folder / 'my_bot.py'}:Careful:keep=2",
    }


def python_block(mark):
    """The Python on the page that holds a mark."""
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    return next(code for code in blocks if mark in code)


@pytest.mark.parametrize("kind", KINDS)
def test_in_the_gymnasium_environment(specs, kind):
    env = gymnasium.make(
        "uno_env/Uno-v0", variant="no_mercy", num_players=3, opponents=["greedy", specs[kind]]
    )
    env.reset(seed=1)
    for _ in range(15):
        action = int(np.flatnonzero(env.unwrapped.action_masks())[0])
        _, _, terminated, truncated, _ = env.step(action)
        if terminated or truncated:
            break
    env.close()


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "code"])
def test_in_batches_of_games(specs, kind):
    vec = SingleAgentVec("classic", 32, num_players=3, opponents=[specs[kind], "greedy"])
    vec.reset()
    ended = 0
    for _ in range(60):
        vec.step(vec.mask.argmax(axis=1))
        ended += int(vec.done.sum())
    assert ended > 0
    vec.close()


@pytest.mark.parametrize("kind", KINDS)
def test_in_the_terminal(specs, kind, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 500))
    words = [specs[kind], "--variant", "classic(hand_size=2)", "--players", "2", "--seed", "1"]
    assert uno_play([*words, "--coach", specs[kind]]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"Otto: {specs[kind]}")
    assert "Coach: " in shown


def test_in_the_arena(specs, tmp_path):
    words = [*(specs[kind] for kind in ("checkpoint", "onnx", "zip", "pretrained")), "greedy"]
    done = subprocess.run(
        [sys.executable, "-m", "uno_arena", *dict.fromkeys(words), "--variant", "classic",
         "--players", "2", "--deals", "4", "--db", str(tmp_path / "arena.db"), "--quiet"],
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "greedy" in done.stdout


def test_the_code_of_the_page_runs(specs):
    for mark in ("list_agents", "SingleAgentVec"):
        exec(compile(python_block(mark), str(PAGE), "exec"), {})  # noqa: S102 - our own page
    agent = make_agent(specs["code"])
    game = uno_env.Game("classic", 2, seed=1)
    while not game.over:
        game.step(agent.act(game.view(game.actor), game.legal()))


def test_the_seeded_bot_of_the_page_repeats_itself():
    names = {}
    exec(compile(python_block("class Sampler"), str(PAGE), "exec"), names)  # noqa: S102 - our own page
    bot, legal = names["Sampler"](), [str(number) for number in range(1000)]
    answers = []
    for _ in range(2):
        assert reset_agent(bot, 7)
        answers.append([bot.act({}, legal) for _ in range(3)])
    assert answers[0] == answers[1]


def test_the_page_knows_every_kind_of_agent():
    from uno_agents.kinds import BY_FORM, NAMED

    page = PAGE.read_text()
    assert all(f"`{name}" in page for name in NAMED)
    assert all(f"`{kind.form}`".replace("NAME", "x") in page for kind in BY_FORM)
