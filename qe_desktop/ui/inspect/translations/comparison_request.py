"""What is shown beside each other and how it is marked: what a person chose, or else what is usual."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from qe_desktop.corpus import Corpus, Kind, LayerKey, Provenance, TextColumn, View
from qe_desktop.levels import Level
from qe_desktop.levels.translations.markings import MARKINGS, Marking, usual_marking
from qe_desktop.levels.translations.side_by_side import Asked, Scored, bases_of, shown_of
from qe_desktop.project.segments import Query

FOLLOWS = ""
"""The choice of what is usual."""


@dataclass(frozen=True, slots=True)
class Choices:
    """What a person chose: a marking's name and the key of a base as `kept`, `FOLLOWS` for the usual ones; and whether
    all texts are shown.
    """

    marking: str = FOLLOWS
    base: str = FOLLOWS
    every: bool = False


def kept(key: LayerKey) -> str:
    """A text's key as settings keep it."""
    return f"{key.provenance.value} {key.name}"


def there(corpus: Corpus) -> bool:
    """Whether there are translations beside the MT that tags belong to, and its post-edit."""
    return bool(corpus.references or corpus.translations)


def of_texts(level: Level, view: View) -> bool:
    """Whether what a level scores are translations."""
    reference = level.reference(view)
    return reference is not None and any(key.kind is Kind.TRANSLATION for key in level.subjects(view, reference))


def scored_by(view: View, query: Query, levels: Sequence[Level], looked: LayerKey | None, metric: str) -> Scored | None:
    """By what translations are scored: as the query sets two of them side by side, or else as is looked at.

    `levels` are those that there are, the one looked at first, with what it is scored against; `metric` is the one that
    was looked at last. Where a metric is set beside people, it is that one.
    """
    if query.between is not None and query.level is not None and of_texts(query.level, view):
        # as texts are tokenized now, whatever it was when the two were set side by side
        asked = query.level
        level = next((one for one in levels if one.name == asked.name), asked).of_view(view)
        reference = level.reference(view, query.reference)
        return None if reference is None else Scored(level, reference, query.metric)
    name = metric if query.ranks is None else query.ranks.metric
    # people may be looked at, who have no such metric
    for level in sorted(levels, key=lambda one: query.ranks is not None and name not in one.of_view(view).metrics):
        if of_texts(level, view):
            reference = level.reference(view, looked if level is levels[0] else None)
            level = level.of_view(view)
            name = name if name in level.metrics else level.main
            return None if reference is None else Scored(level, reference, name)
    return None


def usual_base(texts: Mapping[LayerKey, TextColumn], scored: Scored | None, shown: Sequence[LayerKey]) -> LayerKey:
    """What is marked against where nobody chose: what systems are scored against, else the references; where these are
    shown alone, or there are none, the first system.
    """
    systems = [key for key in texts if key.provenance is Provenance.SYSTEM]
    bases = bases_of(texts)
    if scored is not None and scored.reference in bases and scored.reference.provenance is Provenance.GOLD:
        usual = scored.reference
    else:
        usual = bases[0]
    referred = usual.provenance is Provenance.GOLD
    if systems and referred and not any(key.provenance is Provenance.SYSTEM for key in shown):
        return systems[0]
    return usual


def asked_of(
    view: View,
    segment: int,
    texts: Mapping[LayerKey, TextColumn],
    query: Query,
    scored: Scored | None,
    choices: Choices,
    hidden: Sequence[LayerKey] = (),
) -> Asked:
    """What is shown of a segment; `hidden` are texts that stand elsewhere already."""
    offered = {key: column for key, column in texts.items() if key not in hidden}
    between = query.between or ()
    shown = shown_of(offered, between, every=choices.every)
    base = next((key for key in bases_of(texts) if kept(key) == choices.base), None)
    marking = MARKINGS.get(choices.marking) or usual_marking("" if scored is None else scored.metric)
    base = base or usual_base(texts, scored, shown)
    return Asked(view, segment, texts, shown, base, marking, scored)


def usual_of(asked: Asked) -> tuple[Marking, LayerKey]:
    """The marking and the base that are usual for what is looked at."""
    metric = "" if asked.scored is None else asked.scored.metric
    return usual_marking(metric), usual_base(asked.texts, asked.scored, asked.shown)
