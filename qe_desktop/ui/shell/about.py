"""What this program is, which version, and where it keeps its things."""

from __future__ import annotations

import platform

import PySide6
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QLabel, QWidget

from qe_desktop import __version__
from qe_desktop.ui import icons
from qe_desktop.ui.parts.buttons import FlatButton
from qe_desktop.ui.parts.labels import Label
from qe_desktop.ui.parts.layouts import Placed, Space, column_of, row_of
from qe_desktop.ui.settings import Settings
from qe_desktop.wording import tr


class About(QDialog):
    """A small window with text that can be copied."""

    def __init__(self, settings: Settings, log_file: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("About QE Desktop"))
        mark = QLabel()
        mark.setPixmap(icons.mark().pixmap(64, 64))
        versions = f"Python {platform.python_version()}, Qt {PySide6.__version__}, {platform.system()}"
        remembered = tr("Settings: {file}", file=settings.path())
        log = tr("Log: {file}", file=log_file) if log_file else tr("Log: none in this run")
        close = FlatButton(tr("Close"), primary=True)
        close.setDefault(True)
        close.clicked.connect(self.reject)
        close.setFocus()
        words = column_of(
            Label(f"QE Desktop {__version__}", scale=1.4, bold=True),
            Label(tr("A desktop workbench for judging machine translation.")),
            Label(versions, token="muted", selectable=True),
            Label(f"{remembered}\n{log}", token="muted", selectable=True),
            Space(8),
            Placed(close, 0, Qt.AlignmentFlag.AlignRight),
            gap=8,
        )
        row_of(Placed(mark, 0, Qt.AlignmentFlag.AlignTop), words, on=self, gap=20, margins=(24, 24, 24, 16))
