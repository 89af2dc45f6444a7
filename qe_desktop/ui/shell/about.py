"""What this program is, which version, and where it keeps its things."""

from __future__ import annotations

import platform

import PySide6
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from qe_desktop import __version__
from qe_desktop.ui import icons
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.shell.buttons import FlatButton
from qe_desktop.ui.shell.labels import Label


class About(QDialog):
    """A small window with text that can be copied."""

    def __init__(self, settings: Settings, log_file: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("About QE Desktop")
        mark = QLabel()
        mark.setPixmap(icons.mark().pixmap(64, 64))
        words = QVBoxLayout()
        words.setSpacing(8)
        words.addWidget(Label(f"QE Desktop {__version__}", scale=1.4, bold=True))
        words.addWidget(Label("A desktop workbench for judging machine translation."))
        versions = f"Python {platform.python_version()}, Qt {PySide6.__version__}, {platform.system()}"
        places = f"Settings: {settings.path()}\nLog: {log_file or 'none in this run'}"
        for text in (versions, places):
            label = Label(text, token="muted")
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            words.addWidget(label)
        close = FlatButton("Close", primary=True)
        close.setDefault(True)
        close.clicked.connect(self.reject)
        close.setFocus()
        words.addSpacing(8)
        words.addWidget(close, 0, Qt.AlignmentFlag.AlignRight)
        row = QHBoxLayout(self)
        row.setContentsMargins(24, 24, 24, 16)
        row.setSpacing(20)
        row.addWidget(mark, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(words)
