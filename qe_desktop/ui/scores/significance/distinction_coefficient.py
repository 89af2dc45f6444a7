"""Table of discriminative power: share of system pairs that each metric separates significantly."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.significance import CORRECTION_LABELS, MetricComparison, format_level, tested_pair_count, top_and_bottom
from qe_desktop.ui.scores.number_format import format_score
from qe_desktop.ui.scores.results.result_table import distinction_columns, distinction_groups, metric_cell, name_column
from qe_desktop.ui.scores.score_values import MatrixState
from qe_desktop.ui.scores.significance.significance_service import SignificanceService
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.widgets.glossary.terms import term_meaning
from qe_desktop.ui.widgets.labels import Label, plain_tooltip
from qe_desktop.ui.widgets.layouts import Stretched, vbox
from qe_desktop.ui.widgets.tables.table_model import TableCell, TableColumn, TableModel
from qe_desktop.ui.widgets.tables.table_view import DescribedTableView


class CoefficientView(DescribedTableView):
    """Table with a row per tested metric: its name and its discriminative power (d, d_top, d_bottom)."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        self.coefficients = TableModel(_columns(0, (0, 0)), says_headers=False)
        super().__init__(self.coefficients, settings, tr("Discriminative power (d)"), parent)
        self._settings = settings
        self.fit()

    def show_state(self, state: MatrixState) -> None:
        """Show the result in `state`, with the current metric in bold."""
        result, decimals = state.result, self._settings.decimals
        tested = () if result is None else result.comparison.metrics
        split = (0, 0) if result is None else top_and_bottom(len(result.layers), result.comparison.options.top)
        systems = 0 if result is None else len(result.layers)
        columns, groups = _columns(systems, split), distinction_groups(systems, split)
        rows = []
        for tested_metric in tested:
            cells = [metric_cell(tested_metric.metric)]
            order, values = tested_metric.order, _values(tested_metric)
            parts = order, order[: split[0]], order[split[0] :]
            for group, column in zip(groups, columns[1:], strict=True):
                pairs = tested_pair_count(tested_metric.p[np.ix_(parts[group], parts[group])])
                sentence = _sentence(tested_metric.metric.name, values[group], pairs, column)
                cells.append(TableCell(format_score(values[group], decimals), sentence, exact_values=(values[group],)))
            chosen = tested_metric.metric.name == state.metric
            rows.append([replace(cell, is_bold=chosen) for cell in cells])
        self.coefficients.show_rows(rows, columns)

    def fit_columns(self) -> None:
        """Fit the columns; names may take up to 24 characters, and values take at least 12."""
        character, columns = self.fontMetrics().horizontalAdvance("0"), range(len(self.coefficients.columns))
        widths = [self.header.required_width(column) for column in columns]
        values = self.header.widen_groups([max(width, character * 12) for width in widths[1:]])
        names = max(widths[0], min(character * 24, self.viewport().width() - sum(values)))
        for column, width in enumerate([names, *values]):
            self.setColumnWidth(column, width)


class CoefficientPane(QWidget):
    """Pane with the table of discriminative power, below an explanation."""

    described = Signal(str)
    """Emitted with the meaning of the current cell; empty if no cell is current."""

    def __init__(self, comparison: SignificanceService, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._service = comparison
        self.table = CoefficientView(comparison.workspace.settings, self)
        self._explanation = Label(token="muted", wraps=True)
        self._explanation.setToolTip(plain_tooltip(term_meaning("discriminative-power")))
        vbox(self._explanation, Stretched(self.table, 1), on=self, gap=8, margins=(8, 8, 8, 0))
        self.setFocusProxy(self.table)
        self.table.described.connect(self.described)
        comparison.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the current result, or how to obtain one."""
        self.table.show_state(self._service.snapshot())
        result = self._service.result
        if result is None:
            self._explanation.setText(
                tr("Run the significance test to see how many pairs each metric separates significantly.")
            )
            return
        options, systems = result.comparison.options, len(result.layers)
        explanation = tr(
            "Share of system pairs that a metric separates significantly (p ≤ {alpha}, {correction}).",
            alpha=format_level(options.alpha), correction=CORRECTION_LABELS[options.correction],
        )  # fmt: skip
        caution = tr("Top and bottom columns appear only for groups of at least two systems.")
        is_few = min(top_and_bottom(systems, options.top)) < 2
        self._explanation.setText(join_localized(" ", (explanation, caution)) if is_few else explanation)


def _columns(systems: int, split: tuple[int, int]) -> tuple[TableColumn, ...]:
    name = name_column(tr("Metric"), "metric", tr("Metric whose scores are compared."))
    return name, *distinction_columns(systems, split)


def _sentence(metric: str, value: float, pairs: int, column: TableColumn) -> str:
    """Return the description of a coefficient; `pairs` is the number of tested pairs that it covers."""
    if math.isnan(value):
        return tr(
            "{header} of {metric} is undefined: there are fewer than two tested systems to compare.",
            header=column.exported_headers[0], metric=metric,
        )  # fmt: skip
    separated = round(value * pairs)
    text = tr(
        "{metric} separates {apart:,} of {n:,} tested {n:pair|pairs} significantly.",
        "",
        pairs,
        metric=metric,
        apart=separated,
    )
    return f"{text} {column.tooltip}"


def _values(tested_metric: MetricComparison) -> tuple[float, float, float]:
    return tested_metric.d, tested_metric.d_top, tested_metric.d_bottom
