"""Where compiled kernels are kept: the folder, the key in its name, the removal of old ones.

Numba's cache notices an edit in the compiled function's own file only: not in the functions it
calls, not in the tables it froze. So the folder is named by a hash of all that the code depends on.
"""

import atexit
import contextlib
import functools
import hashlib
import os
import re
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import llvmlite
import numba
import numpy as np
from llvmlite import binding as llvm

from .numba_version import is_custom

ENGINE = Path(__file__).parents[1]
TABLES = (
    "actions.py",
    "cards.py",
    "kinds.py",
    "rules/checks.py",
    "rules/deck.py",
    "rules/points.py",
    "rules/rules.py",
    "rules/text.py",
)
"""Files beside the engine that it imports, so their constants may be compiled into kernels."""

KERNELS = "kernels"
"""Name of the folders that hold kernels and nothing else, in packages that use the engine."""

KEPT_KEYS = 3
KEPT_SECONDS = 24 * 3600.0
_USED = "used"
_FOLDER_NAME = re.compile(r"engine-[0-9a-f]{16}")
_CODE_OPTIONS = (
    "BOUNDSCHECK",
    "CPU_FEATURES",
    "CPU_NAME",
    "DEBUGINFO_DEFAULT",
    "ENABLE_AVX",
    "LOOP_VECTORIZE",
    "OPT",
    "SLP_VECTORIZE",
)


def keyed_sources() -> list[Path]:
    """The files that kernels are made from, in a fixed order."""
    return sorted(ENGINE.rglob("*.py")) + [ENGINE.parent / name for name in TABLES]


def external_package(source: str) -> Path | None:
    """The folder of a kernel outside the engine, None for one of ours; it may call those beside it.

    Kernels in folders named `kernels` may call those of every such folder of their package.
    """
    folder = Path(source).resolve().parent
    if folder.is_relative_to(ENGINE.resolve()):
        return None
    if folder.name != KERNELS:
        return folder
    while (folder.parent / "__init__.py").is_file():
        folder = folder.parent
    return folder


def external_sources(package: Path) -> list[Path]:
    """The files that the kernels of an external package are made from."""
    return sorted(package.glob("*.py")) + sorted(package.rglob(f"{KERNELS}/*.py"))


def cache_key(package: Path | None = None) -> str:
    """Hash of all that can change the machine code: sources, compilers, options, processor.

    Args:
        package: a folder outside the engine whose kernels call the engine's.
    """
    parts = [
        ("python", sys.implementation.cache_tag, sys.version),
        ("numba", numba.__version__),
        ("numpy", np.__version__),
        ("llvmlite", llvmlite.__version__),
        ("cpu", llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()),
        # Numba would serve a kernel without bounds checks to a run that asked for them.
        *((name, getattr(numba.config, name, None)) for name in _CODE_OPTIONS),
        ("custom pipeline", is_custom()),
    ]
    digest = hashlib.sha256(repr(parts).encode())
    named = [(path.relative_to(ENGINE.parent), path) for path in keyed_sources()]
    if package is not None:
        named += [(path.relative_to(package), path) for path in external_sources(package)]
    for name, path in named:
        with contextlib.suppress(FileNotFoundError):
            content = hashlib.sha256(path.read_bytes()).hexdigest()
            digest.update(f"{name.as_posix()} {content}\n".encode())
    return digest.hexdigest()[:16]


@functools.cache
def cache_folder(package: Path | None = None) -> Path | None:
    """The writable folder for this key, made on first use; None if none can be written."""
    name = f"engine-{cache_key(package)}"
    roots: tuple[Callable[[], Path], ...] = (_user_root, _shared_temp_root, _own_temp_root)
    for root in roots:
        with contextlib.suppress(OSError, RuntimeError):  # RuntimeError: there is no home directory
            folder = root() / name
            is_new = _claim(folder)
            if is_new and root is not _user_root:
                _copy_files(_user_root() / name, folder)
            if is_new:
                prune(folder.parent)
            return folder
    return None


def _claim(folder: Path) -> bool:
    """Make sure the folder exists and can be written, and note its use; whether it is new."""
    is_new = not folder.exists()
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)
    tempfile.TemporaryFile(dir=folder).close()
    (folder / _USED).touch()
    return is_new


def _copy_files(filled: Path, folder: Path) -> None:
    """Take over a cache that came with a read-only image."""
    with contextlib.suppress(OSError):
        for source in filled.glob("*/*-*.*"):
            target = folder / source.relative_to(filled)
            target.parent.mkdir(exist_ok=True)
            shutil.copyfile(source, target)  # the content, not the read-only mode


def prune(root: Path) -> None:
    """Remove the folders of old keys: beyond the last few, and unused for a day."""
    with contextlib.suppress(OSError):
        by_use = sorted(_last_uses(root), reverse=True)
        for used, folder in by_use[KEPT_KEYS:]:
            if time.time() - used > KEPT_SECONDS:
                shutil.rmtree(folder, ignore_errors=True)


def _last_uses(root: Path) -> Iterator[tuple[float, Path]]:
    """Our own folders only: the user may have pointed us at a folder with other things in it."""
    for folder in root.iterdir():
        if _FOLDER_NAME.fullmatch(folder.name):
            with contextlib.suppress(OSError):
                yield (folder / _USED).stat().st_mtime, folder


def _user_root() -> Path:
    """`UNO_ENV_CACHE_DIR`, or `uno_env` in the platform's folder for caches."""
    if chosen := os.environ.get("UNO_ENV_CACHE_DIR"):
        return Path(chosen).expanduser().absolute()
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA", "")
        default = Path("~/AppData/Local")
    elif sys.platform == "darwin":
        base, default = "", Path("~/Library/Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME", "")
        default = Path("~/.cache")
    # The XDG specification tells to ignore relative paths.
    return (Path(base) if os.path.isabs(base) else default.expanduser()) / "uno_env"


def _shared_temp_root() -> Path:
    """A folder in the temporary one that all processes of this user share, and nobody else.

    Cached code is unpickled, so a folder that another user could have prepared is refused.
    """
    if sys.platform == "win32":
        return Path(tempfile.gettempdir()) / "uno_env"  # already private to the user
    root = Path(tempfile.gettempdir()) / f"uno_env-{os.getuid()}"
    with contextlib.suppress(FileExistsError):
        root.mkdir(mode=0o700)
    info = root.lstat()
    is_ours = stat.S_ISDIR(info.st_mode) and info.st_uid == os.getuid()
    if not is_ours or info.st_mode & 0o077:
        raise PermissionError(f"{root} is not a private folder of this user")
    return root


def _own_temp_root() -> Path:
    """The last resort: a folder for this process alone, removed when it ends."""
    root = Path(tempfile.mkdtemp(prefix="uno_env-"))
    owner = os.getpid()

    def remove() -> None:
        if os.getpid() == owner:  # a forked child must not pull it from under its parent
            shutil.rmtree(root, ignore_errors=True)

    atexit.register(remove)
    return root
