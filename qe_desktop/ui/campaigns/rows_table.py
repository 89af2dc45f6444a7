"""A flat table of ready-made cells: for lists whose rows are few and whose words were found elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyleOptionViewItem, QWidget

from qe_desktop.outgoing import label
from qe_desktop.report import Table
from qe_desktop.ui import theme
from qe_desktop.ui.scores.figures import tabular
from qe_desktop.ui.scores.flat_table import FlatTable
from qe_desktop.ui.scores.score_delegate import PADDING, ScoreDelegate
from qe_desktop.ui.scores.score_model import SHARE_ROLE
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.shell.labels import tip

Index = QModelIndex | QPersistentModelIndex
ROLE = Qt.ItemDataRole
ROOT = QModelIndex()
INK_ROLE = int(ROLE.UserRole) + 60
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
SAMPLED = 100
"""Rows that widths are taken from."""


@dataclass(frozen=True, slots=True)
class Column:
    """A header, what it means, and how its cells stand; `wide` takes the room that is left."""

    header: str
    about: str = ""
    right: bool = False
    wide: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """What is shown; `said` is the whole of it in words, `token` a theme's colour, `share` a bar of 0..1 below it."""

    text: str
    said: str = ""
    token: str = ""
    share: float | None = None


class RowsModel(QAbstractTableModel):
    """Shows rows of `Cell`s."""

    def __init__(self, columns: Sequence[Column], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.columns = tuple(columns)
        self.rows: tuple[tuple[Cell, ...], ...] = ()

    def show_rows(self, rows: Sequence[Sequence[Cell]]) -> None:
        """Show other rows; as many as before are changed in place, so that the place in the table is kept."""
        new = tuple(tuple(row) for row in rows)
        if new == self.rows:
            return
        if len(new) == len(self.rows):
            self.rows = new
            self.dataChanged.emit(self.index(0, 0), self.index(len(new) - 1, len(self.columns) - 1))
            return
        self.beginResetModel()
        self.rows = new
        self.endResetModel()

    def rowCount(self, parent: Index = ROOT) -> int:
        """The rows shown."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        """The columns given."""
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: Index, role: int = ROLE.DisplayRole) -> Any:
        """A cell, for every role that the views ask for."""
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        cell, column = self.rows[index.row()][index.column()], self.columns[index.column()]
        if role == ROLE.DisplayRole:
            return label(cell.text)
        if role == ROLE.ToolTipRole:
            return tip(cell.said or cell.text)
        if role == ROLE.AccessibleTextRole:
            return f"{column.header}: {label(cell.said or cell.text)}"
        if role == ROLE.TextAlignmentRole:
            return _RIGHT if column.right else _LEFT
        if role == SHARE_ROLE:
            return cell.share
        return cell.token if role == INK_ROLE else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = ROLE.DisplayRole) -> Any:
        """The columns' names."""
        if orientation == Qt.Orientation.Vertical or section >= len(self.columns):
            return None
        column = self.columns[section]
        if role == ROLE.DisplayRole:
            return label(column.header)
        if role == ROLE.TextAlignmentRole:
            return int(_RIGHT if column.right else _LEFT)
        return tip(column.about) if role == ROLE.ToolTipRole and column.about else None

    def table(self, title: str) -> Table:
        """All rows as shown, to copy."""
        rows = tuple(tuple(cell.text for cell in row) for row in self.rows)
        return Table(title, tuple(column.header for column in self.columns), rows)


class RowsView(FlatTable):
    """A `RowsModel` whose columns are as wide as their cells, within reason."""

    def __init__(self, settings: Settings, name: str, columns: Sequence[Column], parent: QWidget | None = None) -> None:
        self.table = RowsModel(columns)
        super().__init__(self.table, settings, name, parent)
        self.table.setParent(self)
        self.setSelectionBehavior(FlatTable.SelectionBehavior.SelectRows)
        self.setItemDelegate(_CellDelegate(self.flash, self))
        self.table.modelReset.connect(self.fit)
        self.table.dataChanged.connect(self.fit_columns)
        self.fit()

    def show_rows(self, rows: Sequence[Sequence[Cell]]) -> None:
        """Show other rows."""
        self.table.show_rows(rows)

    def fit_columns(self) -> None:
        """As wide as the widest cell, at most a third of the table; wide columns share the rest."""
        metrics, columns = self.fontMetrics(), self.table.columns
        most = max(metrics.averageCharWidth() * 24, self.viewport().width() // 3)
        widths = []
        for place, _ in enumerate(columns):
            texts = [label(row[place].text) for row in self.table.rows[:SAMPLED]]
            widest = max([0, *map(metrics.horizontalAdvance, texts)]) + 2 * PADDING + 6
            widths.append(max(self.header.wanted_width(place), min(widest, most)))
        wide = [place for place, column in enumerate(columns) if column.wide]
        rest = self.viewport().width() - sum(width for place, width in enumerate(widths) if place not in wide)
        for place in wide:
            widths[place] = max(widths[place] if not rest > 0 else metrics.averageCharWidth() * 12, rest // len(wide))
        for place, width in enumerate(widths):
            self.setColumnWidth(place, width)


class _CellDelegate(ScoreDelegate):
    """Draws the cells of a `RowsModel` as their columns stand."""

    def _draw_text(self, painter: QPainter, option: QStyleOptionViewItem, index: Index, change: str) -> None:
        colours = theme.current()
        token = index.data(INK_ROLE)
        ink: QColor = getattr(colours, token) if token else colours.text
        painter.setPen(ink)
        painter.setFont(tabular(option.font))
        inner = option.rect.adjusted(PADDING, 0, -PADDING, -1)
        text = str(index.data(ROLE.DisplayRole) or "")
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, inner.width())
        painter.drawText(inner, int(index.data(ROLE.TextAlignmentRole)), shown)
