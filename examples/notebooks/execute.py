"""Execute the notebooks and write their output into them.

python examples/notebooks/execute.py            # all
python examples/notebooks/execute.py first_game
"""

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parent


def executed(path: Path) -> nbformat.NotebookNode:
    """The notebook with fresh output; a cell that raises raises here."""
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=600,
        kernel_name="python3",
        resources={"metadata": {"path": str(FOLDER)}},
        record_timing=False,
    )
    return client.execute()


def main() -> None:
    """Run those that are named, or all."""
    names = sys.argv[1:] or sorted(path.stem for path in FOLDER.glob("*.ipynb"))
    for name in names:
        path = FOLDER / f"{name}.ipynb"
        print(f"{path.name} ...", flush=True)
        nbformat.write(executed(path), path)


if __name__ == "__main__":
    main()
