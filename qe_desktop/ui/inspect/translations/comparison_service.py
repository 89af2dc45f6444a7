"""Background service that computes highlights and scores of the translations of the current segment."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QObject, Signal

from qe_desktop.corpus import Corpus, Kind, LayerKey, TextColumn, TextRole
from qe_desktop.corpus.corpus import mt_system_name
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.translations.side_by_side import (
    ScoredTranslations,
    SideBySide,
    SideBySideRequest,
    available_texts,
    mark_more,
    unmarked_texts,
)
from qe_desktop.levels.translations.translation_texts import system_key
from qe_desktop.project import SessionChange
from qe_desktop.project.segment_filter import SegmentQuery
from qe_desktop.ui.inspect.inspect_view_controller import InspectViewController
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
"""Maximum number of comparisons with cached highlights; each comparison covers one segment."""
_WATCHED_SETTINGS = ("inspect/marking", "inspect/base", "inspect/all-translations", "scores/metric")


class ComparisonHighlightService(QObject):
    """Background service that computes the highlights of the translation comparison.

    `comparison` contains the texts of the current segment, at first without highlights. It is None if there are no
    translations to compare.
    """

    changed = Signal()
    """Emitted when `comparison` has changed."""

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.workspace, self._inspect_view = workspace, InspectViewController.of(workspace)
        self.query = SegmentQuery()
        self.comparison: SideBySide | None = None
        self.request: SideBySideRequest | None = None
        self.texts: Mapping[LayerKey, TextColumn] = {}
        self.are_main_content = False
        """Whether the translations, rather than the tags of the MT, are the main content."""
        self.is_taggable = True
        """Whether tags of the MT are shown or can be added."""
        self._corpus: Corpus | None = None
        self._scored_translations: ScoredTranslations | None = None
        self._cache: OrderedDict[object, SideBySide] = OrderedDict()
        signals = (workspace.opened, workspace.level_changed, workspace.reference_changed, self._inspect_view.switched)
        for signal in signals:
            signal.connect(self.refresh)
        workspace.segment_changed.connect(self._update_request)
        workspace.changed.connect(self._on_change)
        workspace.settings.changed.connect(self._on_setting)
        self.refresh()

    @property
    def choices(self) -> ComparisonOptions:
        """Options selected by the user."""
        settings = self.workspace.settings
        return ComparisonOptions(settings.marking, settings.base, settings.all_translations)

    @property
    def names(self) -> list[str]:
        """Names of the lines in `comparison`; empty if it is None."""
        return [] if self.comparison is None else [line.name for line in self.comparison.lines]

    @property
    def hidden_texts(self) -> tuple[LayerKey, ...]:
        """Keys of texts omitted from the comparison: the MT, unless the translations are the main content."""
        corpus = self._corpus
        if corpus is None or self.are_main_content or corpus.text(TextRole.MT) is None:
            return ()
        return (system_key(mt_system_name(corpus)),)

    def set_query(self, query: SegmentQuery) -> None:
        """Set the query; refresh if a part of the query that affects the comparison has changed."""
        before, self.query = self.query, query
        if (query.compared_layers, query.metric, query.level, query.reference, query.rank_gap) != (
            before.compared_layers, before.metric, before.level, before.reference, before.rank_gap,
        ):  # fmt: skip
            self.refresh()

    def refresh(self) -> None:
        """Discard cached highlights, and update the comparison for the current corpus and scores."""
        view, workspace = self._inspect_view.view, self.workspace
        self._cache.clear()
        self.are_main_content, self.is_taggable, self._scored_translations = False, True, None
        corpus = None if view is None else view.corpus
        if corpus is not self._corpus:
            self._corpus = corpus
            self.texts = {} if corpus is None or not has_translations(corpus) else available_texts(corpus)
        if view is not None and self.texts:
            levels = [workspace.level, *(level for level in workspace.levels() if level is not workspace.level)]
            scored = scores_translations(workspace.level, view)
            tagged = any(view.tag_layers(kind) for kind in Kind if kind.is_tags)
            self.are_main_content = scored or not tagged
            self.is_taggable = not scored or (not tagged and view.corpus.text(TextRole.MT) is not None)
            metric = workspace.settings.metric
            self._scored_translations = translation_scores(view, self.query, levels, workspace.reference, metric)
        self._update_request()

    def _on_change(self, change: SessionChange) -> None:
        view = self._inspect_view.view
        if (None if view is None else view.corpus) is not self._corpus:
            self.refresh()

    def _on_setting(self, key: str) -> None:
        if key in _WATCHED_SETTINGS:
            self.refresh() if key == "scores/metric" else self._update_request()

    def _update_request(self) -> None:
        view = self._inspect_view.view
        self.workspace.jobs.cancel("side-by-side")
        if view is None or not self.texts or not view.corpus.size:
            self.request = self.comparison = None
            self.changed.emit()
            return
        segment = min(self.workspace.segment, view.corpus.size - 1)
        self.request = build_request(
            view, segment, self.texts, self.query, self._scored_translations, self.choices, self.hidden_texts
        )
        cached = self._cache.get(_request_key(self.request))
        self.comparison = unmarked_texts(self.request) if cached is None else cached
        self.changed.emit()
        if not self.comparison.is_complete:
            self._compute_highlights(self.request, self.comparison)

    def _compute_highlights(self, request: SideBySideRequest, partial_result: SideBySide) -> None:
        """Compute missing highlights in the background, a few lines at a time, because some methods are slow."""

        def work(progress: Progress) -> SideBySide:
            return mark_more(request, partial_result, progress.report)

        self.workspace.jobs.submit(
            tr("Compare translations"),
            work,
            partial(self._on_computed, request),
            latest="side-by-side",
            owner=self,
            computing=True,
        )

    def _on_computed(self, request: SideBySideRequest, result: SideBySide) -> None:
        self._cache[_request_key(request)] = result
        while len(self._cache) > MAX_CACHED_SEGMENTS:
            self._cache.popitem(last=False)
        if request is self.request:
            self.comparison = result
            self.changed.emit()
            if not result.is_complete:
                self._compute_highlights(request, result)


def _request_key(request: SideBySideRequest) -> object:
    """Return the cache key of a request; keys are unique only within one corpus."""
    return request.segment, request.displayed_keys, request.base_key, request.diff_style.name
