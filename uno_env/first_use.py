"""First use: compile everything at once, with one progress bar and in two processes.

Kernels compile when they are first called, each in its place. `warm_up` does it beforehand by
using every part of the package once; `uno-env warm-up` is its command, and training begins with it.
Other packages name their uses by the entry point group `uno_env.warm_up`: a sequence of `Use`.
"""

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable, Collection, Iterable
from importlib.metadata import entry_points
from threading import Thread
from typing import Any, NamedTuple

import numpy as np

from .engine import single
from .engine.jit import IS_COMPILED, progress
from .engine.jit import warm_up as warm_up_kernels
from .engine.jit.store import store_of
from .envs.aec import env
from .game import Game
from .state_io.determinize import determinize
from .vector.single_agent import SingleAgentVec
from .vector.vec import vec

GROUP = "uno_env.warm_up"
HELP = "--help-out"
"""Option of the command for the second process; see `help_out`."""


class Use(NamedTuple):
    """A use of a package that calls its kernels.

    Args:
        name: for `warm_up`.
        run: does it.
        module: of its kernels; that it was done is noted beside their code.
        waits: whether it calls kernels of other uses too, so that it comes after them.
    """

    name: str
    run: Callable[[], object]
    module: str
    waits: bool = False


def warm_up(only: Collection[str] = (), processes: int | None = None) -> list[str]:
    """Compile the kernels of all uses, or of some. Where all is compiled it takes no time.

    Args:
        only: names of uses; all if empty.
        processes: 2 to compile in a second process too, the default where there are two cores.

    Returns:
        The names of the uses whose kernels were not ready.
    """
    uses = [use for use in _chosen(only) if not _is_done(use)]
    if not uses or not IS_COMPILED:
        return []
    if processes is None:
        processes = min(2, os.cpu_count() or 1) if sys.executable else 1
    apart = [use for use in uses if use not in OWN and not use.waits]
    first = [use for use in uses if use in OWN]
    with progress.task(progress.kernels):
        if first and apart and processes > 1:
            with _Helper(apart):
                _run(first)
        # What the helper has done is loaded, and what it could not do is done here.
        _run(use for use in uses if use not in first or not _is_done(use))
    return [use.name for use in uses]


def help_out(names: Collection[str]) -> None:
    """What the second process does: compile, and print how much was done instead of a bar."""
    progress.listener = lambda done: print(done, flush=True)
    _run(_chosen(names))


class _Helper:
    """A second process that compiles while this one does."""

    def __init__(self, uses: Iterable[Use]) -> None:
        names = [use.name for use in uses]
        command = [sys.executable, "-m", __package__, "warm-up", HELP, "--only", *names]
        self._process = subprocess.Popen(  # noqa: S603  # our own command
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._reader = Thread(target=self._read, daemon=True)

    def _read(self) -> None:
        for line in self._process.stdout or ():
            with contextlib.suppress(ValueError):
                progress.add(float(line))

    def __enter__(self) -> None:
        self._reader.start()

    def __exit__(self, kind: Any, *details: Any) -> None:
        if kind is not None:
            self._process.terminate()
        self._reader.join()
        self._process.wait()


def all_uses() -> list[Use]:
    """Our own uses, then those of installed packages, the waiting ones last."""
    found = list(OWN)
    for point in entry_points(group=GROUP):
        found += point.load()
    return sorted(found, key=lambda use: use.waits)


def _chosen(names: Collection[str]) -> list[Use]:
    uses = all_uses()
    if unknown := sorted(set(names) - {use.name for use in uses}):
        known = ", ".join(use.name for use in uses)
        raise ValueError(f"unknown use {unknown[0]!r}; allowed: {known}")
    return [use for use in uses if not names or use.name in names]


def _run(uses: Iterable[Use]) -> None:
    for use in uses:
        use.run()
        store = store_of(use.module)
        if store is not None:
            store.note(use.name)


def _is_done(use: Use) -> bool:
    store = store_of(use.module)
    return store is not None and store.is_noted(use.name)


def _use_game() -> None:
    game = Game("classic", 2, seed=1)
    while not game.over:
        game.observe(0)
        game.step(game.legal_ids()[0])
    game.rewards()
    games, rules, logs = game.engine_arrays
    calls = [(single.begin_card, (games, rules, 0)), (single.judge_wild_draw4, (games, rules, 0))]
    warm_up_kernels([*calls, (single.refresh_game, (games, rules, logs, 0))])
    determinize(Game("classic", 2, seed=1).view(0), np.random.default_rng(0))


def _use_env() -> None:
    game = env("classic")
    game.reset(seed=1)
    game.step(int(game.observe(game.agent_selection)["action_mask"].argmax()))


def _use_batch() -> None:
    batch = vec("classic", 2)
    batch.reset()
    batch.step(batch.random_actions())


def _use_threads() -> None:
    with vec("classic", 2, threads=2) as batch:
        batch.reset()
        batch.step(batch.random_actions())


def _use_learner() -> None:
    batch = SingleAgentVec("classic", 2)
    batch.reset()
    batch.step(batch.mask.argmax(axis=1))


OWN = (
    Use("game", _use_game, "uno_env.engine.single"),
    Use("env", _use_env, "uno_env.engine.single"),
    Use("batch", _use_batch, "uno_env.engine.batch"),
    Use("threads", _use_threads, "uno_env.engine.batch"),
    Use("learner", _use_learner, "uno_env.engine.single_agent"),
)
