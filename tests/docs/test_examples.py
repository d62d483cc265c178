"""Every example is executed with a small budget; those of other libraries by `make interop`."""

import re
import runpy
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "examples"
INTEROP = FOLDER.parent / "tests" / "interop" / "test_examples.py"
RATE = r"\d+\.\d % \(\d+\.\d to \d+\.\d\)"
FAST = {
    "pettingzoo_loop.py": ("", r"over after \d+ decisions"),
    "own_bot.py": ("--deals 20", rf"against heuristic: {RATE}"),
    "house_rules.py": ("", r"blank wild was played [1-9]\d* times"),
    "read_a_result.py": ("--deals 50", r"standard error over games 0\.\d+, over deals 0\.\d+"),
    "self_play.py": ("--updates 1 --games 32 --batch 100 --deals 10", rf"against greedy {RATE}"),
    "ppo.py": ("--updates 2 --games 32 --steps 16 --deals 10", rf"against heuristic: {RATE}"),
}
"""Options with a small budget, and what the output says."""
SLOW = {
    "unseen_rules.py": ("--updates 1 --games 24 --deals 10",
                        rf"unseen rules, against greedy: {RATE}"),
    "sb3_maskable_ppo.py": ("--steps 512 --games 16 --deals 10 --out {tmp}/model.zip",
                            rf"against heuristic: {RATE}"),
    "serve_a_bot.py": ("", r"won by seat \[[01]\]"),
}  # fmt: skip


def run(name, options, monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(sys, "argv", [name, *options.format(tmp=tmp_path).split()])
    monkeypatch.syspath_prepend(str(FOLDER))
    monkeypatch.chdir(tmp_path)
    try:
        runpy.run_path(str(FOLDER / name), run_name="__main__")
    finally:
        sys.modules.pop("ppo", None)
    return capsys.readouterr().out


@pytest.mark.parametrize("name", FAST)
def test_example_runs(name, monkeypatch, capsys, tmp_path):
    options, said = FAST[name]
    assert re.search(said, run(name, options, monkeypatch, capsys, tmp_path))


@pytest.mark.slow
@pytest.mark.parametrize("name", SLOW)
def test_longer_example_runs(name, monkeypatch, capsys, tmp_path):
    options, said = SLOW[name]
    assert re.search(said, run(name, options, monkeypatch, capsys, tmp_path))


def test_no_example_is_left_out():
    others = re.findall(r'"(\w+\.py)"', INTEROP.read_text(encoding="utf-8"))
    assert {path.name for path in FOLDER.glob("*.py")} == {*FAST, *SLOW, *others}


def test_sizes_that_the_tutorials_promise():
    lines = {
        name: len((FOLDER / name).read_text().splitlines()) for name in ("ppo.py", "self_play.py")
    }
    assert lines["ppo.py"] <= 250 and lines["self_play.py"] < 100
    bot = (FOLDER / "own_bot.py").read_text().split("[start:bot]")[1].split("# --8<--")[0]
    assert len([line for line in bot.splitlines() if line.strip()]) <= 20
