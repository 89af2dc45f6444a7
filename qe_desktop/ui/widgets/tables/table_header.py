"""Header of flat tables, with column names, second lines, column groups, the current column and the sort order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QHeaderView, QWidget

from qe_desktop.ui import theme

PADDING = 8
ARROWS = {Qt.SortOrder.AscendingOrder: "▴", Qt.SortOrder.DescendingOrder: "▾"}
HEADER_CURRENT_ROLE = Qt.ItemDataRole.UserRole + 900
"""Header role: whether the column is the current one."""
HEADER_ORDER_ROLE = HEADER_CURRENT_ROLE + 1
"""Header role: the Qt.SortOrder if the rows are sorted by the column, otherwise None."""
HEADER_BELOW_ROLE = HEADER_CURRENT_ROLE + 2
"""Header role: tuple of the text below the column name, and whether this text is a caution."""
HEADER_GROUP_ROLE = HEADER_CURRENT_ROLE + 3
"""Header role: tuple of the name above a group of adjacent columns, and the caution next to this name."""
NAME_LINE, GROUP_LINE, BELOW_LINE = 1.9, 1.6, 1.0
"""Heights of the lines of a header, as multiples of the text height."""
_ELIDE = Qt.TextElideMode.ElideRight
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute)
"""Alignment of group names and of the headers of numbers: to the right in every layout direction."""
LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


class TableHeader(QHeaderView):
    """Header of all flat tables; its content comes from the header roles of the model."""

    def __init__(self, parent: QWidget | None = None, *, clickable: bool = True, padding: int = PADDING) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._padding = padding
        self.is_brief = False
        """Whether only the warning sign of each caution is shown next to the group names, without the text."""
        self.setSectionsClickable(clickable)
        self.setHighlightSections(False)
        theme.themes.theme_changed.connect(self.viewport().update)

    def sizeHint(self) -> QSize:
        """Return the default width, and the total height of the lines: group names, column names and second lines."""
        group, below = self._extra_heights()
        return QSize(super().sizeHint().width(), round(self.fontMetrics().height() * NAME_LINE) + group + below)

    def _extra_heights(self) -> tuple[int, int]:
        """Return the heights of the line of group names and of the second line; a line without text has height 0."""
        line = self.fontMetrics().height()
        sections = range(self.count())
        group = any(self._group(section)[0] for section in sections)
        below = any(self._second_line(section)[0] for section in sections)
        return round(line * GROUP_LINE) if group else 0, round(line * BELOW_LINE) if below else 0

    def _group(self, section: int) -> tuple[str, str]:
        group = self._data(section, HEADER_GROUP_ROLE)
        return group if isinstance(group, tuple) else ("", "")

    def _second_line(self, section: int) -> tuple[str, bool]:
        below = self._data(section, HEADER_BELOW_ROLE)
        return below if isinstance(below, tuple) else ("", False)

    def _data(self, section: int, role: int) -> Any:
        model = self.model()
        return None if model is None else model.headerData(section, Qt.Orientation.Horizontal, role)

    def required_width(self, section: int) -> int:
        """Return the width in pixels that a section needs for its name with the sort arrow, and for its second line."""
        text = str(self._data(section, Qt.ItemDataRole.DisplayRole) or "")
        font = self.font()
        font.setBold(True)
        metrics = self.fontMetrics()
        has_arrow = self.isSortIndicatorShown() or self._data(section, HEADER_ORDER_ROLE) is not None
        arrow = metrics.horizontalAdvance("▾ ") if has_arrow else 0
        name = QFontMetrics(font).horizontalAdvance(text) + arrow
        return max(name, metrics.horizontalAdvance(self._second_line(section)[0])) + 2 * self._padding + 6

    def required_group_widths(self) -> list[tuple[list[int], int]]:
        """Return, for each group, its section indices and the width in pixels that its name and caution need."""
        groups: dict[tuple[str, str], list[int]] = {}
        for section in range(self.count()):
            if self._group(section)[0]:
                groups.setdefault(self._group(section), []).append(section)
        metrics = self.fontMetrics()
        return [
            (
                sections,
                round(metrics.horizontalAdvance(f"{name}   {self._caution_text(caution)}") * 1.1) + 2 * PADDING + 4,
            )
            for (name, caution), sections in groups.items()
        ]

    def widen_groups(self, widths: Sequence[int]) -> list[int]:
        """Return `widths` (of all sections except the first), increased where necessary for group names to fit."""
        widened = list(widths)
        for sections, min_width in self.required_group_widths():
            missing_width = min_width - sum(widened[section - 1] for section in sections)
            for section in sections if missing_width > 0 else []:
                widened[section - 1] += -(-missing_width // len(sections))
        return widened

    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:
        """Draw the name and second line of a section, and the part of the group name that is above the section."""
        colours = theme.current()
        group, below = self._extra_heights()
        is_current = bool(self._data(logicalIndex, HEADER_CURRENT_ROLE))
        alignment = int(self._data(logicalIndex, Qt.ItemDataRole.TextAlignmentRole) or LEFT)
        if alignment & int(Qt.AlignmentFlag.AlignRight):
            alignment = _RIGHT
        painter.save()
        painter.fillRect(rect, colours.window)
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), colours.border)
        if group and self._group(logicalIndex)[0]:
            self._draw_group(painter, rect, logicalIndex, group)
        inner = rect.adjusted(self._padding, group, -self._padding, -1)
        note, is_caution = self._second_line(logicalIndex)
        if note:
            lower = QRect(inner.left(), inner.bottom() - below - 2, inner.width(), below)
            painter.setPen(colours.warning if is_caution else colours.muted)
            painter.drawText(lower, alignment, painter.fontMetrics().elidedText(note, _ELIDE, inner.width()))
            inner = inner.adjusted(0, 0, 0, -below - 2)
        font = self.font()
        font.setBold(is_current)
        painter.setFont(font)
        painter.setPen(colours.accent if is_current else colours.text if below else colours.muted)
        text = self._name(logicalIndex, alignment)
        painter.drawText(inner, alignment, painter.fontMetrics().elidedText(text, _ELIDE, inner.width()))
        if is_current:
            painter.fillRect(QRect(rect.left() + 4, rect.bottom() - 1, rect.width() - 8, 2), colours.accent)
        painter.restore()

    def _name(self, section: int, alignment: int) -> str:
        """Return the name of a section with its sort arrow, if any: before a right-aligned name, otherwise after it."""
        text = str(self._data(section, Qt.ItemDataRole.DisplayRole) or "")
        order = self._data(section, HEADER_ORDER_ROLE)
        if order is None:
            return text
        return f"{ARROWS[order]} {text}" if alignment & int(Qt.AlignmentFlag.AlignRight) else f"{text} {ARROWS[order]}"

    def _draw_group(self, painter: QPainter, rect: QRect, section: int, height: int) -> None:
        """Draw the part of a group header (name and line) that is above one section of the group."""
        colours, group = theme.current(), self._group(section)
        sections = [index for index in range(self.count()) if self._group(index) == group]
        left = min(map(self.sectionViewportPosition, sections))
        right = max(self.sectionViewportPosition(index) + self.sectionSize(index) for index in sections)
        area = QRect(left + PADDING, rect.top(), right - left - 2 * PADDING, height)
        name, caution = group[0], self._caution_text(group[1])
        painter.save()
        painter.setClipRect(rect)
        painter.fillRect(QRect(area.left(), area.bottom(), area.width(), 1), colours.muted)
        font = self.font()
        font.setBold(True)
        texts = [(name, font, colours.text), (caution, self.font(), colours.warning)]
        # drawn from right to left; in reading order, the caution follows the name
        for text, text_font, colour in texts if self.isRightToLeft() else reversed(texts):
            painter.setFont(text_font)
            painter.setPen(colour)
            painter.drawText(area, _RIGHT, text)
            text_width = painter.fontMetrics().horizontalAdvance(f"   {text}") if text else 0
            area = area.adjusted(0, 0, -text_width, 0)
        painter.restore()

    def _caution_text(self, caution: str) -> str:
        return "" if not caution else "⚠" if self.is_brief else f"⚠ {caution}"
