"""Names × names as a table: what a matrix of systems or of raters says in each of its cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt

from qe_desktop.escaping import MAX_TOOLTIP_CHARS, escape_label
from qe_desktop.report import Table
from qe_desktop.significance import SignificanceLevel
from qe_desktop.ui.widgets.labels import plain_tooltip
from qe_desktop.ui.widgets.tables.table_model import CopyableTableModel

Index = QModelIndex | QPersistentModelIndex
ROLE = Qt.ItemDataRole
ROOT = QModelIndex()

CELL_ROLE = int(ROLE.UserRole) + 1
"""The cell as a `MatrixCell`."""


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """What is drawn: `text` and `sign`; `level` is how sure the difference is, `lean` -1..1 how far the scores differ.

    `level` is None under the diagonal and on it, `lean` is None above it and on it.
    """

    text: str
    sign: str
    level: SignificanceLevel | None = None
    lean: float | None = None


DIAGONAL_CELL = MatrixCell("", SignificanceLevel.ITSELF.sign)


class AbstractMatrixModel(CopyableTableModel):
    """The same names for rows and columns. Subclasses define what cells off the diagonal show, and their text."""

    _names: tuple[str, ...] = ()
    _shown: tuple[str, ...] = ()

    def show_names(self, names: Sequence[str], shown: Sequence[str] | None = None) -> None:
        """Show what changed for these names, in their order; as many as before are changed in place.

        `shown` are the names as the headers have room for them.
        """
        new = tuple(names)
        heads = new if shown is None else tuple(shown)
        if len(new) != len(self._names):
            self.beginResetModel()
            self._names, self._shown = new, heads
            self.endResetModel()
            return
        self._names, self._shown = new, heads
        if new:
            last = len(new) - 1
            self.dataChanged.emit(self.index(0, 0), self.index(last, last))
            for orientation in (Qt.Orientation.Horizontal, Qt.Orientation.Vertical):
                self.headerDataChanged.emit(orientation, 0, last)

    # --- what subclasses say

    def _cell(self, row: int, column: int) -> MatrixCell:
        """What a cell off the diagonal shows."""
        raise NotImplementedError

    def _sentence(self, row: int, column: int) -> str:
        """What a cell says, in words."""
        raise NotImplementedError

    def _about(self, place: int) -> str:
        """What the tip of a header says."""
        return self._names[place]

    def _exact(self, row: int, column: int) -> str | float | None:
        """What a copy of a cell off the diagonal contains."""
        cell = self._cell(row, column)
        return f"{cell.text} {cell.sign}".strip()

    def _corner(self) -> str:
        """What stands over the names in a copy, in English: whose they are, and what the numbers are."""
        return ""

    # --- what is asked

    def block(self, rows: Sequence[int], columns: Sequence[int]) -> Table:
        """Names at both sides; nothing on the diagonal."""
        headers = tuple(
            (self._names[row], *(None if row == column else self._exact(row, column) for column in columns))
            for row in rows
        )
        return Table("", (self._corner(), *(self._names[column] for column in columns)), headers)

    def name(self, place: int) -> str:
        """Whose row and column it is."""
        return self._names[place]

    def cell(self, row: int, column: int) -> MatrixCell:
        """What is drawn in a cell."""
        return DIAGONAL_CELL if row == column else self._cell(row, column)

    def sentence(self, index: Index) -> str:
        """What a cell says, in words."""
        inside = index.isValid() and max(index.row(), index.column()) < len(self._names)
        return escape_label(self._sentence(index.row(), index.column()), MAX_TOOLTIP_CHARS) if inside else ""

    def rowCount(self, parent: Index = ROOT) -> int:
        """One row a name."""
        return 0 if parent.isValid() else len(self._names)

    def columnCount(self, parent: Index = ROOT) -> int:
        """One column a name."""
        return self.rowCount(parent)

    def data(self, index: Index, role: int = ROLE.DisplayRole) -> Any:
        """A cell, for every role that the views ask for."""
        if not index.isValid() or max(index.row(), index.column()) >= len(self._names):
            return None
        if role in (CELL_ROLE, ROLE.DisplayRole):
            cell = self.cell(index.row(), index.column())
            return cell if role == CELL_ROLE else f"{cell.text} {cell.sign}".strip()
        if role in (ROLE.ToolTipRole, ROLE.AccessibleTextRole):
            sentence = self.sentence(index)
            return plain_tooltip(sentence) if role == ROLE.ToolTipRole else sentence
        return Qt.AlignmentFlag.AlignCenter if role == ROLE.TextAlignmentRole else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = ROLE.DisplayRole) -> Any:
        """The names."""
        if section >= len(self._names):
            return None
        if role == ROLE.DisplayRole:
            return self._shown[section]
        if role == ROLE.AccessibleTextRole:
            return escape_label(self._names[section])
        return plain_tooltip(self._about(section)) if role == ROLE.ToolTipRole else None
