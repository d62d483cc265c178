"""KernelLibrary: the LLVM code of one kernel, and how kernels become machine code together.

Numba optimises and emits every function it compiles, also those that only other functions call:
most of a minute for the engine. Ours stay plain LLVM code until an entry needs them:

- what may be inlined is linked into each kernel that calls it;
- what is never inlined (`never_inline`, `cold`) is emitted once, in one group with the first entry
  or `shared` kernel that needs it, and from then on called by its symbol. A module for the whole
  group keeps code and tables together: with one for each kernel steps took 5 % longer;
- an entry, or a `shared` kernel, is the root of a group.
"""

from collections.abc import Callable, Iterable, Iterator
from enum import IntEnum
from pathlib import Path
from typing import Any, NamedTuple, Self

from llvmlite import binding as llvm
from numba.core import cgutils, event
from numba.core.codegen import JITCodeLibrary
from numba.core.runtime.nrt import rtsys

from .groups import Group, add_group, is_ready, load_group
from .names import Ref
from .progress import EMIT
from .store import Store, store_of

LLVM = "llvm"
_DYNAMIC = "numba.dynamic.globals"

_libraries: dict[Ref, "KernelLibrary"] = {}


class Linkage(IntEnum):
    """How the code of a kernel gets to those who call it."""

    INLINED = 0
    CALLED = 1
    ROOT = 2


class Lowered(NamedTuple):
    """A kernel as LLVM code, with all that its callers must know."""

    fndesc: Any
    signature: Any
    environment: Any
    reload_init: tuple[Any, ...]
    linkage: Linkage
    exports: tuple[str, ...]
    callees: tuple[Ref, ...]
    bitcode: bytes


