"""Which code played: package version, commit if it is a checkout, version of the observation."""

import functools
import importlib.util
import shutil
import subprocess
from pathlib import Path

import uno_env
from uno_env.envs.observation_spec import OBS_VERSION

ROOT = Path(uno_env.__file__).resolve().parents[1]
"""The checkout, or site-packages."""
PACKAGES = ("uno_env", "uno_agents", "uno_arena")
"""What results depend on; changes elsewhere in the checkout do not matter."""


def package_folder(package: str) -> Path:
    """Where an installed package lies; in a checkout not always directly below `ROOT`."""
    found = importlib.util.find_spec(package)
    if found is None or found.origin is None:
        raise ImportError(f"{package} is not installed as a package")
    return Path(found.origin).resolve().parent


@functools.cache
def code_version() -> str:
    """One line that names the code, such as `uno-env 0.3.0, commit 1a2b3c4d5e6f, observation 1`."""
    commit = _commit()
    middle = f", commit {commit}" if commit else ""
    return f"uno-env {uno_env.__version__}{middle}, observation {OBS_VERSION}"


def _commit() -> str:
    """The last commit that changed the packages, marked if they were changed since."""
    if not (ROOT / ".git").exists():
        return ""
    folders = [str(package_folder(package)) for package in PACKAGES]
    commit = _git("log", "-1", "--abbrev=12", "--format=%h", "--", *folders)
    changed = _git("status", "--porcelain", "--untracked-files=no", "--", *folders)
    return f"{commit} with changes" if commit and changed else commit


def _git(*arguments: str) -> str:
    git = shutil.which("git")
    if git is None:
        return ""
    try:
        done = subprocess.run(  # noqa: S603 - the arguments are all written above
            [git, "-C", str(ROOT), *arguments],
            capture_output=True,
            text=True,
            timeout=10,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()
