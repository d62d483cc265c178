"""Indices of the engine's kernels count from the start, so the code for negative ones is left out.

In Numba an index that may be negative costs a comparison and a choice at every access; that was a
tenth of a step. Kernels of other packages, and everybody's own, keep Python's meaning of `a[-1]`.
"""

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.np import arrayobj

ENGINE = "uno_env.engine."


def count_from_the_start() -> None:
    """From now on compile the engine's kernels without the handling of negative indices."""
    usual = arrayobj.fix_integer_index

    def fix_index(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
        function = getattr(context, "fndesc", None)
        is_ours = str(getattr(function, "modname", "")).startswith(ENGINE)
        is_from_the_end = isinstance(index, ir.Constant) and index.constant < 0
        if is_ours and not is_from_the_end:
            return context.cast(builder, index, kind, types.intp)
        return usual(context, builder, kind, index, size)

    arrayobj.fix_integer_index = fix_index
