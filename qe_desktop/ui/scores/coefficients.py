"""The coefficients as a quiet table, and in words what they say."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from qe_desktop.significance import halves
from qe_desktop.ui.parts.copying import copy_text
from qe_desktop.ui.parts.flat_table import FlatTable
from qe_desktop.ui.parts.labels import Label
from qe_desktop.ui.parts.layouts import Placed, column_of
from qe_desktop.ui.scores.coefficient_model import HEADER, CoefficientModel
from qe_desktop.ui.scores.comparison_keeper import ComparisonKeeper
from qe_desktop.ui.scores.sentences import CORRECTION_NAMES
from qe_desktop.wording import tr


class CoefficientView(FlatTable):
    """The coefficients as a quiet table."""

    def __init__(self, comparison: ComparisonKeeper, parent: QWidget | None = None) -> None:
        settings = comparison.workspace.settings
        self.coefficients = CoefficientModel(settings.decimals)
        super().__init__(self.coefficients, settings, tr("Distinction coefficients"), parent)
        self._keeper = comparison
        comparison.changed.connect(self._on_changed)
        self._on_changed()
        self.fit()

    def _on_changed(self) -> None:
        self.coefficients.show_looked(self._keeper.looked())

    def fit_columns(self) -> None:
        """A wide name, and three numbers beside it."""
        character = self.fontMetrics().averageCharWidth()
        for column in range(len(HEADER)):
            self.setColumnWidth(column, max(self.header.wanted_width(column), character * (12 if column else 24)))

    def copy_selection(self) -> None:
        """Copy the whole table: it is small."""
        copy_text(self.coefficients.table().tsv())


class CoefficientPane(QWidget):
    """The table, and in words what it says."""

    def __init__(self, comparison: ComparisonKeeper, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keeper = comparison
        self.table = CoefficientView(comparison, self)
        self._words = Label(token="muted", wraps=True)
        column_of(self._words, Placed(self.table, 1), on=self, gap=8, margins=(8, 8, 8, 0))
        comparison.changed.connect(self._say)
        self._say()

    def _say(self) -> None:
        result = self._keeper.result
        if result is None:
            self._words.setText(tr("Once systems are compared, this says how finely each metric tells them apart."))
            return
        options = result.comparison.options
        top, bottom = halves(len(result.layers), options.top)
        self._words.setText(
            tr(
                "d is the share of pairs of systems that a metric tells apart (p ≤ {alpha:g}, {correction}); d_top is "
                "that of the {n} best systems, d_bottom that of the other {others}.",
                "",
                top,
                alpha=options.alpha,
                correction=CORRECTION_NAMES[options.correction],
                others=bottom,
            )
        )
