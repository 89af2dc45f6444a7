"""Synthetic labellings in the window (Logacheva et al. 2016, table 1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from qe_desktop.levels import Scoring
from qe_desktop.levels.drawings import Panels
from qe_desktop.report.forms import Report
from qe_desktop.report.labellings import LabellingsReport
from qe_desktop.significance import Options
from qe_desktop.studies.labelling_study import (
    LabellingOptions,
    judged_otherwise,
    real_systems,
    study_labellings,
)
from qe_desktop.studies.pictures.labellings import labelling_panels
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.scores.comparison_keeper import AUTOMATIC
from qe_desktop.ui.scores.studies.labelling_rows import sheets
from qe_desktop.ui.scores.studies.study import Study, Write, place_of
from qe_desktop.ui.scores.studies.values import Asked, Found, Target, Titled, Wish
from qe_desktop.wording import tr

DRAWING = 10
"""Up to so many draws of labellings are made without being asked for."""


class Labellings(Study):
    """How metrics rate labellings that are made of the gold by a rule."""

    name = "labellings"
    title = tr("Synthetic labellings")
    about = tr("Whether metrics rate labellings of no use, such as all words BAD, below real systems")
    choices = ("metrics", "draws", "intervals")
    options = ("rounds", "seed", "unit", "correction", "alpha", "top")
    judging = ("correction", "alpha", "top")

    def inputs(self, scoring: Scoring) -> Sequence[Any]:
        """The tags of the gold and of all systems."""
        return [scoring.view.tags(key).values for key in (scoring.reference, *scoring.subjects)]

    def automatic(self, scoring: Scoring, wish: Wish) -> bool:
        """Where a comparison is."""
        return scoring.size * len(scoring.subjects) <= AUTOMATIC and wish.draws <= DRAWING

    def make(self, asked: Asked, progress: Progress) -> Report:
        """Compare systems, and set labellings beside them."""
        scoring, left = real_systems(asked.scoring)
        compared = replace(asked.options, test="randomisation")
        options = LabellingOptions(compared, draws=asked.wish.draws, intervals=asked.wish.intervals)

        def watch(done: int, total: int) -> None:
            progress.report(done / max(1, total), tr("{done:,} of {n:,} {n:round|rounds}", "", total, done=done))

        study = study_labellings(scoring, asked.metrics, options, watch)
        remarks: tuple[str, ...] = ()
        if left:
            names = ", ".join(left)
            remarks = (tr("synthetic by their names, and not counted among systems: {names}", names=names),)
        return LabellingsReport.made(scoring, study, remarks)

    def judged(self, found: Found, options: Options) -> Report:
        """Other pairs are told apart; labellings are what they were."""
        scoring, _ = real_systems(found.asked.scoring)
        report = found.report
        assert isinstance(report, LabellingsReport), "it is what was made"
        return LabellingsReport.made(scoring, judged_otherwise(found.study, options), report.remarks)

    def sheets(self, found: Found, decimals: int, late: bool) -> Sequence[Titled]:
        """The paper's table, the labellings with their scores, and the systems as each metric ranks them."""
        return sheets(found.study, decimals, late=late)

    def panels(self, found: Found, target: Target, number: Write) -> Panels:
        """Systems and labellings by the metric that is looked at."""
        metrics = [metric.name for metric in found.study.metrics]
        return labelling_panels(found.study, place_of(target.metric, metrics), number)

    def warning(self, found: Found) -> str:
        """One system is told apart from none."""
        if len(found.study.systems) > 1:
            return ""
        return tr("There is one system only, so d is undefined: it is the share of pairs of systems that a metric "
                  "tells apart. Add the tags of another one.")  # fmt: skip
