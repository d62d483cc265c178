"""Names of compiled kernels, equal in every process that runs the same sources.

Numba numbers the functions it compiles in the order in which it meets them, so its symbols differ
from process to process. Ours are made of what they stand for. So machine code on disk can call
other machine code on disk, and a file's name says whether it is the right one.
"""

import functools
import hashlib
import itertools
from collections import defaultdict
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any, NamedTuple

from numba.core import itanium_mangler
from numba.core.serialize import dumps

LOWERED, WHOLE = "lowered", "whole"
"""Forms of a kernel: for other kernels to call, and with the wrapper that Python calls."""

_generations: dict[tuple[str, str], Iterator[int]] = defaultdict(itertools.count)


class Ref(NamedTuple):
    """Names one kernel for one signature in one form."""

    module: str
    name: str
    digest: str

    def mangle(self, name: str) -> str | None:
        """The symbol for a name that Numba asks for, None if it is not about this kernel."""
        own = f"{self.module}.{self.name}"
        if name in (own, f".NumbaEnv.{own}"):
            return str(itanium_mangler.mangle(name, (), abi_tags=(self.digest,)))
        return None


class Identity:
    """A kernel apart from its signature.

    Args:
        function: the plain function.
        options: the options it is compiled with.
    """

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        self.module, self.name = function.__module__, function.__qualname__
        self.generation = next(_generations[self.module, self.name])
        """Above 0 for a function defined anew, which differs from the file that was hashed."""
        code: CodeType = function.__code__
        cells = tuple(cell.cell_contents for cell in function.__closure__ or ())
        parts = [self.generation, code.co_firstlineno, _code_parts(code), sorted(options.items())]
        self._salt = hashlib.sha256(repr(parts).encode() + (dumps(cells) if cells else b""))

    def ref(self, types: tuple[Any, ...], form: str) -> Ref:
        """The name for a signature."""
        digest = self._salt.copy()
        digest.update(repr((form, *map(_type_digest, types))).encode())
        return Ref(self.module, self.name, digest.hexdigest()[:16])


def _code_parts(code: CodeType) -> list[Any]:
    constants = [_code_parts(c) if isinstance(c, CodeType) else c for c in code.co_consts]
    return [code.co_code, constants, code.co_names]


@functools.cache
def _type_digest(numba_type: Any) -> str:
    # The text of a record type is long, and Numba makes it anew each time.
    return hashlib.sha256(str(numba_type).encode()).hexdigest()
