"""Row and column headers of a matrix; column names are rotated if the columns are narrow."""

from __future__ import annotations

import re

from PySide6.QtCore import QAbstractItemModel, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QHeaderView, QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.ui import theme
from qe_desktop.ui.widgets.labels import elide_names

MAX_NAME_CHARS = 18
"""Maximum width, in characters, of a displayed name; longer names are elided in the middle."""
MIN_HORIZONTAL_CHARS = 11
"""Minimum width, in characters, of columns with long horizontal names; the names are elided to fit."""
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
        """Whether the names of the current cell are not highlighted."""
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
        return min(self.names_extent(), max(self.fontMetrics().height() * 3, round(parent.height() * 0.4)))

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
