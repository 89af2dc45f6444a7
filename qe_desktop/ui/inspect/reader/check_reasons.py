"""Reasons for flags in the current segment; in a reopened project, the reasons of QA checks are recomputed."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from qe_desktop.corpus import Corpus, Layer, LayerKey, Reasons
from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.check import Check
from qe_desktop.local_qe.qa_checks.live_checks import recompute_reasons
from qe_desktop.local_qe.qa_checks.runner import CHECKS, checks_from_notes
from qe_desktop.ui.highlighting.highlighting_settings import CheckSettings
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.workspace import Workspace

JOB = "word-lists-of-reasons"
_CHECKS_WITH_LISTS = frozenset(check.name for check in CHECKS if check.configure is not None)


class CheckReasons(QObject):
    """Lookup of reasons for flags, with a cache for one segment; word lists are read in the background if needed."""

    changed = Signal()
    """Emitted when the word lists have been read, so that more reasons may be known."""

    def __init__(self, workspace: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._checks: tuple[Check, ...] = CHECKS
        self._lists: CheckSettings | None = None
        """Settings of the word lists that have been read or are being read; None if there are none."""
        self._segment_shown: tuple[Corpus, int] | None = None
        self._reasons_by_layer: dict[LayerKey, Reasons | None] = {}
        """Cache of the reasons in `_segment_shown`, by layer; None for a layer without known reasons."""
        workspace.opened.connect(self._forget)

    def reasons_for(self, corpus: Corpus, key: LayerKey, segment: int) -> Reasons | None:
        """Return the reasons for the BAD tags of a layer, at least those in `segment`; None if they are unknown."""
        layer = corpus.layers.get(key)
        if layer is None or layer.reasons is not None:
            return None if layer is None else layer.reasons
        self._read_lists(layer)
        if self._segment_shown is None or self._segment_shown[0] is not corpus or self._segment_shown[1] != segment:
            self._segment_shown, self._reasons_by_layer = (corpus, segment), {}
        if key not in self._reasons_by_layer:
            self._reasons_by_layer[key] = recompute_reasons(corpus, key, segment, self._checks)
        return self._reasons_by_layer[key]

    def _forget(self) -> None:
        self._segment_shown, self._reasons_by_layer = None, {}

    def _read_lists(self, layer: Layer) -> None:
        settings = replace(CheckSettings.of(self._workspace.settings), off=())
        if settings == self._lists or _CHECKS_WITH_LISTS.isdisjoint(checks_from_notes(layer.notes)):
            return
        if not settings.has_lists:
            self._checks, self._lists = CHECKS, None
            return
        self._lists = settings

        def work(progress: Progress) -> tuple[Check, ...]:
            return settings.all_checks()

        def done(checks: tuple[Check, ...]) -> None:
            self._checks = checks
            self._forget()
            self.changed.emit()

        # an invalid list is reported when the checks run
        self._workspace.jobs.submit(tr("QA checks"), work, done, lambda error: None, latest=JOB, owner=self)
