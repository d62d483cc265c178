"""How long a process takes until its first step: from a warm cache, and compiling everything."""

import os
import resource
import subprocess
import sys
import tempfile
import time

STARTS = 5
PETTINGZOO = "import pettingzoo"
GAME = "import uno_env; game = uno_env.Game(); game.step(game.legal_ids()[0])"
BATCH = "import uno_env; v = uno_env.vec(num_envs=8); v.reset(); v.step(v.random_actions())"


def startup_rows() -> list[tuple[str, list[float]]]:
    """Names and seconds: the start with a warm cache less that of PettingZoo alone, first use."""
    for code in (GAME, BATCH):
        _wall(code)  # fills the cache if it is not warm yet
    game, games = [], []
    for _ in range(STARTS):
        alone = _wall(PETTINGZOO)
        game.append(_wall(GAME) - alone)
        games.append(_wall(BATCH) - alone)
    return [
        (
            "`import uno_env`, a `Game` and its first step, seconds more than `import pettingzoo`",
            game,
        ),
        (
            "`import uno_env`, a batch and its first step, seconds more than `import pettingzoo`",
            games,
        ),
        ("first use ever of a `Game`: CPU seconds with an empty cache", [_cold(GAME)]),
        ("first use ever of a batch: CPU seconds with an empty cache", [_cold(BATCH)]),
    ]


def _wall(code: str) -> float:
    started = time.perf_counter()
    _python(code, dict(os.environ))
    return time.perf_counter() - started


def _cold(code: str) -> float:
    before = _children_cpu()
    with tempfile.TemporaryDirectory() as folder:
        _python(code, {**os.environ, "UNO_ENV_CACHE_DIR": folder})
    return _children_cpu() - before


def _children_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _python(code: str, environment: dict[str, str]) -> None:
    command = [sys.executable, "-c", code]
    # The code is one of the constants above.
    subprocess.run(command, check=True, env=environment, stderr=subprocess.DEVNULL)  # noqa: S603
