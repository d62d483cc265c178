"""The TypeScript client: its types are those of the API, and its own tests pass under Node."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from uno_serve.api.openapi_file import openapi_text

from .server import ROOT

FOLDER = ROOT / "serve" / "client-ts"
NPM = shutil.which("npm")


def test_its_document_is_that_of_the_server():
    """Else run `python -m uno_serve.api.openapi_file serve/client-ts/openapi.json`."""
    assert (FOLDER / "openapi.json").read_text(encoding="utf-8") == openapi_text()


def test_its_lock_file_names_no_host_but_the_registry():
    text = (FOLDER / "package-lock.json").read_text(encoding="utf-8")
    hosts = set(re.findall(r'"resolved": "https?://([^/]+)/', text))
    assert hosts <= {"registry.npmjs.org"}


@pytest.mark.slow
@pytest.mark.skipif(NPM is None, reason="needs Node")
def test_its_types_are_current_and_its_tests_pass(server, tmp_path):
    """In a copy, so that nothing is installed into the checkout."""
    folder = tmp_path / "client"
    ignored = shutil.ignore_patterns("node_modules", "dist")
    shutil.copytree(FOLDER, folder, ignore=ignored)

    def npm(*words: str) -> str:
        env = {**os.environ, "UNO_URL": server.url}
        done = subprocess.run([str(NPM), *words], cwd=folder, env=env, text=True,
                              capture_output=True, timeout=300)  # fmt: skip
        if words[0] == "ci" and done.returncode and re.search("ENOTFOUND|EAI_AGAIN", done.stderr):
            pytest.skip("no package registry is at hand")
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
        return done.stdout

    npm("ci", "--no-audit", "--no-fund")
    npm("run", "generate")
    name = Path("src") / "schema.ts"
    assert (folder / name).read_text() == (FOLDER / name).read_text(), "npm run generate"
    add_documented_program(folder, server.url)
    report = npm("test")
    assert re.search(r"^# fail 0$", report, re.MULTILINE), report
    assert int(re.findall(r"^# pass (\d+)$", report, re.MULTILINE)[0]) >= 8


def add_documented_program(folder: Path, url: str) -> None:
    """The sample of the documentation and the example run beside the tests."""
    page = (ROOT / "docs" / "serving.md").read_text(encoding="utf-8")
    (program,) = re.findall(r"^```ts\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    program = program.replace('"uno-serve-client"', '"../src/index.js"')
    program = program.replace("http://127.0.0.1:8000", url)
    (folder / "test" / "documented.test.ts").write_text(program, encoding="utf-8")
    example = (ROOT / "examples" / "typescript" / "play.ts").read_text(encoding="utf-8")
    example = example.replace('"uno-serve-client"', '"../src/index.js"')
    (folder / "test" / "example.test.ts").write_text(example, encoding="utf-8")
