"""What stands in place of scores while there are none: why, and the way to get them."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from qe_desktop.ui import icons, theme
from qe_desktop.ui.shell.labels import Label

FOLDER, FILES, OWN, AGAIN = "folder", "files", "own", "again"
BUTTONS = {
    FOLDER: "Open folder…",
    FILES: "Add files…",
    OWN: "Tag it myself",
    AGAIN: "Count again",
}


@dataclass(frozen=True, slots=True)
class Situation:
    """Why there are no scores: a title, what to know, the buttons, and an icon."""

    title: str
    text: str
    buttons: tuple[str, ...] = ()
    icon: str = "scores"


class StatePage(QWidget):
    """A `Situation` in the middle of the page."""

    asked = Signal(str)
    """A button was pressed: FOLDER, FILES, OWN or AGAIN."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon = _Sign(self)
        self._title = Label(scale=1.35, bold=True)
        self._text = Label(token="muted")
        self._buttons: dict[str, QPushButton] = {}
        for label in (self._title, self._text):
            label.setWordWrap(True)
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        row = QHBoxLayout()
        row.addStretch(1)
        for name, text in BUTTONS.items():
            button = QPushButton(text)
            button.setObjectName(name)
            button.hide()
            button.clicked.connect(self._pressed)
            self._buttons[name] = button
            row.addWidget(button)
        row.addStretch(1)
        self._middle = QWidget(self)
        column = QVBoxLayout(self._middle)
        column.setSpacing(12)
        for widget in (self._icon, self._title, self._text):
            column.addWidget(widget)
        column.addLayout(row)
        across = QHBoxLayout()
        across.addStretch(1)
        across.addWidget(self._middle, 100)
        across.addStretch(1)
        outer = QVBoxLayout(self)
        outer.addStretch(2)
        outer.addLayout(across)
        outer.addStretch(3)

    def show_situation(self, now: Situation) -> None:
        """Say why there is nothing, and offer what helps."""
        self._icon.set_icon(now.icon)
        self._title.setText(now.title)
        self._text.setText(now.text)
        for name, button in self._buttons.items():
            button.setVisible(name in now.buttons)
        # longer lines are tiring to read
        self._middle.setMaximumWidth(self.fontMetrics().averageCharWidth() * 72)

    def _pressed(self) -> None:
        self.asked.emit(self.sender().objectName())


class _Sign(QWidget):
    """A large quiet icon."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._name = "scores"
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.themes.theme_changed.connect(self.update)

    def set_icon(self, name: str) -> None:
        """Show another icon."""
        self._name = name
        self.update()

    def sizeHint(self) -> QSize:
        """Three lines of text high."""
        side = self.fontMetrics().height() * 3
        return QSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw it, red only where something went wrong."""
        colours = theme.current()
        painter = QPainter(self)
        icons.paint(painter, self._name, self.rect(), colours.error if self._name == "error" else colours.muted)
        painter.end()
