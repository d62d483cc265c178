"""The source distribution: unpacked, it can run its own tests."""

import os
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

pytest.importorskip("hatchling")
pytest.importorskip("hatch_fancy_pypi_readme")

ROOT = Path(__file__).resolve().parents[1]
NEEDED = (
    "LICENSE", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "CITATION.cff", "SECURITY.md",
    "Makefile", "constraints.txt", "mkdocs.yml", "pyproject.toml", ".ci/run",
    ".pre-commit-config.yaml",
)  # fmt: skip
FOLDERS = (
    "uno_env", "agents", "arena", "train", "serve", "configs", "docs", "tests", "benchmarks",
    "examples",
)  # fmt: skip
SUBSET = (
    "tests/test_shipped_files.py",  # configs
    "tests/test_architecture.py",  # docs
    "tests/rules/test_every_id_has_a_test.py",  # the rule tests and their page
    "tests/engine/test_golden.py",  # golden games
)


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sdist")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "sdist", "--directory"]
    subprocess.run([*build, str(folder)], check=True, cwd=ROOT, capture_output=True)
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
    (root,) = [path for path in folder.iterdir() if path.is_dir()]
    return root


def test_it_holds_what_a_checkout_holds(unpacked):
    assert [name for name in NEEDED if not (unpacked / name).is_file()] == []
    for name in FOLDERS:
        ours, theirs = (
            {
                file.relative_to(root)
                for file in (root / name).rglob("*")
                if file.is_file() and not {"__pycache__", "results"} & set(file.parts)
            }
            for root in (ROOT, unpacked)
        )
        assert ours and ours <= theirs


def test_its_tests_pass(unpacked):
    paths = [unpacked, *(unpacked / name for name in ("agents", "arena", "train", "serve"))]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths))}
    words = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *SUBSET]
    done = subprocess.run(words, cwd=unpacked, env=env, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout[-3000:]
    where = [sys.executable, "-c", "import uno_env, uno_train; print(uno_env.__file__)"]
    found = subprocess.run(where, cwd=unpacked, env=env, capture_output=True, text=True, check=True)
    assert Path(found.stdout.strip()).is_relative_to(unpacked)
