"""The plotting library is loaded on another thread, and creates no Qt class there."""

from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import sys, threading
from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtWidgets import QApplication
from qe_desktop.ui.jobs import JobRunner
from qe_desktop.ui.widgets.plots import lazy_plot
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.workspace import Workspace

app = QApplication([])
load, missing = lazy_plot._load_library, []

def watched(progress, also):
    for module in (QtCore, QtGui, QtWidgets):
        missing.append(sorted(set(dir(module)) - set(vars(module)) - {"__file__"}))
    assert threading.current_thread() is not threading.main_thread()
    return load(progress, also)

lazy_plot._load_library = watched
jobs = JobRunner()
workspace = Workspace(Settings(sys.argv[1]), jobs)
from qe_desktop.ui.scores.plots.plot_pane import PANELS_MODULE
place = lazy_plot.LazyPlotWidget(workspace, "Plot", lambda: sys.exit(0), draws=PANELS_MODULE)
assert not {"pyqtgraph", PANELS_MODULE} & set(sys.modules)
place._on_loaded = lambda loaded: app.quit()
place.show()
app.exec()
assert {"pyqtgraph", PANELS_MODULE} <= set(sys.modules)
print([names[:5] for names in missing])
jobs.close()
"""


def test_all_qt_classes_exist_before_the_library_is_loaded(tmp_path):
    """PySide creates classes on first access, which crashed on another thread during painting."""
    command = [sys.executable, "-c", SCRIPT, str(tmp_path / "settings.ini")]
    process = subprocess.run(command, capture_output=True, text=True)
    assert process.returncode == 0, process.stderr
    assert process.stdout.strip() == "[[], [], []]"
