"""Table view of a matrix with row and column headers; cells that are too small for a number show only a symbol."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QHeaderView, QWidget

from qe_desktop.ui import theme
from qe_desktop.ui.widgets.keyboard_focus import paint_focus_frame, tabular_font
from qe_desktop.ui.widgets.matrix.matrix_header import MAX_NAME_CHARS, MatrixHeader
from qe_desktop.ui.widgets.matrix.matrix_model import AbstractMatrixModel
from qe_desktop.ui.widgets.matrix.matrix_painter import HeaderSpan, MatrixPainter
from qe_desktop.ui.widgets.tables.table_model import ModelIndex
from qe_desktop.ui.widgets.tables.table_view import CopyableTableView

MAX_CELL_SCALE = 2.6
"""Maximum size of a cell relative to the minimum size of a cell with its number below its symbol."""
MAX_NAMED_SCALE = 4.0
"""Maximum width of a cell below a long column name, relative to the minimum width of a cell with a number."""


NAMES_HEIGHT = 1.6
"""Height of horizontal column names as a multiple of the text height."""


class MatrixTableView(CopyableTableView):
    """View of an `AbstractMatrixModel` with mouse and keyboard navigation; with `small`, only symbols are drawn."""

    described = Signal(str)
    """Emitted with the meaning of the current cell; the text is empty if there is no current cell."""
    fitted = Signal()
    """Emitted when the size or position of the cells may have changed."""

    def __init__(
        self,
        model: AbstractMatrixModel,
        name: str,
        parent: QWidget | None = None,
        *,
        small: bool = False,
        max_name_chars: int = MAX_NAME_CHARS,
    ) -> None:
        super().__init__(name, parent)
        self._matrix_model = model
        self._shows_only_signs = small
        self._painter = MatrixPainter()
        self._column_header = MatrixHeader(Qt.Orientation.Horizontal, self, max_name_chars=max_name_chars)
        self._row_header = MatrixHeader(Qt.Orientation.Vertical, self, max_name_chars=max_name_chars)
        self.setHorizontalHeader(self._column_header)
        self.setVerticalHeader(self._row_header)
        self.setCornerButtonEnabled(False)
        corner = self.findChild(QAbstractButton)
        if corner is not None:
            # Qt draws the corner as a raised grey box
            corner.setFixedSize(0, 0)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ContiguousSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.set_owned_model(model)
        model.headerDataChanged.connect(self.fit)
        model.modelReset.connect(self._on_content_changed)
        model.dataChanged.connect(self._on_content_changed)
        self.fit()

    def currentChanged(self, current: ModelIndex, previous: ModelIndex) -> None:
        """Highlight the row and column names of the current cell, and emit the meaning of the cell."""
        super().currentChanged(current, previous)
        self.emit_description()
        self._update_headers()

    def set_described(self, is_described: bool) -> None:
        """Set whether the page describes the current cell; if not, the cell and its names are not highlighted."""
        super().set_described(is_described)
        self._column_header.is_muted = self._row_header.is_muted = not is_described
        self._update_headers()

    def _update_headers(self) -> None:
        self._column_header.viewport().update()
        self._row_header.viewport().update()

    def _on_content_changed(self) -> None:
        if self.is_described:
            self.emit_description()

    def emit_description(self) -> None:
        """Emit the meaning of the current cell."""
        self.described.emit(self._matrix_model.sentence(self.currentIndex()))

    # --- drawing

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the cells in the exposed area, and a frame around each selected cell."""
        area, painter = event.rect(), QPainter(self.viewport())
        rows = _spans(self._row_header, area.top(), area.bottom())
        columns = _spans(self._column_header, area.left(), area.right())
        self._painter.paint(painter, self._matrix_model, rows, columns, self.font())
        for selection_range in self.selectionModel().selection():  # type: ignore[attr-defined]  # stubs omit that it is a list
            for row in (
                row_item for row_item in rows if selection_range.top() <= row_item.index <= selection_range.bottom()
            ):
                for column in (
                    span for span in columns if selection_range.left() <= span.index <= selection_range.right()
                ):
                    cell = QRect(column.start, row.start, column.length, row.length)
                    if self.is_described:
                        paint_focus_frame(painter, cell)
                    else:
                        painter.setPen(theme.current().muted)
                        painter.drawRect(cell.adjusted(0, 0, -1, -1))

    # --- size

    def fit(self) -> None:
        """Resize the cells so that all of them are visible, but do not make them too small for their symbols."""
        count = self._matrix_model.rowCount()
        if not count:
            return
        # rotated names need more height, so they are used only if horizontal ones do not fit their columns
        cell = self._cell_size_below(round(self.fontMetrics().height() * NAMES_HEIGHT), count)
        if cell.width() < self._column_header.min_horizontal_width():
            cell = self._cell_size_below(self._column_header.extent(), count)
            wide = self._column_header.two_line_width()
            if not self._shows_only_signs and wide * count <= self.width() - self._row_header.extent() - 4:
                # instead of being elided, rotated names have two lines
                cell.setWidth(max(cell.width(), wide))
        self._column_header.setDefaultSectionSize(cell.width())
        self._row_header.setDefaultSectionSize(cell.height())
        self.updateGeometries()
        self.fitted.emit()

    def _cell_size_below(self, header: int, count: int) -> QSize:
        """Return the cell size for `count` rows and columns below column names that are `header` pixels high."""
        width, height = self.width() - self._row_header.extent() - 4, self.height() - header - 4
        return self._cell_size(QSize(width // count, height // count))

    def _cell_size(self, available: QSize) -> QSize:
        """Return the size of a cell for which `available` space remains.

        The cell shows two lines, one line, or only a symbol.
        """
        metrics = self.fontMetrics()
        full, line = self._painter.full_size(metrics), self._painter.line_size(metrics)
        is_low = available.height() < line.height()
        if is_low and self._sign_cell_size(available).height() > available.height():
            # even symbols do not fit, so the rows are scrolled
            available.setHeight(line.height())
            is_low = False
        if self._shows_only_signs or available.width() < full.width() or is_low:
            return self._sign_cell_size(available)
        # a name that fits above its column need not be rotated
        names = min(self._column_header.names_extent(), round(full.width() * MAX_NAMED_SCALE))
        if available.height() >= full.height():
            width = min(available.width(), max(names, round(full.width() * MAX_CELL_SCALE)))
            return QSize(width, min(available.height(), round(full.height() * MAX_CELL_SCALE), width)).expandedTo(full)
        if available.width() >= line.width():
            return QSize(min(available.width(), max(names, round(line.width() * 1.2))), available.height())
        return self._sign_cell_size(available)

    def _sign_cell_size(self, available: QSize) -> QSize:
        metrics = self.fontMetrics()
        side = min(available.width(), available.height(), round(metrics.height() * 2))
        return QSize(side, side).expandedTo(self._painter.small_size(metrics))

    def full_cell(self) -> QSize:
        """Return the size of a cell with its number below its symbol, including a margin."""
        full = self._painter.full_size(self.fontMetrics())
        return QSize(round(full.width() * 1.2), round(full.height() * 1.1))

    def names_width(self) -> int:
        """Return the width of the row header in pixels, including padding."""
        return self._row_header.sizeHint().width() + 8

    def natural_width(self) -> int:
        """Return the width at which all columns are visible."""
        columns = self._matrix_model.rowCount() * self._column_header.defaultSectionSize()
        return self._row_header.sizeHint().width() + columns + 4

    def min_height_of_rows(self) -> int:
        """Return the minimum height of the view for horizontal column names and one line of text per row."""
        metrics = self.fontMetrics()
        row = self._painter.line_size(metrics).height()
        return round(metrics.height() * NAMES_HEIGHT) + self._matrix_model.rowCount() * row + 6

    def natural_height(self) -> int:
        """Return the height at which all rows are visible."""
        return super().natural_height() + 2

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Resize the cells to the available space."""
        super().resizeEvent(event)
        self.fit()

    def changeEvent(self, event: QEvent) -> None:
        """Adapt the cells to a changed font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.setFont(tabular_font(self.font()))
            self.fit()


def _spans(header: QHeaderView, first: int, last: int) -> list[HeaderSpan]:
    """Return the rows or columns between two pixel positions, `first` and `last`, in the viewport."""
    begin, end = header.visualIndexAt(max(0, first)), header.visualIndexAt(last)
    if header.orientation() == Qt.Orientation.Horizontal and header.isRightToLeft():
        begin, end = end, begin
    if begin < 0:
        return []
    sections = range(begin, (end if end >= 0 else header.count() - 1) + 1)
    return [
        HeaderSpan(section, header.sectionViewportPosition(section), header.sectionSize(section))
        for section in sections
    ]
