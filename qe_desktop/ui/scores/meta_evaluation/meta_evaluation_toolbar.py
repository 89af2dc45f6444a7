"""Toolbar of the meta-evaluation page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from PySide6.QtWidgets import QSpinBox, QWidget

from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import join_localized, sentence_case, tr
from qe_desktop.significance import SignificanceOptions, format_level
from qe_desktop.studies.meta_eval.agreement_statistics import AGREEMENT_STATISTICS, test_text
from qe_desktop.studies.meta_eval.meta_eval_inputs import available_metrics, default_metrics
from qe_desktop.ui.scores.meta_evaluation.commands import (
    AGGREGATION_TEXTS,
    ORIENTATION_TEXTS,
    SEGMENTS_TEXTS,
    SIDES_TEXTS,
)
from qe_desktop.ui.scores.meta_evaluation.meta_evaluation_service import MetaEvaluationService
from qe_desktop.ui.scores.meta_evaluation.meta_evaluation_table import MetaEvaluationOptions
from qe_desktop.ui.scores.options_bar import (
    ALPHA_HINT,
    ALPHA_TIP,
    CORRECTION_CHOICES,
    RESAMPLING_UNIT_LABEL,
    UNIT_HINT,
    UNITS,
    CountComboBox,
    OptionControls,
)
from qe_desktop.ui.scores.score_descriptions import correction_text
from qe_desktop.ui.widgets.buttons import MultiSelectButton
from qe_desktop.ui.widgets.control_bar import LabelledControlsBar
from qe_desktop.ui.widgets.form_controls import AlphaSpinBox, set_combo_data, set_combo_items

ROUNDS = (1_000, 10_000)
TEST_MEANINGS = {
    "perm-both": tr(
        "PERM-BOTH exchanges two metrics' standardized scores of translations at random. p is the share of trials "
        "with at least the observed difference in agreement with human scores."
    ),
    "segments": tr(
        "The test exchanges two metrics' scores for whole segments at random. p is the share of trials with at least "
        "the observed difference in agreement with human scores."
    ),
    "documents": tr(
        "The test exchanges two metrics' scores for whole documents at random. p is the share of trials with at least "
        "the observed difference in agreement with human scores."
    ),
    "williams": tr("The Williams test compares two metrics' correlations with the same human scores."),
}
"""Explanations of the tests that compare two metrics, by name of the test."""


class MetaEvaluationToolbar(LabelledControlsBar):
    """Controls for the statistic and options of the meta-evaluation, and for the Scores area's correction and alpha."""

    def __init__(self, service: MetaEvaluationService, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._service = service
        self._visible_controls: Mapping[QWidget, bool] = {}
        self.ratings = self._combo(tr("Ra&tings"), tr("Ratings that metrics are compared with"))
        self.metrics = MultiSelectButton(self._offered_metrics)
        self._add_labelled(self.metrics, tr("&Metrics"), tr("Metrics to evaluate"))
        self._figure = self._combo(
            tr("&Order by"),
            tr("Measure by which metrics are sorted, best first"),
            [(statistic.title, statistic.name) for statistic in AGREEMENT_STATISTICS],
        )
        self._begin_panel(tr("Meta-evaluation options"))
        self._aggregation = self._combo(
            tr("H&uman score"),
            tr("How ratings are aggregated into a system's human score"),
            _choices(AGGREGATION_TEXTS),
        )
        self._hint(self._aggregation, tr("z-score: a rating relative to its rater's mean and standard deviation"))
        self._level = self._combo(
            tr("&Level"),
            tr("Select “systems only” if the rated segments do not match the lines of the texts"),
            [(tr("systems and segments"), False), (tr("systems only"), True)],
        )
        self._hint(self._level, tr("Use “systems only” if the rated segments do not match the texts"))
        self._segments = self._combo(
            tr("Se&gments"),
            tr(
                "Segments for which every system has a human score and all metric scores; or, for each measure, all "
                "segments that it can use"
            ),
            _choices(SEGMENTS_TEXTS),
        )
        self._hint(self._segments, tr("“common to all”: only segments in which no score is missing"))
        self.unit = self._combo(tr("Resam&pling unit"), RESAMPLING_UNIT_LABEL[1], UNITS)
        self._hint(self.unit, "\n".join((UNIT_HINT, tr("The page “One metric” has its own resampling unit"))))
        self._correction = self._combo(
            tr("&Correction"), tr("Correction for the number of metric pairs tested"), CORRECTION_CHOICES
        )
        self._alpha = self._number(AlphaSpinBox(), tr("&Alpha"), ALPHA_TIP)
        shared = tr("Correction, alpha and seed also apply to the page “One metric”")
        self._hint(self._alpha, "\n".join((shared, ALPHA_HINT)))
        self._sides = self._combo(
            tr("S&ides"),
            tr("Tests of two metrics: two-sided, or one-sided in favour of the metric with the higher value"),
            _choices(SIDES_TEXTS),
        )
        self._hint(self._sides, tr("One-sided: in favour of the metric with the higher value"))
        self.rounds = CountComboBox(ROUNDS)
        self._add_labelled(
            self.rounds,
            tr("T&rials"),
            tr(
                "Number of permutations in tests and of resamples for intervals; larger numbers give more precise "
                "values but take longer"
            ),
        )
        self._hint(self.rounds, tr("The page “One metric” has its own number of trials"))
        self.seed = self._number(QSpinBox(), tr("See&d"), tr("The same seed gives the same values"))
        self.seed.setRange(0, 9999)
        self._orientation = self._combo(
            tr("Score differe&nces"),
            tr("Order of the two systems in a difference; this order affects the correlation"),
            _choices(ORIENTATION_TEXTS),
        )
        self._hint(self._orientation, tr("“better” is the system with the higher human score"))
        self._study_controls = OptionControls(
            self._set_study_options,
            by=self._aggregation,
            systems_only=self._level,
            orientation=self._orientation,
            sides=self._sides,
            segments=self._segments,
            unit=self.unit,
            rounds=self.rounds,
            seed=self.seed,
        )
        self._significance_controls = OptionControls(self._set_judging, correction=self._correction, alpha=self._alpha)
        self._figure.activated.connect(lambda: service.set_statistic(self._figure.currentData()))
        self.ratings.activated.connect(self._set_study_options)
        self.metrics.selection_changed.connect(
            lambda names: service.set_study_options(replace(service.study_options, metrics=names))
        )
        service.changed.connect(self.refresh)
        self.refresh()

    # --- selection

    def refresh(self) -> None:
        """Update the controls."""
        service, options, result = self._service, self._service.study_options, self._service.result
        set_combo_data(self._figure, service.statistic.name)
        choices = () if result is None else result.choices
        set_combo_items(self.ratings, [(escape_label(choice.title), choice.uid) for choice in choices])
        self._show_default_aggregation()
        if result is not None:
            set_combo_data(self.ratings, options.ratings if options.ratings is not None else result.used_ratings)
        self._study_controls.show_options(options)
        self._significance_controls.show_options(service.options)
        self.metrics.setText(tr("{n} selected", "metrics", 0 if result is None else len(result.metrics)))
        corpus = service.workspace.corpus
        documents = corpus is not None and corpus.documents is not None
        self._visible_controls = {self.ratings: len(choices) > 1, self.unit: documents}
        self._show_pairs(self._visible_controls)
        self._show_default(
            self._default_study_options() == options and self._default_significance_options() == service.options
        )
        test = "" if result is None else result.study.tests.tests.get(service.statistic.key, "")
        self.set_summary(self._summary(), TEST_MEANINGS.get(test, ""))

    def _show_default_aggregation(self) -> None:
        """Show the unit of the default aggregation, if a result states it, in the combo box item for the default."""
        result = self._service.result
        unit = result.study.human.unit if result is not None and result.options.by == "compared" else ""
        text = tr("{unit} (default)", unit=unit) if unit else AGGREGATION_TEXTS["compared"]
        self._aggregation.setItemText(self._aggregation.findData("compared"), text)

    def _summary(self) -> str:
        """Return a summary of how differences between metrics are tested."""
        service, result = self._service, self._service.result
        options, study = service.options, None if result is None else result.study
        test = "" if study is None else test_text(study, service.statistic)
        correction = correction_text(options.correction)
        parts = [sentence_case(test) if test else tr("not tested"), correction, f"α {format_level(options.alpha)}"]
        return join_localized(" · ", parts)

    def _set_study_options(self) -> None:
        options, result = self._service.study_options, self._service.result
        chosen = self.ratings.currentData() if self.ratings.count() > 1 else options.ratings
        # ratings that are used by default do not become a choice of the user
        is_default = options.ratings is None and result is not None and chosen == result.used_ratings
        ratings = None if is_default else chosen
        self._service.set_study_options(replace(options, ratings=ratings, **self._study_controls.values))

    def _set_judging(self) -> None:
        before = self._service.options
        now = replace(before, **self._significance_controls.values)
        if now != before:
            self._service.comparison.set_options(now)

    def _default_study_options(self) -> MetaEvaluationOptions:
        """Return the current options, but with default values for the options that have visible controls."""
        return replace(
            self._service.study_options,
            **self._study_controls.defaults(MetaEvaluationOptions(), self._visible_controls),
        )

    def _default_significance_options(self) -> SignificanceOptions:
        return replace(
            self._service.options, **self._significance_controls.defaults(SignificanceOptions(), self._visible_controls)
        )

    def _reset_panel(self) -> None:
        self._service.set_study_options(self._default_study_options())
        if (options := self._default_significance_options()) != self._service.options:
            self._service.comparison.set_options(options)

    def _offered_metrics(self) -> tuple[Sequence[str], Sequence[str]]:
        corpus = self._service.workspace.corpus
        if corpus is None:
            return (), ()
        return available_metrics(corpus), self._service.study_options.metrics or default_metrics(corpus)


def _choices(texts: Mapping[str, str]) -> list[tuple[str, object]]:
    return [(text, name) for name, text in texts.items()]
