"""The wheel, away from the repository: what it installs, beside whom, and that its files work."""

import email
import os
import re
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest
from uno_arena.benchmark.tasks import TASKS

pytest.importorskip("hatchling")
pytest.importorskip("hatch_fancy_pypi_readme")

# One worker builds the wheel, for all tests of this file.
pytestmark = pytest.mark.xdist_group("wheel")

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = {"uno_env": "uno_env", "uno_agents": "agents/uno_agents", "uno_arena": "arena/uno_arena",
           "uno_train": "train/uno_train", "uno_serve": "serve/uno_serve"}  # fmt: skip
COMMANDS = {"uno-env", "uno-play", "uno-train", "uno-arena", "uno-serve", "uno-mcp"}
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check"]


def run(*words, **more):
    done = subprocess.run(words, capture_output=True, text=True, timeout=600, **more)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    # No isolation: what builds it is installed for the tests, so nothing is downloaded.
    build = ["--no-deps", "--no-build-isolation", "--no-index", "--quiet"]
    run(*PIP, "wheel", *build, "--wheel-dir", str(folder), str(ROOT))
    (file,) = folder.glob("*.whl")
    return file


class Installed:
    """An environment without pip that holds the wheel, and commands run in an empty folder."""

    def __init__(self, folder, *arguments):
        venv.create(folder / "venv", with_pip=False, symlinks=os.name != "nt")
        self.bin = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
        self.python = self.bin / "python"
        self._empty = folder / "empty"
        self._empty.mkdir()
        run(*PIP, "--python", str(self.python), "install", "--quiet", "--no-compile", *arguments)

    @property
    def site_packages(self):
        paths = "import sysconfig; print(sysconfig.get_paths()['purelib'])"
        return Path(self.script(paths).strip())

    def command(self, *words):
        env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        env["COLUMNS"] = "200"  # tables are not to break names
        name, *arguments = words
        return run(str(self.bin / name), *arguments, cwd=self._empty, env=env)

    def script(self, code):
        return self.command("python", "-c", code)


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """The wheel alone; what it depends on is found in the environment of the tests."""
    made = Installed(tmp_path_factory.mktemp("alone"), "--no-deps", "--no-index", str(wheel))
    # Only a path: the editable install of the tests' environment is a .pth file and stays unread.
    (made.site_packages / "dependencies.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
    return made


@pytest.fixture(scope="module")
def metadata(wheel):
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        return email.message_from_bytes(archive.read(name))


def test_every_file_of_the_packages_is_in_the_wheel(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert {name.partition("/")[0] for name in names} == set(FOLDERS)
    for package, folder in FOLDERS.items():
        files = {
            f"{package}/{file.relative_to(ROOT / folder).as_posix()}"
            for file in (ROOT / folder).rglob("*")
            if file.is_file() and "__pycache__" not in file.parts
        }
        assert files and files <= names


def test_it_imports_beside_openai_agents(wheel, tmp_path):
    """That distribution owns the top-level package `agents`."""
    pinned = ROOT / "tests" / "requirements-openai-agents.txt"
    both = Installed(tmp_path, "--requirement", str(pinned), str(wheel))
    code = f"from agents import Agent\nimport {', '.join(FOLDERS)}\nprint(Agent.__module__)"
    assert both.script(code).startswith("agents.")
    # No extra is installed here, and every package imports; agents that ship play by numpy alone.
    places = "".join(f"print({name}.__file__)\n" for name in FOLDERS)
    found = both.script(f"import {', '.join(FOLDERS)}\n{places}").split()
    assert [Path(file).parent for file in found] == [both.site_packages / name for name in FOLDERS]
    both.script("from uno_agents.registry import make_agent; make_agent('pretrained:classic')")


def test_the_commands_keep_their_names(installed):
    assert {file.stem for file in installed.bin.glob("uno-*")} == COMMANDS
    for name in COMMANDS:
        assert installed.command(name, "--help").startswith("example: ")


def test_nodes_with_the_same_sources_have_the_same_digest(installed):
    digest = "from uno_arena.code_version import code_digest; print(code_digest())"
    assert installed.script(digest) == run(sys.executable, "-c", digest, cwd=ROOT)


def test_presets_play(installed):
    code = """import uno_env
for name in uno_env.VARIANTS:
    game = uno_env.Game(name, num_players=4, seed=1)
    game.step(game.legal()[0])
    print(name, len(game.view(0)["hand"]) > 0)"""
    assert installed.script(code).count("True") == 7


def test_weights_are_found(installed):
    code = """from uno_agents.pretrained import pretrained_names
from uno_agents.registry import make_agent
for name in pretrained_names():
    print(name, make_agent(f"pretrained:{name}").metadata["decisions"])"""
    found = dict(line.split() for line in installed.script(code).splitlines())
    shipped = ROOT / "agents" / "uno_agents" / "pretrained"
    assert found.keys() == {file.stem for file in shipped.glob("*.safetensors")}


def test_training_configs_are_found_by_name(installed):
    listed = installed.command("uno-train", "--list")
    shipped = {file.stem for file in (ROOT / "configs" / "train").glob("*.yaml")}
    assert {"quick", "classic", "generalist"} <= shipped
    for name in shipped - {"rllib", "rllib-cluster"}:
        assert re.search(rf"^{name}\b", listed, re.MULTILINE)
    code = "from uno_train.config import make_config; print(make_config('quick', {}).minutes)"
    assert float(installed.script(code)) > 0


def test_the_leaderboard_has_its_entries(installed):
    printed = installed.command("uno-arena", "leaderboard")
    shipped = ROOT / "arena" / "uno_arena" / "benchmark" / "entries"
    assert len(list(shipped.glob("*.json"))) > 1
    # The baseline has a row in each task.
    assert len(re.findall(r"@2: chance level", printed)) == len(TASKS)
    assert printed.count("heuristic") >= len(TASKS)


def test_the_quiz_has_its_positions(installed):
    code = "from uno_arena.benchmark.quiz import load_quiz\nprint(len(load_quiz()))"
    assert int(installed.script(code)) > 100


def test_arena_configs_are_found_by_name(installed):
    shipped = sorted(file.stem for file in (ROOT / "configs" / "arena").glob("*.yaml"))
    code = "from uno_arena.config import make_config, shipped_configs as all\nprint(*all())\n"
    code += "print(make_config('baselines', {}).until_clear)"
    assert installed.script(code).split() == [*shipped, "True"]


def test_the_page_is_served(installed):
    code = """from starlette.testclient import TestClient
from uno_serve.api.app import create_app
from uno_serve.config import ServeConfig
client = TestClient(create_app(ServeConfig())[0])
for path in ("/", "/main.js", "/styles/base.css", "/cards.svg"):
    print(client.get(path).status_code)"""
    assert installed.script(code).split() == ["200"] * 4


def test_the_readme_works_on_an_index_page(metadata):
    text = metadata.get_payload()
    targets = re.findall(r"\]\((.+?)\)", text)
    home = dict(url.split(", ") for url in metadata.get_all("Project-URL"))["Homepage"]
    raw = home.replace("github.com", "raw.githubusercontent.com")
    for target in targets:
        assert target.startswith(("https://", "#")), target
        if target.startswith((home, raw)):
            path = re.sub(r"^(/blob)?/main/", "", target.removeprefix(home).removeprefix(raw))
            assert (ROOT / path).exists(), target
    assert sum(target.startswith(raw) for target in targets) >= 1


def test_the_metadata_say_who_may_use_it(metadata):
    classifiers = metadata.get_all("Classifier")
    pythons = [line.rpartition(" ")[2] for line in classifiers if ":: 3." in line]
    assert metadata["Requires-Python"] == f">={pythons[0]}"
    assert any(line.startswith("Development Status") for line in classifiers)
    urls = dict(url.split(", ") for url in metadata.get_all("Project-URL"))
    assert {"Homepage", "Documentation", "Repository", "Issues", "Changelog"} == urls.keys()
    assert all(url.startswith(urls["Homepage"]) for url in urls.values())
