"""Models of metrics × metrics matrices: inter-metric correlation and significance."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QObject

from qe_desktop.significance import Correction
from qe_desktop.studies.meta_eval.agreement_statistics import AgreementStatistic, metric_verdicts, order_by_statistic
from qe_desktop.studies.meta_eval.meta_evaluation import MetaEvaluation
from qe_desktop.ui.scores.meta_evaluation.metric_sentences import correlation_sentence, significance_sentence
from qe_desktop.ui.scores.number_format import format_score, format_signed
from qe_desktop.ui.scores.significance.significance_matrix_model import verdict_cell
from qe_desktop.ui.widgets.matrix_model import DIAGONAL_CELL, AbstractMatrixModel, MatrixCell


class MetricMatrixModel(AbstractMatrixModel):
    """Base model with the metrics of a study on both axes, sorted by a statistic."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.study: MetaEvaluation | None = None
        self.decimals = 3
        self.order: list[int] = []

    def metric(self, index: int) -> str:
        """Return the name of the metric in a row or column."""
        return self.name(index)

    def _show(self, study: MetaEvaluation | None, order: list[int], decimals: int) -> None:
        self.study, self.order, self.decimals = study, order, decimals
        self.show_names([] if study is None else [study.agreements[index].metric.name for index in order])


class MetricCorrelationModel(MetricMatrixModel):
    """Model of a matrix with Pearson's r between the system scores of each pair of metrics."""

    def show_study(self, study: MetaEvaluation | None, figure: AgreementStatistic, decimals: int) -> None:
        """Show the correlations of a study (None: an empty matrix), with the metrics sorted by a statistic."""
        self._show(study, [] if study is None else order_by_statistic(study, figure), decimals)

    def _value(self, row: int, column: int) -> float:
        assert self.study is not None
        return float(self.study.inter_metric[self.order[row], self.order[column]])

    def _cell(self, row: int, column: int) -> MatrixCell:
        if self.study is None:
            return DIAGONAL_CELL
        value = self._value(row, column)
        return MatrixCell(format_score(value, self.decimals), "", scaled_value=0.0 if np.isnan(value) else value)

    def _exact_value(self, row: int, column: int) -> float:
        return self._value(row, column)

    def _sentence(self, row: int, column: int) -> str:
        if self.study is None or row == column:
            return self.name(row)
        return correlation_sentence(self.name(row), self.name(column), self._value(row, column), self.decimals)


class MetricSignificanceModel(MetricMatrixModel):
    """Model with adjusted p-values above the diagonal and differences in the statistic below it."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.figure: AgreementStatistic | None = None
        self._correction: Correction = "none"
        self._values = np.zeros(0)

    def show_study(
        self,
        study: MetaEvaluation | None,
        figure: AgreementStatistic,
        correction: Correction,
        alpha: float,
        decimals: int,
    ) -> None:
        """Show the tests of differences in a statistic; without a study or such tests, the matrix is empty."""
        verdicts = None if study is None else metric_verdicts(study, figure, correction, alpha)
        self.figure, self.verdicts, self._correction = figure, verdicts, correction
        if study is None or verdicts is None:
            self._show(None, [], decimals)
            return
        self._values = figure.values(study)
        self._show(study, order_by_statistic(study, figure), decimals)

    def _cell(self, row: int, column: int) -> MatrixCell:
        if self.verdicts is None:
            return DIAGONAL_CELL
        left, right = self.order[row], self.order[column]
        if row < column:
            return verdict_cell(self.verdicts.pair(left, right))
        difference = float(self._values[right] - self._values[left])
        return MatrixCell(format_signed(difference, self.decimals), "", scaled_value=0.0)

    def _exact_value(self, row: int, column: int) -> float | None:
        if self.verdicts is None:
            return None
        judged = self.verdicts.pair(self.order[row], self.order[column]).adjusted
        return None if np.isnan(judged) else judged

    def _sentence(self, row: int, column: int) -> str:
        if self.study is None or self.figure is None or self.verdicts is None or row == column:
            return self.name(row)
        left, right = self.order[row], self.order[column]
        verdict = self.verdicts.pair(left, right)
        return significance_sentence(self.study, self.figure, left, right, verdict, self._correction, self.decimals)
