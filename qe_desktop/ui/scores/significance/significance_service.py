"""Service for the comparison of the open systems: tests and intervals are computed in the background."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from qe_desktop.i18n.messages import tr
from qe_desktop.levels import Scoring
from qe_desktop.metrics import Metric, get_metrics
from qe_desktop.significance import CORRECTIONS, SignificanceOptions, SignificanceTest, get_test, rejudge_comparison
from qe_desktop.significance.comparison import ResamplingUnit
from qe_desktop.significance.score_intervals import INTERVAL_METHODS
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.scores.live_score_service import LiveScoreService
from qe_desktop.ui.scores.result_service import ResultService
from qe_desktop.ui.scores.score_values import ComparisonResult, MatrixState
from qe_desktop.ui.workspace import Workspace

MAX_AUTOMATIC_TAGS = 8_000_000
"""Maximum number of tags (systems × words) for which a comparison starts automatically."""
COMPARISON_JOB = "comparison"
"""Key of the job that compares the systems; a new job replaces a running job with the same key."""
SCORED_FRACTION, TESTED_FRACTION = 0.2, 0.8
"""Progress (0..1) at the end of scoring and at the end of testing; the intervals are computed last."""


class SignificanceService(ResultService[ComparisonResult]):
    """Service for the comparison of systems.

    `state` is "empty" if there are no systems, and "waiting" if the data are large and the user must start the
    comparison. The result for a single system has intervals but no tests.
    """

    def __init__(self, workspace: Workspace, scores: LiveScoreService) -> None:
        super().__init__(workspace, workspace)
        self.scores = scores
        self.metric = workspace.settings.metric or workspace.level.main_metric
        settings = workspace.settings
        self.options = SignificanceOptions(
            rounds=settings.rounds,
            seed=settings.seed,
            unit="document" if settings.unit == "document" else "segment",
            correction=next(choice for choice in CORRECTIONS if choice == settings.correction),
            alpha=settings.alpha,
            interval_method=next(choice for choice in INTERVAL_METHODS if choice == settings.interval_method),
        )
        self._subject: tuple[object, ...] = ()
        self._running_metrics: tuple[str, ...] = ()
        """Names of the metrics of the last comparison that was started."""
        scores.reset.connect(self._on_reset)
        scores.scores_changed.connect(self._on_edit)

    def snapshot(self) -> MatrixState:
        """Return a snapshot for models: the current metric, the result, and whether the result is outdated."""
        return MatrixState(self.metric, self.result, self.is_data_outdated)

    def procedure(self, unit: ResamplingUnit | None = None) -> SignificanceTest:
        """Return the default test of the current metric for resampling unit `unit`, by default the current unit."""
        level = self.workspace.level
        metric = level.metrics[self.metric if self.metric in level.metrics else level.main_metric]
        return get_test(level.default_test([metric], unit or self._unit()))

    def _unit(self) -> ResamplingUnit:
        """Return the selected resampling unit, or segments if the corpus has no documents."""
        corpus = self.workspace.corpus
        return "segment" if corpus is None or corpus.documents is None else self.options.unit

    # --- selection

    def set_metric(self, name: str) -> None:
        """Select another metric.

        If the metric is neither tested nor being tested, small data are tested immediately; for large data, the service
        waits for the user.
        """
        self.metric = name
        self.workspace.settings.metric = name
        is_tested = self.result is not None and name in self.result.metrics
        if is_tested or (self.state == "working" and name in self._running_metrics):
            self.changed.emit()
        else:
            self._start_if_small()

    def set_options(self, options: SignificanceOptions) -> None:
        """Set the options; a change of the correction, alpha or top–bottom split requires no new tests."""
        before, self.options = self.options, options
        settings = self.workspace.settings
        settings.correction, settings.alpha, settings.rounds = options.correction, options.alpha, options.rounds
        settings.seed, settings.unit, settings.interval_method = options.seed, options.unit, options.interval_method
        is_only_rejudged = replace(options, correction=before.correction, alpha=before.alpha, top=before.top) == before
        if is_only_rejudged and self.result is not None:
            self.result = self._rejudge(self.result)
        elif not is_only_rejudged or self.state != "working":
            # the new options are applied to a running comparison when it is ready
            self._start_if_small()
        # even if no data are open, because results of a folder use the same options
        self.changed.emit()

    def _rejudge(self, result: ComparisonResult) -> ComparisonResult:
        now, tested = self.options, result.comparison.options
        options = replace(tested, correction=now.correction, alpha=now.alpha, top=now.top)
        return replace(result, comparison=rejudge_comparison(result.comparison, options))

    # --- computation

    def _on_reset(self) -> None:
        self._edits += 1
        level = self.workspace.level
        if self.metric not in level.metrics:
            # the metric belongs to another level
            chosen = self.workspace.settings.metric
            self.metric = chosen if chosen in level.metrics else level.main_metric
        if self.scores.state != "ready":
            self.cancel()
        if self._score_inputs() != self._subject:
            # otherwise, a closed session would not be freed
            self.result, self._subject = None, ()
        # the same systems at another threshold keep their result until a new one is ready
        self.is_data_outdated = self.result is not None
        if self.scores.state != "ready" or not self.scores.layers:
            self.state = "empty"
            self.changed.emit()
            return
        self._start_if_small()

    def _score_inputs(self) -> tuple[object, ...]:
        return (self.workspace.session, self.workspace.level.tokenizer, self.scores.reference, *self.scores.layers)

    def _start_if_small(self) -> None:
        if self.scores.state != "ready" or not self.scores.layers:
            return
        if self.is_small():
            self.run()
        else:
            self.cancel()
            self.state = "waiting"
            self.changed.emit()

    def is_small(self) -> bool:
        """Return whether the open data are small enough to compare automatically; True for a single system."""
        scoring = self.scores.scoring()
        systems = 0 if scoring is None else len(scoring.subjects)
        return scoring is None or systems < 2 or scoring.size * systems <= MAX_AUTOMATIC_TAGS

    def _after_edits(self) -> None:
        # a large comparison started by the user continues, and its result will be outdated
        if self.state != "working" or self.is_small():
            self._start_if_small()

    def run(self) -> None:
        """Run the comparison, regardless of the size of the data."""
        scoring = self.scores.scoring()
        if scoring is None or not scoring.subjects:
            return
        level = scoring.level
        named = get_metrics(dict.fromkeys((*level.tested_metrics, self.metric)), level.metrics, level.items)
        options = replace(self.options, test=self.procedure().name, unit=self._unit())
        # only metrics with the same default test are tested together
        metrics = [metric for metric in named if level.default_test([metric], options.unit) == options.test]

        def work(progress: Progress) -> ComparisonResult:
            return compute_comparison(scoring, metrics, options, progress)

        self._subject, self.error, self._running_metrics = (
            self._score_inputs(),
            None,
            tuple(metric.name for metric in metrics),
        )
        # correction, alpha and split may have changed during the tests
        self._begin(
            tr("Significance test"),
            COMPARISON_JOB,
            work,
            lambda comparison: self._store_result(self._rejudge(comparison)),
        )


def compute_comparison(
    scoring: Scoring, metrics: Sequence[Metric], options: SignificanceOptions, progress: Progress
) -> ComparisonResult:
    """Return tests and intervals, computed with the resampling unit of the options.

    Raises QeError if a metric cannot be tested, or if the resampling unit is the document and there are no documents.
    """

    def on_scoring_progress(share: float) -> None:
        progress.report(SCORED_FRACTION * share, tr("scoring"))

    def on_test_progress(count: int, total: int) -> None:
        progress.report(
            SCORED_FRACTION + (TESTED_FRACTION - SCORED_FRACTION) * count / total,
            tr("{done:,} of {n:,} {n:trial|trials}", "", total, done=count),
        )

    def on_interval_progress(count: int, total: int) -> None:
        progress.report(TESTED_FRACTION + (1 - TESTED_FRACTION) * count / total, tr("computing intervals"))

    families = scoring.family_rows(metrics, on_scoring_progress)
    ordered = [metric for family in families for metric in family.metrics]
    compared = scoring.compare_rows(families, ordered, options, on_test_progress)
    intervals = scoring.intervals(families, options, on_interval_progress)
    ends = np.stack([intervals[metric.name] for metric in ordered])
    return ComparisonResult(scoring.level, scoring.reference, scoring.subjects, compared, ends)
