"""Every code block of the documentation is executed, or says why not.

Python, JavaScript and TypeScript: pages of `RUN_HERE` are executed below, those of `EXECUTED_BY` by
the test that is named there, and any other block has a comment `<!-- not run: REASON -->` on the
line above it. Blocks that include a file of examples/ are executed with that file. Shell commands
train, serve and install, so they are not executed here: their targets, commands, flags and extras
are checked to exist.
"""

import importlib
import io
import re
import shlex
import tomllib
from contextlib import redirect_stdout
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
PAGES += [page for page in sorted(DOCS.rglob("*.md")) if not page.name.endswith(".in.md")]
RUN_HERE = [
    ROOT / "README.md",
    DOCS / "index.md",
    DOCS / "get-started.md",
    DOCS / "play.md",
    DOCS / "rulesets.md",
    DOCS / "training.md",
    *sorted((DOCS / "variants").glob("*.md")),
]
EXECUTED_BY = {
    "aec.md": "tests/env/test_pages.py",
    "agents.md": "tests/agents/test_docs.py",
    "arena.md": "tests/arena/test_page.py",
    "benchmark-baselines.md": "tests/train/test_baselines_page.py",
    "gymnasium.md": "tests/env/test_pages.py",
    "observation.md": "tests/env/test_pages.py",
    "plug-in.md": "tests/agents/test_plug_back.py",
    "rendering.md": "tests/env/test_render_replay.py",
    "serving.md": "tests/serve/test_clients.py",
    "state.md": "tests/env/test_pages.py",
    "text.md": "tests/text/test_page.py",
    "vector.md": "tests/env/test_vec_page.py",
}
"""Page: the test that executes its programs."""
BLOCK = re.compile(
    r"^(?P<above>[^\n]*)\n``` ?(?P<info>[^\n`]+)\n(?P<code>.*?)^```", re.MULTILINE | re.DOTALL
)
PROGRAM = re.compile(r"(\{ \.)?(python|js|ts)\b")
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
SCRIPTS = PYPROJECT["project"]["scripts"]
EXTRAS = PYPROJECT["project"]["optional-dependencies"]


def blocks(path):
    return list(BLOCK.finditer(path.read_text(encoding="utf-8")))


def shell_lines():
    for path in PAGES:
        for block in blocks(path):
            if block["info"] == "sh":
                for line in block["code"].replace("\\\n", " ").splitlines():
                    yield path.name, shlex.split(line, comments=True)


@pytest.mark.parametrize("path", RUN_HERE, ids=lambda path: path.name)
def test_programs_run(path, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # some write a file
    found = [block["code"] for block in blocks(path) if block["info"] == "python"]
    assert found
    for code in found:
        exec(compile(code, str(path), "exec"), {})  # noqa: S102  # our own page


def test_every_program_is_run_or_says_why_not():
    silent = []
    for path in PAGES:
        test = EXECUTED_BY.get(path.relative_to(ROOT).as_posix().removeprefix("docs/"))
        for block in blocks(path):
            if not PROGRAM.match(block["info"]) or path in RUN_HERE or test:
                continue
            included = re.fullmatch(r'--8<-- "(examples/[^":]+)(:\w+)?"\n', block["code"])
            if included and (ROOT / included[1]).is_file():
                continue
            if not re.fullmatch(r"<!-- not run: \S.* -->", block["above"]):
                silent.append(f"{path.name}: {block['code'].splitlines()[0]}")
    assert not silent, "neither run nor marked:\n" + "\n".join(silent)


@pytest.mark.parametrize("page", EXECUTED_BY)
def test_the_test_that_is_named_reads_the_page(page):
    assert f'{page}"' in (ROOT / EXECUTED_BY[page]).read_text(encoding="utf-8")
    assert any(PROGRAM.match(block["info"]) for block in blocks(DOCS / page))


def test_make_targets_exist():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    used = {words[1] for _, words in shell_lines() if words[:1] == ["make"]}
    assert used and used <= targets


@cache
def help_of(script, command=""):
    """What `--help` prints, or None if there is no such command."""
    module, _, function = SCRIPTS[script].partition(":")
    main = getattr(importlib.import_module(module), function)
    with redirect_stdout(io.StringIO()) as said, pytest.raises(SystemExit):
        main([command, "--help"] if command else ["--help"])
    return said.getvalue()


def test_commands_have_the_flags_that_pages_use():
    checked = 0
    for page, words in shell_lines():
        script = words[0].removeprefix(".venv/bin/") if words else ""
        if script not in SCRIPTS:
            continue
        first = words[1] if len(words) > 1 else ""
        module = importlib.import_module(SCRIPTS[script].partition(":")[0])
        command = first if first in getattr(module, "COMMANDS", ()) else ""
        for flag in (word for word in words if word.startswith("--")):
            assert re.search(rf"{flag}\b", help_of(script, command)), f"{page}: {' '.join(words)}"
            checked += 1
    assert checked > 60


def test_extras_exist():
    named = {
        extra
        for path in PAGES
        for found in re.findall(r"uno-env\[([a-z0-9,]+)\]", path.read_text(encoding="utf-8"))
        for extra in found.split(",")
    }
    assert {"serve", "sb3"} <= named <= set(EXTRAS)
