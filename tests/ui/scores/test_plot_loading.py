"""The plotting library creates Qt classes: it is imported on the GUI thread, in short steps."""

from __future__ import annotations

import subprocess
import sys

import pytest

from qe_desktop.ui import preload
from qe_desktop.ui.preload import import_by_statements

SCRIPT = """
import sys, threading
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from qe_desktop.ui.jobs import JobRunner
from qe_desktop.ui.widgets.plots.lazy_plot import LazyPlotWidget
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.workspace import Workspace
from qe_desktop.ui.scores.plots.plot_pane import PANELS_MODULE

app = QApplication([])
elsewhere, turns, loaded = set(), [], []

def watch(event, arguments):
    if event == "import" and threading.current_thread() is not threading.main_thread():
        elsewhere.add(arguments[0])

def on_loaded():
    loaded.append({"pyqtgraph", PANELS_MODULE} <= set(sys.modules))
    if len(loaded) == 2:
        app.quit()

sys.addaudithook(watch)
jobs = JobRunner()
workspace = Workspace(Settings(sys.argv[1]), jobs)
places = [LazyPlotWidget(workspace, "Plot", lambda: None, module_name=PANELS_MODULE) for _ in range(2)]
assert not {"pyqtgraph", PANELS_MODULE} & set(sys.modules)
timer = QTimer()
timer.timeout.connect(lambda: turns.append("pyqtgraph" in sys.modules))
timer.start(0)
for place in places:
    place._on_loaded = on_loaded
    place.show()
app.exec()
jobs.close()
qt = ("PySide6", "shiboken6", "pyqtgraph", "qe_desktop.ui")
print(loaded, turns.count(False) > 5, [name for name in sorted(elsewhere) if name.startswith(qt)])
"""


def test_library_of_plots_is_imported_on_the_gui_thread_in_steps(tmp_path):
    """PySide creates classes on first access, which crashed on another thread during painting."""
    command = [sys.executable, "-c", SCRIPT, str(tmp_path / "settings.ini")]
    process = subprocess.run(command, capture_output=True, text=True)
    assert process.returncode == 0, process.stderr
    assert process.stdout.splitlines() == ["[True, True] True []"]


def test_deleted_chart_does_not_end_the_import_of_the_others(package, monkeypatch):
    name = package("first = 1\nlast = 3\n")
    monkeypatch.setattr(preload, "PLOT_LIBRARY", name)
    preload._plot_library_steps.cache_clear()
    plan = preload.ImportPlan()
    plan.window.append(name)
    deleted = plan.import_window()
    assert next(deleted) == name
    deleted.close()
    assert name not in sys.modules
    assert list(plan.import_window()) == [name]
    assert sys.modules[name].last == 3
    preload._plot_library_steps.cache_clear()


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Return a function that writes a package with a module `part`; it can be imported and is forgotten at the end."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def write(text):
        folder = tmp_path / "stepwise"
        folder.mkdir()
        (folder / "__init__.py").write_text(text)
        (folder / "part.py").write_text("from stepwise import first\nvalue = first + 1\n")
        return "stepwise"

    yield write
    for name in [name for name in sys.modules if name.partition(".")[0] == "stepwise"]:
        del sys.modules[name]


def test_package_is_imported_by_statements(package):
    name = package('"""Text."""\nfirst = 1\nfrom .part import value\nlast = value + 1\n')
    seen = [(step, name in sys.modules, f"{name}.part" in sys.modules) for step in import_by_statements(name)]
    assert seen == [(name, False, False)] * 4
    module = sys.modules[name]
    assert (module.last, module.part, module.__doc__) == (3, sys.modules[f"{name}.part"], "Text.")
    assert list(import_by_statements(name)) == []


def test_package_imported_elsewhere_meanwhile_is_kept(package):
    name = package("first = 1\nlast = 3\n")
    steps = import_by_statements(name)
    next(steps)
    module = __import__(name)
    assert module.last == 3
    assert list(steps) == []
    assert sys.modules[name] is module


def test_package_that_fails_is_not_imported(package):
    name = package("first = 1\nfrom .part import value\nfrom .part import missing\n")
    with pytest.raises(ImportError, match="missing"):
        list(import_by_statements(name))
    assert not {name, f"{name}.part"} & set(sys.modules)


def test_package_that_does_not_exist_raises(package):
    with pytest.raises(ImportError, match="stepwise_missing"):
        list(import_by_statements("stepwise_missing"))
