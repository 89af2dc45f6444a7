"""Services that compute the results of the All metrics page in the background."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QTimer, Signal

from qe_desktop.corpus import Corpus, LayerKey
from qe_desktop.escaping import escape_label
from qe_desktop.formats.parsed_tables import pair_key
from qe_desktop.i18n.messages import tr
from qe_desktop.levels import Level, Scoring, all_levels
from qe_desktop.levels.findings import Findings, collect_findings
from qe_desktop.levels.folder_scores import FolderScores
from qe_desktop.levels.shared_task import read_folders
from qe_desktop.metrics import get_metrics
from qe_desktop.metrics.text.tokenization import Tokenization
from qe_desktop.significance import SignificanceOptions
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.scores.findings.findings_table import FindingsResult
from qe_desktop.ui.scores.page_controller import PageResultService
from qe_desktop.ui.scores.score_table_view import selected_columns
from qe_desktop.ui.scores.significance.significance_service import SignificanceService

ScoringsByPair = Mapping[str, Scoring]


class FindingsService(PageResultService[FindingsResult]):
    """Base class of the services of the All metrics page.

    Correction, alpha, trials, seed and resampling unit are those of the Scores area.
    """

    def __init__(self, comparison: SignificanceService) -> None:
        super().__init__(comparison)
        self._options = comparison.options
        self._is_judged = True
        # options are applied one event-loop iteration after the comparison, so that events are processed in between
        self._judging = QTimer(self, singleShot=True, interval=0)
        self._judging.timeout.connect(self._judge)
        comparison.changed.connect(self._on_compared)

    # --- selection

    @property
    def metric(self) -> str:
        """Name of the current metric; if there are results, they include this metric."""
        raise NotImplementedError

    def set_metric(self, name: str) -> None:
        """Select another metric."""
        raise NotImplementedError

    @property
    def has_documents(self) -> bool:
        """Whether documents can be the resampling unit."""
        raise NotImplementedError

    # --- options

    def _on_compared(self) -> None:
        before, now = self._options, self.comparison.options
        if now == before:
            return
        self._options = now
        if replace(now, correction=before.correction, alpha=before.alpha, top=before.top) != before:
            self._on_test_options_changed()
        elif self.result is not None:
            self._is_judged = False
            self._judging.start()

    def set_page_visible(self, watched: bool) -> None:
        """Set whether the page is visible; if it is, handle pending work."""
        super().set_page_visible(watched)
        self._judge()

    def _judge(self) -> None:
        """Apply the current correction and alpha to the results; if the page is hidden, do this when it is shown."""
        if self.result is not None and self._is_page_visible and not self._is_judged:
            self._is_judged = True
            self.result = self.result.with_options(self._options)
            self.changed.emit()

    def _on_test_options_changed(self) -> None:
        """Handle a changed option that requires new tests or intervals, such as trials, seed or resampling unit."""
        raise NotImplementedError

    def _metrics(self, level: Level, *additional: str) -> list[str]:
        """Return the names of a level's metrics that are selected or in `additional`, in the order of the level."""
        names = {*selected_columns(self.workspace.settings, level), *additional}
        return [name for name in level.metrics if name in names]

    def _store_result(self, result: FindingsResult) -> None:
        # correction and alpha may have changed during the computation
        self._is_judged = True
        super()._store_result(result.with_options(self._options))