class KernelLibrary(JITCodeLibrary):
    """The code of one kernel for one signature.

    Args:
        codegen: Numba's code generator.
        ref: the kernel's name.
        linkage: how it gets to its callers.
        store: where code is kept, None if it is not.
    """

    lowered: Lowered

    def __init__(self, codegen: Any, ref: Ref, linkage: Linkage, store: Store | None) -> None:
        super().__init__(codegen, ref.name)
        self.enable_object_caching()
        self.ref = ref
        self.linkage = linkage
        self.store = store
        self._callees: dict[KernelLibrary, None] | None = {}
        self._foreign: dict[Any, None] = {}
        self._exports: list[str] = []
        self._bitcode: bytes | None = None
        self._has_dynamic_globals = False

    @classmethod
    def load(cls, codegen: Any, ref: Ref) -> Self | None:
        """The kernel of that name from disk; None if it is not there."""
        store = store_of(ref.module)
        lowered = store.load(ref, LLVM) if store else None
        if not isinstance(lowered, Lowered):
            return None
        library = cls(codegen, ref, lowered.linkage, store)
        library._callees = None
        library._exports = list(lowered.exports)
        library._bitcode = lowered.bitcode
        library._reload_init.update(lowered.reload_init)
        library.lowered = lowered
        return library

    def keep(self, result: Any) -> None:
        """Note what lowering found out about the kernel, and save it."""
        fndesc = result.fndesc
        fndesc.typemap = fndesc.calltypes = None  # large, and no longer needed
        self.lowered = Lowered(
            fndesc=fndesc,
            signature=result.signature,
            environment=result.environment,
            reload_init=tuple(result.reload_init),
            linkage=self.linkage,
            exports=tuple(self._exports),
            callees=tuple(library.ref for library in self.callees),
            bitcode=self.bitcode,
        )
        _libraries[self.ref] = self
        if self.is_storable and self.store is not None:
            self.store.save(self.ref, LLVM, self.lowered)

    @property
    def is_called(self) -> bool:
        """Whether callers call its machine code instead of holding a copy."""
        return self.linkage is not Linkage.INLINED

    @property
    def folder(self) -> Path | None:
        """Where its code is kept."""
        return self.store.folder if self.store is not None else None

    @property
    def is_storable(self) -> bool:
        """Whether other processes can use the code: it holds no address of this one."""
        parts = (self, *self._reach(lambda _: True))
        return not any(part.store is None or part.has_dynamic_globals for part in parts)

    # What Numba calls: while it lowers the kernel, and to link it into a library of its own.

    def add_linking_library(self, library: Any) -> None:
        if isinstance(library, KernelLibrary):
            self.callees[library] = None
        elif library is not rtsys.library:
            self._foreign[library] = None

    def add_ir_module(self, ir_module: Any) -> None:
        module = llvm.parse_assembly(cgutils.normalize_ir_text(str(ir_module)))
        module.name = ir_module.name
        module.data_layout = self._codegen._data_layout
        for function in _defined(module):
            # Simplified here, once, instead of in every kernel it is inlined into.
            passes, builder = self._codegen._function_pass_manager()
            passes.run(function, builder)
            if function.linkage == llvm.Linkage.external:
                self._exports.append(function.name)
        self._final_module.link_in(module)

    def _ensure_finalized(self) -> None:
        """Nothing: to be linked into another library it needs no machine code."""

    @property
    def has_dynamic_globals(self) -> bool:
        return self._has_dynamic_globals

    def _get_module_for_linking(self) -> Any:
        """For a library of Numba's own: together with everything it calls."""
        if self._shared_module is None:
            module = llvm.parse_bitcode(self.bitcode)
            for part in self._reach(lambda _: True):
                module.link_in(llvm.parse_bitcode(part.bitcode))
            self._shared_module = module
        return self._shared_module

    def get_pointer_to_function(self, name: str) -> int:
        self.emit()
        address = int(self._codegen._engine.get_function_address(name))
        if not address:
            raise LookupError(f"{name} is missing in the machine code of {self.ref.name}")
        return address

    # LLVM code.

    @property
    def bitcode(self) -> bytes:
        """The code of this kernel, without what it calls."""
        if self._bitcode is None:
            module = self._final_module
            for library in self._foreign:
                module.link_in(library._get_module_for_linking(), preserve=True)
            module.verify()
            for name in self._exports:
                module.get_function(name).linkage = "linkonce_odr"
            names = (variable.name for variable in module.global_variables)
            self._has_dynamic_globals = any(name.startswith(_DYNAMIC) for name in names)
            self._bitcode = module.as_bitcode()
        return self._bitcode

    @property
    def callees(self) -> dict["KernelLibrary", None]:
        """The kernels it calls, loaded from disk if it came from there."""
        if self._callees is None:
            found = [find_library(self._codegen, ref) for ref in self.lowered.callees]
            if None in found:
                raise LookupError(f"code that {self.ref.name} calls is missing in the cache")
            self._callees = {library: None for library in found if library is not None}
        return self._callees

    def _reach(self, goes_on: Callable[["KernelLibrary"], bool]) -> Iterator["KernelLibrary"]:
        """The kernels called from here, by way of those for which `goes_on` holds."""
        seen = {self}
        rest = list(self.callees)
        while rest:
            library = rest.pop()
            if library not in seen:
                seen.add(library)
                yield library
                if goes_on(library):
                    rest += library.callees

    # Machine code.

    def emit(self) -> None:
        """Make machine code of this kernel and of all it calls, where there is none yet."""
        if is_ready(self.ref) or load_group(self._codegen, self.ref):
            return
        for part in self._missing():
            # A group belongs to one package: another may be changed without this one.
            if part.linkage is Linkage.ROOT or (part.is_called and part.folder != self.folder):
                part.emit()
            elif part.is_called:
                load_group(self._codegen, part.ref)
        parts = self._missing()
        needs = [part.ref for part in self._reach(lambda part: not is_ready(part.ref))]
        members = [self, *(part for part in parts if part.is_called)]
        exports = {name for member in members for name in member._exports}
        with event.trigger_event(EMIT, data={"name": self.ref.name, "size": 1 + len(parts)}):
            self._link(parts, exports)
            self._optimize_final_module()
            self._final_module.verify()
            self._finalize_final_module()
        store = self.store if self.is_storable else None
        group = Group(
            code=self._get_compiled_object(),
            members=tuple(member.ref for member in members),
            needs=tuple(ref for ref in needs if is_ready(ref)),
            environments=(),
        )
        add_group(self._codegen, self._final_module, group, store)

    def _missing(self) -> list["KernelLibrary"]:
        """The kernels below this one that have no machine code, and those they inline."""
        found = self._reach(lambda part: not is_ready(part.ref))
        return [part for part in found if not is_ready(part.ref)]

    def _link(self, parts: Iterable["KernelLibrary"], exports: set[str]) -> None:
        """Put the code of other kernels into this one's module."""
        module = llvm.parse_bitcode(self.bitcode)
        for part in parts:
            module.link_in(llvm.parse_bitcode(part.bitcode))
            self._reload_init.update(part._reload_init)
        if any(f.is_declaration and f.name.startswith("NRT_") for f in module.functions):
            module.link_in(rtsys.library._get_module_for_linking(), preserve=True)
        for function in _defined(module):
            function.linkage = "external" if function.name in exports else "internal"
        module.name = self.name
        self._final_module = module


def find_library(codegen: Any, ref: Ref) -> KernelLibrary | None:
    """A kernel and all it calls, from this process or from disk; None if some of it is missing."""
    if ref not in _libraries:
        library = KernelLibrary.load(codegen, ref)
        try:
            if library is None or library.callees is None:
                return None
        except LookupError:
            return None
        _libraries[ref] = library
    return _libraries[ref]


def _defined(module: Any) -> list[Any]:
    return [function for function in module.functions if not function.is_declaration]
