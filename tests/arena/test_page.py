"""The page on the arena: its examples run, its files are there."""

import re
import shlex
from pathlib import Path

import pytest
from uno_arena.cli import main
from uno_arena.cli_play import play_parser
from uno_arena.config import ConfigError, make_config, shipped_configs

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/arena.md").read_text(encoding="utf-8")
CONFIGS = sorted((ROOT / "configs/arena").glob("*.yaml"))


def test_examples_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    found = re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    assert len(found) == 3
    for code in found:
        exec(compile(code, "arena.md", "exec"), {})  # noqa: S102  # the page is ours


def test_commands_are_understood():
    shell = "".join(re.findall(r"^```sh\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE))
    lines = [shlex.split(line, comments=True) for line in shell.splitlines()]
    assert len(lines) == 6
    for program, *words in lines:
        assert program == "uno-arena"
        if words[0] in ("replay", "report", "list"):
            with pytest.raises(SystemExit) as end:
                main([words[0], "--help"])
            assert end.value.code == 0
        else:
            play_parser("").parse_args(words)


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.name)
def test_shipped_configurations_are_valid(path):
    given = {} if "agents:" in path.read_text().replace("# ", "") else {"agents": ["a", "b"]}
    config = make_config(path, given)
    assert len(config.table_configs()) >= 1
    named = re.findall(r"uno-arena .*", path.read_text())
    for line in named:
        options = play_parser("").parse_args(shlex.split(line)[1:])
        assert options.config == path.stem
    assert make_config(path.stem, given) == config


def test_shipped_configurations_have_names():
    assert shipped_configs() == [path.stem for path in CONFIGS]
    with pytest.raises(ConfigError, match=r"no shipped file 'baseline'; allowed: baselines, gate"):
        make_config("baseline", {})
