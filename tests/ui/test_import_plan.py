"""What the window imports while it answers already: on another thread, or a module in each turn of the event loop."""

import subprocess
import sys

import pytest

from qe_desktop.ui.startup.module_import_plan import ImportPlan, module_imports
from tests.patience import PATIENCE

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
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_imports_of_functions_and_for_type_checkers_are_left_out():
    imported = list(module_imports(compile(CODE, "inline code", "exec")))
    assert imported[1:] == [
        ("os.path", ()),
        ("typing", ("TYPE_CHECKING",)),
        ("qe_desktop.ui.widgets", ("cells", "dots")),
        ("qe_desktop.corpus", ()),
        ("qe_desktop.metrics", ("registry",)),
    ]


def test_arguments_of_more_than_a_byte_are_read():
    names = "\n".join(f"name_{number} = {number + 1000}" for number in range(300))
    code = compile(f"{names}\nfrom qe_desktop.ui.widgets import cells\n", "inline code", "exec")
    assert list(module_imports(code)) == [("qe_desktop.ui.widgets", ("cells",))]


def test_what_is_not_there_is_left_to_the_import():
    plan = ImportPlan("qe_desktop.ui.no_such_module", "qe_desktop.no_package.module")
    assert (plan.below, plan.window) == ({}, [])


@pytest.mark.process
def test_each_step_on_the_window_s_thread_imports_one_module():
    """And nothing of it on another thread, where no class of Qt may be made."""
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
def test_the_window_answers_between_the_modules_that_it_imports():
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
def test_people_and_help_are_imported_before_they_are_looked_at():
    code = (
        "import sys\n"
        "from PySide6.QtCore import QTimer\n"
        "from qe_desktop.ui import app\n"
        "made = app.create_application\n"
        "def look():\n"
        "    preload = sys.modules.get('qe_desktop.ui.startup.preload')\n"
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
