"""The significance matrix of the metric looked at, as the table that the view shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from qe_desktop.corpus import LayerKey
from qe_desktop.report import glyph
from qe_desktop.significance import MetricComparison
from qe_desktop.ui.comparing import Compared, ComparisonKeeper
from qe_desktop.ui.scores.figures import p_text, signed_text
from qe_desktop.ui.scores.sentences import layer_text, pair_sentence
from qe_desktop.ui.shell.labels import tip

Index = QModelIndex | QPersistentModelIndex
ROLE = Qt.ItemDataRole
ROOT = QModelIndex()

CELL_ROLE = int(ROLE.UserRole) + 1
"""The cell as a `MatrixCell`."""
SAME = "="
"""The sign of two systems with identical tags."""


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """What is drawn: `text` and `sign`; `level` 0..3 is how sure p is, `lean` -1..1 how far the scores differ.

    `level` is None under the diagonal and on it, `lean` is None above it and on it.
    """

    text: str
    sign: str
    level: int | None = None
    lean: float | None = None


DIAGONAL = MatrixCell("", "·")


class MatrixModel(QAbstractTableModel):
    """Systems × systems: p above the diagonal, differences of scores (column minus row) under it."""

    def __init__(self, comparison: ComparisonKeeper, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._keeper = comparison
        self._by_score = True
        self.decimals = 3
        self.metric = ""
        self._compared: Compared | None = None
        self._one: MetricComparison | None = None
        self._order: list[int] = []
        self._widest = 0.0
        self._identical: dict[tuple[int, int], bool] = {}
        comparison.changed.connect(self.refresh)
        self.refresh()

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
        identical = self._are_identical(left, right)
        comparison = self._compared.comparison
        return pair_sentence(comparison, self._one, left, right, self.decimals, identical=identical)

    # --- what changes

    def refresh(self) -> None:
        """Take over the keeper's result; of a metric that is not tested yet, what was shown before stays."""
        result = self._keeper.result
        tested = [] if result is None else [one.metric.name for one in result.comparison.metrics]
        wanted = self._keeper.metric if self._keeper.metric in tested else self.metric if self.metric in tested else ""
        if result is self._compared and wanted == self.metric:
            return
        if result is not self._compared:
            self._identical = {}
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
        one = self._one
        if one is None or row == column:
            return DIAGONAL
        left, right = self._order[row], self._order[column]
        if self._are_identical(left, right):
            return MatrixCell("", SAME, level=0) if row < column else MatrixCell("", SAME, lean=0.0)
        if row < column:
            sign = glyph(one, left, right)
            return MatrixCell(p_text(float(one.p[left, right])), sign, level=self._level(one, left, right))
        scores = np.nan_to_num(one.scores)
        difference = float(scores[right] - scores[left])
        lean = difference / self._widest if self._widest else 0.0
        return MatrixCell(signed_text(difference, self.decimals), "", lean=lean)

    def _level(self, one: MetricComparison, left: int, right: int) -> int:
        if not (one.beats[left, right] or one.beats[right, left]):
            return 0
        adjusted = one.adjusted[left, right]
        return 3 if adjusted < 0.001 else 2 if adjusted < 0.01 else 1

    def _are_identical(self, left: int, right: int) -> bool:
        if self._compared is None or left == right:
            return False
        pair = (min(left, right), max(left, right))
        if pair not in self._identical:
            self._identical[pair] = self._same_tags(self._compared, *pair)
        return self._identical[pair]

    def _same_tags(self, compared: Compared, left: int, right: int) -> bool:
        # tags are only compared where no test saw a difference
        if any(one.p[left, right] < 1.0 for one in compared.comparison.metrics):
            return False
        session = self._keeper.workspace.session
        one, other = compared.layers[left], compared.layers[right]
        if session is None or any(key not in session.tracks(self._keeper.workspace.kind) for key in (one, other)):
            return False
        return bool(np.array_equal(session.tags(one).values, session.tags(other).values))
