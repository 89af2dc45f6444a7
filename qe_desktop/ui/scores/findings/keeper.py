"""Keeps findings up to date beside the window: computed in a job, judged anew at once, the last ones stay meanwhile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal

from qe_desktop.corpus import QeError
from qe_desktop.levels import Level, Scoring
from qe_desktop.levels.findings import Findings, findings_of
from qe_desktop.metrics import metrics_named
from qe_desktop.significance import Options
from qe_desktop.ui.jobs import Job, Progress
from qe_desktop.ui.scores.comparison_keeper import PAUSE, ComparisonKeeper
from qe_desktop.ui.scores.findings.values import Found
from qe_desktop.ui.scores.score_view import chosen_columns
from qe_desktop.wording import tr

Pairs = Mapping[str, Scoring]


class FindingsKeeper(QObject):
    """`state` is empty (nothing to compute of), waiting (a person starts it), working, ready or failed.

    `found` stays while others are computed, and `stale` says that edits came since. Correction, alpha, rounds, seed and
    unit are those of the Scores area. `metric` is the one that is looked at.
    """

    changed = Signal()
    """State, findings, metric or progress are other ones."""

    def __init__(self, comparison: ComparisonKeeper) -> None:
        super().__init__(comparison)
        self.comparison = comparison
        self.workspace = comparison.workspace
        self.state = "empty"
        self.found: Found | None = None
        self.stale = False
        self.progress = 0.0
        self.progress_text = ""
        self.error: QeError | None = None
        self._options = comparison.options
        self._job: Job | None = None
        comparison.changed.connect(self._on_compared)

    # --- what a person chooses

    @property
    def metric(self) -> str:
        """The metric that is looked at; one of the findings' metrics where there are any."""
        raise NotImplementedError

    def set_metric(self, name: str) -> None:
        """Look at another metric."""
        raise NotImplementedError

    @property
    def documents(self) -> bool:
        """Whether whole documents can be swapped."""
        raise NotImplementedError

    def run(self) -> None:
        """Compute now, however much."""
        raise NotImplementedError

    def cancel(self) -> None:
        """Stop computing; the last findings stay."""
        if self._job is not None:
            self.workspace.jobs.cancel(self._job)

    # --- options

    def _on_compared(self) -> None:
        before, now = self._options, self.comparison.options
        if now == before:
            return
        self._options = now
        if replace(now, correction=before.correction, alpha=before.alpha, top=before.top) != before:
            self._on_tested_otherwise()
        elif self.found is not None:
            self.found = self.found.rejudged(now)
            self.changed.emit()

    def _on_tested_otherwise(self) -> None:
        """Rounds, seed or unit are other ones."""
        raise NotImplementedError

    def _metrics(self, level: Level, *also: str) -> list[str]:
        """The metrics that a person chose for a level, in the level's order, and others."""
        names = {*chosen_columns(self.workspace.settings, level), *also}
        return [name for name in level.metrics if name in names]

    # --- computing

    def _begin(self, job: Job) -> None:
        self._job = job
        self.state, self.progress, self.progress_text, self.error = "working", 0.0, "", None
        self.changed.emit()

    def _on_progress(self, fraction: float, text: str) -> None:
        self.progress, self.progress_text = fraction, text
        self.changed.emit()

    def _on_done(self, found: Found) -> None:
        # correction and alpha may have changed while it was computed
        self.found = found.rejudged(self._options)
        self.state, self._job = "ready", None
        self.changed.emit()

    def _on_failed(self, error: QeError) -> None:
        self.state, self.error, self._job = "failed", error, None
        self.changed.emit()

    def _on_cancelled(self) -> None:
        self.state, self._job = "waiting", None
        self.changed.emit()


