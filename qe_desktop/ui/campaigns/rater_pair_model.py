"""Raters × raters: how far each two agree, and over how many items."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from qe_desktop.ratings.agreement.inter_rater import InterRater
from qe_desktop.ui.scores.figures import score_text
from qe_desktop.ui.scores.matrix_model import CELL_ROLE, DIAGONAL, MatrixCell
from qe_desktop.ui.shell.labels import tip

Index = QModelIndex | QPersistentModelIndex
ROLE = Qt.ItemDataRole
ROOT = QModelIndex()
MOST_RATERS = 60
"""More raters than this make a matrix that nobody can read; those who share most items are shown."""


class RaterPairModel(QAbstractTableModel):
    """Raters × raters: quadratic kappa above the diagonal, shared items below it."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._names: tuple[str, ...] = ()
        self._kappa = np.zeros((0, 0))
        self._shared = np.zeros((0, 0), np.int64)

    def show_agreement(self, found: InterRater | None) -> None:
        """Show the pairs of another scale."""
        self.beginResetModel()
        count = 0 if found is None else len(found.raters)
        kappa, shared = np.full((count, count), np.nan), np.zeros((count, count), np.int64)
        if found is not None:
            first, second, figures = found.pairs.first, found.pairs.second, found.pairs.figures
            kappa[first, second] = kappa[second, first] = figures.quadratic
            shared[first, second] = shared[second, first] = figures.n
        # raters who share nothing with anybody would only be empty lines
        some = np.flatnonzero(shared.sum(axis=1) > 0)
        if len(some) > MOST_RATERS:
            some = np.sort(some[np.argsort(-shared.sum(axis=1)[some], kind="stable")[:MOST_RATERS]])
        self._kappa, self._shared = kappa[np.ix_(some, some)], shared[np.ix_(some, some)]
        self._names = () if found is None else tuple(found.raters[int(place)] for place in some)
        self.endResetModel()

    def rowCount(self, parent: Index = ROOT) -> int:
        """One row a rater."""
        return 0 if parent.isValid() else len(self._names)

    def columnCount(self, parent: Index = ROOT) -> int:
        """One column a rater."""
        return self.rowCount(parent)

    def data(self, index: Index, role: int = ROLE.DisplayRole) -> Any:
        """A cell, for every role that the views ask for."""
        if not index.isValid():
            return None
        if role == CELL_ROLE:
            return self.cell(index.row(), index.column())
        if role == ROLE.DisplayRole:
            return self.cell(index.row(), index.column()).text
        if role in (ROLE.ToolTipRole, ROLE.AccessibleTextRole):
            said = self.sentence(index)
            return tip(said) if role == ROLE.ToolTipRole else said
        return Qt.AlignmentFlag.AlignCenter if role == ROLE.TextAlignmentRole else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = ROLE.DisplayRole) -> Any:
        """The raters' names."""
        return self._names[section] if role == ROLE.DisplayRole and section < len(self._names) else None

    def cell(self, row: int, column: int) -> MatrixCell:
        """What is drawn in a cell."""
        if row == column:
            return DIAGONAL
        shared = int(self._shared[row, column])
        if row > column:
            return MatrixCell(f"{shared:,}" if shared else "", "")
        kappa = float(self._kappa[row, column])
        if np.isnan(kappa):
            return MatrixCell("–" if shared else "", "", lean=0.0)
        return MatrixCell(score_text(kappa, 2), "", lean=float(np.clip(kappa, -1, 1)))

    def sentence(self, index: Index) -> str:
        """What a cell says, in words."""
        row, column = index.row(), index.column()
        if not index.isValid() or row == column:
            return self._names[row] if index.isValid() else ""
        names, shared = f"{self._names[row]} and {self._names[column]}", int(self._shared[row, column])
        if not shared:
            return f"{names} rated no item in common"
        kappa = float(self._kappa[row, column])
        if np.isnan(kappa):
            return f"{names}: quadratic kappa is undefined over {shared:,} items, which all have the same value"
        return f"{names}: quadratic kappa {score_text(kappa, 3)} over {shared:,} items"
