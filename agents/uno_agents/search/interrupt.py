"""Stopping a search in the middle: whoever started it is asked between chunks of simulations.

    with interruptible(lambda: stop_if_nobody_waits()):
        agent.act(view, legal)

The function may raise `Interrupted`, which ends the search, or block for a while, which pauses it.
It applies to the searches of the current thread, so no agent in between has to pass it on.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

CHUNK_SIMS = 256
"""Simulations between two calls: a few milliseconds."""


class Interrupted(Exception):
    """The search was stopped; it has no result."""


class _Checkpoint(threading.local):
    function: Callable[[], None] | None = None


_checkpoint = _Checkpoint()


@contextmanager
def interruptible(function: Callable[[], None]) -> Iterator[None]:
    """Have the searches of this thread call a function between chunks of simulations."""
    before, _checkpoint.function = _checkpoint.function, function
    try:
        yield
    finally:
        _checkpoint.function = before


def is_interruptible() -> bool:
    """Whether anybody wants to be asked."""
    return _checkpoint.function is not None


def checkpoint() -> None:
    """Called by a search between chunks; raises `Interrupted` if it is to stop."""
    if _checkpoint.function is not None:
        _checkpoint.function()
