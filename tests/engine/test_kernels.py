"""Which kernels become machine code, how often, and that all ways to call one agree."""

import pytest

KERNELS = """
from .jit import always_inline, cold, jit, jit_entry, never_inline, shared

@jit
def plain(x):
    return x + 1

@always_inline
def inlined(x):
    return plain(x) * 2

@cold
def rare(x):
    return plain(x) - 7

@never_inline
def large(x):
    return inlined(x) + rare(x)

@shared
def step(x):
    return large(x) if x > 10 else inlined(x)

@jit_entry("one")
def one(x):
    return step(x) + 1000

@jit_entry("two")
def two(x):
    return step(x) + rare(x) + 2000

@jit_entry("three")
def three(x):
    return one(x) + inlined(x)
"""

CALL = "from uno_env.engine.kernels import *; print({})"
EMITTED = "; from uno_env.engine.jit import groups; print(sorted(r.name for r in groups._ready))"
HELD = """
from uno_env.engine.kernels import *
print([kernel(20) for kernel in (one, two, three)])
print([(len(kernel.lowered), len(kernel.overloads)) for kernel in (plain, inlined, rare, step)])
"""
FOREIGN = """
import numba
from uno_env.engine.kernels import *

@numba.njit
def outside(x):
    return step(x) + three(x) + plain(x)

print(outside(20))
"""


@pytest.fixture
def kernels(scratch):
    scratch.write("uno_env/engine/kernels.py", KERNELS)
    return scratch


def results(x):
    """What the kernels compute."""
    rare, inlined = x - 6, 2 * x + 2
    step = inlined + rare if x > 10 else inlined
    return [step + 1000, step + rare + 2000, step + 1000 + inlined]


def objects(scratch):
    """The kernels with machine code on disk, and those that are the root of a group."""
    sizes = {p.name.split("-")[0]: p.stat().st_size for p in scratch.cache.rglob("*.object")}
    return set(sizes), {name for name, size in sizes.items() if size > 500}


@pytest.mark.parametrize("custom", ["0", "1"])
def test_kernels_compute_the_same_from_the_cache_and_in_every_pipeline(kernels, custom):
    env = {"UNO_ENV_CUSTOM_PIPELINE": custom}
    code = CALL.format("[kernel(20) for kernel in (one, two, three)]")
    assert kernels.run(code, **env)[0] == str(results(20))
    assert kernels.run(code, **env) == (str(results(20)), "")


def test_inlined_kernels_get_no_machine_code_and_the_others_get_it_once(kernels):
    out = kernels.run(HELD)[0].splitlines()
    assert out == [str(results(20)), "[(1, 0), (1, 0), (1, 0), (1, 0)]"]
    everything, roots = objects(kernels)
    assert everything == {"one", "two", "three", "step", "large", "rare"}
    assert roots == {"one", "two", "three", "step"}


def test_an_entry_loads_what_it_calls_and_nothing_else(kernels):
    kernels.run(HELD)
    out = kernels.run(CALL.format("two(3)") + EMITTED)
    assert out == (f"{results(3)[1]}\n['large', 'rare', 'step', 'two']", "")


def test_a_second_entry_uses_the_code_that_the_first_left_on_disk(kernels):
    assert kernels.run(CALL.format("two(20)"))[0] == str(results(20)[1])
    left = {path: path.stat().st_mtime_ns for path in kernels.cache.rglob("*-*.*")}
    out, _ = kernels.run(CALL.format("three(20)"))
    assert out == str(results(20)[2])
    new = set(kernels.cache.rglob("*-*.*")) - set(left)
    assert {path.name.split("-")[0] for path in new} == {"one", "three"}
    assert all(path.stat().st_mtime_ns == time for path, time in left.items())


def test_inner_kernels_can_be_called_from_python(kernels):
    code = CALL.format("plain(5), rare(5), large(20), one(20), step(5)")
    expected = f"6 -1 56 {results(20)[0]} 12"
    assert kernels.run(code)[0] == expected
    assert kernels.run(code)[0] == expected


@pytest.mark.parametrize("order", [[FOREIGN], [HELD, FOREIGN]], ids=["compiled", "from disk"])
def test_kernels_of_numba_can_call_ours(kernels, order):
    for code in order:
        out = kernels.run(code)[0]
    assert out == str(results(20)[0] - 1000 + results(20)[2] + 21)


REDEFINED = """
from uno_env.engine.jit import jit_entry
from uno_env.engine.kernels import step
def make(added):
    @jit_entry("local")
    def local(x):
        return step(x) + added
    return local
print(make(1)(5), make(2)(5))
"""


def test_functions_defined_anew_are_not_taken_for_each_other(kernels):
    kernels.write("local.py", REDEFINED)
    for _ in range(2):
        assert kernels.run("import local")[0] == "13 14"


def test_kernels_are_pickled_by_name(kernels):
    code = "from uno_env.engine.kernels import *; import pickle; "
    code += (
        "print(pickle.loads(pickle.dumps(one)) is one, pickle.loads(pickle.dumps(rare)) is rare)"
    )
    assert kernels.run(code)[0] == "True True"
