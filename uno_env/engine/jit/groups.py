"""Groups of kernels as machine code: which are in this process, and how others come from disk.

A group is one object file. It is saved under the name of its root; each other member has a file
that names the root. Machine code calls other groups by symbols, so these are loaded first: LLVM
ends the process where a symbol is missing.
"""

from typing import Any, NamedTuple

from numba.core.codegen import JITCodeLibrary
from numba.core.environment import Environment, lookup_environment

from .names import Ref
from .store import Store, store_of

OBJECT = "object"
_ENVIRONMENT = "_ZN08NumbaEnv"

_ready: set[Ref] = set()
_loading: set[Ref] = set()


class Group(NamedTuple):
    """Kernels as machine code: who is in it, which kernels outside it calls, Python's side."""

    code: bytes
    members: tuple[Ref, ...]
    needs: tuple[Ref, ...]
    environments: tuple[Environment, ...]


def is_ready(ref: Ref) -> bool:
    """Whether the machine code of a kernel is in this process."""
    return ref in _ready


def load_group(codegen: Any, ref: Ref) -> bool:
    """Get the machine code of a kernel from disk, and all it needs; false if some is missing."""
    if ref in _ready:
        return True
    store = store_of(ref.module)
    if store is None or ref in _loading:
        return False
    _loading.add(ref)
    try:
        found = store.load(ref, OBJECT)
        if isinstance(found, Ref):
            return load_group(codegen, found) and ref in _ready
        if not isinstance(found, Group) or not all(load_group(codegen, one) for one in found.needs):
            return False
        # An empty module, for which Numba's object cache then finds the code.
        library = JITCodeLibrary(codegen, ref.name)
        library.enable_object_caching()
        library._set_compiled_object(found.code)
        library._finalize_final_module()
        _add(codegen, found)
        return True
    finally:
        _loading.discard(ref)


def add_group(codegen: Any, module: Any, group: Group, store: Store | None) -> None:
    """Machine code was made of a module: note it, and save it if there is a store.

    Args:
        codegen: Numba's code generator.
        module: the LLVM module, whose environments are not in the group yet.
        group: with the root as its first member.
        store: where the group is to be saved, None if it cannot be.
    """
    names = (variable.name for variable in module.global_variables)
    used = [lookup_environment(name) for name in names if name.startswith(_ENVIRONMENT)]
    group = group._replace(environments=tuple(one for one in used if one is not None))
    _add(codegen, group)
    if store is None or not all(one.can_cache() for one in group.environments):
        return
    root, *others = group.members
    store.save(root, OBJECT, group)
    for ref in others:
        if (home := store_of(ref.module)) is not None:
            home.save(ref, OBJECT, root)


def _add(codegen: Any, group: Group) -> None:
    for environment in group.environments:
        codegen.set_env(environment.env_name, environment)
    _ready.update(group.members)
