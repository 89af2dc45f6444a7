"""The list of segments: a table of fixed row height that hands the reader's keys on."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QEvent, QModelIndex, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QKeySequence, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from qe_desktop.corpus import ReviewStatus
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.inspect.postedit.status_symbols import NOTE_SYMBOL, STATUS_SYMBOLS
from qe_desktop.ui.inspect.segment_list.segment_model import COLUMNS, SegmentColumn, SegmentModel
from qe_desktop.ui.theme import current
from qe_desktop.ui.widgets.tables.table_header import PADDING, TableHeader

SCORE_COLUMNS = frozenset((SegmentColumn.GOLD, SegmentColumn.SCORE, SegmentColumn.ERROR))
MIN_SCORE_CHARS, MAX_SCORE_CHARS = 10, 18
"""Characters that a column of scores has room for at the least and the most."""
NO_MATCHING_SEGMENT = tr("No segment is like that. Alt+0 shows all.")
NOTHING_OPEN = tr("Nothing is open. Drop files on the window, or open a folder with Ctrl+O or files with Ctrl+Shift+O.")


class SegmentView(QTableView):
    """Rows of one line; source and MT share the width that is left."""

    column_chosen = Signal(SegmentColumn)
    """A header was clicked."""
    copy_wanted = Signal()
    """The current segment is to be copied."""

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
        self._header = TableHeader(self)
        self.setHorizontalHeader(self._header)
        # how far a segment is stands beside its number
        self._header.moveSection(SegmentColumn.STATUS, SegmentColumn.NUMBER + 1)
        self._header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self._header.sectionClicked.connect(lambda section: self.column_chosen.emit(SegmentColumn(section)))
        self._filled = frozenset((SegmentColumn.SOURCE, SegmentColumn.MT, SegmentColumn.BAD, SegmentColumn.DISPUTED))
        self._ahead = False
        self.measure()

    def set_columns(self, filled: Iterable[SegmentColumn]) -> None:
        """Show the columns that the corpus fills."""
        self._filled = frozenset(filled)
        self.measure()

    def show_ahead(self, shown: bool) -> None:
        """Show the column that sets two systems side by side; then scores of one have no room."""
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
        widths = {
            SegmentColumn.NUMBER: number,
            SegmentColumn.DOCUMENT: max(metrics.horizontalAdvance("0") * 16, title),
            SegmentColumn.BAD: count,
            SegmentColumn.DISPUTED: count,
            **{column: self._score_width(column) for column in SCORE_COLUMNS},
            SegmentColumn.AHEAD: metrics.horizontalAdvance("0") * 26,
            SegmentColumn.STATUS: max(
                metrics.horizontalAdvance(f"{STATUS_SYMBOLS[ReviewStatus.EDITED]} {NOTE_SYMBOL}") + 2 * PADDING, count
            ),
        }
        shown = {SegmentColumn.NUMBER, *self._filled}
        if self._ahead:
            shown = (shown - SCORE_COLUMNS) | {SegmentColumn.AHEAD}
        texts = [column for column in (SegmentColumn.SOURCE, SegmentColumn.MT) if column in shown]
        rest = max(200, self.viewport().width() - sum(width for column, width in widths.items() if column in shown))
        for place, column in enumerate(texts):
            widths[column] = rest // 2 if place + 1 < len(texts) else rest - rest // 2 * (len(texts) - 1)
        for each in SegmentColumn:
            self.setColumnHidden(each, each not in shown)
            self.setColumnWidth(each, widths.get(each, 0))

    def _score_width(self, column: SegmentColumn) -> int:
        """Room for a number, and for its head within reason."""
        letter = self.fontMetrics().horizontalAdvance("0")
        return min(max(self._header.wanted_width(column), letter * MIN_SCORE_CHARS), letter * MAX_SCORE_CHARS)

    def show_row(self, row: int | None) -> None:
        """Select a row and bring it into view; None selects nothing."""
        if row is None:
            self.clearSelection()
            self.setCurrentIndex(QModelIndex())
            return
        # nothing is scrolled to where a hidden column would be
        texts = not self.isColumnHidden(SegmentColumn.MT)
        index = self.model().index(row, SegmentColumn.MT if texts else SegmentColumn.NUMBER)
        if index != self.currentIndex():
            self.setCurrentIndex(index)
        self.scrollTo(index)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """↑ and ↓ and pages walk the rows, everything else that the reader knows is the reader's."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_wanted.emit()
            return
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
            where = int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap)
            painter.drawText(self.viewport().rect().adjusted(16, 0, -16, 0), where, self.said_of_nothing())
            painter.end()

    def said_of_nothing(self) -> str:
        """What an empty list says."""
        model = self.model()
        return NO_MATCHING_SEGMENT if isinstance(model, SegmentModel) and model.listing is not None else NOTHING_OPEN

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the new width; a row that one works on stays in view, whatever takes room from the list."""
        place = self.visualRect(self.currentIndex())
        seen = place.isValid() and place.top() >= 0 and place.bottom() < event.oldSize().height()
        super().resizeEvent(event)
        self.measure()
        if seen and place.bottom() >= self.viewport().height():
            self.scrollTo(self.currentIndex())

    def changeEvent(self, event: QEvent) -> None:
        """Measure anew in another font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.measure()
