"""Preloading of modules, one per event-loop iteration, by import plans that are read from their bytecode.

A module that creates Qt classes is imported on the GUI thread. Importing it together with all modules that it imports
would block the event loop. The plan reads the imports of each module from its bytecode, without running the module, and
lists each module after those that it imports.
"""

from __future__ import annotations

import ast
import dis
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import module_from_spec
from itertools import chain
from pathlib import Path
from types import CodeType
from typing import Any

from PySide6.QtCore import QObject

from qe_desktop.i18n.messages import tr
from qe_desktop.ui.jobs import IncrementalTask, JobRunner, Progress, TaskSteps

UI_PACKAGE = "qe_desktop.ui"
PLOT_LIBRARY = "pyqtgraph"
"""Package that imports all its modules when it is first imported, which takes a quarter of a second."""
QT_PACKAGES = ("PySide6", "shiboken6", PLOT_LIBRARY)
"""Packages that are imported on the GUI thread, like the modules of `UI_PACKAGE`."""


class ImportPlan:
    """Plan for importing the modules `names` and all modules they import; modules without Qt are listed separately."""

    def __init__(self, *names: str) -> None:
        self.worker_modules: dict[str, set[str]] = {}
        """Modules without Qt, which may be imported on any thread, with the names that are imported from each."""
        self.window: list[str] = []
        """Modules for the GUI thread, each after the modules it imports; they are imported one at a time."""
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


CORE_MODULES = (
    "qe_desktop.formats.ratings", "qe_desktop.levels.findings", "qe_desktop.levels.shared_task",
    "qe_desktop.project.campaign_views", "qe_desktop.report.findings", "qe_desktop.report.meta_evaluation",
    "qe_desktop.report.post_editing", "qe_desktop.studies.meta_eval.meta_eval_inputs", "qe_desktop.studies.charts",
)  # fmt: skip
"""Modules without widgets, imported on another thread; the pages of the Scores area depend on these modules."""
AREA_MODULES = ("plot_tabs", "systems_page", "scores_controller")
PAGE_MODULES = (
    "area", "findings.findings_controller", "meta_evaluation.meta_evaluation_controller",
    "studies.studies_controller", "post_editing.post_editing_controller", "findings.findings_page",
    "meta_evaluation.meta_evaluation_tabs", "meta_evaluation.meta_evaluation_page",
    "studies.studies_page", "post_editing.post_editing_page",
)  # fmt: skip
"""Modules of the Scores area imported after `CORE_MODULES`, one per event-loop iteration on the GUI thread."""
IMPORT_POLL_MS = 10
"""Milliseconds between checks of whether the import of `CORE_MODULES` has finished."""


def import_core(jobs: JobRunner) -> TaskSteps:
    """Import `CORE_MODULES` on another thread; yield `IMPORT_POLL_MS` until the import has finished."""
    if all(name in sys.modules for name in CORE_MODULES):
        return
    job = jobs.submit(tr("Loading"), _import_core_modules)
    while job.future is not None and not job.future.done():
        yield IMPORT_POLL_MS


def import_pages(jobs: JobRunner) -> TaskSteps:
    """Incrementally import `AREA_MODULES`, `CORE_MODULES` and `PAGE_MODULES`, in this order."""
    yield from import_area()
    yield from import_core(jobs)
    yield from _import_steps(PAGE_MODULES)


def import_area() -> TaskSteps:
    """Incrementally import `AREA_MODULES`, which are needed to build the Scores area."""
    return _import_steps(AREA_MODULES)


def _import_steps(names: Iterable[str]) -> TaskSteps:
    package = "qe_desktop.ui.scores"
    for name in names:
        if f"{package}.{name}" not in sys.modules:
            import_module(f"{package}.{name}")
            yield 0


def _import_core_modules(progress: Progress) -> None:
    for name in CORE_MODULES:
        progress.check()
        import_module(name)


IDLE_POLL_MS = 100
"""Milliseconds between checks of whether jobs are running."""
LAST_PRELOADED = (
    "qe_desktop.ui.rate.area", "qe_desktop.ui.campaigns.campaign_controller",
    "qe_desktop.ui.shell.help_dialog", "qe_desktop.ui.shell.command_palette", "qe_desktop.ui.preferences_dialog",
)  # fmt: skip
"""Modules that are imported after the pages of the Scores area: ratings, help and dialogs."""


def preload_modules(jobs: JobRunner, parent: QObject) -> IncrementalTask:
    """Start and return a task that imports modules whenever no jobs are running."""
    return IncrementalTask(_preload_when_idle(jobs), parent)


def _preload_when_idle(jobs: JobRunner) -> TaskSteps:
    steps = _preload_steps(jobs)
    is_importing = False
    while True:
        while not is_importing and not jobs.is_idle():
            yield IDLE_POLL_MS
        pause = next(steps, None)
        if pause is None:
            return
        # the running job is the task's own import on another thread
        is_importing = pause > 0
        yield pause


def _preload_steps(jobs: JobRunner) -> TaskSteps:
    yield from import_pages(jobs)
    plans: list[ImportPlan] = []

    def import_below(progress: Progress) -> None:
        plan = ImportPlan(*LAST_PRELOADED)
        plan.import_below(progress.check)
        plans.append(plan)

    job = jobs.submit(tr("Loading"), import_below)
    while job.future is not None and not job.future.done():
        yield IDLE_POLL_MS
    for plan in plans:
        for _ in plan.import_window():
            yield 0
