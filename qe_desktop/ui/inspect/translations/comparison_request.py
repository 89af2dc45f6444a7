"""What is shown beside each other and how it is marked: what a person chose, or else what is usual."""

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
"""The choice of what is usual."""


@dataclass(frozen=True, slots=True)
class ComparisonOptions:
    """What a person chose: a marking's name and the key of a base as `kept`, `USE_DEFAULT` for the usual ones; and
    whether all texts are shown.
    """

    marking: str = USE_DEFAULT
    base: str = USE_DEFAULT
    every: bool = False


def settings_key(key: LayerKey) -> str:
    """A text's key as settings keep it."""
    return f"{key.provenance.value} {key.name}"


def has_translations(corpus: Corpus) -> bool:
    """Whether there are translations beside the MT that tags belong to, and its post-edit."""
    return bool(corpus.references or corpus.translations)


def scores_translations(level: Level, view: View) -> bool:
    """Whether what a level scores are translations."""
    reference = level.reference(view)
    return reference is not None and any(key.kind is Kind.TRANSLATION for key in level.subjects(view, reference))


def translation_scores(
    view: View, query: SegmentQuery, levels: Sequence[Level], looked: LayerKey | None, metric: str
) -> ScoredTranslations | None:
    """By what translations are scored: as the query sets two of them side by side, or else as is looked at.

    `levels` are those that there are, the one looked at first, with what it is scored against; `metric` is the one that
    was looked at last. Where a metric is set beside people, it is that one.
    """
    if query.between is not None and query.level is not None and scores_translations(query.level, view):
        # as texts are tokenized now, whatever it was when the two were set side by side
        asked = query.level
        level = next((one for one in levels if one.name == asked.name), asked).of_view(view)
        reference = level.reference(view, query.reference)
        return None if reference is None else ScoredTranslations(level, reference, query.metric)
    name = metric if query.ranks is None else query.ranks.metric
    # people may be looked at, who have no such metric
    for level in sorted(levels, key=lambda one: query.ranks is not None and name not in one.of_view(view).metrics):
        if scores_translations(level, view):
            reference = level.reference(view, looked if level is levels[0] else None)
            level = level.of_view(view)
            name = name if name in level.metrics else level.main
            return None if reference is None else ScoredTranslations(level, reference, name)
    return None


def default_base(
    texts: Mapping[LayerKey, TextColumn], scored: ScoredTranslations | None, shown: Sequence[LayerKey]
) -> LayerKey:
    """What is marked against where nobody chose: what systems are scored against, else the references; where these are
    shown alone, or there are none, the first system.
    """
    systems = [key for key in texts if key.provenance is Provenance.SYSTEM]
    bases = possible_bases(texts)
    if scored is not None and scored.reference in bases and scored.reference.provenance is Provenance.GOLD:
        usual = scored.reference
    else:
        usual = bases[0]
    referred = usual.provenance is Provenance.GOLD
    if systems and referred and not any(key.provenance is Provenance.SYSTEM for key in shown):
        return systems[0]
    return usual


def build_request(
    view: View,
    segment: int,
    texts: Mapping[LayerKey, TextColumn],
    query: SegmentQuery,
    scored: ScoredTranslations | None,
    choices: ComparisonOptions,
    hidden: Sequence[LayerKey] = (),
) -> SideBySideRequest:
    """What is shown of a segment; `hidden` are texts that stand elsewhere already."""
    offered = {key: column for key, column in texts.items() if key not in hidden}
    between = query.between or ()
    shown = displayed_texts(offered, between, every=choices.every)
    base = next((key for key in possible_bases(texts) if settings_key(key) == choices.base), None)
    marking = DIFF_STYLES.get(choices.marking) or default_diff_style("" if scored is None else scored.metric)
    base = base or default_base(texts, scored, shown)
    return SideBySideRequest(view, segment, texts, shown, base, marking, scored)


def default_marking(asked: SideBySideRequest) -> tuple[DiffStyle, LayerKey]:
    """The marking and the base that are usual for what is looked at."""
    metric = "" if asked.scored is None else asked.scored.metric
    return default_diff_style(metric), default_base(asked.texts, asked.scored, asked.shown)
