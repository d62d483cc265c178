"""The compiler pipeline of our kernels: Numba itself and the kernels of others stay as they are."""

import pytest

SURVEY = '''
import sys
import types
import numba
import numba.np.arrayobj, numba.core.callconv, numba.core.cpu

def survey():
    """Every function and class of Numba, and every attribute of its classes, by name."""
    found = {}
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] not in ("numba", "llvmlite"):
            continue
        for key, value in list(vars(module).items()):
            if isinstance(value, (types.FunctionType, type)):
                found[name, key] = value
            if isinstance(value, type) and value.__module__.startswith(("numba", "llvmlite")):
                for member, defined in list(vars(value).items()):
                    if isinstance(defined, (types.FunctionType, property, classmethod)):
                        found[name, key, member] = defined
    return found

@numba.njit
def wake_numba_up(a):
    return a[-1]

import numpy as np
wake_numba_up(np.arange(3))
fresh = survey()
assert len(fresh) > 5000

def check(when):
    now = survey()
    changed = [name for name, value in fresh.items() if now.get(name) is not value]
    print(when, changed)
'''

USE = """
import uno_env
from uno_env.engine.outer import outer
check("imported")
outer(5)
check("compiled")
try:
    outer("text")
except numba.TypingError:
    check("refused")
"""

INDEXED = """
from .jit import jit, jit_entry

@jit
def inner(a, i):
    return a[i] + a[-1]

@jit_entry("the outer kernel")
def outer(a, i):
    return inner(a, i)
"""

BESIDE = """
import numba
import numpy as np
from uno_env.engine.inner import inner, outer
from uno_env.engine.jit import jit

def last(a, i):
    return a[i]

def both(a, i):
    return a[i] * 10 + inner(a, i + 1)

a = np.array([1, 2, 3])
print(outer(a, 1), numba.njit(last)(a, -1), jit(last)(a, -1), numba.njit(both)(a, -1))
"""

OUT_OF_BOUNDS = """
import numpy as np
from uno_env.engine.inner import inner, outer

a = np.array([1, 2, 3])
print(outer(a, 1), inner(a, 1))
for index in (-1, 3, -(2**63), 2**40):
    for kernel in (outer, inner):
        try:
            print(kernel(a, index))
        except IndexError:
            print("refused")
"""

CUSTOM = """
from uno_env.engine.jit.numba_version import is_custom
from uno_env.engine.jit.folder import cache_key
print(is_custom(), cache_key())
"""


def test_numba_is_left_as_it_was_found(scratch):
    out, _ = scratch.run(SURVEY + USE)
    assert out.splitlines() == ["imported []", "compiled []", "refused []"]


def test_kernels_of_others_count_from_the_end(scratch):
    scratch.write("uno_env/engine/inner.py", INDEXED)
    assert scratch.run(BESIDE)[0] == "5 3 3 34"


@pytest.mark.parametrize("custom", ["0", "1"])
def test_bounds_checks_catch_every_bad_index(scratch, custom):
    """An index of -1 too, which only Numba's own pipeline takes for the last element."""
    scratch.write("uno_env/engine/inner.py", INDEXED)
    env = {"NUMBA_BOUNDSCHECK": "1", "UNO_ENV_CUSTOM_PIPELINE": custom}
    first, *rest = scratch.run(OUT_OF_BOUNDS, **env)[0].splitlines()
    assert first == "5 5"
    of_minus_one = "refused" if custom == "1" else "6"
    assert rest == [of_minus_one] * 2 + ["refused"] * 6


def test_numbas_own_pipeline_gives_the_same_results(scratch):
    assert scratch.run()[0] == scratch.run(UNO_ENV_CUSTOM_PIPELINE="0")[0] == "111"
    assert len(scratch.folders()) == 2


@pytest.mark.parametrize(
    ("version", "asked", "is_custom"),
    [
        ("0.68.1", "", "True"),
        ("0.68.1", "0", "False"),
        ("0.6.8", "", "False"),
        ("99.0.0", "", "False"),
        ("99.0.0", "1", "True"),
    ],
)
def test_the_pipeline_is_used_with_tested_versions_or_on_demand(scratch, version, asked, is_custom):
    code = f"import numba; numba.__version__ = {version!r}\n{CUSTOM}"
    assert scratch.run(code, UNO_ENV_CUSTOM_PIPELINE=asked)[0].split()[0] == is_custom
