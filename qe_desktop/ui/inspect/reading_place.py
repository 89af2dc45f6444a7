"""Where a segment is read and corrected: its source pinned, what scrolls below it, and its target below that."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QScrollArea, QWidget

from qe_desktop.ui.inspect.correcting.panel import TargetPanel
from qe_desktop.ui.inspect.reader import Reader
from qe_desktop.ui.inspect.source_pane import SourcePane
from qe_desktop.ui.parts.layouts import Placed, column_of, holding, scrolling
from qe_desktop.ui.theme import current, themes

SHARE = 3
"""The source takes at most this part of the height (one third); a longer one scrolls."""
LOW = 16
"""Lines of small text that this has at the least, whatever it holds: nothing around it moves while one types."""
LEAST = 7
"""Lines of small text that the MT has room for beside a target that is typed; else it gives it all its room."""


class ReadingPlace(QWidget):
    """Shares its height among the source, the MT with everyone's tags, and the target."""

    def __init__(self, reader: Reader, below: QWidget, target: TargetPanel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.reader, self.target = reader, target
        self.source = SourcePane(reader)
        self._pinned = scrolling(self.source)
        self._scroll: QScrollArea = scrolling(holding(column_of(reader, Placed(below, 1), gap=0)))
        self._column = column_of(self._pinned, Placed(self._scroll, 1), target, on=self, gap=0)
        self._column.addStretch(0)
        self._line = QWidget(self)
        self._line.setFixedHeight(1)
        self._column.insertWidget(1, self._line)
        reader.pin(self.source)
        reader.laid_out.connect(self.share)
        target.installEventFilter(self)
        themes.theme_changed.connect(self._colour)
        self._colour()
        self.share()

    def _colour(self) -> None:
        for part, colour in ((self._line, current().border), (self.target, current().surface)):
            palette = part.palette()
            palette.setColor(part.backgroundRole(), colour)
            part.setPalette(palette)
            part.setAutoFillBackground(True)

    def share(self) -> None:
        """Give each its height."""
        pinned = round(self.reader.top)
        self._pinned.setVisible(pinned > 0)
        self._line.setVisible(pinned > 0)
        self.source.setFixedHeight(max(1, pinned))
        self._pinned.setFixedHeight(max(1, min(pinned, self.height() // SHARE)))
        typed = self.target.isVisibleTo(self) and not self.target.edit.isHidden()
        edit = self.target.edit
        if typed:
            edit.set_room(self.height() - self._pinned.height() - (self.target.sizeHint().height() - edit.height()))
        left = self.height() - self._pinned.height() - self.target.sizeHint().height()
        crowded = typed and left < LEAST * self.fontMetrics().height()
        if self._scroll.isHidden() is not crowded:
            self._scroll.setVisible(not crowded)
            self._column.setStretch(self._column.count() - 1, 1 if crowded else 0)

    def minimumSizeHint(self) -> QSize:
        """The same whatever it holds."""
        return QSize(200, LOW * self.fontMetrics().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the new height."""
        super().resizeEvent(event)
        self.share()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The target needs another height."""
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Show, QEvent.Type.Hide):
            self.share()
        return False
