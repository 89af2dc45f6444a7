"""Thresholds in the window: which one makes the best tags of P(BAD), by each metric."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from qe_desktop.corpus import Kind
from qe_desktop.levels import Scoring
from qe_desktop.levels.drawings import Panels
from qe_desktop.report.forms import Report
from qe_desktop.report.thresholds import ThresholdsReport
from qe_desktop.studies.open_words import open_data, with_probabilities
from qe_desktop.studies.pictures.thresholds import threshold_panels
from qe_desktop.studies.threshold_study import study_thresholds
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.parts.state_page import Situation
from qe_desktop.ui.scores import situations as of_scores
from qe_desktop.ui.scores.studies.study import Study, Write, place_of
from qe_desktop.ui.scores.studies.threshold_rows import sheets
from qe_desktop.ui.scores.studies.values import Asked, Found, Target, Titled, Wish
from qe_desktop.wording import tr

AUTOMATIC = 1_000_000
"""Up to so many numbers (systems × words) thresholds are tried without being asked for."""


class Thresholds(Study):
    """What each metric says of P(BAD) at every threshold."""

    name = "thresholds"
    title = tr("Thresholds")
    about = tr("Which threshold makes the best tags of P(BAD), by each metric")

    def missing(self, scoring: Scoring) -> Situation | None:
        """There are no probabilities, or none of these items."""
        if scoring.level.tags is not Kind.WORDS:
            about = tr("P(BAD) is of words of the MT. Look at words to see which threshold makes the best tags of it.")
            return Situation(tr("Thresholds are of words"), about)
        if not with_probabilities(scoring):
            about = tr("Add a file with P(BAD) of every word of a system: thresholds make tags of such numbers.")
            return Situation(tr("No system has probabilities"), about, (of_scores.FILES,))
        return super().missing(scoring)

    def inputs(self, scoring: Scoring) -> Sequence[Any]:
        """The gold's tags and the probabilities; what is chosen as a threshold now is nothing to it."""
        gold = scoring.view.tags(scoring.reference).values
        return [gold, *(layer.numbers.values for layer in with_probabilities(scoring))]

    def automatic(self, scoring: Scoring, wish: Wish) -> bool:
        """Where there are few numbers."""
        return scoring.size * len(with_probabilities(scoring)) <= AUTOMATIC

    def make(self, asked: Asked, progress: Progress) -> Report:
        """Try every threshold, and draw segments for the intervals of the best."""

        def watch(done: int, total: int) -> None:
            progress.report(done / max(1, total), tr("drawing segments"))

        progress.report(0.0, tr("every threshold"))
        data = open_data(asked.scoring)
        study = study_thresholds(data, asked.metrics, seed=asked.options.seed, watch=watch)
        return ThresholdsReport.made(asked.scoring, study)

    def sheets(self, found: Found, decimals: int, late: bool) -> Sequence[Titled]:
        """The best thresholds, and how well numbers rank words."""
        return sheets(found.study, decimals, late=late)

    def panels(self, found: Found, target: Target, number: Write) -> Panels:
        """The system that is looked at."""
        study = found.study
        system = place_of(target.system, [one.name for one in study.systems])
        return threshold_panels(study, system, place_of(target.metric, [one.name for one in study.metrics]), number)

    def warning(self, found: Found) -> str:
        """Thresholds of the data that they are scored on."""
        return tr("These thresholds are chosen on the gold that they are scored on, so their scores flatter. The "
                  "command “{command}” takes them from other data.", command="study thresholds")  # fmt: skip
