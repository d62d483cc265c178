"""docs/benchmark-baselines.md: its example runs, its tables are those of the result files."""

import re

import numpy as np
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


def test_scores_of_all_tasks_are_relative_to_the_chance_level():
    make = generator("make_baselines")

    def runs(chance, *rates):
        return [{"chance": chance, "final": {"heuristic": [rate, 0, 1]}} for rate in rates]

    tasks = {
        "two": {"ppo": runs(0.5, 0.5, 0.4, 0.6), "dqn": runs(0.5, 0.5, 0.5, 0.5)},
        "four": {"ppo": runs(0.25, 0.25, 0.2, 0.3, 0.1)},
    }
    found = make.relative_scores(tasks)
    # Who did not run everywhere is left out; the fourth seed has no partner in the other task.
    assert list(found) == ["ppo"]
    assert found["ppo"] == pytest.approx(np.array([[1, 1], [0.8, 0.8], [1.2, 1.2]]))


@pytest.mark.slow
def test_the_page_is_made_from_the_result_files(monkeypatch, tmp_path):
    make = generator("make_baselines")
    monkeypatch.setattr(make, "draw", lambda task, runs, out: None)
    monkeypatch.setattr(make, "draw_all", lambda found, out: None)
    assert make.page() == PAGE.read_text()
