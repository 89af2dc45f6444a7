"""Campaign results, computed in the background; a new request replaces the previous one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from PySide6.QtCore import QObject

from qe_desktop.corpus import ItemRole, QeError, Ratings
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.aggregation.rating_groups import COUNTED_ROLES
from qe_desktop.ratings.blinding import DisplayNames, rename_skills, rename_systems
from qe_desktop.ratings.results.distributions import RatingDistributions, rating_distributions
from qe_desktop.ratings.results.result_types import RatingOptions, RatingResults
from qe_desktop.significance import Correction
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.scores.result_service import ResultService
from qe_desktop.ui.workspace import Workspace

JOB, JOB_NAME = "ratings-results", tr("Rating results")
RatingsSource = Callable[[], Ratings]


@dataclass(frozen=True, slots=True, eq=False)
class ComputedResults:
    """Results with chart data; `summary` is a one-line summary of the ratings.

    `names` maps original system names to displayed ones. `original_ratings` has the original names, `ratings` the
    displayed ones.
    """

    ratings: Ratings
    original_ratings: Ratings
    results: RatingResults
    distributions: RatingDistributions
    names: DisplayNames
    summary: str


class CampaignResultsService(ResultService[ComputedResults]):
    """Service that computes campaign results; `state` is "empty" if there are no ratings that count.

    TrueSkill is slow. For rankings, it is therefore computed last, when `result` already contains all other results.
    """

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(workspace, parent or workspace)
        self.options = RatingOptions()
        self._source: RatingsSource | None = None
        self._names: DisplayNames | None = None

    def show(self, source: RatingsSource | None, names: DisplayNames | None) -> None:
        """Start computing results, with systems renamed by `names`, if any; if `source` is None, clear the results."""
        if source is not self._source:
            self.result = None
        self._source, self._names = source, names
        self.run()

    def set_correction(self, correction: Correction) -> None:
        """Set the correction for multiple comparisons; a different correction starts a new computation."""
        if correction != self.options.correction:
            self.options = replace(self.options, correction=correction)
            self.run()

    def run(self) -> None:
        """Start computing the results in the background; if there is no source of ratings, clear the results."""
        source, names, options = self._source, self._names, self.options
        self.error = None
        if source is None:
            self._cancel_quietly()
            self._on_computed(None)
            return

        def work(progress: Progress) -> ComputedResults | None:
            return compute_results(source(), names, options, progress)

        self._begin(JOB_NAME, JOB, work, self._on_computed)

    def _on_computed(self, computed: ComputedResults | None) -> None:
        self.result = computed
        if computed is None:
            self.state = "empty"
            self.changed.emit()
        elif computed.results.has_rankings:
            self._begin(JOB_NAME, JOB, partial(add_trueskill, computed), self._store_result)
        else:
            self._store_result(computed)

    def _on_cancelled(self) -> None:
        if self.result is None:
            self._on_failed(QeError(tr("the computation was cancelled"), hint=tr("Run it again at any time.")))
        else:
            super()._on_cancelled()

    def _idle_state(self) -> str:
        return "ready"


def compute_results(
    ratings: Ratings, names: DisplayNames | None, options: RatingOptions, progress: Progress
) -> ComputedResults | None:
    """Return results and chart data, without TrueSkill; systems are renamed by `names`, if any.

    Return None if there are no ratings that count.
    """
    from qe_desktop.ratings.results.rating_results import build_results

    if not any(np.isin(table.role, COUNTED_ROLES).any() for table in (ratings.scores, ratings.pairs)):
        return None
    new_names = names or {}
    blinded, ratings = ratings, rename_systems(ratings, new_names)
    progress.report(0.1, tr("statistics"))
    results = build_results(ratings, options=options, trueskill=False)
    progress.report(0.8, tr("charts"))
    return ComputedResults(
        ratings,
        blinded,
        results,
        rating_distributions(ratings, results.scales),
        new_names,
        results_summary(ratings, results),
    )


def add_trueskill(computed: ComputedResults, progress: Progress) -> ComputedResults:
    """Return the results in `computed` with TrueSkill added."""
    from qe_desktop.ratings.results.rating_results import compute_trueskill, with_trueskill

    options = computed.results.options

    def report_progress(fraction: float) -> None:
        progress.report(fraction, tr("TrueSkill, {n:,} bootstrap {n:resample|resamples}", "", options.runs))

    # use the original names: they seed the random numbers, and blinding must not change a statistic
    skills = rename_skills(
        compute_trueskill(computed.original_ratings, options, report_progress),
        computed.names,
        computed.original_ratings.pairs,
    )
    return replace(computed, results=with_trueskill(computed.results, skills))


def results_summary(ratings: Ratings, results: RatingResults) -> str:
    """Return a one-line summary of the ratings: counts, and notes on simulated raters and repeated ratings."""
    from qe_desktop.formats.ratings import MEAN_RATER

    scores, pairs = ratings.scores, ratings.pairs
    rated, judged = (np.isin(table.role, COUNTED_ROLES) for table in (scores, pairs))
    parts = []
    if results.scales:
        parts.append(tr("{n:,} {n:rating|ratings}", "", int(rated.sum())))
    if results.has_rankings:
        parts.append(tr("{n:,} {n:pairwise judgement|pairwise judgements}", "", int(judged.sum())))
    segments = {scores.segments[index] for index in np.unique(scores.segment[rated])}
    segments |= {pairs.segments[index] for index in np.unique(pairs.segment[judged])}
    parts.append(tr("{n:,} {n:system|systems}", "", len(results.systems)))
    parts.append(tr("{n:,} {n:segment|segments}", "", len(segments)))
    raters = {scores.raters[index] for index in np.unique(scores.rater[rated])} - {MEAN_RATER}
    raters |= {pairs.raters[index] for index in np.unique(pairs.rater[judged])}
    parts.append(tr("{n:,} {n:rater|raters}", "", len(raters)))
    omitted = sum(int(np.isin(table.role, (ItemRole.BAD, ItemRole.TRAINING)).sum()) for table in (scores, pairs))
    if omitted:
        parts.append(tr("not counted: {n:,} for training or quality control", "", omitted))
    # simulation and repeated ratings must also be visible outside the notes
    parts += [note for note in results.notes if _is_about_simulation(note)]
    if results.has_repeated_ratings:
        is_each_counted = results.options.repeats == "each"
        parts.append(
            tr("repeated ratings count separately")
            if is_each_counted
            else tr("the mean of each rater's repeated ratings counts")
        )
    return " · ".join(parts)


def _is_about_simulation(note: str) -> bool:
    """Return whether a note, in English or in the current language, states that raters are simulated."""
    return "simulated" in note or note == tr("the raters are simulated")
