"""The significance matrix of the metric looked at, as the table that the view shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from qe_desktop.corpus import LayerKey
from qe_desktop.outgoing import TIP, label
from qe_desktop.significance import MetricComparison, Sureness, Verdict, Verdicts
from qe_desktop.ui.scores.compared import Compared, Looked
from qe_desktop.ui.scores.figures import p_text, signed_text
from qe_desktop.ui.scores.sentences import layer_text, pair_sentence
from qe_desktop.ui.shell.labels import tip

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
    level: Sureness | None = None
    lean: float | None = None


DIAGONAL = MatrixCell("", Sureness.ITSELF.sign)


def verdict_cell(verdict: Verdict) -> MatrixCell:
    """A cell that says what was judged: p after correction, and the sign of how sure the difference is."""
    if verdict.sureness is Sureness.ITSELF:
        return DIAGONAL
    untold = verdict.sureness in (Sureness.IDENTICAL, Sureness.UNTESTED)
    text = "" if untold else p_text(verdict.judged)
    return MatrixCell(text, verdict.sureness.sign, level=verdict.sureness)


class MatrixModel(QAbstractTableModel):
    """Systems × systems: judged p above the diagonal, differences of scores (column minus row) under it."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._by_score = True
        self.decimals = 3
        self.metric = ""
        self._compared: Compared | None = None
        self._one: MetricComparison | None = None
        self._verdicts: Verdicts | None = None
        self._order: list[int] = []
        self._widest = 0.0

    # --- what is shown

    @property
    def compared(self) -> Compared | None:
        """The result that is shown, or None."""
        return self._compared

    @property
    def one(self) -> MetricComparison | None:
        """The shown metric's part of the result."""
        return self._one

    @property
    def by_score(self) -> bool:
        """Whether the best system comes first; otherwise they stand in the order of loading."""
        return self._by_score

    def set_by_score(self, by_score: bool) -> None:
        """Order the systems by score or as loaded."""
        if by_score != self._by_score:
            self._by_score = by_score
            self._rebuild()

    def set_decimals(self, decimals: int) -> None:
        """Show differences with so many digits after the point."""
        self.decimals = decimals
        self._tell_all()

    def layers(self, index: Index) -> tuple[LayerKey, LayerKey] | None:
        """The two layers of a cell, the row's first; None on the diagonal."""
        if self._compared is None or not index.isValid() or index.row() == index.column():
            return None
        layers = self._compared.layers
        return layers[self._order[index.row()]], layers[self._order[index.column()]]

    def name(self, place: int) -> str:
        """The system in a row or column."""
        return "" if self._compared is None else layer_text(self._compared.layers[self._order[place]])

    def sentence(self, index: Index) -> str:
        """What a cell says, in words."""
        if self._compared is None or self._one is None or not index.isValid():
            return ""
        left, right = self._order[index.row()], self._order[index.column()]
        compared = self._compared
        said = pair_sentence(compared.comparison, self._one, left, right, self.decimals, compared.level.items)
        return label(said, TIP)

    # --- what changes

    def show_looked(self, looked: Looked) -> None:
        """Show another result or metric; of a metric that is not tested yet, what was shown before stays."""
        result = looked.result
        tested = () if result is None else result.metrics
        wanted = looked.metric if looked.metric in tested else self.metric if self.metric in tested else ""
        if result is self._compared and wanted == self.metric:
            return
        self._compared, self.metric = result, wanted
        self._rebuild()

    def _rebuild(self) -> None:
        one = self._compared.comparison.of(self.metric) if self._compared is not None and self.metric else None
        order: list[int] = []
        if one is not None:
            order = [int(place) for place in one.order] if self._by_score else list(range(len(one.order)))
        same = len(order) == len(self._order)
        if not same:
            self.beginResetModel()
        self._one, self._order = one, order
        self._verdicts = (
            None if one is None or self._compared is None else self._compared.comparison.verdicts(self.metric)
        )
        self._widest = 0.0 if one is None else float(np.ptp(np.nan_to_num(one.scores)))
        if same:
            self._tell_all()
        else:
            self.endResetModel()

    def _tell_all(self) -> None:
        if self._order:
            last = len(self._order) - 1
            self.dataChanged.emit(self.index(0, 0), self.index(last, last))
            for orientation in (Qt.Orientation.Horizontal, Qt.Orientation.Vertical):
                self.headerDataChanged.emit(orientation, 0, last)

    # --- Qt's questions

    def rowCount(self, parent: Index = ROOT) -> int:
        """One row a system."""
        return 0 if parent.isValid() else len(self._order)

    def columnCount(self, parent: Index = ROOT) -> int:
        """One column a system."""
        return 0 if parent.isValid() else len(self._order)

    def data(self, index: Index, role: int = ROLE.DisplayRole) -> Any:
        """A cell, for every role that the views ask for."""
        size = len(self._order)
        if not index.isValid() or index.row() >= size or index.column() >= size:
            return None
        if role == CELL_ROLE:
            return self.cell(index.row(), index.column())
        if role == ROLE.DisplayRole:
            cell = self.cell(index.row(), index.column())
            return f"{cell.text} {cell.sign}".strip()
        if role == ROLE.ToolTipRole:
            return tip(self.sentence(index))
        if role == ROLE.AccessibleTextRole:
            return self.sentence(index)
        if role == ROLE.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignCenter
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = ROLE.DisplayRole) -> Any:
        """The systems' names."""
        if section >= len(self._order):
            return None
        if role in (ROLE.DisplayRole, ROLE.AccessibleTextRole):
            return self.name(section)
        if role == ROLE.ToolTipRole:
            index = self.index(section, section)
            return tip(self.sentence(index))
        return None

    def cell(self, row: int, column: int) -> MatrixCell:
        """What is drawn in a cell."""
        one, verdicts = self._one, self._verdicts
        if one is None or verdicts is None or row == column:
            return DIAGONAL
        left, right = self._order[row], self._order[column]
        verdict = verdicts.pair(left, right)
        if row < column:
            return verdict_cell(verdict)
        if verdict.sureness is Sureness.IDENTICAL:
            return MatrixCell("", verdict.sureness.sign, lean=0.0)
        scores = np.nan_to_num(one.scores)
        difference = float(scores[right] - scores[left])
        lean = difference / self._widest if self._widest else 0.0
        return MatrixCell(signed_text(difference, self.decimals), "", lean=lean)
