"""Pairwise comparison of systems: matrix, method, and a description of the selected cell."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from qe_desktop.i18n.messages import sentence_case, tr
from qe_desktop.ratings.results.result_types import RatingResults, SystemRanking
from qe_desktop.report.rating_json import small_sample_notes
from qe_desktop.significance import CORRECTION_LABELS, SignificanceLevel
from qe_desktop.ui.campaigns.results.pair_matrix_models import SystemPairModel
from qe_desktop.ui.campaigns.results.results_service import ComputedResults
from qe_desktop.ui.campaigns.results.statistic_columns import StatisticColumn, main_column
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.widgets.form_controls import DataComboBox
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import Stretched, StretchSpace, hbox, vbox, wrap_layout
from qe_desktop.ui.widgets.matrix.matrix_legend import MatrixLegend
from qe_desktop.ui.widgets.matrix.matrix_view import MatrixTableView

SCALES, WINS = "scales", "wins"
COMPARISON_NAMES = {SCALES: tr("scale scores"), WINS: tr("wins in rankings")}
HINT = tr("Select a cell for details.")
DETAILS_CHARS = 38
"""Width of the text next to the matrix, in characters."""


class PairPane(QWidget):
    """Significance matrix; next to it are a comparison selector, a description of the selected cell, and the legend."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._computed: ComputedResults | None = None
        self._rankings: dict[str, SystemRanking] = {}
        self.comparison = DataComboBox(tr("Comparison"))
        self.method = Label(token="muted", wraps=True, selectable=True)
        self.pairs = SystemPairModel()
        self.view = MatrixTableView(self.pairs, tr("System pairs"))
        self.details_label = Label(HINT, scale=1.1, wraps=True, selectable=True)
        self.warning = Label(token="warning", wraps=True, selectable=True)
        for label in (self.method, self.details_label, self.warning):
            label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        labels = {SignificanceLevel.UNTESTED: tr("no comparison")}
        self._legend = MatrixLegend(labels, stacked=True, shaded=True)
        self._side = wrap_layout(
            vbox(self.comparison, self.method, self.details_label, self.warning, StretchSpace(), self._legend, gap=16)
        )
        hbox(Stretched(self.view, 1), self._side, on=self, gap=24, margins=(0, 8, 0, 0))
        self.comparison.activated.connect(self._refresh)
        self.view.described.connect(self._show_details)
        self.setFocusProxy(self.view)
        self.show_computed(None)

    def show_computed(self, computed: ComputedResults | None) -> None:
        """Show the system comparisons in `computed`; None clears the matrix."""
        self._computed = computed
        self._rankings = {} if computed is None else system_rankings(computed.results)
        self.comparison.set_items((COMPARISON_NAMES[kind], kind) for kind in self._rankings)
        self._refresh()

    def _refresh(self) -> None:
        computed, ranking = self._computed, self._rankings.get(self.comparison.currentData())
        self._side.setFixedWidth(self.fontMetrics().horizontalAdvance("0") * DETAILS_CHARS)
        self.pairs.decimals = self._settings.decimals
        several = ranking is not None and len(ranking.systems) > 1
        self.view.setVisible(several)
        self.details_label.setVisible(several)
        self._legend.setVisible(several)
        if computed is None or ranking is None or not several:
            self.pairs.show_ranking(None)
            self.warning.hide()
            self.method.setText(tr("At least two systems are needed for a comparison.") if computed is not None else "")
            return
        results, options = computed.results, computed.results.options
        self.method.setText(_method(ranking, results))
        notes = " ".join(small_sample_notes(results))
        self.warning.setText(notes)
        self.warning.setVisible(bool(notes))
        if ranking is results.wins_ranking:
            self.pairs.show_ranking(ranking, correction=options.correction, wins=computed.distributions.wins)
            below = tr("win rate of the column system")
        else:
            figure, values = _figure(results)
            self.pairs.show_ranking(ranking, correction=options.correction, figure=figure, values=values)
            below = tr("column − row") if figure is None else tr("{figure}: column − row", figure=figure.name)
        self._legend.explain(options.correction, options.alpha, self.pairs.levels(), below)

    def _show_details(self, sentence: str) -> None:
        self.details_label.setText(sentence or HINT)


def system_rankings(results: RatingResults) -> dict[str, SystemRanking]:
    """Return the available system rankings, keyed by the basis of comparison (`SCALES` or `WINS`)."""
    rankings = {SCALES: results.scale_ranking, WINS: results.wins_ranking}
    return {kind: ranking for kind, ranking in rankings.items() if ranking is not None}


def _method(ranking: SystemRanking, results: RatingResults) -> str:
    pairs = len(ranking.systems) * (len(ranking.systems) - 1) // 2
    method, correction = sentence_case(ranking.method), results.options.correction
    name, is_uncorrected = CORRECTION_LABELS[correction], correction == "none"
    if ranking.two_sided and is_uncorrected:
        text = tr("{method}, {n:,} {n:pair|pairs}, not adjusted for multiple comparisons.", "", pairs, method=method)
    elif ranking.two_sided:
        text = tr(
            "{method}, {n:,} {n:pair|pairs}, p-values adjusted with the {correction} correction.",
            "",
            pairs,
            method=method,
            correction=name,
        )
    elif is_uncorrected:
        text = tr(
            "{method}, {n:,} {n:one-sided test|one-sided tests}, not adjusted for multiple comparisons.",
            "", 2 * pairs, method=method,
        )  # fmt: skip
    else:
        text = tr(
            "{method}, {n:,} {n:one-sided test|one-sided tests}, p-values adjusted with the {correction} correction.",
            "", 2 * pairs, method=method, correction=name,
        )  # fmt: skip
    return f"{text} {ranking.problem}" if ranking.problem else text


def _figure(results: RatingResults) -> tuple[StatisticColumn | None, dict[str, float]]:
    """Return the statistic by which the systems are sorted (or None), and its values, keyed by system name."""
    column = main_column(results)
    if column is None:
        return None, {}
    return column, {system.name: value for system in results.systems if (value := column.value(system)) is not None}
