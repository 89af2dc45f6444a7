"""Study of the best thresholds on P(BAD), by each metric."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from qe_desktop.corpus import Kind
from qe_desktop.i18n.messages import tr
from qe_desktop.levels import Scoring
from qe_desktop.levels.chart_model import Panels
from qe_desktop.report.render.output_formats import Report
from qe_desktop.report.thresholds import ThresholdsReport
from qe_desktop.studies.charts.metric_side import NumberFormatter
from qe_desktop.studies.charts.threshold_charts import threshold_panels
from qe_desktop.studies.thresholds.threshold_study import open_threshold_data, study_thresholds, with_probabilities
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.scores import empty_states
from qe_desktop.ui.scores.studies.study import (
    Study,
    StudyOptions,
    StudyRequest,
    StudyResult,
    StudyTarget,
    TitledTable,
    find_index,
)
from qe_desktop.ui.scores.studies.threshold_tables import threshold_tables
from qe_desktop.ui.widgets.placeholder_page import EmptyState

MAX_AUTOMATIC_NUMBERS = 1_000_000
"""Maximum number of values (systems × words) for which the study starts automatically."""


OPTIMISTIC_TEXT = tr("Optimistic: tuned on gold.")
OPTIMISTIC_TOOLTIP = tr("Thresholds are tuned on this gold, so scores are optimistic.")


class ThresholdSearch(Study):
    """Study of the scores at every threshold on P(BAD)."""

    name = "thresholds"
    title = tr("Thresholds")
    about = tr("Which threshold on P(BAD) gives the best tags, by each metric?")

    def missing(self, scoring: Scoring) -> EmptyState | None:
        """Return the empty state; None if the items are MT words with probabilities and a suitable gold."""
        if scoring.level.tags is not Kind.WORDS:
            about = tr("P(BAD) is available for words of the MT. Switch to words to find the best threshold.")
            return EmptyState(tr("Thresholds apply to words"), about)
        if not with_probabilities(scoring):
            about = tr("Add a file with P(BAD) for every word of a system. A threshold turns P(BAD) into tags.")
            return EmptyState(tr("No system has probabilities"), about, (empty_states.FILES,))
        return super().missing(scoring)

    def inputs(self, scoring: Scoring) -> Sequence[Any]:
        """Return the gold's tags and the probabilities; the current threshold does not matter."""
        gold = scoring.view.tags(scoring.reference).values
        return [gold, *(layer.numbers.values for layer in with_probabilities(scoring))]

    def automatic(self, scoring: Scoring, wish: StudyOptions) -> bool:
        """Return whether there are at most `MAX_AUTOMATIC_NUMBERS` probabilities."""
        return scoring.size * len(with_probabilities(scoring)) <= MAX_AUTOMATIC_NUMBERS

    def make(self, request: StudyRequest, progress: Progress) -> Report:
        """Evaluate every threshold, bootstrap intervals of the best ones, and return the report.

        Raises QeError if probabilities are not finite or do not match the tags.
        """

        def watch(done: int, total: int) -> None:
            progress.report(done / max(1, total), tr("resampling segments"))

        progress.report(0.0, tr("trying thresholds"))
        data = open_threshold_data(request.scoring)
        study = study_thresholds(data, request.metrics, seed=request.options.seed, watch=watch)
        return ThresholdsReport.made(request.scoring, study)

    def sheets(self, result: StudyResult, decimals: int, late: bool) -> Sequence[TitledTable]:
        """Return the tables of best thresholds, and of the ranking quality of the probabilities."""
        return threshold_tables(result.study, decimals, late=late)

    def panels(self, result: StudyResult, target: StudyTarget, number: NumberFormatter) -> Panels:
        """Return the charts of the current system and metric."""
        study = result.study
        system = find_index(target.system, [item.name for item in study.systems])
        return threshold_panels(study, system, find_index(target.metric, [item.name for item in study.metrics]), number)

    def warning(self, result: StudyResult) -> str:
        """Return a warning that thresholds are tuned on the scored data."""
        return OPTIMISTIC_TEXT
