"""Keeps the results of what was rated up to date: computed beside the window, the latest request wins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Signal

from qe_desktop.corpus import QeError, Ratings
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.aggregation.rating_groups import COUNTED_ROLES
from qe_desktop.ratings.blinding import Names, rename_skills, rename_systems
from qe_desktop.ratings.results.distributions import RatingDistributions, rating_distributions
from qe_desktop.ratings.results.result_types import RatingOptions, RatingResults
from qe_desktop.significance import Correction
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.workspace import Workspace

JOB = "ratings-results"
RatingsSource = Callable[[], Ratings]


@dataclass(frozen=True, slots=True, eq=False)
class ComputedResults:
    """Results with what pictures need. `names` are those that systems go by, `facts` what all rests on, in a line."""

    ratings: Ratings
    known: Ratings
    results: RatingResults
    shapes: RatingDistributions
    names: Names
    facts: str


class CampaignResultsService(QObject):
    """`state` is empty (nothing is rated), working, ready or failed; what was computed last stays while working."""

    changed = Signal()
    """State, result or progress are other ones."""

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent or workspace)
        self.workspace = workspace
        self.state = "empty"
        self.computed: ComputedResults | None = None
        self.error: QeError | None = None
        self.progress = 0.0
        self.progress_text = ""
        self.refining = False
        """Whether TrueSkill is still being computed, while all else is there."""
        self.options = RatingOptions()
        self._source: RatingsSource | None = None
        self._names: Names | None = None

    def show(self, source: RatingsSource | None, names: Names | None) -> None:
        """Compute the results of what `source` gives, called on another thread; systems go by `names` where given."""
        if source is not self._source:
            self.computed = None
        self._source, self._names = source, names
        self.run()

    def set_correction(self, correction: Correction) -> None:
        """Correct p-values for the number of pairs, or not."""
        if correction != self.options.correction:
            self.options = replace(self.options, correction=correction)
            self.run()

    def run(self) -> None:
        """Compute now: first all but TrueSkill, which takes by far the longest and follows where rankings need it."""
        source, names, options = self._source, self._names, self.options
        self.workspace.jobs.cancel(JOB)
        self.error, self.refining = None, False
        if source is None:
            self.state, self.computed = "empty", None
            self.changed.emit()
            return

        def work(progress: Progress) -> ComputedResults | None:
            return compute_results(source(), names, options, progress)

        self.state = "working"
        self._submit(work, self._on_done)

    def stop(self) -> None:
        """Stop computing; what was computed last stays."""
        self.workspace.jobs.cancel(JOB)

    def _submit(self, work: Callable[[Progress], Any], on_done: Callable[[Any], object]) -> None:
        self.progress, self.progress_text = 0.0, ""
        self.workspace.jobs.submit(
            tr("Results of the ratings"), work, on_done, self._on_failed, self._on_progress,
            on_cancelled=self._on_cancelled, latest=JOB, computing=True,
        )  # fmt: skip
        self.changed.emit()

    def _on_cancelled(self) -> None:
        self.refining = False
        self.state = "ready" if self.computed is not None else "failed"
        if self.computed is None:
            self.error = QeError(tr("the computing was stopped"), hint=tr("Compute again whenever you like."))
        self.changed.emit()

    def _on_progress(self, fraction: float, text: str) -> None:
        self.progress, self.progress_text = fraction, text
        self.changed.emit()

    def _on_done(self, computed: ComputedResults | None) -> None:
        self.computed = computed
        self.state = "empty" if computed is None else "ready"
        if computed is not None and computed.results.ranked:
            self.refining = True
            self._submit(partial(add_trueskill, computed), self._on_refined)
        else:
            self.changed.emit()

    def _on_refined(self, computed: ComputedResults) -> None:
        self.computed, self.refining = computed, False
        self.changed.emit()

    def _on_failed(self, error: QeError) -> None:
        self.state, self.error, self.refining = "failed", error, False
        self.changed.emit()


def compute_results(
    ratings: Ratings, names: Names | None, options: RatingOptions, progress: Progress
) -> ComputedResults | None:
    """Results and shapes of ratings, under other names of the systems where given, without TrueSkill.

    None where nothing is rated that counts.
    """
    from qe_desktop.ratings.results.rating_results import build_results

    if not any(np.isin(table.role, COUNTED_ROLES).any() for table in (ratings.scores, ratings.pairs)):
        return None
    known = names or {}
    plain, ratings = ratings, rename_systems(ratings, known)
    progress.report(0.1, tr("figures"))
    results = build_results(ratings, options=options, trueskill=False)
    progress.report(0.8, tr("pictures"))
    return ComputedResults(
        ratings, plain, results, rating_distributions(ratings, results.scales), known, results_summary(ratings, results)
    )


def add_trueskill(computed: ComputedResults, progress: Progress) -> ComputedResults:
    """The same with TrueSkill."""
    from qe_desktop.ratings.results.rating_results import compute_trueskill, with_trueskill

    options = computed.results.options

    def tell(share: float) -> None:
        progress.report(share, tr("TrueSkill, {n:,} bootstrap runs", "", options.runs))

    # under their own names, for its random numbers go by them: what is blind must not change a figure
    found = rename_skills(compute_trueskill(computed.known, options, tell), computed.names)
    return replace(computed, results=with_trueskill(computed.results, found))


def results_summary(ratings: Ratings, results: RatingResults) -> str:
    """What results rest on: how many ratings, of how many segments, by whom."""
    from qe_desktop.formats.ratings import MEAN_RATER

    scores, pairs = ratings.scores, ratings.pairs
    rated, judged = (np.isin(table.role, COUNTED_ROLES) for table in (scores, pairs))
    parts = []
    if results.scales:
        parts.append(tr("{n:,} {n:rating|ratings}", "", int(rated.sum())))
    if results.ranked:
        parts.append(tr("{n:,} {n:pairwise judgement|pairwise judgements}", "", int(judged.sum())))
    segments = {scores.segments[place] for place in np.unique(scores.segment[rated])}
    segments |= {pairs.segments[place] for place in np.unique(pairs.segment[judged])}
    parts.append(tr("{n:,} {n:system|systems}", "", len(results.systems)))
    parts.append(tr("{n:,} {n:segment|segments}", "", len(segments)))
    raters = {scores.raters[place] for place in np.unique(scores.rater[rated])} - {MEAN_RATER}
    raters |= {pairs.raters[place] for place in np.unique(pairs.rater[judged])}
    parts.append(tr("{n:,} {n:rater|raters}", "", len(raters)))
    # that no person gave them, and what counts where one rated twice, must not stand in a note alone
    parts += [note for note in results.notes if _is_about_simulation(note)]
    if results.rated_again:
        each = results.options.repeats == "each"
        parts.append(tr("each rating counts") if each else tr("the mean of a rater's ratings counts"))
    return " · ".join(parts)


def _is_about_simulation(note: str) -> bool:
    """Whether a note says that raters are simulated, as a project may have kept it or in the language spoken."""
    return "simulated" in note or note == tr("the raters are simulated")
