"""A table of frozen rows: for lists whose rows are few and whose words were found elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, Qt

from qe_desktop.outgoing import TIP, label
from qe_desktop.report import Table
from qe_desktop.ui.parts.block_model import BlockModel
from qe_desktop.ui.parts.cells import Cell, Column
from qe_desktop.ui.parts.flat_header import HEADER_CHOSEN_ROLE
from qe_desktop.ui.parts.labels import tip

Index = QModelIndex | QPersistentModelIndex
ROLE = Qt.ItemDataRole
ROOT = QModelIndex()
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter

CHANGE_ROLE = int(ROLE.UserRole) + 1
"""How the last edit moved the value, as text."""
SHARE_ROLE = CHANGE_ROLE + 1
"""The length of the cell's bar, 0..1; None without a bar."""
MUTED_ROLE = CHANGE_ROLE + 2
"""Whether the cell shows something that is not up to date, or says little."""
CHOSEN_ROLE = CHANGE_ROLE + 3
"""Whether this is what is looked at."""
INK_ROLE = CHANGE_ROLE + 4
"""The theme's colour that the cell is written in."""
LAST_ROLE = CHANGE_ROLE + 5
"""Whether a line stands below the row: a group ends with it."""

PARTS_ROLE = CHANGE_ROLE + 6
"""What stands in a cell of more than one part: the text, what is beside it, what is below it; else None."""


class TableModel(BlockModel):
    """Shows rows of `Cell`s. With `says_headers`, a screen reader hears a cell's header before it."""

    def __init__(
        self, columns: Sequence[Column] = (), parent: QObject | None = None, *, says_headers: bool = True
    ) -> None:
        super().__init__(parent)
        self.columns = tuple(columns)
        self.rows: tuple[tuple[Cell, ...], ...] = ()
        self._says_headers = says_headers

    def show_rows(self, rows: Sequence[Sequence[Cell]], columns: Sequence[Column] | None = None) -> None:
        """Show other rows; as many as before are changed in place, so that the place in the table is kept."""
        new, heads = tuple(map(tuple, rows)), self.columns if columns is None else tuple(columns)
        if (new, heads) == (self.rows, self.columns):
            return
        if (len(new), len(heads)) != (len(self.rows), len(self.columns)):
            self.beginResetModel()
            self.rows, self.columns = new, heads
            self.endResetModel()
            return
        renamed = heads != self.columns
        self.rows, self.columns = new, heads
        if renamed:
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(heads) - 1)
        if new:
            self.dataChanged.emit(self.index(0, 0), self.index(len(new) - 1, len(heads) - 1))

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
        said = cell.said or cell.whole
        if role == ROLE.DisplayRole:
            return label(cell.whole)
        if role == PARTS_ROLE:
            return (label(cell.text), label(cell.beside), label(cell.below)) if cell.beside or cell.below else None
        if role == ROLE.ToolTipRole:
            return tip(said)
        if role == ROLE.AccessibleTextRole:
            return f"{column.header}: {label(said, TIP)}" if self._says_headers else label(said, TIP)
        if role == ROLE.TextAlignmentRole:
            return RIGHT if column.right else LEFT
        drawn = {SHARE_ROLE: cell.share, CHOSEN_ROLE: cell.chosen, INK_ROLE: cell.token, LAST_ROLE: cell.last}
        return drawn.get(role)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = ROLE.DisplayRole) -> Any:
        """The columns' names."""
        if orientation == Qt.Orientation.Vertical or section >= len(self.columns):
            return None
        column = self.columns[section]
        if role == ROLE.DisplayRole:
            return label(column.header)
        if role == ROLE.TextAlignmentRole:
            return int(RIGHT if column.right else LEFT)
        if role == HEADER_CHOSEN_ROLE:
            return column.chosen
        return tip(column.about) if role == ROLE.ToolTipRole and column.about else None

    def block(self, rows: Sequence[int], columns: Sequence[int]) -> Table:
        """The first column names the rows, and is there whether it was chosen or not."""
        places = [0, *(column for column in columns if column)]
        heads = [self.columns[place].exported or (self.columns[place].header,) for place in places]
        found = [tuple(part for head, place in zip(heads, places, strict=True)
                       for part in _parts(self.rows[row][place], len(head))) for row in rows]  # fmt: skip
        return Table("", tuple(name for head in heads for name in head), tuple(found))


def _parts(cell: Cell, count: int) -> tuple[str | float | int | None, ...]:
    """What a copy has of a cell, in so many parts; those that it lacks are empty."""
    if cell.exact:
        return cell.exact
    return (cell.whole, *[None] * (count - 1))