class SessionFindingsService(FindingsService):
    """Service for the open data at the current level.

    While the page is visible, results for small data are computed automatically.
    """

    def __init__(self, comparison: SignificanceService) -> None:
        super().__init__(comparison)
        self._subject: tuple[object, ...] = ()
        self._metric_names: list[str] = []
        comparison.scores.reset.connect(self._on_reset)
        comparison.scores.scores_changed.connect(self._on_scores_changed)
        self.workspace.settings.changed.connect(self._on_setting)
        self._on_reset()

    @property
    def metric(self) -> str:
        """Current metric of the Scores area or, if the results do not include it, the first metric of the results."""
        names = [] if self.result is None else [metric.name for metric in self.result.metrics]
        current_metric = self.comparison.metric
        return current_metric if current_metric in names or not names else names[0]

    def set_metric(self, name: str) -> None:
        """Select another metric for the whole Scores area."""
        self.comparison.set_metric(name)

    @property
    def has_documents(self) -> bool:
        """Whether the open corpus has documents."""
        corpus = self.workspace.corpus
        return corpus is not None and corpus.documents is not None

    # --- recomputation

    def _on_compared(self) -> None:
        super()._on_compared()
        current_metric = self.comparison.metric
        if current_metric not in self._metric_names and current_metric in self.workspace.level.metrics:
            self._request_run()
        self.changed.emit()

    def _on_test_options_changed(self) -> None:
        self._request_run()

    def _on_setting(self, key: str) -> None:
        if key == "view/columns":
            self._request_run()

    def _on_reset(self) -> None:
        self._edits += 1
        scores = self.comparison.scores
        subject = (self.workspace.session, self.workspace.level.tokenizer, scores.reference, *scores.layers)
        if subject != self._subject:
            self.result = None
        self._subject, self.is_data_outdated = subject, self.result is not None
        self._cancel_quietly()
        self.state = "empty" if scores.state != "ready" or not scores.layers else "waiting"
        self._request_run()
        self.changed.emit()

    def _on_scores_changed(self) -> None:
        self._is_run_pending = True
        self._on_edit()

    def _is_automatic(self) -> bool:
        return self.comparison.is_small()

    def run(self) -> None:
        """Compute the results, regardless of the size of the data; do nothing unless the scores are ready."""
        scoring, corpus = self.comparison.scores.scoring(), self.workspace.corpus
        if scoring is None or corpus is None or self.comparison.scores.state != "ready":
            return
        pairs = {corpus.language_pair or corpus.name: scoring}
        names, options, title = self._metrics(scoring.level, self.comparison.metric), self._options, corpus.name
        self._metric_names = names

        def work(progress: Progress) -> FindingsResult:
            return FindingsResult(compute_findings(pairs, names, options, progress), title)

        self._begin(tr("All metrics"), "findings", work, self._store_result)


def compute_findings(
    pairs: ScoringsByPair,
    names: list[str],
    options: SignificanceOptions,
    progress: Progress,
    start_fraction: float = 0.0,
) -> Findings:
    """Return the results of several metrics for one or more language pairs; each metric uses its default test.

    If documents are the resampling unit but a language pair has no documents, segments are resampled for all pairs.
    `start_fraction` is the progress (0..1) at which the computation begins. Raises QeError if a metric is unknown or a
    tokenizer cannot be used.
    """
    level = next(iter(pairs.values())).level
    if options.unit == "document" and any(scoring.documents is None for scoring in pairs.values()):
        # the setting may come from a corpus with documents
        options = replace(options, unit="segment")

    def on_progress(count: int, total: int) -> None:
        progress.report(start_fraction + (1 - start_fraction) * count / total, tr("testing systems"))

    metrics = get_metrics(names, level.metrics, level.items)
    return collect_findings(pairs, metrics, replace(options, test=""), on_progress=on_progress)


READ_FRACTION = 0.3
"""Fraction of the total progress that is assigned to reading the files."""


@dataclass(frozen=True, slots=True)
class FolderRequest:
    """Folder to read, with the level group, gold and tokenizer to use.

    If `group` or `gold` is empty, the first one available is used. If `tokenizer` is empty, the default of the language
    is used.
    """

    folder: Path
    group: str = ""
    gold: str = ""
    tokenizer: str = ""


def is_same_corpus(first: Corpus, second: Corpus) -> bool:
    """Return whether two corpora have the same folder, name and language pair."""
    identities = [
        (os.path.realpath(corpus.folder), corpus.name, pair_key(corpus.language_pair)) for corpus in (first, second)
    ]
    return identities[0] == identities[1]


