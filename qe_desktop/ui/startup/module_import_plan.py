"""Import plan of the window: modules to import on another thread, and modules that create Qt classes, in order.

A module that creates Qt classes is imported on the GUI thread. Importing it together with all modules that it imports
would block the event loop. The plan reads the imports of each module from its bytecode, without running the module, and
lists each module after those that it imports.
"""

from __future__ import annotations

import ast
import dis
import sys
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import module_from_spec
from itertools import chain
from pathlib import Path
from types import CodeType
from typing import Any

UI_PACKAGE = "qe_desktop.ui"
PLOT_LIBRARY = "pyqtgraph"
"""Package that imports all its modules when it is first imported, which takes a quarter of a second."""
QT_PACKAGES = ("PySide6", "shiboken6", PLOT_LIBRARY)
"""Packages that are imported on the GUI thread, like the modules of `UI_PACKAGE`."""


class ImportPlan:
    """Plan for importing the modules `names` and all that they import; modules without Qt are listed separately."""

    def __init__(self, *names: str) -> None:
        self.worker_modules: dict[str, set[str]] = {}
        """Modules without Qt, which may be imported on any thread, with the names that are imported from each."""
        self.window: list[str] = []
        """Modules for the GUI thread, each after the modules that it imports."""
        self._specs: dict[str, ModuleSpec | None] = {}
        self._planned: set[str] = set()
        for name in names:
            self._add(name)

    def import_below(self, check: Callable[[], None] = lambda: None) -> None:
        """Import the modules without Qt; `check` is called before each import and may raise an exception."""
        for module, names in self.worker_modules.items():
            check()
            imported = import_module(module)
            for name in names:
                # packages import some of their names lazily
                getattr(imported, name, None)

    def import_window(self) -> Iterator[str]:
        """Import the modules for the GUI thread that are not imported yet; yield the name of each after its import.

        The plot library is imported one statement at a time, and its name is yielded after each statement.
        """
        for name in self.window:
            if name == PLOT_LIBRARY:
                yield from _plot_library_steps()
            elif name not in sys.modules:
                import_module(name)
                yield name

    def _add(self, name: str) -> None:
        if name in self._planned:
            return
        self._planned.add(name)
        spec = None if name in sys.modules else self._spec(name)
        if spec is None:
            return
        for module, names in module_imports(_code_of(spec)):
            if _is_within(module, UI_PACKAGE):
                self._add(module)
                if self._is_package(module):
                    for part in names:
                        self._add(f"{module}.{part}")
            elif _is_within(module, *QT_PACKAGES):
                if module not in self._planned:
                    self._planned.add(module)
                    self.window.append(module)
            else:
                self.worker_modules.setdefault(module, set()).update(names)
        self.window.append(name)

    def _is_package(self, name: str) -> bool:
        spec = self._spec(name)
        return spec is not None and spec.submodule_search_locations is not None

    def _spec(self, name: str) -> ModuleSpec | None:
        """Return the spec of a module without importing the module; None if the module is not found."""
        if name not in self._specs:
            parent = name.rpartition(".")[0]
            package = self._spec(parent) if parent else None
            path = None if package is None else package.submodule_search_locations
            self._specs[name] = None if parent and path is None else PathFinder.find_spec(name, path)
        return self._specs[name]


@cache
def _plot_library_steps() -> Iterator[str]:
    """Return the iterator that imports the plot library; all plans share it, so that each step runs only once."""
    # `yield from` closes a generator, but not a chain, if the importing plan is deleted in between
    return chain(import_by_statements(PLOT_LIBRARY))


def import_by_statements(name: str) -> Iterator[str]:
    """Import a package on the calling thread; yield its name after each statement of its `__init__` module.

    Between the steps, the package is not in `sys.modules`. If other code imports the package meanwhile, that import is
    complete, and the remaining steps are skipped. An exception raised by the package is propagated, and the package is
    then not imported.
    """
    spec = None if name in sys.modules else PathFinder.find_spec(name)
    if spec is None or spec.origin is None:
        import_module(name)
        return
    package = module_from_spec(spec)
    partial = {name: package}
    for statement in ast.parse(Path(spec.origin).read_bytes()).body:
        if name in sys.modules:
            return
        sys.modules.update(partial)
        try:
            exec(compile(ast.Module([statement], []), spec.origin, "exec", dont_inherit=True), vars(package))
        finally:
            partial = {key: sys.modules.pop(key) for key in list(sys.modules) if _is_within(key, name)}
        yield name
    sys.modules.update(partial)


_EXTENDED, _CONSTANT = dis.opmap["EXTENDED_ARG"], dis.opmap["LOAD_CONST"]
_NAME, _IMPORT = dis.opmap["LOAD_NAME"], dis.opmap["IMPORT_NAME"]


def module_imports(code: CodeType | None) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the module and the names of each module-level import; imports under `if TYPE_CHECKING` are skipped."""
    if code is None:
        return
    # equivalent to `dis.get_instructions`, which takes ten times as long
    raw: Any = code.co_code
    names: Any = None
    skip_until = extended = 0
    for offset in range(0, len(raw), 2):
        operation, argument = raw[offset], raw[offset + 1] | extended
        extended = argument << 8 if operation == _EXTENDED else 0
        if offset < skip_until:
            continue
        if operation == _NAME and code.co_names[argument] == "TYPE_CHECKING":
            skip_until = next(label for label in dis.findlabels(raw) if label > offset)
        elif operation == _CONSTANT:
            names = code.co_consts[argument]
        elif operation == _IMPORT:
            yield code.co_names[argument], tuple(names or ())


def _code_of(spec: ModuleSpec) -> CodeType | None:
    loader: Any = spec.loader
    code = loader.get_code(spec.name) if hasattr(loader, "get_code") else None
    return code if isinstance(code, CodeType) else None


def _is_within(module: str, *packages: str) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in packages)
