"""Table view of a matrix with row and column headers; cells that are too small for a number show only a symbol."""

from __future__ import annotations

import math
import re

from PySide6.QtCore import QAbstractItemModel, QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QHeaderView, QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.ui import theme
from qe_desktop.ui.widgets.keyboard_focus import paint_focus_frame, tabular_font
from qe_desktop.ui.widgets.labels import elide_names
from qe_desktop.ui.widgets.matrix_model import AbstractMatrixModel
from qe_desktop.ui.widgets.matrix_painter import HeaderSpan, MatrixPainter
from qe_desktop.ui.widgets.tables.table_model import ModelIndex
from qe_desktop.ui.widgets.tables.table_view import CopyableTableView

MAX_NAME_CHARS = 18
"""Maximum width, in characters, of a displayed name; longer names are elided in the middle."""
MIN_HORIZONTAL_CHARS = 11
"""Minimum width, in characters, of columns with long horizontal names; the names are elided to fit."""
MAX_NAMES_FRACTION = 0.4
"""Maximum fraction of the height of the matrix for rotated names; longer names are elided."""
PADDING = 6
_WORD_ENDS = re.compile(r"[-_. /](?=.)|(?<=[a-z]{3})(?=[A-Z][a-z])")
"""Ends of words, at which a long name can be split into two lines: after a separator, or before a capital."""


class MatrixHeader(QHeaderView):
    """Row or column header of a matrix; column names are rotated if the columns are too narrow for horizontal names.

    `max_name_chars` is the maximum width, in characters, that is reserved for names.
    """

    def __init__(self, orientation: Qt.Orientation, parent: QWidget, *, max_name_chars: int = MAX_NAME_CHARS) -> None:
        super().__init__(orientation, parent)
        self.is_muted = False
        """Whether the names of the current cell are drawn without highlighting."""
        self._max_name_chars = max_name_chars
        self._measured: tuple[QFont, int] | None = None
        self._elided: tuple[QFont, int, dict[str, str]] | None = None
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setSectionsClickable(True)
        self.setHighlightSections(True)
        self.setMinimumSectionSize(4)
        self.setAccessibleName(tr("Names"))
        theme.themes.theme_changed.connect(self.viewport().update)

    def extent(self) -> int:
        """Return the width of row names or the height of rotated column names, in pixels, including padding."""
        parent = self.parentWidget()
        if self.orientation() == Qt.Orientation.Vertical or parent is None:
            return self.names_extent()
        # leave enough space for the cells
        return min(self.names_extent(), max(self._min_extent(), round(parent.height() * MAX_NAMES_FRACTION)))

    def _min_extent(self) -> int:
        return self.fontMetrics().height() * 3

    def min_height_with_rotated_names(self, cells: int) -> int:
        """Return the minimum height of the matrix at which rotated names leave `cells` pixels for the cells."""
        height_with_elided_names = max(self._min_extent() + cells, math.ceil(cells / (1 - MAX_NAMES_FRACTION)))
        return min(self.names_extent() + cells, height_with_elided_names)

    def names_extent(self) -> int:
        """Return the length of the longest name in pixels, limited to `max_name_chars` digits, plus padding."""
        font = self.font()
        font.setBold(True)
        metrics = QFontMetrics(font)
        limit = metrics.horizontalAdvance("0") * self._max_name_chars
        return min(limit, self._max_name_width(font, metrics)) + 2 * PADDING + 2

    def _max_name_width(self, font: QFont, metrics: QFontMetrics) -> int:
        """Return the width of the widest name in pixels; cached, because it is needed whenever a name is drawn."""
        if self._measured is None or self._measured[0] != font:
            self._measured = font, max([0, *map(metrics.horizontalAdvance, self._names())])
        return self._measured[1]

    def _elided_names(self, width: int) -> dict[str, str]:
        """Map each name to its text elided to a width in pixels, measured in bold.

        The result is cached, because it is needed whenever a name is drawn.
        """
        font = self.font()
        if self._elided is None or self._elided[:2] != (font, width):
            bold = self.font()
            bold.setBold(True)
            self._elided = font, width, elide_names(self._names(), QFontMetrics(bold), width)
        return self._elided[2]

    def setModel(self, model: QAbstractItemModel | None) -> None:
        """Use the names of a model, and measure the names again when they change."""
        super().setModel(model)
        self._clear_cache()
        if model is not None:
            model.modelReset.connect(self._clear_cache)
            model.headerDataChanged.connect(self._clear_cache)

    def _clear_cache(self) -> None:
        self._measured = self._elided = None

    def two_line_width(self) -> int:
        """Return the column width in pixels for rotated names on two lines; 0 if all names fit on one line."""
        if self.names_extent() <= self.extent():
            return 0
        return 2 * self.fontMetrics().lineSpacing() + 2

    def has_rotated_names(self) -> bool:
        """Return whether the header shows rotated names, which run upwards."""
        names = self.count()
        across = self.orientation() == Qt.Orientation.Horizontal
        return across and names > 0 and self.sectionSize(0) < self.min_horizontal_width()

    def min_horizontal_width(self) -> int:
        """Return the minimum column width in pixels for horizontal names; longer names are elided to fit."""
        return min(self.extent(), self.fontMetrics().horizontalAdvance("0") * MIN_HORIZONTAL_CHARS + 2 * PADDING)

    def sizeHint(self) -> QSize:
        """Return a size with the width of row names or the height of column names; the other dimension is one line."""
        line = round(self.fontMetrics().height() * 1.6)
        if self.orientation() == Qt.Orientation.Vertical:
            return QSize(self.extent(), line)
        return QSize(line, self.extent() if self.has_rotated_names() else line)

    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:
        """Draw one name."""
        colours = theme.current()
        name = str(self.model().headerData(logicalIndex, self.orientation()) or "")
        painter.save()
        painter.fillRect(rect, self.palette().window())
        current = self.selectionModel().currentIndex() if self.selectionModel() is not None else None
        is_horizontal = self.orientation() == Qt.Orientation.Horizontal
        is_current = (
            not self.is_muted
            and current is not None
            and logicalIndex == (current.column() if is_horizontal else current.row())
        )
        painter.setPen(colours.accent if is_current else colours.text)
        font = self.font()
        font.setBold(bool(is_current))
        painter.setFont(font)
        self._write(painter, rect, name)
        painter.restore()

    def _write(self, painter: QPainter, rect: QRect, name: str) -> None:
        metrics = painter.fontMetrics()
        if self.has_rotated_names():
            painter.translate(rect.left(), rect.bottom())
            painter.rotate(-90)
            rect = QRect(0, 0, rect.height(), rect.width())
            alignment = Qt.AlignmentFlag.AlignLeft
        elif self.orientation() == Qt.Orientation.Vertical:
            alignment = Qt.AlignmentFlag.AlignRight
        else:
            alignment = Qt.AlignmentFlag.AlignHCenter
        inner = rect.adjusted(PADDING, 0, -PADDING, 0)
        displayed_name = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, inner.width())
        if displayed_name != name:
            has_two_lines = self.has_rotated_names() and inner.height() >= 2 * metrics.lineSpacing()
            first, rest = split_name(name, metrics, inner.width()) if has_two_lines else ("", name)
            if first:
                displayed_name = f"{first}\n{metrics.elidedText(rest, Qt.TextElideMode.ElideMiddle, inner.width())}"
            else:
                displayed_name = self._elided_names(inner.width()).get(name, displayed_name)
        painter.drawText(inner, int(alignment | Qt.AlignmentFlag.AlignVCenter), displayed_name)

    def _names(self) -> list[str]:
        model = self.model()
        if model is None:
            return []
        return [str(model.headerData(section, self.orientation()) or "") for section in range(self.count())]


