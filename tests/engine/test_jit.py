"""The kernel decorator and its cache, tried in real processes on a small copy of the package."""

import os
import re
import time

import pytest

from .scratch import CALL, INNER, OUTER, finish


def test_second_process_loads_silently_what_the_first_compiled_aloud(scratch):
    out, err = scratch.run()
    assert out == "111"
    lines = err.splitlines()
    assert re.fullmatch(r"uno_env: compiling the engine .*", lines[0])
    assert "the outer kernel" in lines[1]
    assert re.fullmatch(r"uno_env: done in [\d.]+ s, cached in .*", lines[-1])
    assert str(scratch.folders()[0]) in lines[-1]
    assert scratch.run() == ("111", "")


LOADED = (
    CALL
    + """
import sys
print("numba.np.arraymath" in sys.modules)
import numba, numpy as np
print(numba.njit(lambda x: np.sort(x)[0])(np.array([3, 2])))
"""
)


def test_loading_does_not_import_all_that_numba_can_compile(scratch):
    compiled, _ = scratch.run(LOADED)
    assert compiled.split() == ["111", "True", "2"]
    loaded, _ = scratch.run(LOADED)
    assert loaded.split() == ["111", "False", "2"]


def test_quiet(scratch):
    assert scratch.run(UNO_ENV_QUIET="1") == ("111", "")


def test_nothing_is_compiled_by_the_import(scratch):
    code = (
        "from uno_env.engine.outer import outer; print(len(outer.overloads), type(outer).__name__)"
    )
    assert scratch.run(code) == ("0 EntryKernel", "")


def test_a_missing_stderr_does_no_harm(scratch):
    assert scratch.run("import sys; sys.stderr = None\n" + CALL)[0] == "111"


@pytest.mark.parametrize(
    ("name", "text", "result"),
    [
        ("uno_env/engine/inner.py", INNER.replace("+ 1", "+ 2"), "112"),
        ("uno_env/engine/outer.py", OUTER.replace("+ 100", "+ 200"), "211"),
        ("uno_env/cards.py", "TABLE = (0, 3)\n", "116"),
    ],
)
def test_an_edit_takes_effect(scratch, name, text, result):
    assert scratch.run()[0] == "111"
    scratch.write(name, text)
    out, err = scratch.run()
    assert out == result and "compiling" in err
    assert scratch.run() == (result, "")


EXTERNAL_RULE = """
from uno_env.engine.inner import inner
from uno_env.engine.jit import jit

@jit
def rule(x):
    return inner(x) + 1000
"""
EXTERNAL = """
from uno_env.engine.jit import jit_entry
from .rule import rule

@jit_entry("an external kernel")
def outermost(x):
    return rule(x)
"""


@pytest.mark.parametrize(
    ("name", "text", "result"),
    [
        ("bots/rule.py", EXTERNAL_RULE.replace("1000", "2000"), "2011"),
        ("uno_env/engine/inner.py", INNER.replace("+ 1", "+ 2"), "1012"),
    ],
)
def test_kernels_of_another_package_follow_its_edits_and_the_engines(scratch, name, text, result):
    (scratch.root / "bots").mkdir()
    for file, source in (("__init__", ""), ("rule", EXTERNAL_RULE), ("outermost", EXTERNAL)):
        scratch.write(f"bots/{file}.py", source)
    call = "from bots.outermost import outermost; print(outermost(5))"
    assert scratch.run(call)[0] == "1011"
    assert scratch.run(call) == ("1011", "")
    scratch.write(name, text)
    assert scratch.run(call)[0] == result


@pytest.mark.parametrize(
    "change",
    [
        "numba.__version__ = '99.0'",
        "import numpy; numpy.__version__ = '99.0'",
        "import llvmlite; llvmlite.__version__ = '99.0'",
        "import llvmlite.binding as b; b.get_host_cpu_name = lambda: 'abacus'",
        "numba.config.BOUNDSCHECK = 1",
        "import sys; sys.version = '9.9'",
    ],
)
def test_the_key_follows_versions_processor_and_options(scratch, change):
    show = "from uno_env.engine.jit.folder import cache_key; print(cache_key())"
    assert scratch.run(f"import numba; {change}; {show}") != scratch.run(show)


