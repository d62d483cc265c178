"""Threads that step a batch: the same games as one thread, awake or asleep, to the end."""

import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import uno_env as uno
from uno_env.vector import worker_pool


def played(threads: int, pauses: tuple[int, ...] = (), steps: int = 60) -> list[bytes]:
    """Everything a batch shows, step by step; sleeping before some of the steps."""
    with uno.vec(list(uno.VARIANTS), 60, 4, seed=5, threads=threads) as v:
        v.reset()
        seen = []
        for number in range(steps):
            if number in pauses:
                time.sleep(0.02)
            v.step(v.random_actions())
            seen.append(b"".join(part.tobytes() for part in (v.obs, v.mask, v.actor, v.rewards)))
        return seen


@pytest.mark.parametrize("threads", (2, 3))
def test_threads_play_the_games_of_one_thread(threads):
    assert played(threads) == played(1)


def test_threads_that_fell_asleep_are_woken():
    assert played(2, pauses=(0, 5, 6, 30)) == played(1)


def test_without_a_core_for_each_they_sleep_at_once(monkeypatch):
    monkeypatch.setattr(worker_pool, "_cores", lambda: 1)
    assert played(3, steps=20) == played(1, steps=20)


@pytest.mark.parametrize("bad", (3, 17, 29))
def test_an_illegal_action_in_any_part_is_found_and_the_others_move(bad):
    with uno.vec("classic", 30, 2, seed=1, threads=3) as v:
        v.reset()
        actions = v.random_actions().copy()
        before = v.state
        actions[bad] = uno.NUM_ACTIONS - 1
        with pytest.raises(uno.IllegalAction, match=f"game {bad} of the batch"):
            v.step(actions)
        moved = np.array([a != b for a, b in zip(before, v.state, strict=True)])
        assert not moved[bad] and moved.sum() == 29


def running() -> int:
    return sum(thread.name.startswith("uno-vec") for thread in threading.enumerate())


def test_closing_or_forgetting_a_batch_ends_its_threads():
    before = running()
    closed, forgotten = (uno.vec("classic", 8, 2, threads=2) for _ in range(2))
    for v in (closed, forgotten):
        v.reset()
        v.step(v.random_actions())
    assert running() == before + 2
    closed.close()
    closed.close()
    with pytest.raises(RuntimeError, match="closed"):
        closed.step(closed.random_actions())
    del v, forgotten
    assert running() == before


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_child_that_forked_is_told_that_it_has_no_threads():
    code = (
        "import os, uno_env as uno; v = uno.vec('classic', 8, 2, threads=2); v.reset()\n"
        "v.step(v.random_actions())\n"
        "if os.fork():\n    os.wait()\nelse:\n"
        "    try: v.step(v.random_actions())\n"
        "    except RuntimeError as error: print(error, flush=True)\n"
        "    os._exit(0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert "make the batch in the child" in done.stdout, done.stderr


def test_plain_python_has_threads_too():
    code = (
        "import uno_env as uno; v = uno.vec('classic', 4, 2, seed=1, threads=2); v.reset()\n"
        "for _ in range(10): v.step(v.random_actions())\n"
        "print(v.obs.sum()); v.close()"
    )
    sums = []
    for disabled in "01":
        environment = os.environ | {"NUMBA_DISABLE_JIT": disabled}
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        sums.append(done.stdout)
    assert sums[0] == sums[1]
