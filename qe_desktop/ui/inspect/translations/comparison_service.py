"""Follows what is looked at, and has the marks and scores of its translations worked out beside the window."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QObject, Signal

from qe_desktop.corpus import Corpus, Kind, LayerKey, TextColumn, TextRole
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.translations.side_by_side import (
    ScoredTranslations,
    SideBySide,
    SideBySideRequest,
    available_texts,
    mark_more,
    unmarked_texts,
)
from qe_desktop.levels.translations.translation_texts import MT_SYSTEM, system_key
from qe_desktop.project import SessionChange
from qe_desktop.project.segment_filter import SegmentQuery
from qe_desktop.ui.inspect.translations.comparison_request import (
    ComparisonOptions,
    build_request,
    has_translations,
    scores_translations,
    translation_scores,
)
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.workspace import Workspace

MAX_CACHED_SEGMENTS = 64
"""Segments whose marks are not worked out again while their texts and all choices stay."""
_WATCHED_SETTINGS = ("inspect/marking", "inspect/base", "inspect/all-translations", "scores/metric")


class ComparisonHighlightService(QObject):
    """`shown` is the segment looked at; without marks first, and then with them. None where nothing stands beside."""

    changed = Signal()
    """Something else is shown, or the same with its marks."""

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.workspace = workspace
        self.query = SegmentQuery()
        self.shown: SideBySide | None = None
        self.asked: SideBySideRequest | None = None
        self.texts: Mapping[LayerKey, TextColumn] = {}
        self.first = False
        """Whether translations are what is looked at, and not the tags of one of them, or there are no tags."""
        self.taggable = True
        """Whether tags are looked at, or could be put on the MT while there are none."""
        self._corpus: Corpus | None = None
        self._scored: ScoredTranslations | None = None
        self._known: OrderedDict[object, SideBySide] = OrderedDict()
        for signal in (workspace.opened, workspace.level_changed, workspace.reference_changed):
            signal.connect(self.refresh)
        workspace.segment_changed.connect(self._ask)
        workspace.changed.connect(self._on_change)
        workspace.settings.changed.connect(self._on_setting)
        self.refresh()

    @property
    def choices(self) -> ComparisonOptions:
        """What the person chose."""
        settings = self.workspace.settings
        return ComparisonOptions(settings.marking, settings.base, settings.all_translations)

    @property
    def names(self) -> list[str]:
        """What the lines are called."""
        return [] if self.shown is None else [line.name for line in self.shown.lines]

    @property
    def hidden(self) -> tuple[LayerKey, ...]:
        """The texts that the reader shows above: the MT, where its tags are looked at."""
        corpus = self._corpus
        own = corpus is not None and not self.first and corpus.text(TextRole.MT) is not None
        return (system_key(MT_SYSTEM),) if own else ()

    def set_query(self, query: SegmentQuery) -> None:
        """Two systems were set side by side, or a metric beside people, or are no longer."""
        before, self.query = self.query, query
        if (query.between, query.metric, query.level, query.reference, query.ranks) != (
            before.between, before.metric, before.level, before.reference, before.ranks,
        ):  # fmt: skip
            self.refresh()

    def refresh(self) -> None:
        """Look anew at what is open and what it is scored by."""
        view, workspace = self.workspace.view, self.workspace
        self._known.clear()
        self.first, self.taggable, self._scored = False, True, None
        corpus = None if view is None else view.corpus
        if corpus is not self._corpus:
            self._corpus, self.texts = (
                corpus,
                {} if corpus is None or not has_translations(corpus) else available_texts(corpus),
            )
        if view is not None and self.texts:
            levels = [workspace.level, *(level for level in workspace.levels() if level is not workspace.level)]
            looked, tagged = (
                scores_translations(workspace.level, view),
                any(view.tracks(kind) for kind in Kind if kind.is_tags),
            )
            self.first = looked or not tagged
            self.taggable = not looked or (not tagged and view.corpus.text(TextRole.MT) is not None)
            metric = workspace.settings.metric
            self._scored = translation_scores(view, self.query, levels, workspace.reference, metric)
        self._ask()

    def _on_change(self, change: SessionChange) -> None:
        if self.workspace.corpus is not self._corpus:
            self.refresh()

    def _on_setting(self, key: str) -> None:
        if key in _WATCHED_SETTINGS:
            self.refresh() if key == "scores/metric" else self._ask()

    def _ask(self) -> None:
        view = self.workspace.view
        self.workspace.jobs.cancel("beside")
        if view is None or not self.texts or not view.corpus.size:
            self.asked = self.shown = None
            self.changed.emit()
            return
        segment = min(self.workspace.segment, view.corpus.size - 1)
        self.asked = build_request(view, segment, self.texts, self.query, self._scored, self.choices, self.hidden)
        found = self._known.get(_request_key(self.asked))
        self.shown = unmarked_texts(self.asked) if found is None else found
        self.changed.emit()
        if not self.shown.whole:
            self._work(self.asked, self.shown)

    def _work(self, asked: SideBySideRequest, found: SideBySide) -> None:
        """Have what is missing worked out, a few lines at a time: the search for some marks takes long."""

        def work(progress: Progress) -> SideBySide:
            return mark_more(asked, found, progress.report)

        self.workspace.jobs.submit(
            tr("Marks"), work, partial(self._take, asked), latest="beside", owner=self, computing=True
        )

    def _take(self, asked: SideBySideRequest, found: SideBySide) -> None:
        self._known[_request_key(asked)] = found
        while len(self._known) > MAX_CACHED_SEGMENTS:
            self._known.popitem(last=False)
        if asked is self.asked:
            self.shown = found
            self.changed.emit()
            if not found.whole:
                self._work(asked, found)


def _request_key(asked: SideBySideRequest) -> object:
    """What tells one question of the same corpus from another."""
    return asked.segment, asked.shown, asked.base, asked.marking.name
