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
