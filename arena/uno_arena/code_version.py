"""Which code played: package version, commit if it is a checkout, digest of the sources."""

import functools
import hashlib
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

import uno_env
from uno_env.envs.observation_spec import OBS_VERSION

PACKAGES = ("uno_env", "uno_agents", "uno_arena")
"""What results depend on; changes elsewhere in a checkout do not matter."""
CHECKOUT = Path(__file__).resolve().parents[2]
"""The repository, if this is a checkout of it."""


@functools.cache
def code_version() -> str:
    """One line that names the code, such as `uno-env 0.3.0, commit 1a2b3c4d5e6f, observation 1`."""
    commit = _commit()
    middle = f", commit {commit}" if commit else ""
    return f"uno-env {uno_env.__version__}{middle}, observation {OBS_VERSION}"


@functools.cache
def code_digest(packages: tuple[str, ...] = PACKAGES) -> str:
    """SHA-256 of the source files of packages, the same for a checkout and an installed wheel."""
    digest = hashlib.sha256()
    for package in packages:
        folder = package_folder(package)
        for file in sorted(folder.rglob("*.py")):
            digest.update(f"{file.relative_to(folder.parent).as_posix()}\0".encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()


def package_folder(name: str) -> Path:
    """Where a package is installed."""
    found = find_spec(name)
    if found is None or not found.submodule_search_locations:
        raise ModuleNotFoundError(f"package {name!r} is not installed", name=name)
    return Path(next(iter(found.submodule_search_locations))).resolve()


def _commit() -> str:
    """The last commit that changed the packages, marked if they were changed since."""
    if not (CHECKOUT / ".git").exists():
        return ""
    folders = [str(package_folder(name)) for name in PACKAGES]
    commit = _git("log", "-1", "--abbrev=12", "--format=%h", "--", *folders)
    changed = _git("status", "--porcelain", "--untracked-files=no", "--", *folders)
    return f"{commit} with changes" if commit and changed else commit


def _git(*arguments: str) -> str:
    git = shutil.which("git")
    if git is None:
        return ""
    try:
        done = subprocess.run(  # noqa: S603 - the arguments are all written above
            [git, "-C", str(CHECKOUT), *arguments],
            capture_output=True,
            text=True,
            timeout=10,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()
