"""The threads of a batch: slices, errors, the end."""

import threading

import pytest

from uno_env.vector.worker_pool import WorkerPool


def alive() -> set[str]:
    """Names of the running threads of batches."""
    return {t.name for t in threading.enumerate() if t.name.startswith("uno-vec")}


def test_every_call_gets_its_own_thread_and_results_keep_their_order():
    with_three = WorkerPool(3, 10)

    def kernel(first, last):
        return first, last, threading.current_thread().name

    for _ in range(3):
        found = with_three.run(kernel, with_three.slices(10))
        assert [part[:2] for part in found] == [(0, 3), (3, 6), (6, 10)]
        assert len({part[2] for part in found}) == 3
    with_three.close()


@pytest.mark.parametrize("bad", (0, 1, 2))
def test_an_error_in_any_thread_reaches_the_caller_and_spoils_nothing(bad):
    pool = WorkerPool(3, 3)
    finished = []

    def kernel(first, last):
        if first == bad:
            raise ArithmeticError(f"slice {first}")
        finished.append(first)
        return first

    for _ in range(2):
        finished.clear()
        with pytest.raises(ArithmeticError, match=f"slice {bad}"):
            pool.run(kernel, pool.slices(3))
        assert sorted(finished) == sorted({0, 1, 2} - {bad})
    pool.close()


def test_closing_or_forgetting_a_batch_ends_its_threads():
    before = alive()
    closed, forgotten = WorkerPool(2, 4), WorkerPool(2, 4)
    closed.close()
    closed.close()
    with pytest.raises(RuntimeError, match="closed"):
        closed.run(int, [(), ()])
    del forgotten
    assert alive() == before
