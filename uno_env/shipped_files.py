"""Files that ship with the packages: one source in the repository, found from a wheel as well.

A wheel holds a copy of a repository folder inside one of the packages (`force-include` in
pyproject.toml, such as `configs/train` as `uno_train/configs`). In a checkout there is no copy, and
the repository's own folder is used.
"""

import os
from importlib.util import find_spec
from pathlib import Path


def shipped_folder(package: str, installed: str, source: str) -> Path:
    """A folder that ships with a package.

    Args:
        package: import name, such as `uno_train`.
        installed: where a wheel has the folder, inside the package.
        source: where the repository has it.
    """
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"no package {package}", name=package)
    home = Path(spec.origin).parent
    if (home / installed).is_dir():
        return home / installed
    # uno_env lies at the top of the repository, the other packages in a folder of their own.
    top = home.parent if package == "uno_env" else home.parents[1]
    return top / source


def file_names(folder: Path, suffix: str) -> list[str]:
    """Names of the shipped files, without their suffix, in alphabetical order."""
    return sorted(path.stem for path in folder.glob(f"*{suffix}"))


def named_or_path(text: str | Path, folder: Path, suffix: str) -> Path:
    """The file that a user means: one of the folder by its name, or any file by its path.

    A bare word is a name, and what has a suffix or a folder is a path. The file need not exist.
    """
    is_path = isinstance(text, Path) or text.endswith(suffix) or os.path.basename(text) != text
    if is_path:
        return Path(text)
    names = file_names(folder, suffix)
    if text not in names:
        raise ValueError(f"no shipped file {text!r}; allowed: {', '.join(names)}, or a path")
    return folder / f"{text}{suffix}"
