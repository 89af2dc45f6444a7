"""Keeps one study of what is open: made in a job over frozen values; the last one stays, marked where it is late."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from qe_desktop.corpus import QeError
from qe_desktop.levels import Scoring
from qe_desktop.significance import Options
from qe_desktop.ui.jobs import Job, Progress
from qe_desktop.ui.parts.state_page import Situation
from qe_desktop.ui.scores.comparison_keeper import PAUSE, ComparisonKeeper
from qe_desktop.ui.scores.studies.study import Study
from qe_desktop.ui.scores.studies.values import Asked, Found, Target, Wish
from qe_desktop.wording import tr


class StudyKeeper(QObject):
    """`state` is empty (nothing to study), waiting (a person begins it), working, ready or failed (`error` says why).

    `found` stays while another one is made; `stale` says that tags were edited since. Correction, alpha, rounds, seed
    and unit are those of the Scores area. `target` is what is looked at.
    """

    changed = Signal()
    """State, study, wish, target or progress are other ones."""

    def __init__(self, comparison: ComparisonKeeper, study: Study) -> None:
        super().__init__(comparison)
        self.comparison, self.study = comparison, study
        self.workspace = comparison.workspace
        self.state = "empty"
        self.found: Found | None = None
        self.stale = False
        self.progress = 0.0
        self.progress_text = ""
        self.error: QeError | None = None
        self.wish = Wish()
        self.target = Target()
        self._options = comparison.options
        self._made: tuple[object, ...] = ()
        self._inputs: tuple[Any, ...] = ()
        self._subject: tuple[object, ...] = ()
        self._missing: Situation | None = None
        self._edits = self._started_at = 0
        self._watched, self._due = False, True
        self._job: Job | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE)
        self._timer.timeout.connect(self._after_edits)
        comparison.changed.connect(self._on_compared)
        comparison.scores.reset.connect(self._on_reset)
        comparison.scores.moved.connect(self._on_moved)
        self._on_reset()

    # --- what a person chooses

    @property
    def options(self) -> Options:
        """Correction, alpha, rounds, seed and unit, as in the whole area."""
        return self.comparison.options

    @property
    def late(self) -> bool:
        """Whether the study that is there is not the one that was asked for."""
        return self.found is not None and (self.stale or self._asks() != self._made)

    def set_wish(self, wish: Wish) -> None:
        """Study otherwise."""
        if wish != self.wish:
            self.wish = wish
            self._want()
            self.changed.emit()

    def look_at(self, target: Target) -> None:
        """Look at something else; what a cell says nothing of stays as it was."""
        now = Target(target.metric or self.target.metric, target.system or self.target.system, target.labelling)
        if now != self.target:
            self.target = now
            self.changed.emit()

    def set_watched(self, watched: bool) -> None:
        """Say whether somebody looks."""
        self._watched = watched
        self._look()

    def _asks(self) -> tuple[object, ...]:
        return self.study.asks(self.wish, self._options)

    # --- what is open

    def scoring(self) -> Scoring | None:
        """What would be studied, as things are now; None where nothing is scored, or no tags are."""
        scores = self.comparison.scores
        scoring = scores.scoring() if scores.state in ("ready", "working") else None
        return scoring if scoring is not None and scoring.level.tags is not None else None

    def missing(self) -> Situation | None:
        """Why there is no study of what is open; None where there can be one, or nothing is scored at all."""
        return self._missing

    def _find_missing(self, scoring: Scoring | None) -> Situation | None:
        """Ask the study once for each state of things: it looks through the tags."""
        self._missing = None if scoring is None else self.study.missing(scoring)
        return self._missing

    def _on_compared(self) -> None:
        before, now = self._options, self.comparison.options
        if now == before:
            return
        self._options = now
        if self.found is not None and self.study.judges(now) != self.study.judges(before):
            self.found = replace(self.found, report=self.study.judged(self.found, now))
        if self.study.asks(self.wish, now) != self.study.asks(self.wish, before):
            self._want()
        self.changed.emit()

    def _on_reset(self) -> None:
        """Other layers are there, or the scores that were being counted."""
        scores = self.comparison.scores
        subject = (self.workspace.session, scores.reference, *scores.layers)
        scoring = self.scoring()
        another = subject != self._subject
        self._subject = subject
        if another:
            self._drop()
        if self._find_missing(scoring) is not None or scoring is None:
            self._drop()
            self.state = "empty"
        elif self.state == "empty":
            self.state = "waiting"
        if scoring is not None and self.found is not None:
            self._compare(scoring)
        if self.found is None or self.stale:
            self._want()
        self.changed.emit()

    def _drop(self) -> None:
        self._cancel_quietly()
        self.found, self.error, self.stale, self.target = None, None, False, Target()
        self.state = "empty"

    def _on_moved(self) -> None:
        self._edits += 1
        self._timer.start()
        if not self.stale and self.found is not None:
            self.stale = True
            self.changed.emit()

    def _after_edits(self) -> None:
        """Where edits were taken back, nothing is late; else what is small is made anew."""
        scoring = self.scoring()
        if scoring is None or ((missing := self.study.missing(scoring)) is not None and self.found is None):
            self._on_reset()
            return
        if missing is not None:
            # the last study stays to be read; there cannot be another one
            self.changed.emit()
            return
        if self.state == "empty":
            self.state = "waiting"
        if self.found is not None:
            self._compare(scoring)
        if self.found is None or self.stale:
            self._want()
        self.changed.emit()

    def _compare(self, scoring: Scoring) -> None:
        self.stale = not _same(self._inputs, self.study.inputs(scoring))

    # --- making it

    def _want(self) -> None:
        self._due = True
        self._look()

    def _look(self) -> None:
        """Make what is due, if somebody looks and it does not take long."""
        scoring = self.scoring()
        if not (self._watched and self._due) or self.state == "empty" or scoring is None:
            return
        if self.comparison.scores.state != "ready":
            # told again when scores are there
            return
        if self.study.automatic(scoring, self.wish):
            self.run()
        elif self.state != "working":
            self.state = "ready" if self.found is not None else "waiting"
            self.changed.emit()

    def run(self) -> None:
        """Make it now, however long it takes."""
        scoring = self.scoring()
        if scoring is None or self.study.missing(scoring) is not None:
            return
        options = self._options
        if options.unit == "document" and scoring.documents is None:
            # a choice remembered from a corpus with documents
            options = replace(options, unit="segment")
        asked, study = Asked(scoring, self.wish, options), self.study

        def work(progress: Progress) -> tuple[Found, Sequence[Any]]:
            return Found(asked, study.make(asked, progress)), study.inputs(scoring)

        asks, edits = self._asks(), self._edits

        def done(result: tuple[Found, Sequence[Any]]) -> None:
            self._on_done(*result, asks, edits)

        self._due = False
        self.state, self.progress, self.progress_text, self.error = "working", 0.0, "", None
        self._job = self.workspace.jobs.submit(
            study.title, work, done, self._on_failed, self._on_progress,
            on_cancelled=self._on_cancelled, latest=f"study-{study.name}", owner=self,
        )  # fmt: skip
        self.changed.emit()

    def cancel(self) -> None:
        """Stop; the last study stays."""
        if self._job is not None:
            self.workspace.jobs.cancel(self._job)

    def _cancel_quietly(self) -> None:
        # what is no longer asked for is no person's cancelling
        job, self._job = self._job, None
        if job is not None:
            job.on_cancelled = None
            self.workspace.jobs.cancel(job)

    def _on_progress(self, fraction: float, text: str) -> None:
        self.progress, self.progress_text = fraction, text
        self.changed.emit()

    def _on_done(self, found: Found, inputs: Sequence[Any], asks: tuple[object, ...], edits: int) -> None:
        if self.study.judges(found.asked.options) != self.study.judges(self._options):
            # judged otherwise while it was made
            found = replace(found, report=self.study.judged(found, self._options))
        self.found, self.state, self._job = found, "ready", None
        self._made, self._inputs, self.stale = asks, tuple(inputs), edits != self._edits
        self.changed.emit()

    def _on_failed(self, error: QeError) -> None:
        self.state, self.error, self._job = "failed", error, None
        self.changed.emit()

    def _on_cancelled(self) -> None:
        self.state, self._job = "ready" if self.found is not None else "waiting", None
        self.changed.emit()

    def about(self) -> str:
        """What is being done, for the line of progress."""
        return self.progress_text or tr("starting")


def _same(before: Sequence[Any], now: Sequence[Any]) -> bool:
    """Whether these are the same arrays, or have the same values."""
    return len(before) == len(now) and all(
        one is other or np.array_equal(one, other) for one, other in zip(before, now, strict=True)
    )
