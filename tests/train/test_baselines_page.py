"""docs/benchmark-baselines.md: its example runs, its tables are those of the result files."""

import re

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("matplotlib")

from ..page_generators import DOCS, generator  # noqa: E402  # where the libraries are

PAGE = DOCS / "benchmark-baselines.md"


def test_the_example_runs():
    (example,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert example.count("\n") < 100
    torch.set_num_threads(1)
    scope = {}
    exec(compile(example, str(PAGE), "exec"), scope)  # noqa: S102  # the page is ours
    assert scope["optimizer"].state_dict()["state"], "no gradient step was taken"


@pytest.mark.slow
def test_the_page_is_made_from_the_result_files(monkeypatch, tmp_path):
    make = generator("make_baselines")
    monkeypatch.setattr(make, "draw", lambda task, runs, out: None)
    monkeypatch.setattr(make, "draw_all", lambda found, out: None)
    assert make.page() == PAGE.read_text()
