"""The pages on the environments: generated ones are current, their examples run."""

import re

import pytest

import uno_env

from ..page_generators import DOCS, generator

make_env_pages = generator("make_env_pages")
make_observation = generator("make_observation")
make_state = generator("make_state")
PAGES = ["aec.md", "gymnasium.md", "observation.md", "state.md"]


def blocks(name):
    """The python code blocks of a page."""
    text = (DOCS / name).read_text(encoding="utf-8")
    return re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def test_observation_page_is_current():
    written = make_observation.PAGE.read_text(encoding="utf-8")
    assert written == make_observation.page(), "run python -m docs.make_observation"


def test_state_page_is_current():
    written = make_state.PAGE.read_text(encoding="utf-8")
    assert written == make_state.page(), "run python -m docs.make_state"


def test_state_page_lists_every_key():
    game = uno_env.Game("teams", seed=1)
    for mark, data in (("v", game.view(0)), ("s", game.snapshot())):
        listed = {key for key, (where, _) in make_state.KEYS.items() if mark in where}
        assert set(data) == listed


@pytest.mark.parametrize("path", make_env_pages.PAGES, ids=lambda path: path.name)
def test_env_pages_are_current(path):
    written = path.read_text(encoding="utf-8")
    page = make_env_pages.page(make_env_pages.PAGES[path])
    assert written == page, "run python -m docs.make_env_pages"


@pytest.mark.parametrize("name", PAGES)
def test_examples_run(name, capsys):
    found = blocks(name)
    assert found, f"{name} has no example"
    for code in found:
        assert len(code.strip().splitlines()) <= 13, "an example fits ten lines or so"
        exec(compile(code, name, "exec"), {})  # noqa: S102  # the pages are ours
