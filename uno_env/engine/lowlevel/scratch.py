"""Scratch arrays of a kernel, on its stack.

`np.empty` takes memory from the heap at every call and gives it back, with references counted in
between: for a batch of 256 games 3 % of a step.
"""

from typing import Any

import numba
import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ..jit import IS_COMPILED

if not IS_COMPILED:

    def make_scratch(count: int) -> Any:
        """A function that returns `count` integers of any value; see below."""
        return lambda: np.empty(count, np.int64)

else:

    def make_scratch(count: int) -> Any:
        """A function that returns `count` integers of any value.

        They end with the kernel that calls it, which must not return them; a call in a loop gives
        the same ones each time.
        """
        integers = types.Array(types.int64, 1, "C")

        @intrinsic
        def scratch(typingctx: Any) -> Any:
            def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                room = cgutils.alloca_once(builder, context.get_value_type(types.int64), count)
                array = context.make_array(integers)(context, builder)
                number = lambda value: context.get_constant(types.intp, value)  # noqa: E731
                populate = numba.np.arrayobj.populate_array
                populate(array, room, [number(count)], [number(8)], number(8), meminfo=None)
                return array._getvalue()

            return integers(), codegen

        return scratch
