"""Model of the significance matrix of the current metric."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QObject

from qe_desktop.corpus import LayerKey
from qe_desktop.i18n.messages import tr
from qe_desktop.report import Table
from qe_desktop.report.comparisons import matrix_numbers
from qe_desktop.significance import MetricComparison, PairVerdict, SignificanceLevel
from qe_desktop.ui.scores.number_format import format_p, format_signed
from qe_desktop.ui.scores.score_descriptions import pair_sentence
from qe_desktop.ui.scores.score_values import ComparisonResult, MatrixState
from qe_desktop.ui.widgets.matrix_model import DIAGONAL_CELL, AbstractMatrixModel, MatrixCell
from qe_desktop.ui.widgets.tables.table_model import ModelIndex

VERY_SMALL_P = format_p(0.0)
"""Text of every p-value that is too small for three decimals."""


def verdict_cell(verdict: PairVerdict) -> MatrixCell:
    """Return a cell with the symbol of a verdict and, if the two systems were tested, their adjusted p-value."""
    if verdict.level is SignificanceLevel.SAME_SYSTEM:
        return DIAGONAL_CELL
    has_no_p = verdict.level in (SignificanceLevel.IDENTICAL, SignificanceLevel.UNTESTED)
    text = "" if has_no_p else format_p(verdict.adjusted)
    return MatrixCell(text, verdict.level.sign, level=verdict.level)


class SignificanceMatrixModel(AbstractMatrixModel):
    """Model of a matrix of systems: adjusted p-values above the diagonal, score differences (column − row) below it."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.by_score = True
        """Whether systems are sorted by score; otherwise, they are in loading order."""
        self.decimals = 3
        self.metric = ""
        self.compared: ComparisonResult | None = None
        self._tested: MetricComparison | None = None
        self._order: list[int] = []
        self._scores: list[float] = []

    # --- content

    def set_by_score(self, by_score: bool) -> None:
        """Sort the systems by score if `by_score`; otherwise, restore the loading order."""
        if by_score != self.by_score:
            self.by_score = by_score
            self._rebuild()

    def set_decimals(self, decimals: int) -> None:
        """Set the number of decimals of differences."""
        self.decimals = decimals
        self._rebuild()

    def layers(self, index: ModelIndex) -> tuple[LayerKey, LayerKey] | None:
        """Return the layers of a cell's row and column; None on the diagonal, or if the index is invalid."""
        if self.compared is None or not index.isValid() or index.row() == index.column():
            return None
        layers = self.compared.layers
        return layers[self._order[index.row()]], layers[self._order[index.column()]]

    def system_order(self, index: ModelIndex) -> tuple[str, ...]:
        """Return the names of a cell's two systems, then the names of the other systems; empty if there is no result.

        Both groups are in the order of the matrix.
        """
        if self.compared is None:
            return ()
        names = [self.compared.layers[system].name for system in self._order]
        pair = sorted({index.row(), index.column()})
        return tuple(
            names[system] for system in (*pair, *(system for system in range(len(names)) if system not in pair))
        )

    # --- updates

    def show_state(self, state: MatrixState) -> None:
        """Show the result and metric of `state`; if its metric is not tested, keep the previous metric if possible."""
        # a single system has no pairs
        result = None if state.result is None or len(state.result.layers) < 2 else state.result
        tested = () if result is None else result.metrics
        metric = state.metric if state.metric in tested else self.metric if self.metric in tested else ""
        if result is self.compared and metric == self.metric:
            return
        self.compared, self.metric = result, metric
        self._rebuild()

    def _rebuild(self) -> None:
        result = self.compared.comparison.of(self.metric) if self.compared is not None and self.metric else None
        order: list[int] = []
        names: list[str] = []
        self.verdicts = None
        if self.compared is not None and result is not None:
            order = [int(index) for index in result.order] if self.by_score else list(range(len(result.order)))
            names = [self.compared.layers[index].display_name for index in order]
            self.verdicts = self.compared.comparison.verdicts(self.metric)
            self._scores = np.nan_to_num(result.scores).tolist()
        self._tested, self._order = result, order
        self.show_names(names)

    # --- cells

    def _cell(self, row: int, column: int) -> MatrixCell:
        result, verdicts = self._tested, self.verdicts
        if result is None or verdicts is None:
            return DIAGONAL_CELL
        left, right = self._order[row], self._order[column]
        verdict = verdicts.pair(left, right)
        if row < column:
            return verdict_cell(verdict)
        if verdict.level is SignificanceLevel.IDENTICAL:
            return MatrixCell("", verdict.level.sign, scaled_value=0.0)
        difference = self._scores[right] - self._scores[left]
        return MatrixCell(format_signed(difference, self.decimals), "", scaled_value=0.0)

    def full_table(self) -> Table:
        """Return a table of scores, and of adjusted p-values on both sides of the diagonal."""
        if self.compared is None or not self.metric:
            return super().full_table()
        return matrix_numbers(self.compared.comparison, self.metric, self._order)

    def block(self, rows: Sequence[int], columns: Sequence[int]) -> Table:
        """Return the given rows and columns of `full_table`, without the scores."""
        table = self.full_table()
        chosen = replace(table, rows=tuple(table.rows[row] for row in rows))
        return chosen.select_columns([0, *(2 + column for column in columns)])

    def _sentence(self, row: int, column: int) -> str:
        if self.compared is None or self._tested is None:
            return ""
        left, right = self._order[row], self._order[column]
        compared = self.compared
        return pair_sentence(compared.comparison, self._tested, left, right, self.decimals, compared.level.items)

    def _tooltip_notes(self, row: int, column: int) -> list[str]:
        cell, notes = self.cell(min(row, column), max(row, column)), []
        if cell.text.startswith(("<", ">")) and cell.text != VERY_SMALL_P:
            notes.append(
                tr("{p}: p is so close to this threshold that rounding would hide the difference", p=cell.text)
            )
        if "±" in self._sentence(row, column):
            notes.append(tr("±: standard error of p, which is estimated from random trials"))
        return notes

    def _header_tooltip(self, index: int) -> str:
        return self._sentence(index, index)