class FolderFindingsService(FindingsService):
    """Service for the results of all language pairs of a folder; previous results remain until new ones are ready."""

    results_ready = Signal()
    """Emitted when a folder has been read and its results are ready."""

    def __init__(self, comparison: SignificanceService) -> None:
        super().__init__(comparison)
        self.requested: FolderRequest | None = None
        """Last request or, after `dismiss`, the request for the current results; None before the first request."""
        self._results_request: FolderRequest | None = None
        self._metric = ""
        self._reading = False

    @property
    def metric(self) -> str:
        """Current metric; empty before the first results."""
        return self._metric

    def set_metric(self, name: str) -> None:
        """Select another metric, which must be in the results."""
        if name != self._metric:
            self._metric = name
            self.changed.emit()

    @property
    def has_documents(self) -> bool:
        """Whether all language pairs have documents; False without results."""
        result = self.result
        return result is not None and all(pair.scoring.documents is not None for pair in result.findings.pairs)

    def has_pair(self, corpus: Corpus) -> bool:
        """Return whether `corpus` is the corpus of a language pair in the results."""
        pairs = () if self.result is None else self.result.findings.pairs
        return any(is_same_corpus(corpus, pair.scoring.view.corpus) for pair in pairs)

    def _can_run(self) -> bool:
        """Return False, because a folder is read on request only."""
        return False

    def read(self, folder: Path) -> None:
        """Read a folder and compute its results in the background; `results_ready` is emitted when they are ready."""
        self._submit_request(FolderRequest(folder))

    def set_group(self, name: str) -> None:
        """Read the folder again for another level group, with the first gold of that group."""
        if self._results_request is not None:
            self._submit_request(
                FolderRequest(self._results_request.folder, name, tokenizer=self._results_request.tokenizer)
            )

    def golds(self) -> list[LayerKey]:
        """Return the distinct gold layers of the language pairs, the default one first; empty without results."""
        pairs = () if self.result is None else self.result.findings.pairs
        return list(dict.fromkeys(key for pair in pairs for key in pair.scoring.level.references(pair.scoring.view)))

    def set_gold(self, name: str) -> None:
        """Read the folder again, and score its systems against another gold."""
        if self._results_request is not None:
            self._submit_request(replace(self._results_request, gold=name))

    def set_tokenizer(self, name: str) -> None:
        """Read the folder again with another tokenizer."""
        # a request that failed or was cancelled may have had a different tokenizer from that of the results
        if self._results_request is not None and (
            name != self._results_request.tokenizer or self.requested != self._results_request
        ):
            self._submit_request(replace(self._results_request, tokenizer=name))

    def _submit_request(self, request: FolderRequest) -> None:
        self.requested = request
        self._submit(None)

    def run(self) -> None:
        """Recompute the results from the data already read.

        Without such data, or after a failure, the last request is repeated.
        """
        has_data = self.result is not None and self.state != "failed"
        if has_data or self.requested is not None:
            self._submit(self.result if has_data else None)

    def dismiss(self) -> None:
        """Dismiss an error and return to the previous results; without previous results, the error remains."""
        if self.state == "failed" and self.result is not None:
            self.state, self.error, self.requested = "ready", None, self._results_request
            self.changed.emit()

    def _on_test_options_changed(self) -> None:
        if self.state == "working" and self._reading:
            self._submit(None)
        elif self.result is not None:
            self._submit(self.result)

    def _submit(self, previous_result: FindingsResult | None) -> None:
        """Recompute the results from the data of `previous_result` or, if it is None, from the requested folder."""
        requested, options = self.requested, self._options
        self._reading = previous_result is None
        folder_scores = FolderScores(lower_by_metric=self.workspace.settings.lower)
        chosen = {level.name: self._metrics(level) for level in all_levels()}

        def work(progress: Progress) -> FindingsResult:
            def report_reading(name: str, fraction: float) -> None:
                progress.report(READ_FRACTION * fraction, name)

            if previous_result is not None:
                pairs: ScoringsByPair = {pair.name: pair.scoring for pair in previous_result.findings.pairs}
                names = chosen[previous_result.findings.level.name]
                return replace(previous_result, findings=compute_findings(pairs, names, options, progress))
            assert requested is not None
            folder_data = read_folders(
                [requested.folder], requested.group, gold=requested.gold, scores=folder_scores,
                tokenization=Tokenization(requested.tokenizer), progress=report_reading, check_cancelled=progress.check,
            )  # fmt: skip
            level = next(iter(folder_data.pairs.values())).level
            findings = compute_findings(folder_data.pairs, chosen[level.name], options, progress, READ_FRACTION)
            groups = tuple(group.name for group in folder_data.groups)
            title = requested.folder.resolve().name
            return FindingsResult(findings, title, folder_data.notes, folder_data.file_notes, groups)

        folder_name = (
            previous_result.title
            if previous_result is not None
            else ""
            if requested is None
            else requested.folder.resolve().name
        )
        name = tr("All metrics: {folder}", folder=escape_label(folder_name))
        self._begin(name, "findings-folder", work, self._store_result)

    def _store_result(self, result: FindingsResult) -> None:
        names = [metric.name for metric in result.metrics]
        if self._metric not in names:
            current_metric = self.comparison.metric
            self._metric = current_metric if current_metric in names else names[0]
        is_new_folder = self._reading
        if is_new_folder:
            self._results_request = self.requested
        super()._store_result(result)
        if is_new_folder:
            self.results_ready.emit()

    def _idle_state(self) -> str:
        return "ready" if self.result is not None else "empty"
