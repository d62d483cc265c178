"""Kernels that are never inlined: large or unlikely ones, kept out of the path of a step.

Left to itself LLVM copies the end of a round, gifts and eliminations into every step: the code
grows tenfold, compiles twice as long and the common way through it is torn apart.
"""

from typing import Any

from numba.core import base

NEVER_INLINE = ("noinline",)
COLD = ("noinline", "cold")
"""A cold function also tells that the branches leading to it are unlikely."""

_attributes: dict[tuple[str, str], tuple[str, ...]] = {}


def set_apart(function: Any, attributes: tuple[str, ...]) -> None:
    """Remember how a function is to be called, before it is compiled."""
    _attributes[function.__module__, function.__qualname__] = attributes


def keep_apart() -> None:
    """From now on give functions that were set apart their attributes."""
    usual = base.BaseContext.declare_function

    def declare(self: Any, module: Any, description: Any) -> Any:
        declared = usual(self, module, description)
        for attribute in _attributes.get((description.modname, description.qualname), ()):
            declared.attributes.add(attribute)
        return declared

    base.BaseContext.declare_function = declare  # type: ignore[method-assign]
