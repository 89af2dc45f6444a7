"""The place on the start page where files are dropped."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QSpacerItem, QWidget

from qe_desktop.ui import icons, theme
from qe_desktop.ui.parts.labels import Label
from qe_desktop.ui.parts.layouts import Space, Stretch, column_of
from qe_desktop.wording import tr


class DropPlace(QWidget):
    """A dashed field with what may be dropped on it, and a row for buttons. It lights up under dragged files."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lit = False
        self._title = Label(tr("Drop a folder, files or a project here"), scale=1.25, bold=True, wraps=True)
        self._title.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._what = Label(
            tr("Source, translation, OK/BAD tags, scores, references: each file is recognised by what is in it."),
            token="muted",
            wraps=True,
        )
        self._what.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._gap = QSpacerItem(0, self._side() + 8, QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        words = (self._title, self._what, Space(16), Stretch())
        self._column = column_of(Stretch(), *words, on=self, gap=8, margins=(32, 24, 32, 24))
        self._column.insertSpacerItem(1, self._gap)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def add_row(self, row: QWidget) -> None:
        """Put a widget under the text."""
        self._column.insertWidget(self._column.count() - 1, row, 0, Qt.AlignmentFlag.AlignHCenter)

    def light(self, lit: bool) -> None:
        """Show whether dragged files would be taken."""
        if lit != self._lit:
            self._lit = lit
            self.update()

    def changeEvent(self, event: QEvent) -> None:
        """Leave room for the icon when the text size changes."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ApplicationFontChange:
            self._gap.changeSize(0, self._side() + 8, QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
            self._column.invalidate()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the field and its icon."""
        colours = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        line = QColor(colours.accent if self._lit else colours.muted)
        line.setAlphaF(1.0 if self._lit else 0.6)
        pen = QPen(line, 2 if self._lit else 1.5)
        pen.setDashPattern([5, 4])
        painter.setPen(pen)
        painter.setBrush(colours.selection if self._lit else colours.surface)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 10, 10)
        top = self._title.y() - self._side() - 8
        icons.paint(painter, "drop", QRect(0, top, self.width(), self._side()), colours.accent)
        painter.end()

    def _side(self) -> int:
        return self.fontMetrics().height() * 2
