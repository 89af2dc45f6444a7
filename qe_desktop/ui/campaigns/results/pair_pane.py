"""The pairs of systems: which is better, how sure that is, and the cell looked at in words."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from qe_desktop.ratings.findings import Ranking, Results
from qe_desktop.report.ratings import little
from qe_desktop.significance import CALLED, Sureness
from qe_desktop.ui.campaigns.choice import Choice
from qe_desktop.ui.campaigns.results.figure_columns import FigureColumn, main_column
from qe_desktop.ui.campaigns.results.pair_model import PairModel
from qe_desktop.ui.campaigns.results.results_keeper import Computed
from qe_desktop.ui.parts.grid_view import GridView
from qe_desktop.ui.parts.labels import Label
from qe_desktop.ui.parts.layouts import Placed, Stretch, column_of, holding, row_of
from qe_desktop.ui.parts.sign_legend import SignLegend
from qe_desktop.ui.settings import Settings
from qe_desktop.wording import sentence_case, tr

SCALES, WINS = "scales", "wins"
COMPARED = {SCALES: tr("values on scales"), WINS: tr("wins in rankings")}
HINT = tr("Choose a cell to read it in words.")
SIDE = 38
"""Characters that the words beside the matrix have room for."""


class PairPane(QWidget):
    """The matrix, and beside it what was compared, the cell looked at in words, and the legend."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._computed: Computed | None = None
        self._rankings: dict[str, Ranking] = {}
        self.which = Choice(tr("What is compared"))
        self.method = Label(token="muted", wraps=True, selectable=True)
        self.pairs = PairModel()
        self.view = GridView(self.pairs, tr("Pairs of systems"))
        self.words = Label(HINT, scale=1.1, wraps=True, selectable=True)
        self.warning = Label(token="warning", wraps=True, selectable=True)
        for label in (self.method, self.words, self.warning):
            label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._legend = SignLegend(Sureness.UNTESTED, tr("nothing to compare"), stacked=True)
        self._side = holding(
            column_of(self.which, self.method, self.words, self.warning, Stretch(), self._legend, gap=16)
        )
        row_of(Placed(self.view, 1), self._side, on=self, gap=24, margins=(0, 12, 0, 0))
        self.which.activated.connect(self._refresh)
        self.view.said.connect(self._say)
        self.setFocusProxy(self.view)
        self.show_computed(None)

    def show_computed(self, computed: Computed | None) -> None:
        """Show other results."""
        self._computed = computed
        self._rankings = {} if computed is None else rankings_of(computed.results)
        self.which.offer((COMPARED[kind], kind) for kind in self._rankings)
        self._refresh()

    def copy_tsv(self) -> None:
        """Copy all p-values with full precision."""
        self.view.copy_tsv()

    def _refresh(self) -> None:
        computed, ranking = self._computed, self._rankings.get(self.which.currentData())
        self._side.setFixedWidth(self.fontMetrics().horizontalAdvance("0") * SIDE)
        self.pairs.decimals = self._settings.decimals
        several = ranking is not None and len(ranking.systems) > 1
        self.view.setVisible(several)
        self.words.setVisible(several)
        self._legend.setVisible(several)
        if computed is None or ranking is None or not several:
            self.pairs.show_ranking(None)
            self.warning.hide()
            self.method.setText(tr("With one system there is nothing to compare.") if computed is not None else "")
            return
        results, options = computed.results, computed.results.options
        self.method.setText(_method(ranking, results))
        said = " ".join(little(results))
        self.warning.setText(said)
        self.warning.setVisible(bool(said))
        if ranking is results.wins_ranking:
            self.pairs.show_ranking(ranking, correction=options.correction, wins=computed.shapes.wins)
            below = tr("wins of the column’s system")
        else:
            figure, values = _figure(results)
            self.pairs.show_ranking(ranking, correction=options.correction, figure=figure, values=values)
            below = tr("column − row") if figure is None else tr("{figure}: column − row", figure=figure.header)
        self._legend.explain(options.correction, options.alpha, below)

    def _say(self, sentence: str) -> None:
        self.words.setText(sentence or HINT)


def rankings_of(results: Results) -> dict[str, Ranking]:
    """The orders of the systems that there are, by what they compare."""
    found = {SCALES: results.scale_ranking, WINS: results.wins_ranking}
    return {kind: ranking for kind, ranking in found.items() if ranking is not None}


def _method(ranking: Ranking, results: Results) -> str:
    pairs = len(ranking.systems) * (len(ranking.systems) - 1) // 2
    method, correction = sentence_case(ranking.method), results.options.correction
    name, plain = CALLED[correction], correction == "none"
    if ranking.two_sided and plain:
        said = tr("{method}, {n:,} {n:pair|pairs}, not corrected for their number.", "", pairs, method=method)
    elif ranking.two_sided:
        said = tr(
            "{method}, {n:,} {n:pair|pairs}, corrected by {correction}.", "", pairs, method=method, correction=name
        )
    elif plain:
        said = tr(
            "{method}, {n:,} {n:one-sided test|one-sided tests}, not corrected for their number.",
            "", 2 * pairs, method=method,
        )  # fmt: skip
    else:
        said = tr(
            "{method}, {n:,} {n:one-sided test|one-sided tests}, corrected by {correction}.",
            "", 2 * pairs, method=method, correction=name,
        )  # fmt: skip
    return f"{said} {ranking.problem}" if ranking.problem else said


def _figure(results: Results) -> tuple[FigureColumn | None, dict[str, float]]:
    """The figure that the order of the systems comes from, and its values."""
    column = main_column(results)
    if column is None:
        return None, {}
    return column, {system.name: value for system in results.systems if (value := column.value(system)) is not None}