class OpenFindings(FindingsKeeper):
    """Of what is open: one language pair at the current level. Computed while somebody looks, and there is little."""

    def __init__(self, comparison: ComparisonKeeper) -> None:
        super().__init__(comparison)
        self._watched = False
        self._due = True
        self._subject: tuple[object, ...] = ()
        self._asked: list[str] = []
        self._edits = self._started_at = 0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE)
        self._timer.timeout.connect(self._look)
        comparison.scores.reset.connect(self._on_reset)
        comparison.scores.moved.connect(self._on_moved)
        self.workspace.settings.changed.connect(self._on_setting)
        self._on_reset()

    def set_watched(self, watched: bool) -> None:
        """Say whether somebody looks at these findings."""
        self._watched = watched
        self._look()

    @property
    def metric(self) -> str:
        """The metric looked at in the whole area; the first while it has not been computed."""
        names = [] if self.found is None else [metric.name for metric in self.found.metrics]
        wanted = self.comparison.metric
        return wanted if wanted in names or not names else names[0]

    def set_metric(self, name: str) -> None:
        """Look at another metric everywhere in the area."""
        self.comparison.set_metric(name)

    @property
    def documents(self) -> bool:
        """Whether the open corpus has documents."""
        corpus = self.workspace.corpus
        return corpus is not None and corpus.documents is not None

    # --- when it is computed

    def _on_compared(self) -> None:
        super()._on_compared()
        looked = self.comparison.metric
        if looked not in self._asked and looked in self.workspace.level.metrics:
            self._want()
        self.changed.emit()

    def _on_tested_otherwise(self) -> None:
        self._want()

    def _on_setting(self, key: str) -> None:
        if key == "view/columns":
            self._want()

    def _on_reset(self) -> None:
        self._edits += 1
        scores = self.comparison.scores
        subject = (self.workspace.session, scores.reference, *scores.layers)
        if subject != self._subject:
            self.found = None
        self._subject, self.stale = subject, self.found is not None
        self._cancel_quietly()
        self.state = "empty" if scores.state != "ready" or not scores.layers else "waiting"
        self._want()
        self.changed.emit()

    def _on_moved(self) -> None:
        self._edits += 1
        self._due = True
        self._timer.start()
        if not self.stale and self.found is not None:
            self.stale = True
            self.changed.emit()

    def _want(self) -> None:
        self._due = True
        self._look()

    def _look(self) -> None:
        """Compute what is due, if somebody looks and it does not take long."""
        if not (self._watched and self._due) or self.state == "empty":
            return
        if self.comparison.is_small():
            self.run()
        elif self.state != "working":
            self.state = "waiting"
            self.changed.emit()

    def _cancel_quietly(self) -> None:
        # what is no longer asked for is no person's cancelling
        job, self._job = self._job, None
        if job is not None:
            job.on_cancelled = None
            self.workspace.jobs.cancel(job)

    def run(self) -> None:
        """Compute now, however much."""
        scoring, corpus = self.comparison.scores.scoring(), self.workspace.corpus
        if scoring is None or corpus is None or self.comparison.scores.state != "ready":
            return
        pairs = {corpus.language_pair or corpus.name: scoring}
        names, options, title = self._metrics(scoring.level, self.comparison.metric), self._options, corpus.name
        self._asked, self._due, self._started_at = names, False, self._edits

        def work(progress: Progress) -> Found:
            return Found(computed(pairs, names, options, progress), title)

        self._begin(
            self.workspace.jobs.submit(
                tr("Findings"), work, self._on_done, self._on_failed, self._on_progress,
                on_cancelled=self._on_cancelled, latest="findings", owner=self,
            )
        )  # fmt: skip

    def _on_done(self, found: Found) -> None:
        self.stale = self._edits != self._started_at
        super()._on_done(found)


def computed(pairs: Pairs, names: list[str], options: Options, progress: Progress, begin: float = 0.0) -> Findings:
    """Findings of pairs by these metrics, each by its usual test; `begin` is the share of the work done before."""
    level = next(iter(pairs.values())).level
    if options.unit == "document" and any(scoring.documents is None for scoring in pairs.values()):
        # a choice remembered from a corpus with documents
        options = replace(options, unit="segment")

    def watch(done: int, total: int) -> None:
        progress.report(begin + (1 - begin) * done / total, tr("testing systems"))

    metrics = metrics_named(names, level.metrics, level.items)
    return findings_of(pairs, metrics, replace(options, test=""), watch=watch)
