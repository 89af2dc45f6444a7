"""Options and requests of the comparison view, with defaults for options that the user did not select."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from qe_desktop.corpus import Corpus, Kind, LayerKey, Provenance, TextColumn, View
from qe_desktop.levels import Level
from qe_desktop.levels.translations.diff_styles import DIFF_STYLES, DiffStyle, default_diff_style
from qe_desktop.levels.translations.side_by_side import (
    ScoredTranslations,
    SideBySideRequest,
    displayed_texts,
    possible_bases,
)
from qe_desktop.project.segment_filter import SegmentQuery

USE_DEFAULT = ""
"""Value of an option that selects the default."""


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
    """Return the settings key of a text."""
    return f"{key.provenance.value} {key.name}"


def has_translations(corpus: Corpus) -> bool:
    """Return whether there are translations other than the MT and its post-edit."""
    return bool(corpus.references or corpus.translations)


def scores_translations(level: Level, view: View) -> bool:
    """Return whether a level scores translations."""
    reference = level.reference(view)
    return reference is not None and any(key.kind is Kind.TRANSLATION for key in level.subjects(view, reference))


def translation_scores(
    view: View, query: SegmentQuery, levels: Sequence[Level], current_reference: LayerKey | None, metric: str
) -> ScoredTranslations | None:
    """Return how translations are scored: as in the query's comparison, or else by the first level that scores them.

    `levels` are all levels; the first is the current one, whose reference is `current_reference`. `metric` is the last
    selected metric. A query that compares a metric with human scores uses that metric, and levels that have it come
    first. A level without the metric uses its main metric. None if no level scores translations.
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
    """Return the default base: the reference of the scores, otherwise the first of `possible_bases`.

    If the default is a reference and no system is shown, the first system, if any, is returned instead.
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
    """Build the request for a segment; `hidden` are texts shown elsewhere."""
    offered = {key: column for key, column in texts.items() if key not in hidden}
    comparison_level = query.compared_layers or ()
    displayed = displayed_texts(offered, comparison_level, show_all=choices.show_all)
    base = next((key for key in possible_bases(texts) if settings_key(key) == choices.base), None)
    marking = DIFF_STYLES.get(choices.marking) or default_diff_style("" if scored is None else scored.metric)
    base = base or default_base(texts, scored, displayed)
    return SideBySideRequest(view, segment, texts, displayed, base, marking, scored)


def default_marking(request: SideBySideRequest) -> tuple[DiffStyle, LayerKey]:
    """Return the default comparison method and base."""
    metric = "" if request.scored is None else request.scored.metric
    return default_diff_style(metric), default_base(request.texts, request.scored, request.displayed_keys)
