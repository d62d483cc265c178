"""The notebooks: executed from top to bottom, and committed with small output."""

import importlib.util
import json
from pathlib import Path

import pytest

pytest.importorskip("nbclient", reason="the notebooks extra is not installed")

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "notebooks"
NAMES = sorted(path.stem for path in FOLDER.glob("*.ipynb"))


@pytest.mark.parametrize("name", NAMES)
def test_it_is_committed_with_small_output_and_no_error(name):
    path = FOLDER / f"{name}.ipynb"
    assert path.stat().st_size < 300_000
    cells = [c for c in json.loads(path.read_text("utf-8"))["cells"] if c["cell_type"] == "code"]
    assert all(cell["execution_count"] for cell in cells), "python examples/notebooks/execute.py"
    outputs = [output for cell in cells for output in cell["outputs"]]
    assert not [output for output in outputs if output["output_type"] == "error"]
    assert any(
        "image/png" in o.get("data", {}) or "image/svg+xml" in o.get("data", {}) for o in outputs
    )


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # Jupyter's own
@pytest.mark.parametrize("name", NAMES)
def test_it_runs(name, monkeypatch):
    monkeypatch.setenv("UNO_EXAMPLE_UPDATES", "4")
    spec = importlib.util.spec_from_file_location("execute", FOLDER / "execute.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    notebook = module.executed(FOLDER / f"{name}.ipynb")
    assert any(cell.get("outputs") for cell in notebook.cells)


def test_there_are_three():
    assert NAMES == ["first_game", "tournament", "training_curve"]
