"""Kernels that Python calls for the history form of the observation."""

from .jit import jit_entry
from .observation.history import write_history


@jit_entry("history")
def write_game_history(games, index, seat, out):
    """The last events one seat of one game may know of, into `out` (length, 5)."""
    write_history(games[index], seat, out)


@jit_entry("histories")
def write_histories(games, first, last, out):
    """Those of the seats to act in a slice, into `out` (games, length, 5)."""
    for i in range(first, last):
        write_history(games[i], max(games[i].actor, 0), out[i])
