"""Study of trivial baselines, which are synthetic labellings (Logacheva et al. 2016, table 1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from qe_desktop.i18n.messages import tr
from qe_desktop.levels import Scoring
from qe_desktop.levels.chart_model import Panels
from qe_desktop.report.labellings import LabellingsReport
from qe_desktop.report.render.output_formats import Report
from qe_desktop.significance import SignificanceOptions
from qe_desktop.studies.charts.labelling_charts import labelling_panels
from qe_desktop.studies.charts.metric_side import NumberFormatter
from qe_desktop.studies.labellings.labelling_study import (
    LabellingOptions,
    real_systems,
    rejudge_labellings,
    study_labellings,
)
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.scores.significance.significance_service import MAX_AUTOMATIC_TAGS
from qe_desktop.ui.scores.studies.labelling_tables import labelling_tables
from qe_desktop.ui.scores.studies.study import (
    Study,
    StudyOptions,
    StudyRequest,
    StudyResult,
    StudyTarget,
    TitledTable,
    find_index,
)

MAX_AUTOMATIC_DRAWS = 10
"""Maximum number of draws with which the study starts automatically."""


class SyntheticLabellings(Study):
    """Study of trivial baselines: labellings made from the gold by a rule, and scored by each metric."""

    name = "labellings"
    title = tr("Trivial baselines")
    about = tr("Do metrics rank trivial baselines (all BAD, random…) below real systems?")
    choices = ("metrics", "draws", "intervals")
    options = ("rounds", "seed", "unit", "correction", "alpha", "top")
    judging = ("correction", "alpha", "top")

    def automatic(self, scoring: Scoring, wish: StudyOptions) -> bool:
        """Return whether there are at most `MAX_AUTOMATIC_TAGS` tags and `MAX_AUTOMATIC_DRAWS` draws."""
        return scoring.size * len(scoring.subjects) <= MAX_AUTOMATIC_TAGS and wish.draws <= MAX_AUTOMATIC_DRAWS

    def make(self, request: StudyRequest, progress: Progress) -> Report:
        """Compare the real systems, score the baselines, and return the report.

        Raises QeError if there is no real system, or if a metric cannot be tested.
        """
        scoring, left = real_systems(request.scoring)
        compared = replace(request.options, test="randomisation")
        options = LabellingOptions(compared, draws=request.wish.draws, intervals=request.wish.intervals)

        def watch(done: int, total: int) -> None:
            progress.report(done / max(1, total), tr("{done:,} of {n:,} {n:trial|trials}", "", total, done=done))

        study = study_labellings(scoring, request.metrics, options, watch)
        remarks: tuple[str, ...] = ()
        if left:
            names = ", ".join(left)
            remarks = (tr("not counted as systems, because they are named like baselines: {names}", names=names),)
        return LabellingsReport.made(scoring, study, remarks)

    def judged(self, result: StudyResult, options: SignificanceOptions) -> Report:
        """Return the report under another correction, alpha or top–bottom split; the baselines do not change."""
        scoring, _ = real_systems(result.request.scoring)
        report = result.report
        assert isinstance(report, LabellingsReport), "it is what was made"
        return LabellingsReport.made(scoring, rejudge_labellings(result.study, options), report.remarks)

    def sheets(self, result: StudyResult, decimals: int, late: bool) -> Sequence[TitledTable]:
        """Return table 1 of Logacheva et al. 2016, the scores of the baselines, and the rankings of systems."""
        return labelling_tables(result.study, decimals, late=late)

    def panels(self, result: StudyResult, target: StudyTarget, number: NumberFormatter) -> Panels:
        """Return the chart of systems and baselines by the current metric."""
        metrics = [metric.name for metric in result.study.metrics]
        return labelling_panels(result.study, find_index(target.metric, metrics), number)

    def warning(self, result: StudyResult) -> str:
        """Return a warning if there are fewer than two systems; empty otherwise."""
        if len(result.study.systems) > 1:
            return ""
        return tr("d is undefined with only one system: it is the share of system pairs that a metric separates "
                  "significantly. Add the tags of another system.")  # fmt: skip
