"""One segment's translations side by side: references, post-edit and systems, their scores, and their differences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from qe_desktop.corpus import Corpus, Kind, LayerKey, Provenance, TextColumn, TextRole, View
from qe_desktop.corpus.languages import parse_language
from qe_desktop.levels.level import Level, Taken
from qe_desktop.levels.translations.level import TRANSLATIONS, settings_of
from qe_desktop.levels.translations.markings import Against, Mark, Marking, Marks
from qe_desktop.levels.translations.texts import ALL, reference_key, system_key, translations_of
from qe_desktop.metrics.translations import Settings
from qe_desktop.outgoing import within
from qe_desktop.wording import tr

POST_EDIT = LayerKey(Provenance.PERSON, TextRole.POST_EDIT.value, Kind.TRANSLATION)
"""The post-edit among translations."""
AT_ONCE = 3
"""Lines whose marks are shown as soon as all of them are found."""
Watch = Callable[[float], None]
"""Hears the share of the work that is done, 0..1, and may raise to stop."""


def texts_of(corpus: Corpus) -> dict[LayerKey, TextColumn]:
    """All translations of the source: references, the post-edit, and those of systems; the MT as well."""
    found = {reference_key(name): column for name, column in corpus.references.items()}
    post_edit = corpus.text(TextRole.RAW_POST_EDIT) or corpus.text(TextRole.POST_EDIT)
    if post_edit is not None:
        found[POST_EDIT] = post_edit
    return found | {system_key(name): column for name, column in translations_of(corpus).items()}


def bases_of(texts: Mapping[LayerKey, TextColumn]) -> list[LayerKey]:
    """What translations can be marked against, the usual one first: all references, where there are several, or one."""
    references = [key for key in texts if key.provenance is Provenance.GOLD]
    return [*([reference_key(ALL)] if len(references) > 1 else []), *texts]


def shown_name(key: LayerKey) -> str:
    """What a text is called beside others."""
    if key.provenance is Provenance.GOLD:
        if key.name == ALL:
            return tr("all references")
        usual = key.name == TextRole.REFERENCE.value
        return TextRole.REFERENCE.shown if usual else tr("reference {name}", name=key.name)
    return TextRole.POST_EDIT.shown if key == POST_EDIT else key.name


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """By which metric of a level, and against what, the translations of systems are scored segment by segment."""

    level: Level
    reference: LayerKey
    metric: str


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """What is looked at: the texts in `shown`, of all that there are, each marked against `base`."""

    view: View
    segment: int
    texts: Mapping[LayerKey, TextColumn]
    shown: tuple[LayerKey, ...]
    base: LayerKey
    marking: Marking
    scored: Scored | None = None

    def text(self, key: LayerKey) -> str:
        """A text as it is shown: its tokens with a blank between each two."""
        return " ".join(self.texts[key].tokens(self.segment))

    @property
    def bases(self) -> tuple[LayerKey, ...]:
        """The texts that are marked against: the base, or all references."""
        if self.base != reference_key(ALL):
            return (self.base,)
        return tuple(key for key in self.texts if key.provenance is Provenance.GOLD)

    @property
    def language(self) -> str:
        """The language that is translated into, where the corpus says so."""
        return parse_language(self.view.corpus.source_and_target()[1]).language

    @property
    def settings(self) -> Settings:
        """How metrics cut the texts: those that score them, else those of their language."""
        level = TRANSLATIONS if self.scored is None else self.scored.level
        return settings_of(level.of_view(self.view))


@dataclass(frozen=True, slots=True)
class Line:
    """A text of the segment: what it is called, its marks, and its score where it has one. `base`: others are marked
    against it.
    """

    key: LayerKey
    name: str
    text: str
    marks: Marks = ()
    score: float | None = None
    base: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class SideBySide:
    """A segment's source and lines. `metric` gave the scores; `against` are the names of the texts marked against.

    `done` lines have their marks; below 0, not even the scores are there.
    """

    segment: int
    source: str
    lines: tuple[Line, ...]
    marking: Marking
    against: tuple[str, ...]
    metric: str = ""
    done: int = -1

    @property
    def whole(self) -> bool:
        """Whether all marks and scores are there."""
        return self.done >= len(self.lines)

    def said(self, mark: Mark) -> str:
        """What a mark means, in words."""
        return self.marking.say(replace(mark, other=within(mark.other)), tuple(map(within, self.against)))

    def said_at(self, line: Line, start: int, end: int) -> list[str]:
        """What the marks mean that stand on some characters of a line, or at their edges."""
        found = []
        for mark in line.marks:
            between = mark.start == mark.end and start <= mark.start <= end
            if between or (mark.start < end and start < mark.end):
                found.append(self.said(mark))
        return found


def plain(asked: Asked) -> SideBySide:
    """The texts alone, which takes no time."""
    source = asked.view.corpus.tokens(TextRole.SOURCE, asked.segment)
    bases = asked.bases
    lines = tuple(Line(key, shown_name(key), asked.text(key), base=key in bases) for key in asked.shown)
    names = tuple(map(shown_name, bases))
    metric = asked.scored.metric if asked.scored is not None else ""
    return SideBySide(asked.segment, " ".join(source), lines, asked.marking, names, metric)


def side_by_side(asked: Asked, watch: Watch | None = None) -> SideBySide:
    """The texts with marks and scores; `watch` may raise to stop."""
    found = plain(asked)
    while not found.whole:
        found = further(asked, found, watch)
    return found


def further(asked: Asked, found: SideBySide, watch: Watch | None = None) -> SideBySide:
    """The same with all scores and the marks of some more lines, so that those come first that stand first."""
    lines = list(found.lines)
    if found.done < 0:
        scores = _scores(asked)
        lines = [replace(line, score=scores.get(line.key)) for line in lines]
    others = {key: asked.text(key) for key in asked.bases}
    first = max(0, found.done)
    last = min(len(lines), first + AT_ONCE)
    for number in range(first, last):
        if watch is not None:
            watch(number / len(lines))
        lines[number] = replace(lines[number], marks=_marks(asked, lines[number], others))
    return replace(found, lines=tuple(lines), done=last)


def _marks(asked: Asked, line: Line, others: Mapping[LayerKey, str]) -> Marks:
    """A text is not marked against itself, and so no reference against all of them."""
    if line.base:
        return ()
    return asked.marking.marks(Against(line.text, tuple(others.values()), asked.language, asked.settings))


def _scores(asked: Asked) -> dict[LayerKey, float]:
    """The scores of the systems that are shown and scored."""
    scored = asked.scored
    if scored is None or scored.metric not in scored.level.metrics:
        return {}
    there = set(scored.level.subjects(asked.view, scored.reference))
    subjects = tuple(key for key in asked.shown if key in there)
    if not subjects:
        return {}
    metric = scored.level.metrics[scored.metric]
    taken = Taken(asked.view, scored.reference, subjects)
    rows = scored.level.rows_at(taken, [metric.family], [(asked.view, asked.segment)])[metric.family.name]
    # where nothing was given, such as by people to an output that they did not see, there is no score
    scores = np.asarray(metric.score(rows[:, 0]), np.float64)
    return {key: float(score) for key, score in zip(subjects, scores, strict=True)}


FEW_REFERENCES, FEW_SYSTEMS = 3, 5
"""How many of many references and systems are shown at first."""


def shown_of(
    texts: Mapping[LayerKey, TextColumn], between: Sequence[LayerKey] = (), *, every: bool = False
) -> tuple[LayerKey, ...]:
    """Which texts are shown: those set side by side, which come first, and the references; without any such, the first
    few of all; or `every` one.
    """
    wanted = [key for key in between if key in texts]
    if every:
        return (*wanted, *(key for key in texts if key not in wanted))
    references = [key for key in texts if key.provenance is Provenance.GOLD][:FEW_REFERENCES]
    if wanted:
        return (*wanted, *references)
    systems = [key for key in texts if key.provenance is Provenance.SYSTEM][:FEW_SYSTEMS]
    return tuple(key for key in texts if key in references or key in systems or key == POST_EDIT)
