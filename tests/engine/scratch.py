"""A small package named `uno_env` with the real decorators, run in processes of its own."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

REAL_ENGINE = Path(__file__).parents[2] / "uno_env" / "engine"

INNER = """
from uno_env.cards import TABLE
from .jit import jit

@jit(forceinline=True)
def inner(x):
    return x * TABLE[1] + 1
"""

OUTER = """
from .inner import inner
from .jit import jit_entry

@jit_entry("the outer kernel")
def outer(x):
    return inner(x) + 100
"""

CALL = "from uno_env.engine.outer import outer; print(outer(5))"


class Scratch:
    """A package named `uno_env` with the real decorator and two tiny kernels of its own."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "install"
        self.cache = folder / "cache"
        self.temp = folder / "temp"
        self.engine = self.root / "uno_env" / "engine"
        self.engine.mkdir(parents=True)
        self.temp.mkdir()
        shutil.copytree(REAL_ENGINE / "jit", self.engine / "jit")
        self.write("uno_env/__init__.py", "")
        self.write("uno_env/cards.py", "TABLE = (0, 2)\n")
        self.write("uno_env/actions.py", "")
        self.write("uno_env/engine/__init__.py", "")
        self.write("uno_env/engine/inner.py", INNER)
        self.write("uno_env/engine/outer.py", OUTER)

    def write(self, name: str, text: str) -> None:
        (self.root / name).write_text(text)

    def start(self, code: str, **env: str) -> subprocess.Popen[str]:
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("NUMBA_", "UNO_ENV_"))}
        ours = {
            "PYTHONPATH": str(self.root),
            # Two edits within a second may leave Python itself with a stale .pyc file.
            "PYTHONDONTWRITEBYTECODE": "1",
            "UNO_ENV_CACHE_DIR": str(self.cache),
            "TMPDIR": str(self.temp),
        }
        return subprocess.Popen(
            [sys.executable, "-W", "error", "-c", code],
            cwd=self.root,
            env={**clean, **ours, **env},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, code: str = CALL, **env: str) -> tuple[str, str]:
        return finish(self.start(code, **env))

    def folders(self) -> list[Path]:
        return sorted(self.cache.glob("engine-*"))


def finish(process: subprocess.Popen[str]) -> tuple[str, str]:
    out, err = process.communicate(timeout=100)
    assert process.returncode == 0, err
    return out.strip(), err.strip()
