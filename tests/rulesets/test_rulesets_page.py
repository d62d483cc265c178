"""docs/rulesets.md and docs/benchmark.md: examples run, commands are understood, names are true."""

import json
import re
import shlex
from pathlib import Path

import pytest
from uno_arena.benchmark.tasks import ALL_TASKS, GROUPS, tasks_named
from uno_arena.cli import COMMANDS
from uno_arena.cli_play import play_parser
from uno_train.cli import read_config, train_parser

from uno_env.rulesets import SPLITS

ROOT = Path(__file__).resolve().parents[2]
RULESETS = (ROOT / "docs" / "rulesets.md").read_text(encoding="utf-8")
BENCHMARK = (ROOT / "docs" / "benchmark.md").read_text(encoding="utf-8")


def commands(page):
    """The lines of a page's shell blocks."""
    shell = "".join(re.findall(r"^```sh\n(.*?)^```", page, re.DOTALL | re.MULTILINE))
    return [shlex.split(line, comments=True) for line in shell.splitlines()]


def test_the_example_runs(capsys):
    (code,) = re.findall(r"^```python\n(.*?)^```", RULESETS, re.DOTALL | re.MULTILINE)
    exec(compile(code, "rulesets.md", "exec"), {})  # noqa: S102  # the page is ours
    assert capsys.readouterr().out.startswith("200 40 ")


@pytest.mark.parametrize("page", [RULESETS, BENCHMARK], ids=["rulesets", "benchmark"])
def test_commands_are_understood(page):
    for program, *words in commands(page):
        if program == "uno-train":
            assert read_config(train_parser().parse_args(words)).tables()
        elif program == "uno-arena" and words[0] == "bench":
            assert tasks_named(words[1])
        elif program == "uno-arena" and words[0] not in COMMANDS:
            play_parser("").parse_args(words)
        else:
            assert program == "pip" or words[0] in COMMANDS


def test_all_splits_and_groups_of_tasks_are_told():
    for split in SPLITS.values():
        assert f"| `{split.name}` | {split.about}" in RULESETS
    for group in GROUPS:
        assert group == "all" or f"| `{group}` |" in BENCHMARK
    named = re.findall(r"`((?:llm-)?[a-z_]+-\d(?:-match)?|rules-\w+)`", BENCHMARK)
    assert len(named) >= 10 and set(named) <= set(ALL_TASKS)


def test_the_table_of_results_is_what_its_file_gives():
    found = json.loads((ROOT / "benchmarks" / "results" / "rulesets.json").read_text())
    for cell in found.values():
        assert cell["low"] < cell["rate"] < cell["high"] and cell["chance"] == 0.25
        assert f"{100 * cell['rate']:.1f} % ({100 * cell['low']:.1f} to" in RULESETS
