"""Rater × rater matrix of agreement."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QObject

from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.agreement.inter_rater import InterRater
from qe_desktop.ui.scores.number_format import format_score
from qe_desktop.ui.widgets.matrix.matrix_model import AbstractMatrixModel, MatrixCell

MAX_MATRIX_RATERS = 60
"""Maximum number of raters in the matrix; those with the most shared items are shown."""


class RaterPairModel(AbstractMatrixModel):
    """Rater × rater matrix: quadratic kappa above the diagonal, shared items below."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._kappa = np.zeros((0, 0))
        self._shared = np.zeros((0, 0), np.int64)

    def show_agreement(self, agreement: InterRater | None) -> None:
        """Show the rater pairs of a scale; None clears the matrix."""
        count = 0 if agreement is None else len(agreement.raters)
        kappa, shared = np.full((count, count), np.nan), np.zeros((count, count), np.int64)
        if agreement is not None:
            first, second, figures = agreement.pairs.first, agreement.pairs.second, agreement.pairs.figures
            kappa[first, second] = kappa[second, first] = figures.quadratic
            shared[first, second] = shared[second, first] = figures.n
        # omit raters without shared items: their rows would be empty
        selected = np.flatnonzero(shared.sum(axis=1) > 0)
        if len(selected) > MAX_MATRIX_RATERS:
            selected = np.sort(selected[np.argsort(-shared.sum(axis=1)[selected], kind="stable")[:MAX_MATRIX_RATERS]])
        self._kappa, self._shared = kappa[np.ix_(selected, selected)], shared[np.ix_(selected, selected)]
        self.show_names([] if agreement is None else [agreement.raters[int(index)] for index in selected])

    def _cell(self, row: int, column: int) -> MatrixCell:
        shared = int(self._shared[row, column])
        if row > column:
            return MatrixCell(f"{shared:,}" if shared else "", "")
        kappa = float(self._kappa[row, column])
        if np.isnan(kappa):
            return MatrixCell("–" if shared else "", "", lean=0.0)
        return MatrixCell(format_score(kappa, 2), "", lean=float(np.clip(kappa, -1, 1)))

    def _exact(self, row: int, column: int) -> float | int:
        """Return the exact value: kappa above the diagonal, shared items below."""
        return int(self._shared[row, column]) if row > column else float(self._kappa[row, column])

    def _corner(self) -> str:
        return "rater, quadratic kappa above, items below"

    def _sentence(self, row: int, column: int) -> str:
        if row == column:
            return self.name(row)
        one, other, shared = self.name(row), self.name(column), int(self._shared[row, column])
        if not shared:
            return tr("{one} and {other} rated no items in common", one=one, other=other)
        kappa = float(self._kappa[row, column])
        if np.isnan(kappa):
            return tr(
                "{one} and {other}: quadratic kappa is undefined because all values on {n:,} shared {n:item|items} "
                "are the same",
                "", shared, one=one, other=other,
            )  # fmt: skip
        return tr(
            "{one} and {other}: quadratic kappa {kappa} over {n:,} {n:item|items}",
            "", shared, one=one, other=other, kappa=format_score(kappa, 3),
        )  # fmt: skip
