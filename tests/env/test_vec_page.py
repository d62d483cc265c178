"""The page on batches: its examples run."""

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "vector.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)


def test_the_page_has_its_examples():
    assert len(BLOCKS) == 5


@pytest.mark.parametrize("code", BLOCKS, ids=range(len(BLOCKS)))
def test_example_runs(code, capsys):
    if "sb3" in code and find_spec("sb3_contrib") is None:
        pytest.skip("the sb3 extra is not installed")
    exec(compile(code, str(PAGE), "exec"), {})  # noqa: S102  # the page is ours
