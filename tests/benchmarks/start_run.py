"""Start a window, and print the time of its first paint and the processor time; run in a separate process.

python tests/benchmarks/start_run.py bare|ours
"""

from __future__ import annotations

import sys
import time


def start_bare_window() -> None:
    from PySide6.QtCore import QTimer
    from PySide6.QtGui import QStandardItemModel
    from PySide6.QtWidgets import QApplication, QMainWindow, QTableView

    class View(QTableView):
        def paintEvent(self, event):
            super().paintEvent(event)
            print(time.time(), time.process_time())
            QTimer.singleShot(0, app.quit)

    app = QApplication([])
    window = QMainWindow()
    view = View()
    view.setModel(QStandardItemModel(20, 4))
    window.setCentralWidget(view)
    window.resize(1280, 800)
    window.show()
    app.exec()


def start_program() -> None:
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication

    from qe_desktop.ui import app as program
    from qe_desktop.ui.shell import window

    class Shell(window.Shell):
        def __init__(self, settings):
            super().__init__(settings)
            self.start_page.painted.connect(self.painted)

        def painted(self):
            print(time.time(), time.process_time())
            QTimer.singleShot(0, QApplication.quit)

    program.Shell = Shell
    program.main([])


if __name__ == "__main__":
    {"bare": start_bare_window, "ours": start_program}[sys.argv[1]]()
