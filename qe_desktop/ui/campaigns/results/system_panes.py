"""Panes of systems: statistics and distributions of each system, and pairwise comparisons."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QWidget

from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import join_localized, sentence_case, tr
from qe_desktop.ratings.protocols import scale_title
from qe_desktop.ratings.results.result_types import RatingResults, SystemRanking
from qe_desktop.report.rating_json import small_sample_notes
from qe_desktop.significance import CORRECTION_LABELS, SignificanceLevel
from qe_desktop.ui.campaigns.results.captioned_plot import CaptionedPlot, DistributionTabs
from qe_desktop.ui.campaigns.results.pair_matrix_models import SystemPairModel
from qe_desktop.ui.campaigns.results.plot_data import (
    describe_clusters,
    means_caption,
    means_plot_data,
    ranks_caption,
    ranks_plot_data,
    spread_caption,
    spread_plot_data,
)
from qe_desktop.ui.campaigns.results.results_service import ComputedResults
from qe_desktop.ui.campaigns.results.statistic_columns import StatisticColumn, main_column
from qe_desktop.ui.campaigns.results.systems_table import NAME_COLUMN, SystemResultsView, all_rows_height
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.widgets.form_controls import DataComboBox
from qe_desktop.ui.widgets.labels import BandLabel, Label
from qe_desktop.ui.widgets.layouts import (
    FittedSplitter,
    Stretched,
    StretchSpace,
    hbox,
    make_scroll_area,
    make_splitter,
    vbox,
    wrap_layout,
)
from qe_desktop.ui.widgets.legends import MatrixLegend
from qe_desktop.ui.widgets.matrix_view import MatrixTableView
from qe_desktop.ui.widgets.tables.description_line import DescriptionLine
from qe_desktop.ui.workspace import Workspace

MIN_TABLE_FRACTION = 0.4
"""Fraction of the pane's height that the table may always use, even if the charts then have too little space."""
MIN_ROWS = 3
"""Minimum number of rows that the table shows, even if the charts then have too little space."""
PLOT_LINES = 10
"""Height that a chart needs in addition to its rows, in text lines."""


class SystemsPane(QWidget):
    """Systems table with charts; clicking a header or pressing Enter on a value draws the column's statistic."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = workspace.settings
        self._workspace = workspace
        self._computed: ComputedResults | None = None
        self.table = SystemResultsView(workspace.settings)
        self.sentence = DescriptionLine(parent=self)
        self._clusters = ""
        """Explanation of the cluster lines, shown after the name of a system, and while there is no current cell."""
        self.warning = BandLabel("warning_fill", "warning")
        self.means = CaptionedPlot(workspace, tr("Means"))
        self.ranks = CaptionedPlot(workspace, tr("Rank ranges"), titled=False)
        self.spreads: dict[str, CaptionedPlot] = {}
        self._tabs = DistributionTabs()
        self._tabs.addTab(self.ranks, tr("Rank ranges"))
        self._lay_out()
        self.table.systems.statistic_selected.connect(self._draw_means)
        self.table.described.connect(self._show_description)
        self.setFocusProxy(self.table)

    def _lay_out(self) -> None:
        self._upper = wrap_layout(
            vbox(Stretched(self.table, 1), self.sentence, self.warning, gap=8, margins=(0, 8, 0, 8))
        )
        sides = make_splitter(Qt.Orientation.Horizontal, self.means, self._tabs)
        sides.setSizes([500, 500])
        self._split = FittedSplitter(self._upper, sides, self._table_height)
        # with large text, the pane scrolls rather than show fewer than three table rows
        vbox(make_scroll_area(self._split), on=self)

    def add_copy_actions(self, menu: QMenu) -> None:
        """Add to `menu` the actions that copy the table."""
        menu.addAction(tr("Copy systems as &TSV"), self.table.copy_tsv)
        menu.addAction(tr("Copy systems as &LaTeX"), self.table.copy_latex)

    def show_computed(self, computed: ComputedResults | None) -> None:
        """Show the systems in `computed`; None clears the table."""
        self._computed = computed
        self.table.systems.show_results(None if computed is None else computed.results)
        if computed is None:
            return
        results = computed.results
        self._clusters = describe_clusters(results)
        self.table.emit_description()
        notes = " ".join(small_sample_notes(results))
        self.warning.setText(notes)
        self.warning.setVisible(bool(notes))
        self._fill_tabs(computed)
        self._split.fit()

    def _show_description(self, sentence: str) -> None:
        """Describe the current cell; if the cell contains a system name, also explain the cluster lines.

        If there is no current cell, show only the explanation of the cluster lines.
        """
        if self.table.currentIndex().column() > NAME_COLUMN or not sentence:
            self.sentence.show_sentence(sentence or self._clusters)
        else:
            self.sentence.show_sentence(join_localized(" ", (tr("{text}.", text=sentence), self._clusters)))

    def _fill_tabs(self, computed: ComputedResults) -> None:
        scales = [scale for scale in computed.results.scales if scale in computed.distributions.distributions]
        if list(self.spreads) != scales:
            for old in self.spreads.values():
                self._tabs.removeTab(self._tabs.indexOf(old))
                old.deleteLater()
            self.spreads = {}
            for index, scale in enumerate(scales):
                title = tr("Distribution: {scale}", scale=scale)
                self.spreads[scale] = CaptionedPlot(self._workspace, title, titled=False)
                self._tabs.insertTab(index, self.spreads[scale], escape_label(scale_title(scale)))
            self._tabs.setCurrentIndex(0)
        names = [system.name for system in computed.results.systems]
        for scale, figure in self.spreads.items():
            spread = computed.distributions.distributions[scale]
            figure.show_content(spread_plot_data(spread, names, scale), spread_caption(spread))
        self.ranks.show_content(ranks_plot_data(computed.results), ranks_caption(computed.results))
        self._tabs.fit()

    def _draw_means(self) -> None:
        computed, column = self._computed, self.table.systems.selected_statistic()
        if computed is None or column is None:
            return
        content = means_plot_data(computed.results, column, self._settings.decimals)
        self.means.show_content(content, means_caption(computed.results, column), column.title)

    def _table_height(self, height: int) -> int:
        """Return the height of the table and the texts below it in pixels, limited so that the charts have space."""
        warning = self.warning.heightForWidth(max(1, self._upper.width())) if self.warning.isVisibleTo(self) else 0
        above = self.sentence.height() + warning + 32
        plots_height = self.fontMetrics().height() * (PLOT_LINES + 1.1 * self.table.systems.rowCount())
        maximum = max(round(height * MIN_TABLE_FRACTION), height - round(plots_height))
        missing = max(0, self.table.systems.rowCount() - MIN_ROWS) * self.table.verticalHeader().defaultSectionSize()
        table = all_rows_height(self.table)
        least = table - missing + above
        self._upper.setMinimumHeight(least)
        return max(min(table + above, maximum), least)


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