def test_an_unwritable_cache_folder_falls_back_to_a_private_one(scratch):
    scratch.cache.write_text("a file where the folder should be")  # binds even root
    out, err = scratch.run()
    private = scratch.temp / f"uno_env-{os.getuid()}"
    assert out == "111" and f"cached in {private}" in err
    assert private.stat().st_mode & 0o777 == 0o700
    assert scratch.run() == ("111", "")
    assert not list(scratch.root.rglob("*.nb*")), "Numba's own places must stay unused"


def test_without_any_folder_to_write_to_the_remedy_is_named(scratch):
    scratch.cache.write_text("a file where the folder should be")
    out, err = scratch.run(f"import tempfile; tempfile.tempdir = '/dev/null/none'\n{CALL}")
    assert out == "111"
    assert "not cached" in err and "set UNO_ENV_CACHE_DIR" in err


def test_a_filled_cache_that_cannot_be_written_is_still_used(scratch):
    """As in a container image: compiled when it was built, read-only when it runs."""
    scratch.run()
    used = scratch.folders()[0] / "used"
    used.unlink()
    used.symlink_to(scratch.temp / "missing" / "used")  # binds even root
    assert scratch.run() == ("111", "")
    assert list(scratch.temp.rglob("outer-*.object"))


def test_a_temporary_folder_open_to_others_is_refused(scratch):
    scratch.cache.write_text("")
    shared = scratch.temp / f"uno_env-{os.getuid()}"
    shared.mkdir()
    shared.chmod(0o777)
    out, err = scratch.run()
    assert out == "111" and f"{shared}/" not in err
    assert list(scratch.temp.iterdir()) == [shared], "the folder of the process must go with it"


def test_the_default_folder_is_the_one_for_caches(scratch):
    home = scratch.temp / "home"
    unset = {"UNO_ENV_CACHE_DIR": "", "XDG_CACHE_HOME": str(home)}
    scratch.run(**unset)
    assert [path.name for path in home.iterdir()] == ["uno_env"]


def test_numba_settings_of_the_user_are_left_alone_and_not_used(scratch):
    elsewhere = scratch.temp / "numba"
    env = {"NUMBA_CACHE_DIR": str(elsewhere), "NUMBA_CACHE_LOCATOR_CLASSES": "InTreeCacheLocator"}
    show = "; import numba; print(numba.config.CACHE_DIR, numba.config.CACHE_LOCATOR_CLASSES)"
    out, _ = scratch.run(CALL + show, **env)
    assert out.splitlines() == ["111", f"{elsewhere} InTreeCacheLocator"]
    assert not elsewhere.exists() and not list(scratch.root.rglob("*.nb*"))


def test_two_processes_on_a_cold_cache(scratch):
    """Both work, only one compiles, and two signatures stored at once do not get mixed up."""
    whole, real = CALL, CALL.replace("(5)", "(0.25)")
    processes = [scratch.start(code) for code in (whole, whole, real, real)]
    results = [finish(process) for process in processes]
    assert [out for out, _ in results] == ["111", "111", "101.5", "101.5"]
    assert sum("done in" in err for _, err in results) == 2
    assert scratch.run(whole) == ("111", "") and scratch.run(real) == ("101.5", "")


def test_a_failed_compilation_frees_the_lock(scratch):
    out, err = scratch.run(
        "import numba\n"
        "from uno_env.engine.outer import outer\n"
        "from uno_env.engine.jit.cache import _lock_of\n"
        "from uno_env.engine.jit.folder import cache_folder\n"
        "try: outer('text')\n"
        "except numba.TypingError: print('refused')\n"
        "print(_lock_of(cache_folder())._depth, outer(5))"
    )
    assert out.split() == ["refused", "0", "111"] and "done in" in err


