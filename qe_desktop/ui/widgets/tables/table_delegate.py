"""Item delegates of flat tables: `TableDelegate` draws the cells, `ComboBoxDelegate` edits cells with combo boxes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QObject, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFont, QPainter
from PySide6.QtWidgets import QComboBox, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from qe_desktop.escaping import has_right_to_left
from qe_desktop.ui import theme
from qe_desktop.ui.control_painter import arrow_width, draw_arrow
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.widgets.keyboard_focus import paint_focus_frame, tabular_font
from qe_desktop.ui.widgets.tables.table_model import (
    BAR_FRACTION_ROLE,
    CHANGE_ROLE,
    COLOUR_ROLE,
    CURRENT_ROLE,
    LAST_ROLE,
    LEFT,
    MUTED_ROLE,
    PARTS_ROLE,
    RIGHT,
    ModelIndex,
)

STEPS = 10
INTERVAL_MS = 60
"""Interval between animation steps in milliseconds: short enough to look smooth, long enough to save CPU time."""


class Flash(QObject):
    """Animation that highlights a change: after `start`, `strength` falls from 1 to 0.

    With reduced motion, `strength` remains 0.
    """

    faded = Signal()

    def __init__(self, settings: Settings, parent: QObject) -> None:
        super().__init__(parent)
        self._settings = settings
        self._remaining_steps = 0
        self._timer = QTimer(self)
        self._timer.setInterval(INTERVAL_MS)
        self._timer.timeout.connect(self._step)

    @property
    def strength(self) -> float:
        """Current strength of the flash, 0..1."""
        return self._remaining_steps / STEPS

    def start(self) -> None:
        """Start the animation, or restart it if it is still running; do nothing with reduced motion."""
        if not self._settings.reduced_motion:
            self._remaining_steps = STEPS
            self._timer.start()

    def _step(self) -> None:
        self._remaining_steps -= 1
        if self._remaining_steps <= 0:
            self._timer.stop()
        self.faded.emit()


PADDING = 8
NUMBER_SIDE = RIGHT | Qt.AlignmentFlag.AlignAbsolute
"""Alignment of numbers: to the right in every layout direction, so that their digits are aligned."""
GROUP_LINE_GAP_PX = 3
"""Pixels by which the bar of a cell is moved up in the last row of a group, to clear the thick line below the row."""
SECOND_LINE_SCALE = 0.88
"""Font size of the second line of a cell, relative to the font size of the first line."""


class TableDelegate(QStyledItemDelegate):
    """Delegate that draws flat cells, with a thin line below each row and a thick line below each group of rows."""

    def __init__(self, flash: Flash, parent: QObject) -> None:
        super().__init__(parent)
        self._flash = flash
        self.reserved_widths: dict[int, int] = {}
        """Pixels reserved for the suffix at the right of each cell, by column index, so that numbers stay aligned."""
        self.elided_names: dict[str, str] = {}
        """Elided forms of the row names that are too wide for their column, keyed by the full name."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: ModelIndex) -> None:
        """Draw one cell."""
        colours = theme.current()
        rect: QRect = option.rect
        state = option.state
        selected = bool(state & QStyle.StateFlag.State_Selected)
        change = index.data(CHANGE_ROLE) or ""
        view = option.widget
        selection = colours.selection if getattr(view, "is_described", True) else colours.raised
        background = selection if selected else colours.surface
        if change and self._flash.strength:
            background = theme.mix_colours(background, colours.warning_fill, self._flash.strength)
        painter.save()
        painter.fillRect(rect, background)
        bar_fraction = index.data(BAR_FRACTION_ROLE)
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), colours.border)
        if bar_fraction is not None:
            # the thick line after a group of rows would cover a part of the bar
            self._draw_bar(
                painter, rect.adjusted(0, 0, 0, -GROUP_LINE_GAP_PX if index.data(LAST_ROLE) else 0), bar_fraction
            )
        self._draw_text(painter, option, index, str(change))
        if state & QStyle.StateFlag.State_HasFocus:
            paint_focus_frame(painter, rect)
        if index.data(LAST_ROLE):
            painter.fillRect(QRect(rect.left(), rect.bottom() - 1, rect.width(), 2), colours.text)
        painter.restore()

    def _draw_bar(self, painter: QPainter, rect: QRect, fraction: float) -> None:
        """Draw a bar for `fraction` (0..1) along the bottom of `rect`, below the digits of the number."""
        colours, height = theme.current(), max(3, rect.height() // 9)
        track = QRect(rect.left() + PADDING, rect.bottom() - height, rect.width() - 2 * PADDING, height)
        painter.fillRect(track, colours.ok_fill)
        painter.fillRect(QRect(track.left(), track.top(), round(track.width() * fraction), height), colours.accent)

    def _draw_text(self, painter: QPainter, option: QStyleOptionViewItem, index: ModelIndex, change: str) -> None:
        colours, metrics = theme.current(), option.fontMetrics
        inner = option.rect.adjusted(PADDING, 0, -PADDING, -1)
        text, suffix, below = index.data(PARTS_ROLE) or (str(index.data(Qt.ItemDataRole.DisplayRole) or ""), "", "")
        right = bool(int(index.data(Qt.ItemDataRole.TextAlignmentRole)) & int(Qt.AlignmentFlag.AlignRight))
        if right and not has_right_to_left(text):
            # signs and intervals of numbers run from left to right in every layout direction
            painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        inner = self._draw_parts(painter, option, inner, index.column(), suffix, below, right=right)
        text_colour: QColor = getattr(
            colours, index.data(COLOUR_ROLE) or ("muted" if index.data(MUTED_ROLE) else "text")
        )
        painter.setPen(text_colour)
        font = tabular_font(option.font)
        font.setBold(bool(index.data(CURRENT_ROLE)))
        painter.setFont(font)
        if not right:
            elided = painter.fontMetrics().elidedText(text, option.textElideMode, inner.width())
            self.draw_label(painter, inner, elided if elided == text else self.elided_names.get(text, elided))
            return
        digits = text.removesuffix("*")
        painter.drawText(inner, NUMBER_SIDE, digits)
        if digits != text:
            # the mark is in the padding, so that digits stay aligned
            painter.setPen(colours.warning)
            painter.drawText(inner.adjusted(inner.width(), 0, PADDING, 0), LEFT, "*")
        available = inner.width() - metrics.horizontalAdvance(digits) - PADDING
        if change and metrics.horizontalAdvance(change) <= available:
            painter.setPen(colours.muted)
            painter.drawText(inner.adjusted(0, 0, -(inner.width() - available), 0), NUMBER_SIDE, change)

    def draw_label(self, painter: QPainter, rect: QRect, text: str) -> None:
        """Draw a text that is not a number, already elided to the width of `rect`."""
        painter.drawText(rect, LEFT, text)

    def _draw_parts(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        inner: QRect,
        column: int,
        suffix: str,
        second_line: str,
        *,
        right: bool,
    ) -> QRect:
        """Draw `suffix` and `second_line`, and return the rectangle that remains for the number or name.

        If the row is not high enough for two lines, `second_line` is not drawn.
        """
        painter.setPen(theme.current().muted)
        line = option.fontMetrics.height()
        if second_line and inner.height() >= 2 * line:
            top = inner.center().y() - line
            painter.setFont(tabular_font(second_line_font(option.font)))
            side = NUMBER_SIDE if right else LEFT
            painter.drawText(QRect(inner.left(), top + line, inner.width(), line), side, second_line)
            inner = QRect(inner.left(), top, inner.width(), line)
        slot = self.reserved_widths.get(column, 0)
        if suffix:
            painter.setFont(tabular_font(option.font))
            painter.drawText(inner, NUMBER_SIDE if right else RIGHT, suffix)
        return inner.adjusted(0, 0, -slot, 0)


def second_line_font(font: QFont) -> QFont:
    """Return the font of the second line of a cell whose first line has the font `font`."""
    result = QFont(font)
    result.setPointSizeF(font.pointSizeF() * SECOND_LINE_SCALE)
    return result


def _arrow_area_width(option: QStyleOptionViewItem) -> int:
    """Return the width reserved for the arrow of a cell, in pixels."""
    return 2 * arrow_width(option.fontMetrics)


class ComboBoxDelegate(QStyledItemDelegate):
    """Delegate that edits a cell with a combo box; cells that can be edited show an arrow.

    `choices` takes a row index and returns the values that can be selected in the row, with their texts. If no value is
    selected, the combo box shows `placeholder`.
    """

    def __init__(self, choices: Callable[[int], Mapping[Any, str]], placeholder: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._choices = choices
        self._placeholder = placeholder

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: ModelIndex) -> None:
        """Draw the cell, with an arrow if the cell can be edited."""
        if not index.flags() & Qt.ItemFlag.ItemIsEditable:
            super().paint(painter, option, index)
            return
        box = QRect(option.rect)
        text, mark = box.adjusted(0, 0, -_arrow_area_width(option), 0), QRect(box)
        mark.setLeft(text.right() + 1)
        mark = QStyle.visualRect(option.direction, box, mark)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(mark, option.palette.highlight())
        option.rect = QStyle.visualRect(option.direction, box, text)
        super().paint(painter, option, index)
        painter.save()
        draw_arrow(painter, option, mark)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: ModelIndex) -> QSize:
        """Return the size of the cell, including the width of the arrow."""
        size = super().sizeHint(option, index)
        return QSize(size.width() + _arrow_area_width(option), size.height())

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: ModelIndex) -> QWidget:
        """Create the combo box for the cell, and open the drop-down list."""
        box = QComboBox(parent)
        box.setPlaceholderText(self._placeholder)
        for choice, text in self._choices(index.row()).items():
            box.addItem(text, choice)
        box.activated.connect(self._commit_selection)
        # the list can be opened only after the editor has its position
        QTimer.singleShot(0, box, lambda: box.showPopup() if box.isVisible() else None)
        return box

    def _commit_selection(self) -> None:
        box = self.sender()
        if isinstance(box, QComboBox):
            self.commitData.emit(box)
            self.closeEditor.emit(box)

    def setEditorData(self, editor: QWidget, index: ModelIndex) -> None:
        """Select the current value of the cell in the combo box; if the value is not in the list, select nothing."""
        if isinstance(editor, QComboBox):
            choices, current = list(self._choices(index.row())), index.data(Qt.ItemDataRole.EditRole)
            editor.setCurrentIndex(choices.index(current) if current in choices else -1)

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: ModelIndex) -> None:
        """Store the selected value in the model."""
        if isinstance(editor, QComboBox):
            model.setData(index, editor.currentData())
