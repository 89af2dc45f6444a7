"""Background service that computes the requested highlights and scores of the translations of the current segment."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, Signal

from qe_desktop.corpus import Corpus, Kind, LayerKey, Provenance, TextColumn, TextRole, View
from qe_desktop.corpus.corpus import mt_system_name
from qe_desktop.i18n.messages import tr
from qe_desktop.levels import Level
from qe_desktop.levels.translations.diff_styles import DIFF_STYLES, DiffStyle, default_diff_style
from qe_desktop.levels.translations.side_by_side import (
    ScoredTranslations,
    SideBySide,
    SideBySideRequest,
    available_texts,
    displayed_texts,
    mark_more,
    possible_bases,
    unmarked_texts,
)
from qe_desktop.levels.translations.translation_level import system_key
from qe_desktop.project import SessionChange
from qe_desktop.project.segment_filter import SegmentQuery
from qe_desktop.ui.inspect.inspect_view_controller import InspectViewController
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.workspace import Workspace

USE_DEFAULT = ""
"""Option value that stands for the default."""


@dataclass(frozen=True, slots=True)
class ComparisonOptions:
    """Options selected by the user.

    `marking` is the name of a comparison method and `base` the settings key of a text; either may be `USE_DEFAULT`.
    `show_all` states whether all texts are shown.
    """

    marking: str = USE_DEFAULT
    base: str = USE_DEFAULT
    show_all: bool = False


def settings_key(key: LayerKey) -> str:
    """Return the string that identifies the text `key` in the settings."""
    return f"{key.provenance.value} {key.name}"


def has_translations(corpus: Corpus) -> bool:
    """Return whether a corpus has references, or translations other than the MT and its post-edit."""
    return bool(corpus.references or corpus.translations)


def scores_translations(level: Level, view: View) -> bool:
    """Return whether a level has a reference in `view` and scores translations against it."""
    reference = level.reference(view)
    return reference is not None and any(key.kind is Kind.TRANSLATION for key in level.subjects(view, reference))


def translation_scores(
    view: View, query: SegmentQuery, levels: Sequence[Level], current_reference: LayerKey | None, metric: str
) -> ScoredTranslations | None:
    """Return the level, reference and metric for the scores of translations; None if no level scores translations.

    If the query compares layers at a level that scores translations, return the level, reference and metric of the
    query. Otherwise, return the first of `levels` that scores translations, with `metric` or, if the level lacks that
    metric, with the main metric of the level. If the query has a rank gap, the metric of the rank gap replaces
    `metric`, and levels that have this metric come first.

    `levels` are all levels, with the current level first; `current_reference` is the reference of the current level.
    `metric` is the metric that was selected last.
    """
    if query.compared_layers is not None and query.level is not None and scores_translations(query.level, view):
        # with the current tokenization, which may have changed since the comparison
        comparison_level = query.level
        level = next(
            (candidate for candidate in levels if candidate.name == comparison_level.name), comparison_level
        ).of_view(view)
        reference = level.reference(view, query.reference)
        return None if reference is None else ScoredTranslations(level, reference, query.metric)
    name = metric if query.rank_gap is None else query.rank_gap.metric
    # the current level may be human scores, which lack this metric
    for level in sorted(
        levels, key=lambda candidate: query.rank_gap is not None and name not in candidate.of_view(view).metrics
    ):
        if scores_translations(level, view):
            reference = level.reference(view, current_reference if level is levels[0] else None)
            level = level.of_view(view)
            name = name if name in level.metrics else level.main_metric
            return None if reference is None else ScoredTranslations(level, reference, name)
    return None


def default_base(
    texts: Mapping[LayerKey, TextColumn], scored: ScoredTranslations | None, displayed: Sequence[LayerKey]
) -> LayerKey:
    """Return the default text to compare with: the reference of `scored`, or else the first of `possible_bases`.

    If that text is a reference and no system is displayed, return the first system instead, if there is one.
    """
    systems = [key for key in texts if key.provenance is Provenance.SYSTEM]
    bases = possible_bases(texts)
    if scored is not None and scored.reference in bases and scored.reference.provenance is Provenance.GOLD:
        default = scored.reference
    else:
        default = bases[0]
    is_reference = default.provenance is Provenance.GOLD
    if systems and is_reference and not any(key.provenance is Provenance.SYSTEM for key in displayed):
        return systems[0]
    return default


def build_request(
    view: View,
    segment: int,
    texts: Mapping[LayerKey, TextColumn],
    query: SegmentQuery,
    scored: ScoredTranslations | None,
    choices: ComparisonOptions,
    hidden: Sequence[LayerKey] = (),
) -> SideBySideRequest:
    """Build the request for a segment; `hidden` are the keys of texts that are not displayed in the comparison."""
    offered = {key: column for key, column in texts.items() if key not in hidden}
    comparison_level = query.compared_layers or ()
    displayed = displayed_texts(offered, comparison_level, show_all=choices.show_all)
    base = next((key for key in possible_bases(texts) if settings_key(key) == choices.base), None)
    marking = DIFF_STYLES.get(choices.marking) or default_diff_style("" if scored is None else scored.metric)
    base = base or default_base(texts, scored, displayed)
    return SideBySideRequest(view, segment, texts, displayed, base, marking, scored)


def default_marking(request: SideBySideRequest) -> tuple[DiffStyle, LayerKey]:
    """Return the default comparison method and the default text to compare with."""
    metric = "" if request.scored is None else request.scored.metric
    return default_diff_style(metric), default_base(request.texts, request.scored, request.displayed_keys)


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