def split_name(name: str, metrics: QFontMetrics, width: int) -> tuple[str, str]:
    """Split a name between words into two parts: the longest beginning that fits into `width` pixels, and the rest.

    The beginning is empty if no word fits: a name is never split within a word.
    """
    sizes = [match.end() for match in _WORD_ENDS.finditer(name)]
    size = max((size for size in sizes if metrics.horizontalAdvance(name[:size]) <= width), default=0)
    return name[:size], name[size:]


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
        """Return the size of a cell if it has the space `available`.

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
        """Return the width in pixels at which all columns are visible."""
        columns = self._matrix_model.rowCount() * self._column_header.defaultSectionSize()
        return self._row_header.sizeHint().width() + columns + 4

    def min_height_of_rows(self) -> int:
        """Return the minimum height of the view for column names, rotated or not, and one line of text per row."""
        metrics, count = self.fontMetrics(), self._matrix_model.rowCount()
        rows = count * self._painter.line_size(metrics).height() + 6
        horizontal_width = self._column_header.min_horizontal_width() * count
        if self._shows_only_signs or self.width() - self._row_header.extent() - 4 < horizontal_width:
            return self._column_header.min_height_with_rotated_names(rows)
        return round(metrics.height() * NAMES_HEIGHT) + rows

    def natural_height(self) -> int:
        """Return the height in pixels at which all rows are visible."""
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
    """Return the spans of the rows or columns between the pixel positions `first` and `last` in the viewport."""
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
