"""The list of segments: a table of fixed row height that hands the reader's keys on."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QModelIndex, Qt
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from qe_desktop.ui.inspect.segment_model import COLUMNS, SegmentColumn, SegmentModel
from qe_desktop.ui.parts.flat_header import PADDING, FlatHeader
from qe_desktop.ui.theme import current
from qe_desktop.wording import tr

NOTHING = tr("No segment is like that. Alt+0 shows all.")


class SegmentView(QTableView):
    """Rows of one line; source and MT share the width that is left."""

    def __init__(self, model: SegmentModel, keys: Callable[[QKeyEvent], bool], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keys = keys
        self.setModel(model)
        self.setAccessibleName(tr("Segments"))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header = FlatHeader(self, clickable=False)
        self.setHorizontalHeader(header)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self._documents = False
        self._source = True
        self._ahead = False
        self.measure()

    def set_columns(self, *, documents: bool, source: bool) -> None:
        """Show the columns that the corpus fills."""
        self._documents, self._source = documents, source
        self.measure()

    def show_ahead(self, shown: bool) -> None:
        """Show the column that sets two systems side by side."""
        self._ahead = shown
        self.measure()

    def measure(self) -> None:
        """Set row height and widths from the font."""
        metrics = QFontMetrics(self.font())
        self.verticalHeader().setDefaultSectionSize(round(metrics.height() * 1.75))
        rows = self.model().rowCount() if self.model() is not None else 0
        number = metrics.horizontalAdvance(f"{max(rows, 1000):,}") + 22
        count = metrics.horizontalAdvance("BAD") + 26
        title = metrics.horizontalAdvance(COLUMNS[SegmentColumn.DOCUMENT].header) + 2 * PADDING
        document = max(metrics.averageCharWidth() * 16, title) if self._documents else 0
        self.setColumnHidden(SegmentColumn.DOCUMENT, not self._documents)
        self.setColumnHidden(SegmentColumn.SOURCE, not self._source)
        ahead = metrics.averageCharWidth() * 26 if self._ahead else 0
        self.setColumnHidden(SegmentColumn.AHEAD, not self._ahead)
        rest = max(200, self.viewport().width() - number - 2 * count - document - ahead)
        widths = {
            SegmentColumn.NUMBER: number,
            SegmentColumn.DOCUMENT: document,
            SegmentColumn.SOURCE: rest // 2 if self._source else 0,
            SegmentColumn.MT: rest - rest // 2 if self._source else rest,
            SegmentColumn.BAD: count,
            SegmentColumn.DISPUTED: count,
            SegmentColumn.AHEAD: ahead,
        }
        for column, width in widths.items():
            self.setColumnWidth(column, width)

    def show_row(self, row: int | None) -> None:
        """Select a row and bring it into view; None selects nothing."""
        if row is None:
            self.clearSelection()
            self.setCurrentIndex(QModelIndex())
            return
        index = self.model().index(row, SegmentColumn.MT)
        if index != self.currentIndex():
            self.setCurrentIndex(index)
        self.scrollTo(index)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """↑ and ↓ and pages walk the rows, everything else that the reader knows is the reader's."""
        walking = event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
        edges = event.key() in (Qt.Key.Key_Home, Qt.Key.Key_End)
        if edges and not event.modifiers():
            self.show_row(0 if event.key() == Qt.Key.Key_Home else self.model().rowCount() - 1)
        elif walking or not self._keys(event):
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Where nothing is listed, say so."""
        super().paintEvent(event)
        if self.model().rowCount() == 0:
            painter = QPainter(self.viewport())
            painter.setPen(current().muted)
            painter.drawText(self.viewport().rect(), int(Qt.AlignmentFlag.AlignCenter), NOTHING)
            painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the new width."""
        super().resizeEvent(event)
        self.measure()

    def changeEvent(self, event: QEvent) -> None:
        """Measure anew in another font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.measure()
