"""Keeps findings up to date beside the window: computed in a job, judged anew in the next turn of the window's thread;
the last ones stay meanwhile.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from PySide6.QtCore import QTimer

from qe_desktop.levels import Level, Scoring
from qe_desktop.levels.findings import Findings, findings_of
from qe_desktop.metrics import metrics_named
from qe_desktop.significance import Options
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.scores.comparison_keeper import ComparisonKeeper
from qe_desktop.ui.scores.findings.values import Found
from qe_desktop.ui.scores.latest import Latest
from qe_desktop.ui.scores.score_view import chosen_columns
from qe_desktop.wording import tr

Pairs = Mapping[str, Scoring]


class FindingsKeeper(Latest[Found]):
    """Correction, alpha, rounds, seed and unit are those of the Scores area. `metric` is the one that is looked at."""

    def __init__(self, comparison: ComparisonKeeper) -> None:
        super().__init__(comparison)
        self._options = comparison.options
        # comparisons are judged anew in the turn before, and the window answers in between
        self._judging = QTimer(self, singleShot=True, interval=0)
        self._judging.timeout.connect(self._judge)
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

    # --- options

    def _on_compared(self) -> None:
        before, now = self._options, self.comparison.options
        if now == before:
            return
        self._options = now
        if replace(now, correction=before.correction, alpha=before.alpha, top=before.top) != before:
            self._on_tested_otherwise()
        elif self.found is not None:
            self._judging.start()

    def _judge(self) -> None:
        if self.found is not None:
            self.found = self.found.rejudged(self._options)
            self.changed.emit()

    def _on_tested_otherwise(self) -> None:
        """Rounds, seed or unit are other ones."""
        raise NotImplementedError

    def _metrics(self, level: Level, *also: str) -> list[str]:
        """The metrics that a person chose for a level, in the level's order, and others."""
        names = {*chosen_columns(self.workspace.settings, level), *also}
        return [name for name in level.metrics if name in names]

    def _take(self, found: Found) -> None:
        # correction and alpha may have changed while it was computed
        super()._take(found.rejudged(self._options))


class OpenFindings(FindingsKeeper):
    """Of what is open: one language pair at the current level. Computed while somebody looks, and there is little."""

    def __init__(self, comparison: ComparisonKeeper) -> None:
        super().__init__(comparison)
        self._subject: tuple[object, ...] = ()
        self._asked: list[str] = []
        self._edits = self._started_at = 0
        self._timer = self._once_edits_pause(self._look)
        comparison.scores.reset.connect(self._on_reset)
        comparison.scores.moved.connect(self._on_moved)
        self.workspace.settings.changed.connect(self._on_setting)
        self._on_reset()

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
        subject = (self.workspace.session, self.workspace.level.tokenizer, scores.reference, *scores.layers)
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

    def _look(self) -> None:
        """Compute what is due, if somebody looks and it does not take long."""
        if not (self._watched and self._due) or self.state == "empty":
            return
        if self.comparison.is_small():
            self.run()
        elif self.state != "working":
            self.state = "waiting"
            self.changed.emit()

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

        self._begin(tr("Findings"), "findings", work, self._take)

    def _take(self, found: Found) -> None:
        self.stale = self._edits != self._started_at
        super()._take(found)


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
