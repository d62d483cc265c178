"""Compilation of kernels: decorators, cache, lock and progress; see `decorators`."""

from .decorators import IS_COMPILED, WarmUp, alone, as_part, hot, jit, jit_entry, rare, warm_up

__all__ = [
    "IS_COMPILED",
    "WarmUp",
    "alone",
    "as_part",
    "hot",
    "jit",
    "jit_entry",
    "rare",
    "warm_up",
]
