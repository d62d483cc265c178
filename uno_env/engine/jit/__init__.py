"""Compilation of kernels: decorators, cache, lock and progress; see `decorators`."""

from .decorators import (
    IS_COMPILED,
    WarmUp,
    always_inline,
    cold,
    inline_copy,
    jit,
    jit_entry,
    never_inline,
    progress,
    shared,
    warm_up,
)

__all__ = [
    "IS_COMPILED",
    "WarmUp",
    "always_inline",
    "cold",
    "inline_copy",
    "jit",
    "jit_entry",
    "never_inline",
    "progress",
    "shared",
    "warm_up",
]
