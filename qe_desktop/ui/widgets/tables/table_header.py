"""Flat table header: muted names, the current column in the accent colour, and a small arrow for the sort order."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHeaderView, QWidget

from qe_desktop.ui import theme

PADDING = 8
ARROWS = {Qt.SortOrder.AscendingOrder: "▴", Qt.SortOrder.DescendingOrder: "▾"}
HEADER_CURRENT_ROLE = Qt.ItemDataRole.UserRole + 900
"""Header role: whether the column is the current one."""
HEADER_ORDER_ROLE = HEADER_CURRENT_ROLE + 1
"""Header role: the Qt.SortOrder of the rows by this column; None if they are not sorted by it."""
LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


class TableHeader(QHeaderView):
    """Header of all flat tables; roles of the model provide the current column and the sort order."""

    def __init__(self, parent: QWidget | None = None, *, clickable: bool = True, padding: int = PADDING) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._padding = padding
        self.setSectionsClickable(clickable)
        self.setHighlightSections(False)
        theme.themes.theme_changed.connect(self.viewport().update)

    def sizeHint(self) -> QSize:
        """Return the height of one line with padding."""
        return QSize(super().sizeHint().width(), round(self.fontMetrics().height() * 1.9))

    def wanted_width(self, section: int) -> int:
        """Return the width that the name of a section and its arrow need."""
        text = str(self.model().headerData(section, Qt.Orientation.Horizontal) or "")
        font = self.font()
        font.setBold(True)
        metrics = self.fontMetrics()
        return round(metrics.horizontalAdvance(text) * 1.1) + metrics.horizontalAdvance("▾") + 2 * PADDING + 6

    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:
        """Draw one name."""
        colours = theme.current()
        model = self.model()
        text = str(model.headerData(logicalIndex, Qt.Orientation.Horizontal) or "")
        chosen = bool(model.headerData(logicalIndex, Qt.Orientation.Horizontal, HEADER_CURRENT_ROLE))
        order = model.headerData(logicalIndex, Qt.Orientation.Horizontal, HEADER_ORDER_ROLE)
        alignment = int(
            model.headerData(logicalIndex, Qt.Orientation.Horizontal, Qt.ItemDataRole.TextAlignmentRole) or LEFT
        )
        painter.save()
        painter.fillRect(rect, colours.window)
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), colours.border)
        font = self.font()
        font.setBold(chosen)
        painter.setFont(font)
        painter.setPen(colours.accent if chosen else colours.muted)
        inner = rect.adjusted(self._padding, 0, -self._padding, -1)
        if order is not None:
            right = alignment & int(Qt.AlignmentFlag.AlignRight)
            text = f"{ARROWS[order]} {text}" if right else f"{text} {ARROWS[order]}"
        painter.drawText(
            inner, alignment, painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, inner.width())
        )
        if chosen:
            painter.fillRect(QRect(rect.left() + 4, rect.bottom() - 1, rect.width() - 8, 2), colours.accent)
        painter.restore()
