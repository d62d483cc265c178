"""Configuration and command line: options, files, and errors that say what is allowed."""

import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from uno_serve.cli import _parser, main, read_config
from uno_serve.config import ConfigError, ServeConfig

CONFIGS = Path(__file__).parents[2] / "configs" / "serve"


def read(*arguments: str) -> ServeConfig:
    return read_config(_parser().parse_args(arguments))


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("*.yaml")), ids=lambda path: path.stem)
def test_every_shipped_configuration_is_valid(path):
    config = ServeConfig.from_file(path)
    assert config.model_fields_set, "a file holds what differs from the defaults"


@pytest.mark.parametrize("name", ["public", "bots"])
def test_a_shipped_configuration_is_found_by_its_name(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert read("--config", name) == ServeConfig.from_file(CONFIGS / f"{name}.yaml")


def test_an_unknown_name_lists_those_that_ship(capsys):
    assert main(["--config", "publik"]) == 2
    assert "'publik'; allowed: bots, public, or a path" in capsys.readouterr().err


def test_flags_win_over_the_file_and_the_file_over_defaults(tmp_path):
    file = tmp_path / "x.yaml"
    file.write_text("port: 7000\nmax_tables: 5\nbots: {a: {spec: greedy}}\n", encoding="utf-8")
    config = read("--config", str(file), "--port", "7001", "--bots", "b=search:sims=10")
    assert (config.port, config.max_tables, config.host) == (7001, 5, "127.0.0.1")
    assert {name: bot.spec for name, bot in config.bots.items()} == {
        "a": "greedy",
        "b": "search:sims=10",
    }


def test_the_environment_stands_between_the_file_and_the_flags(tmp_path, monkeypatch):
    file = tmp_path / "x.yaml"
    file.write_text("{port: 7000, max_tables: 5, max_batch: 8, react_seconds: 5}", encoding="utf-8")
    secret = tmp_path / "db"
    secret.write_text("postgresql://uno@db/uno\n", encoding="utf-8")
    for name, text in {
        "CONFIG": str(file), "PORT": "7001", "MAX_TABLES": "6", "WEB": "false",
        "REACT_SECONDS": "null", "ALLOWED_HOSTS": "a.example.org, b.example.org",
        "API_KEYS": "[0123456789abcdef]", "BOTS": "{deep: {spec: 'search:sims=900'}}",
        "DB_FILE": str(secret), "LOG_LEVEL": "error",
    }.items():  # fmt: skip
        monkeypatch.setenv(f"UNO_SERVE_{name}", text)
    config = read("--port", "7002")
    assert (config.port, config.max_tables, config.max_batch) == (7002, 6, 8)
    assert config.web is False and config.react_seconds is None
    assert config.allowed_hosts == ("a.example.org", "b.example.org")
    assert config.api_keys == ("0123456789abcdef",)
    assert config.bots["deep"].spec == "search:sims=900"
    assert config.db == "postgresql+psycopg://uno@db/uno"
    assert _parser().parse_args([]).log_level == "error"


@pytest.mark.parametrize(
    ("name", "text", "named"),
    [
        ("COLOUR", "red", "COLOUR"),
        ("PORT", "70000", "port"),
        ("BOTS", "{", "BOTS"),
        ("DB_FILE", "/nowhere/at/all", "DB_FILE"),
    ],
)
def test_a_wrong_variable_is_refused_with_its_name(monkeypatch, capsys, name, text, named):
    monkeypatch.setenv(f"UNO_SERVE_{name}", text)
    assert main([]) == 2
    assert named in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("colour: red", "colour"),
        ("port: 70000", "port"),
        ("max_batch: none", "max_batch"),
        ("bots: {x: {path: y}}", "path"),
        ("db: mysql://x", "mysql"),
        ("api_keys: [short]", "16 characters"),
        ("- a", "mapping"),
    ],
)
def test_a_wrong_file_is_refused_with_the_option_named(tmp_path, text, named, capsys):
    file = tmp_path / "x.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=named):
        ServeConfig.from_file(file)
    assert main(["--config", str(file)]) == 2
    assert named in capsys.readouterr().err


def test_a_taken_port_is_said_so(server, tmp_path, capsys):
    taken = ["--port", str(server.port), "--db", str(tmp_path / "x.db")]
    assert main(taken) == 2
    said = capsys.readouterr().err
    assert f"cannot listen on 127.0.0.1:{server.port}" in said
    assert "--port 8001" in said and "UNO_SERVE_PORT=8001 make play" in said


def test_a_machine_without_a_browser_is_told_the_address(tmp_path):
    program = "from uno_serve.cli import open_page; open_page('http://127.0.0.1:8000/')"
    screens = ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")
    env = {name: value for name, value in os.environ.items() if name not in screens}
    env |= {"PATH": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60, check=True)
    assert "open http://127.0.0.1:8000/ yourself" in done.stdout
    assert "--host 0.0.0.0" in done.stdout


def test_help_begins_with_an_example(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    text = capsys.readouterr().out
    assert text.startswith("example: uno-serve ") and "NAME=SPEC" in text


def test_every_option_is_described():
    assert all(field.description for field in ServeConfig.model_fields.values())


def test_the_docs_state_every_default_limit():
    path = CONFIGS.parents[1] / "docs" / "make_limits.py"
    table = runpy.run_path(str(path))["limits_table"]()
    page = path.with_name("serving.md").read_text(encoding="utf-8")
    assert f"\n{table}\n" in page, "python docs/make_limits.py"
    assert "| `header_seconds` | 10.0 |" in table
