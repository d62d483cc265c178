"""Which versions of Numba compile kernels in our way; the others do it in theirs.

The classes of Numba that we derive from are no stable interface. Other versions than `TESTED`
therefore compile with Numba's own pipeline: same results, slower steps, a longer first use.
`UNO_ENV_CUSTOM_PIPELINE=0` asks for that with any version, `=1` for our pipeline.
"""

import os

import numba

TESTED = ("0.68",)
"""Minor versions of Numba that the whole test suite has passed with."""


def is_custom() -> bool:
    """Whether kernels are compiled with our pipeline instead of Numba's default one."""
    if choice := os.environ.get("UNO_ENV_CUSTOM_PIPELINE"):
        return choice != "0"
    return ".".join(numba.__version__.split(".")[:2]) in TESTED
