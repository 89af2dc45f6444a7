"""Service for a study of the open data; an outdated result remains, marked as such, until a new one is ready."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from qe_desktop.levels import Scoring
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.scores.page_controller import PageResultService
from qe_desktop.ui.scores.significance.significance_service import SignificanceService
from qe_desktop.ui.scores.studies.study import Study, StudyOptions, StudyRequest, StudyResult, StudyTarget
from qe_desktop.ui.widgets.placeholder_page import EmptyState


class StudyService(PageResultService[StudyResult]):
    """Service that runs a study with the test options of the Scores area.

    `target` contains the names of the metric, system and baseline that the current table cell refers to.
    """

    def __init__(self, comparison: SignificanceService, study: Study) -> None:
        super().__init__(comparison)
        self.study = study
        self.study_options = StudyOptions()
        self.target = StudyTarget()
        self._options = comparison.options
        self._result_options: tuple[object, ...] = ()
        self._inputs: tuple[Any, ...] = ()
        self._subject: tuple[object, ...] = ()
        self._missing: EmptyState | None = None
        comparison.changed.connect(self._on_compared)
        comparison.scores.reset.connect(self._on_reset)
        comparison.scores.scores_changed.connect(self._on_edit)
        self._on_reset()

    # --- selection

    @property
    def is_outdated(self) -> bool:
        """Whether the data or options differ from those of the result; False without a result."""
        return self.result is not None and (
            self.is_data_outdated or self._computation_options() != self._result_options
        )

    def set_study_options(self, options: StudyOptions) -> None:
        """Set the options of the study; if they changed, request a new run."""
        if options != self.study_options:
            self.study_options = options
            self._request_run()
            self.changed.emit()

    def select_target(self, target: StudyTarget) -> None:
        """Select a target; if its metric or system is empty, the metric or system selected before is kept."""
        now = StudyTarget(target.metric or self.target.metric, target.system or self.target.system, target.labelling)
        if now != self.target:
            self.target = now
            self.changed.emit()

    def select_if_known(self, metric: str, system: str) -> None:
        """Select a metric and a system; names that are not in the result are ignored."""
        study = None if self.result is None else self.result.study
        metrics = () if study is None else [item.name for item in study.metrics]
        systems = () if study is None else [item.name for item in study.systems]
        self.select_target(StudyTarget(metric if metric in metrics else "", system if system in systems else ""))

    def _computation_options(self) -> tuple[object, ...]:
        return self.study.computation_options(self.study_options, self._options)

    # --- data

    def scoring(self) -> Scoring | None:
        """Return the scoring to study; None if nothing is scored or the level has no tags."""
        scores = self.comparison.scores
        scoring = scores.scoring() if scores.state in ("ready", "working") else None
        return scoring if scoring is not None and scoring.level.tags is not None else None

    def unavailable_state(self) -> EmptyState | None:
        """Return the empty state if the study cannot run on the open data; None if it can."""
        return self._missing

    def _find_missing(self, scoring: Scoring | None) -> EmptyState | None:
        """Determine, cache and return the empty state, which may be None; this reads all tags."""
        self._missing = None if scoring is None else self.study.unavailable_state(scoring)
        return self._missing

    def _on_compared(self) -> None:
        before, now = self._options, self.comparison.options
        if now == before:
            return
        self._options = now
        if self.result is not None and self.study.judgement_options(now) != self.study.judgement_options(before):
            self.result = replace(self.result, report=self.study.rejudge(self.result, now))
        if self.study.computation_options(self.study_options, now) != self.study.computation_options(
            self.study_options, before
        ):
            self._request_run()
        self.changed.emit()

    def _on_reset(self) -> None:
        """Handle changed layers or newly computed scores."""
        scores = self.comparison.scores
        subject = (self.workspace.session, scores.reference, *scores.layers)
        scoring = self.scoring()
        is_changed = subject != self._subject
        self._subject = subject
        if is_changed:
            self._discard_result()
        if self._find_missing(scoring) is not None or scoring is None:
            self._discard_result()
            self.state = "empty"
        elif self.state == "empty":
            self.state = "waiting"
        if scoring is not None and self.result is not None:
            self._compare(scoring)
        if self.result is None or self.is_data_outdated:
            self._request_run()
        self.changed.emit()

    def _discard_result(self) -> None:
        self._cancel_quietly()
        self.result, self.error, self.is_data_outdated, self.target = None, None, False, StudyTarget()
        self.state = "empty"

    def _after_edits(self) -> None:
        """After edits, request a run if the inputs differ from those of the result or there is no result yet."""
        scoring = self.scoring()
        if scoring is None or ((missing := self.study.unavailable_state(scoring)) is not None and self.result is None):
            self._on_reset()
            return
        if missing is not None:
            # the previous study remains readable, but a new one is not possible
            self.changed.emit()
            return
        self._missing = None
        if self.state == "empty":
            self.state = "waiting"
        if self.result is not None:
            self._compare(scoring)
        if self.result is None or self.is_data_outdated:
            self._request_run()
        self.changed.emit()

    def _compare(self, scoring: Scoring) -> None:
        self.is_data_outdated = not _are_equal(self._inputs, self.study.inputs(scoring))

    # --- computation

    def _can_run(self) -> bool:
        # checked again when the scores are ready
        return super()._can_run() and self.comparison.scores.state == "ready"

    def _is_automatic(self) -> bool:
        scoring = self.scoring()
        return scoring is not None and self.study.is_automatic(scoring, self.study_options)

    def _idle_state(self) -> str:
        return "ready" if self.result is not None else "waiting"

    def run(self) -> None:
        """Run the study even if it may take long; do nothing if it cannot run on the open data."""
        scoring = self.scoring()
        if scoring is None or self.study.unavailable_state(scoring) is not None:
            return
        options = self._options
        if options.unit == "document" and scoring.documents is None:
            # the setting may come from a corpus with documents
            options = replace(options, unit="segment")
        request, study = StudyRequest(scoring, self.study_options, options), self.study

        def work(progress: Progress) -> tuple[StudyResult, Sequence[Any]]:
            return StudyResult(request, study.run(request, progress)), study.inputs(scoring)

        options_of_run = self._computation_options()
        self._begin(study.title, f"study-{study.name}", work, lambda result: self._on_done(*result, options_of_run))

    def _on_done(self, result: StudyResult, inputs: Sequence[Any], asks: tuple[object, ...]) -> None:
        if self.study.judgement_options(result.request.options) != self.study.judgement_options(self._options):
            # options changed during the run
            result = replace(result, report=self.study.rejudge(result, self._options))
        self._result_options, self._inputs = asks, tuple(inputs)
        self._store_result(result)


def _are_equal(before: Sequence[Any], now: Sequence[Any]) -> bool:
    """Return whether corresponding arrays are the same objects or have equal elements."""
    return len(before) == len(now) and all(
        left is right or np.array_equal(left, right) for left, right in zip(before, now, strict=True)
    )
