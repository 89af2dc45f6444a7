"""Table model of a square matrix whose rows and columns are the same items, such as systems or raters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QModelIndex, Qt

from qe_desktop.escaping import MAX_TOOLTIP_CHARS, escape_label
from qe_desktop.i18n.messages import join_localized
from qe_desktop.report import Table
from qe_desktop.significance import PairVerdicts, SignificanceLevel
from qe_desktop.ui.widgets.labels import plain_tooltip
from qe_desktop.ui.widgets.tables.table_model import CopyableTableModel, ModelIndex

ROLE = Qt.ItemDataRole
ROOT = QModelIndex()

CELL_ROLE = int(ROLE.UserRole) + 1
"""Data role for which the model returns a cell as a `MatrixCell`."""


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """Appearance of a matrix cell.

    `text` is the number and `sign` the symbol. The background shows the significance `level` of a difference or, if
    that is None, `scaled_value`: a difference, agreement or correlation, scaled to -1..1. On the diagonal, `level` and
    `scaled_value` are None.
    """

    text: str
    sign: str
    level: SignificanceLevel | None = None
    scaled_value: float | None = None


DIAGONAL_CELL = MatrixCell("", SignificanceLevel.SAME_SYSTEM.sign)


class AbstractMatrixModel(CopyableTableModel):
    """Model of a matrix with the same names for rows and columns; subclasses define the cells and their meanings."""

    verdicts: PairVerdicts | None = None
    """Test results of all pairs; None if the cells show no tests."""
    _names: tuple[str, ...] = ()
    _displayed_names: tuple[str, ...] = ()

    def show_names(self, names: Sequence[str], displayed: Sequence[str] | None = None) -> None:
        """Replace the names of rows and columns; if their number is unchanged, the model is updated without a reset.

        `displayed` contains the names as displayed in the headers, by default `names`.
        """
        new = tuple(names)
        displayed_names = new if displayed is None else tuple(displayed)
        if len(new) != len(self._names):
            self.beginResetModel()
            self._names, self._displayed_names = new, displayed_names
            self.endResetModel()
            return
        self._names, self._displayed_names = new, displayed_names
        if new:
            last = len(new) - 1
            self.dataChanged.emit(self.index(0, 0), self.index(last, last))
            for orientation in (Qt.Orientation.Horizontal, Qt.Orientation.Vertical):
                self.headerDataChanged.emit(orientation, 0, last)

    # --- defined by subclasses

    def _cell(self, row: int, column: int) -> MatrixCell:
        """Return the cell at a position off the diagonal."""
        raise NotImplementedError

    def _sentence(self, row: int, column: int) -> str:
        """Return the meaning of a cell as a sentence."""
        raise NotImplementedError

    def _tooltip_notes(self, row: int, column: int) -> list[str]:
        """Return sentences, without full stops, that explain notation; they are the end of the cell's tooltip."""
        return []

    def _header_tooltip(self, index: int) -> str:
        return self._names[index]

    def _exact_value(self, row: int, column: int) -> str | float | None:
        """Return the content that a cell off the diagonal has in a copied table."""
        cell = self._cell(row, column)
        return f"{cell.text} {cell.sign}".strip()

    def _corner(self) -> str:
        """Return the top-left header of a copied table: a description, in English, of the names and numbers."""
        return ""

    # --- queries

    def block(self, rows: Sequence[int], columns: Sequence[int]) -> Table:
        """Return the cells in `rows` and `columns` as a table with row and column names; the diagonal is empty."""
        table_rows = tuple(
            (self._names[row], *(None if row == column else self._exact_value(row, column) for column in columns))
            for row in rows
        )
        return Table("", (self._corner(), *(self._names[column] for column in columns)), table_rows)

    def name(self, index: int) -> str:
        """Return the name of the row and column at an index."""
        return self._names[index]

    def cell(self, row: int, column: int) -> MatrixCell:
        """Return the cell to be drawn at a position."""
        return DIAGONAL_CELL if row == column else self._cell(row, column)

    def levels(self) -> set[SignificanceLevel]:
        """Return the significance levels that occur among the pairs; empty if the cells show no tests."""
        return set() if self.verdicts is None else self.verdicts.levels()

    def sentence(self, index: ModelIndex) -> str:
        """Return the meaning of a cell as a sentence; empty if the index is invalid."""
        is_valid = index.isValid() and max(index.row(), index.column()) < len(self._names)
        return escape_label(self._sentence(index.row(), index.column()), MAX_TOOLTIP_CHARS) if is_valid else ""

    def sign(self, index: ModelIndex) -> str:
        """Return the significance symbol of the pair at an index; empty if the pair was not tested.

        For both cells of a pair, the result is the symbol of the cell above the diagonal.
        """
        row, column = index.row(), index.column()
        if not index.isValid() or row == column or max(row, column) >= len(self._names):
            return ""
        cell = self._cell(min(row, column), max(row, column))
        return cell.sign if cell.level is not None and cell.level >= SignificanceLevel.NOT_SIGNIFICANT else ""

    def rowCount(self, parent: ModelIndex = ROOT) -> int:
        """Return the number of names."""
        return 0 if parent.isValid() else len(self._names)

    def columnCount(self, parent: ModelIndex = ROOT) -> int:
        """Return the number of names."""
        return self.rowCount(parent)

    def data(self, index: ModelIndex, role: int = ROLE.DisplayRole) -> Any:
        """Return the data of a cell for a role."""
        if not index.isValid() or max(index.row(), index.column()) >= len(self._names):
            return None
        if role in (CELL_ROLE, ROLE.DisplayRole):
            cell = self.cell(index.row(), index.column())
            return cell if role == CELL_ROLE else f"{cell.text} {cell.sign}".strip()
        if role in (ROLE.ToolTipRole, ROLE.AccessibleTextRole):
            sentence = self.sentence(index)
            if role == ROLE.AccessibleTextRole:
                return sentence
            notes = self._tooltip_notes(index.row(), index.column())
            return plain_tooltip(join_localized(". ", (sentence, *notes)))
        return Qt.AlignmentFlag.AlignCenter if role == ROLE.TextAlignmentRole else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = ROLE.DisplayRole) -> Any:
        """Return the displayed name, the accessible name or the tooltip of a row or column."""
        if section >= len(self._names):
            return None
        if role == ROLE.DisplayRole:
            return self._displayed_names[section]
        if role == ROLE.AccessibleTextRole:
            return escape_label(self._names[section])
        return plain_tooltip(self._header_tooltip(section)) if role == ROLE.ToolTipRole else None
