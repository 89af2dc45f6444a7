"""Toolbar of the meta-evaluation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtWidgets import QSpinBox, QWidget

from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import tr
from qe_desktop.studies.meta_eval.agreement_measures import AGREEMENT_STATISTICS
from qe_desktop.studies.meta_eval.view_inputs import available_metrics, default_metrics
from qe_desktop.ui.scores.meta_evaluation.commands import (
    AGGREGATION_TEXTS,
    ORIENTATION_TEXTS,
    SEGMENTS_TEXTS,
    SIDES_TEXTS,
)
from qe_desktop.ui.scores.meta_evaluation.meta_evaluation_service import MetaEvaluationService
from qe_desktop.ui.scores.options_bar import CORRECTION_CHOICES
from qe_desktop.ui.widgets.buttons import MultiSelectButton
from qe_desktop.ui.widgets.form_controls import (
    AlphaSpinBox,
    LabeledControlsBar,
    set_combo_data,
    set_combo_items,
    set_spin_value,
)

ROUNDS = (1_000, 10_000)


class MetaEvaluationToolbar(LabeledControlsBar):
    """Edits the options and statistic of the service, and the correction and alpha of the area."""

    def __init__(self, service: MetaEvaluationService, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._service = service
        self._figure = self._combo(tr("&Order by"), tr("Measure that orders the metrics, best first"))
        self.ratings = self._combo(tr("Ra&tings"), tr("Ratings that metrics are compared with"))
        self._by = self._combo(tr("H&uman score"), tr("How ratings are aggregated into a system's human score"))
        self._level = self._combo(
            tr("&Level"), tr("Use the system level only if the rated segments are not the lines of the texts")
        )
        self._segments = self._combo(
            tr("Se&gments"),
            tr(
                "Only segments with human scores and all metric scores of every system, or for each measure all that "
                "it can use"
            ),
        )
        self.metrics = MultiSelectButton(self._offered_metrics)
        self._labelled(self.metrics, tr("&Metrics"), tr("Metrics to evaluate"))
        self._correction = self._combo(tr("&Correction"), tr("Correction for the number of metric pairs tested"))
        self._alpha = self._number(AlphaSpinBox(), tr("&Alpha"), tr("Adjusted p at or below this is significant"))
        self._sides = self._combo(
            tr("S&ides"),
            tr("Tests of two metrics: two-sided, or one-sided for the metric with the higher value"),
        )
        self.rounds = self._combo(
            tr("T&rials"),
            tr("Permutations of tests and resamples for intervals: more give finer values but take longer"),
        )
        self.seed = self._number(QSpinBox(), tr("See&d"), tr("The same seed gives the same values"))
        self._orientation = self._combo(
            tr("Score differe&nces"), tr("Order of the two systems in a difference: it changes the correlation")
        )
        self._fill()
        self._connect()
        self.refresh()

    def _fill(self) -> None:
        set_combo_items(self._figure, [(statistic.title, statistic.name) for statistic in AGREEMENT_STATISTICS])
        set_combo_items(self._by, [(text, name) for name, text in AGGREGATION_TEXTS.items()])
        set_combo_items(self._level, [(tr("systems and segments"), False), (tr("systems only"), True)])
        set_combo_items(self._correction, CORRECTION_CHOICES)
        set_combo_items(self._orientation, [(text, name) for name, text in ORIENTATION_TEXTS.items()])
        set_combo_items(self._sides, [(text, name) for name, text in SIDES_TEXTS.items()])
        set_combo_items(self._segments, [(text, name) for name, text in SEGMENTS_TEXTS.items()])
        self.seed.setRange(0, 9999)

    def _connect(self) -> None:
        service = self._service
        self._figure.activated.connect(lambda: self._service.set_figure(self._figure.currentData()))
        combos = (self.ratings, self._by, self._level, self._segments, self.rounds, self._orientation, self._sides)
        for combo in combos:
            combo.activated.connect(self._set_wish)
        self.seed.valueChanged.connect(self._set_wish)
        self._correction.activated.connect(self._set_judging)
        self._alpha.valueChanged.connect(self._set_judging)
        self.metrics.chosen.connect(lambda names: service.set_wish(replace(service.wish, metrics=names)))
        self._service.changed.connect(self.refresh)

    # --- what is chosen

    def refresh(self) -> None:
        """Update the controls."""
        service, wish, options = self._service, self._service.wish, self._service.options
        result = service.result
        set_combo_data(self._figure, service.figure.name)
        choices = () if result is None else result.choices
        set_combo_items(self.ratings, [(escape_label(choice.title), choice.uid) for choice in choices])
        if result is not None:
            set_combo_data(self.ratings, wish.ratings if wish.ratings is not None else result.rated)
        chosen = {
            self._by: wish.by, self._level: wish.systems_only, self._orientation: wish.orientation,
            self._correction: options.correction, self._sides: wish.sides, self._segments: wish.segments,
        }  # fmt: skip
        for combo, value in chosen.items():
            set_combo_data(combo, value)
        set_combo_items(self.rounds, [(f"{rounds:,}", rounds) for rounds in sorted({*ROUNDS, wish.rounds})])
        set_combo_data(self.rounds, wish.rounds)
        set_spin_value(self.seed, wish.seed)
        set_spin_value(self._alpha, options.alpha)
        count = 0 if result is None else len(result.metrics)
        self.metrics.setText(tr("{n} selected", "metrics", count))
        self._pairs[self.ratings].setVisible(len(choices) > 1)

    def _set_wish(self) -> None:
        wish = self._service.wish
        chosen = self.ratings.currentData() if self.ratings.count() > 1 else wish.ratings
        self._service.set_wish(
            replace(
                wish,
                ratings=wish.ratings
                if self._service.result is None or chosen == self._service.result.rated
                else chosen,
                by=self._by.currentData(),
                systems_only=self._level.currentData(),
                orientation=self._orientation.currentData(),
                sides=self._sides.currentData(),
                segments=self._segments.currentData(),
                rounds=self.rounds.currentData(),
                seed=self.seed.value(),
            )
        )

    def _set_judging(self) -> None:
        before = self._service.options
        now = replace(before, correction=self._correction.currentData(), alpha=self._alpha.value())
        if now != before:
            self._service.comparison.set_options(now)

    def _offered_metrics(self) -> tuple[Sequence[str], Sequence[str]]:
        corpus = self._service.workspace.corpus
        if corpus is None:
            return (), ()
        return available_metrics(corpus), self._service.wish.metrics or default_metrics(corpus)
