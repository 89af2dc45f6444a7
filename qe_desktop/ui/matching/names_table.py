"""The table in which names are matched, by keys alone or by mouse."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHeaderView,
    QStyle,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from qe_desktop.ui import theme
from qe_desktop.ui.matching.models import NAME, SYSTEM, WHY, Choice, NamesModel
from qe_desktop.ui.parts.choice_delegate import ChoiceDelegate
from qe_desktop.ui.parts.flat_header import FlatHeader
from qe_desktop.wording import tr

_ARROW = "▾"
_OPENING = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space, Qt.Key.Key_F2)


class _SystemDelegate(ChoiceDelegate):
    """A choice with the mark of a list behind it, for it looks like any other cell else."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draw the cell and the mark."""
        metrics = QFontMetrics(option.font)
        room = metrics.horizontalAdvance(_ARROW) + 12
        box, mirrored = QRect(option.rect), option.direction == Qt.LayoutDirection.RightToLeft
        option.rect = box.adjusted(room if mirrored else 0, 0, 0 if mirrored else -room, 0)
        mark = QRect(box.left() if mirrored else box.right() - room, box.top(), room, box.height())
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        if chosen:
            painter.fillRect(mark, option.palette.highlight())
        super().paint(painter, option, index)
        painter.save()
        painter.setPen(option.palette.highlightedText().color() if chosen else theme.current().muted)
        painter.drawText(mark, Qt.AlignmentFlag.AlignCenter, _ARROW)
        painter.restore()


class NamesTable(QTableView):
    """Up and down walk the names, left and right choose; Enter lists all systems, Delete leaves a name out."""

    def __init__(self, model: NamesModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.names = model
        self.setModel(model)
        self.setItemDelegateForColumn(SYSTEM, _SystemDelegate(model.choices, "", self))
        self.setAccessibleName(tr("Names to be matched"))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        triggers = QAbstractItemView.EditTrigger
        self.setEditTriggers(triggers.DoubleClicked | triggers.SelectedClicked | triggers.AnyKeyPressed)
        model.modelReset.connect(self.fit)
        set_up(self)

    def fit(self) -> None:
        """Give names and systems most of the room, and a word about each the rest."""
        width = self.viewport().width()
        why = min(width // 3, self.fontMetrics().horizontalAdvance("0") * 24)
        for column, room in ((NAME, (width - why) // 2), (SYSTEM, (width - why) // 2), (WHY, why)):
            self.setColumnWidth(column, room)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Use the room there is."""
        super().resizeEvent(event)
        self.fit()

    def stand_on(self, row: int) -> None:
        """Put the keyboard on a name."""
        self.setCurrentIndex(self.names.index(row, SYSTEM))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose by keys."""
        row, key = self.currentIndex().row(), event.key()
        if row < 0 or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.names.step(row, 1 if key == Qt.Key.Key_Right else -1)
        elif key == Qt.Key.Key_Delete:
            self.names.choose(row, Choice.OUT)
        elif key == Qt.Key.Key_Backspace:
            self.names.choose(row, Choice.STAYS)
        elif key in _OPENING:
            self.open_list()
        else:
            super().keyPressEvent(event)

    def open_list(self) -> None:
        """List all that the name may stand for."""
        index = self.names.index(self.currentIndex().row(), SYSTEM)
        self.setCurrentIndex(index)
        self.edit(index)
        box = self.indexWidget(index) or self.viewport().findChild(QComboBox)
        if isinstance(box, QComboBox):
            box.showPopup()


class SystemsTable(QTableView):
    """What is there to be matched with, to be read."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        set_up(self)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)


def set_up(table: QTableView) -> None:
    """What both tables look like."""
    table.setHorizontalHeader(FlatHeader(table, clickable=False, padding=4))
    table.setShowGrid(False)
    table.setWordWrap(False)
    # names often differ at their end
    table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
    table.setTabKeyNavigation(False)
    table.verticalHeader().hide()