@pytest.mark.parametrize(("custom", "number"), [("0", 2), ("1", 4)])
def test_damaged_and_missing_cache_files_are_compiled_again(scratch, custom, number):
    """Whatever an interruption, a full disk or a clean-up left of the cache."""
    env = {"UNO_ENV_CUSTOM_PIPELINE": custom}
    scratch.write("uno_env/engine/inner.py", MARKED.format(mark="cold"))
    scratch.run(**env)
    files = sorted(scratch.cache.rglob("*-*.*"))
    assert len(files) == number
    for missing in files:
        missing.unlink()
        assert scratch.run(**env)[0] == "111"
    for damaged in files:
        damaged.write_bytes(damaged.read_bytes()[:20])
    out, err = scratch.run(**env)
    assert out == "111" and "compiling" in err
    assert scratch.run(**env) == ("111", "")


def test_old_keys_are_removed_and_nothing_else(scratch):
    day = 24 * 3600
    ages = {"0" * 16: 9 * day, "1" * 16: 5 * day, "2" * 16: 3 * day, "3" * 16: 2 * day}
    recent = {"4" * 16: 0.5 * day, "5" * 16: 0.4 * day, "6" * 16: 0.1 * day}
    for key, age in (ages | recent).items():
        used = scratch.cache / f"engine-{key}" / "used"
        used.parent.mkdir(parents=True)
        used.touch()
        os.utime(used, (time.time() - age,) * 2)
    foreign = scratch.cache / "engine-drawings"
    foreign.mkdir()
    scratch.run()
    left = {path.name.removeprefix("engine-") for path in scratch.folders()} - {"drawings"}
    assert len(left) == 4 and set(recent) < left and foreign.exists()


def test_without_the_jit_functions_stay_plain(scratch):
    code = "from uno_env.engine.outer import outer; print(type(outer).__name__, outer(5))"
    assert scratch.run(code, NUMBA_DISABLE_JIT="1") == ("function 111", "")
    assert not scratch.cache.exists()


WARM_UP = """
import numba
from uno_env.engine.inner import inner
from uno_env.engine.jit import warm_up
from uno_env.engine.outer import outer
calls = [(outer, (1,)), (outer, (numba.float64,)), (inner, (1,))]
done, again = warm_up(calls), warm_up(calls)
print(done[:2], again[:2], outer(5), outer(0.25))
"""


def test_warm_up_compiles_loads_and_says_where_it_is(scratch):
    out, err = scratch.run(WARM_UP)
    assert out == "(3, 0) (0, 0) 111 101.5"
    assert err.count("compiling") == err.count("done in") == 1
    assert scratch.run(WARM_UP) == ("(0, 3) (0, 0) 111 101.5", "")
    assert scratch.run(WARM_UP, NUMBA_DISABLE_JIT="1") == ("(0, 0) (0, 0) 111 101.5", "")


MARKED = """
from .jit import {mark}

@{mark}
def inner(x):
    return x * 2 + 1
"""

CALLS = """
import re
from uno_env.engine.outer import outer
(code,) = (outer(5), *outer.inspect_llvm().values())[1:]
print(bool(re.search(r"call .*inner", code)))
"""


@pytest.mark.parametrize(
    ("mark", "is_called"), [("always_inline", False), ("never_inline", True), ("cold", True)]
)
def test_marks_decide_which_kernels_are_copied_into_their_callers(scratch, mark, is_called):
    scratch.write("uno_env/engine/inner.py", MARKED.format(mark=mark))
    assert scratch.run(CALLS)[0] == str(is_called)


BELOW_ALWAYS_INLINE = """
from .jit import always_inline, jit

@jit
def deep(x):
    return x * 2

@always_inline
def inner(x):
    return deep(x) + 1
"""

IS_FORCED = """
from uno_env.engine.inner import deep
from uno_env.engine.outer import outer
code = (outer(5), deep(5), *deep.inspect_llvm().values())[2]
print("alwaysinline" in code)
"""


def test_being_always_inlined_is_not_passed_on_to_what_a_kernel_calls(scratch):
    scratch.write("uno_env/engine/inner.py", BELOW_ALWAYS_INLINE)
    assert scratch.run(IS_FORCED)[0] == "False"
