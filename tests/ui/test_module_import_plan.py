"""Import plan: modules are imported on another thread, or one per event-loop iteration on the GUI thread."""

import subprocess
import sys

import pytest

from qe_desktop.ui.preload import ImportPlan, module_imports
from tests.timeouts import PATIENCE

CODE = """
from __future__ import annotations
import os.path
from typing import TYPE_CHECKING
from qe_desktop.ui.widgets import cells, dots as points
if TYPE_CHECKING:
    from qe_desktop.ui import workspace
    from qe_desktop.ui.jobs import Jobs
import qe_desktop.corpus as corpus
try:
    from qe_desktop.metrics import registry
except ImportError:
    pass

def later():
    from qe_desktop.ui import wiring
"""


def python(code):
    completed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    assert completed.returncode == 0, completed.stderr
    return completed.stdout


def test_imports_in_functions_and_for_type_checkers_are_excluded():
    imported = list(module_imports(compile(CODE, "inline code", "exec")))
    assert imported[1:] == [
        ("os.path", ()),
        ("typing", ("TYPE_CHECKING",)),
        ("qe_desktop.ui.widgets", ("cells", "dots")),
        ("qe_desktop.corpus", ()),
        ("qe_desktop.metrics", ("registry",)),
    ]


def test_bytecode_arguments_above_one_byte_are_read():
    names = "\n".join(f"name_{number} = {number + 1000}" for number in range(300))
    code = compile(f"{names}\nfrom qe_desktop.ui.widgets import cells\n", "inline code", "exec")
    assert list(module_imports(code)) == [("qe_desktop.ui.widgets", ("cells",))]


def test_missing_modules_are_left_to_the_import_statement():
    plan = ImportPlan("qe_desktop.ui.no_such_module", "qe_desktop.no_package.module")
    assert (plan.worker_modules, plan.window) == ({}, [])


@pytest.mark.process
def test_each_step_on_the_gui_thread_imports_one_module():
    """The other thread imports no module that defines Qt classes."""
    code = (
        "import sys\n"
        "from qe_desktop.ui import app\n"
        "plan = app.ImportPlan(*app._AREA_MODULES)\n"
        "def qt(): return {name for name in sys.modules if name.startswith(('PySide6', 'qe_desktop.ui'))}\n"
        "def modules(): return {name for name in sys.modules if not hasattr(sys.modules[name], '__path__')}\n"
        "before = qt(); plan.import_below(); print(sorted(qt() - before))\n"
        "before = modules(); steps = plan.import_window(); most = 0; count = 0\n"
        "for name in steps:\n"
        "    after = modules(); most = max(most, len(after - before)); before = after; count += 1\n"
        "print(most, count > 100)\n"
        "import qe_desktop.ui.main_controller, qe_desktop.ui.scores.score_side_panel\n"
        "print(sorted(modules() - before))\n"
    )
    assert python(code).splitlines() == ["[]", "1 True", "[]"]


@pytest.mark.process
def test_event_loop_runs_between_imported_modules():
    code = (
        "import sys\n"
        "from PySide6.QtCore import QTimer\n"
        "from qe_desktop.ui import app\n"
        "made, sizes = app.create_application, []\n"
        "def look():\n"
        "    sizes.append(sum(name.startswith('qe_desktop.ui') for name in sys.modules))\n"
        "    if 'qe_desktop.ui.scores.score_side_panel' in sys.modules: running.exit(0)\n"
        "def application():\n"
        "    global running\n"
        "    running = made(); timer = QTimer(running); timer.timeout.connect(look); timer.start(0)\n"
        "    return running\n"
        "app.create_application = application; app.main([])\n"
        "print(max(second - first for first, second in zip(sizes, sizes[1:])) < 8, sizes[-1] - sizes[0] > 150)\n"
    )
    assert python(code).split() == ["True", "True"]


@pytest.mark.process
def test_last_preloaded_modules_are_imported_in_the_background():
    code = (
        "import sys\n"
        "from PySide6.QtCore import QTimer\n"
        "from qe_desktop.ui import app\n"
        "made = app.create_application\n"
        "def look():\n"
        "    preload = sys.modules.get('qe_desktop.ui.preload')\n"
        "    last = set(getattr(preload, 'LAST_PRELOADED', 'x'))\n"
        "    if last <= set(sys.modules): running.exit(17)\n"
        "def application():\n"
        "    global running\n"
        "    running = made(); timer = QTimer(running); timer.start(10)\n"
        "    timer.timeout.connect(look)\n"
        "    return running\n"
        "app.create_application = application; print(app.main([]))\n"
    )
    assert python(code).split() == ["17"]
