"""The pages of an area by name, the one in view underlined."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from qe_desktop.ui.parts.labels import scaled
from qe_desktop.ui.parts.layouts import Stretch, row_of
from qe_desktop.ui.parts.painted_button import PaintedButton
from qe_desktop.ui.theme import Theme, current, themes


class PageTab(PaintedButton):
    """One page's name."""

    def __init__(self, id: str, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.id = id
        self.setText(title)
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.unsetCursor()

    def sizeHint(self) -> QSize:
        """The name with room around it."""
        metrics = self.fontMetrics()
        return QSize(round(metrics.horizontalAdvance(self.text()) * 1.1) + 24, round(metrics.height() * 2.1))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter shows the page as Space does."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def draw(self, painter: QPainter, colours: Theme) -> None:
        """Draw name and line."""
        chosen = self.isChecked()
        self.draw_ground(painter, self.rect().toRectF().adjusted(2, 3, -2, -5))
        painter.setFont(scaled(1.0, bold=chosen))
        painter.setPen(colours.text if chosen else colours.muted)
        painter.drawText(self.rect().adjusted(0, 0, 0, -2), Qt.AlignmentFlag.AlignCenter, self.text())
        if chosen:
            painter.fillRect(10, self.height() - 3, self.width() - 20, 3, colours.accent)


class PageBar(QWidget):
    """All pages in one line; there is nothing to see while there is only one."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tabs: dict[str, PageTab] = {}
        self._row = row_of(Stretch(), on=self, gap=0, margins=(8, 0, 8, 0))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        themes.theme_changed.connect(self.update)
        self.hide()

    def add(self, id: str, title: str) -> None:
        """Add a page at the end."""
        tab = PageTab(id, title)
        tab.clicked.connect(self._pressed)
        self._row.insertWidget(len(self.tabs), tab)
        self.tabs[id] = tab
        self.setVisible(len(self.tabs) > 1)

    def offer(self, ids: Collection[str]) -> None:
        """Show only some of the pages."""
        for id, tab in self.tabs.items():
            tab.setVisible(id in ids)
        self.setVisible(len(ids) > 1)

    def choose(self, id: str) -> None:
        """Mark the page in view."""
        for tab in self.tabs.values():
            tab.setChecked(tab.id == id)

    def _pressed(self) -> None:
        sender = self.sender()
        if isinstance(sender, PageTab):
            self.chosen.emit(sender.id)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the line under the names."""
        painter = QPainter(self)
        painter.fillRect(0, self.height() - 1, self.width(), 1, current().border)
        painter.end()
