"""What kernels are compiled from: every such file must be part of the cache's key."""

import ast
from importlib.util import find_spec, resolve_name
from pathlib import Path

from uno_env.engine.jit.folder import ENGINE, keyed_sources


def test_the_key_covers_every_module_the_engine_imports():
    """A constant imported from any other file could change without the kernels noticing."""
    keyed = set(keyed_sources())
    for path in keyed:
        for name in imported_names(path):
            file = file_of(name)
            assert file is None or file in keyed or file.name == "__init__.py", (
                f"{path.name} imports {name}: add {file} to TABLES in jit/folder.py"
            )


def test_every_keyed_source_exists():
    assert all(path.is_file() for path in keyed_sources())


def imported_names(path: Path) -> list[str]:
    """Dotted names of the package that a file imports at its top, modules and attributes alike."""
    package = ".".join(path.relative_to(ENGINE.parents[1]).parts[:-1])
    names = []
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.ImportFrom):
            module = resolve_name("." * node.level + (node.module or ""), package)
            names += [module, *(f"{module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
    return [name for name in names if name.split(".")[0] == "uno_env"]


def file_of(name: str) -> Path | None:
    """The file of a module, None for the name of something inside one."""
    try:
        spec = find_spec(name)
    except ModuleNotFoundError:
        return None
    return Path(spec.origin) if spec and spec.origin else None
