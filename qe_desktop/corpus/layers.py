"""Layers: one set of tags, probabilities or scores over the corpus, with its origin."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from types import MappingProxyType
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.columns import NumberColumn, TagColumn
from qe_desktop.corpus.system_matching import IDENTITY_MAPPING, SystemNameMapping
from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import tr


class Reason(NamedTuple):
    """Why the tag of a place, from 0, is BAD: a sentence for people, without a full stop."""

    place: int
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Reasons:
    """The reasons of a layer's tags by segment, those of each in the order of places."""

    by_segment: Mapping[int, tuple[Reason, ...]]

    @classmethod
    def of(cls, found: Iterable[tuple[int, int, str]]) -> Reasons:
        """Sort (segment, place, text) items; of several for one position the first is kept."""
        rows = sorted(dict.fromkeys(found), key=lambda row: row[:2])
        grouped = groupby(rows, key=lambda row: row[0])
        kept = {segment: tuple(Reason(place, text) for _, place, text in held) for segment, held in grouped}
        return cls(MappingProxyType(kept))

    def at(self, segment: int, place: int) -> list[str]:
        """Comment on a position; empty if it is not BAD or has none."""
        return [reason.text for reason in self.by_segment.get(segment, ()) if reason.place == place]


class Provenance(enum.Enum):
    """Who a layer comes from. It is never lost: gold, system and human tags stay apart everywhere."""

    GOLD = "gold"
    SYSTEM = "system"
    PERSON = "person"
    SYNTHETIC = "synthetic"
    """Made of the gold by a rule, to try metrics on: of no system, and never scored or counted among them."""

    # members are there once, and keys of layers are looked up for every cell that is painted
    __hash__ = object.__hash__


class Kind(enum.Enum):
    """What a layer's values belong to."""

    WORDS = "words"
    """Tags of MT tokens."""
    GAPS = "gaps"
    """Tags of the n + 1 places between, before and after n MT tokens."""
    SOURCE = "source"
    """Tags of source tokens."""
    PROBABILITIES = "probabilities"
    """P(BAD) of MT tokens, 0..1."""
    SCORES = "scores"
    """One number a segment, such as HTER or a direct assessment."""
    TRANSLATION = "translation"
    """A text: the translation of a system or a person. It is not part of any layer."""

    __hash__ = object.__hash__

    @property
    def is_tags(self) -> bool:
        """Whether the values are OK and BAD."""
        return self in (Kind.WORDS, Kind.GAPS, Kind.SOURCE)

    @property
    def shown(self) -> str:
        """What people call it; the value is what projects and files call it."""
        return _KIND_LABELS[self]


_KIND_LABELS = {
    Kind.WORDS: tr("words"),
    Kind.GAPS: tr("gaps"),
    Kind.SOURCE: tr("source"),
    Kind.PROBABILITIES: tr("probabilities"),
    Kind.SCORES: tr("scores"),
    Kind.TRANSLATION: tr("translation"),
}


POST_EDIT_PREFIX = "post-edit "
"""What the names of layers begin with that follow a person's post-edit; whose it is stands behind it."""


@dataclass(frozen=True, slots=True)
class LayerKey:
    """What a layer is called: who says it (`name` within a provenance) and of what."""

    provenance: Provenance
    name: str
    kind: Kind

    @property
    def shown(self) -> str:
        """The name, and that it is a person's where that would not be expected."""
        name = escape_label(self.name)
        return tr("{name} (annotator)", name=name) if self.provenance is Provenance.PERSON else name

    @property
    def is_post_edit(self) -> bool:
        """Whether it is the name of a layer that follows a person's post-edit."""
        return self.provenance is Provenance.PERSON and self.name.startswith(POST_EDIT_PREFIX)

    def __str__(self) -> str:
        return tr("{name} ({kind})", name=self.name, kind=self.kind.shown)


Column = TagColumn | NumberColumn
Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """A layer's values as loaded, with the file they were read from (as shown to people) and remarks about it.

    `form` is how the file was laid out, so that it can be written back in the same form. `reasons` are why its tags are
    BAD, where that is known.
    """

    key: LayerKey
    column: Column | Scores
    origin: str = ""
    form: str = ""
    notes: tuple[str, ...] = field(default=())
    reasons: Reasons | None = None

    @property
    def tags(self) -> TagColumn:
        """The values as tags; a TypeError for probabilities and scores."""
        if not isinstance(self.column, TagColumn):
            raise TypeError(f"{self.key} holds no tags")
        return self.column

    @property
    def numbers(self) -> NumberColumn:
        """The values as numbers of tokens; a TypeError for tags and scores."""
        if not isinstance(self.column, NumberColumn):
            raise TypeError(f"{self.key} holds no probabilities")
        return self.column

    @property
    def scores(self) -> Scores:
        """The values as one number a segment, shape (segments,); a TypeError for the rest."""
        if not isinstance(self.column, np.ndarray):
            raise TypeError(f"{self.key} holds no segment scores")
        return self.column


STUDIO_RANKS = "studio-ranks"
"""The `form` of a layer whose numbers stand for the words of Trados Studio, the worst being 1."""
_WORDS = {STUDIO_RANKS: (tr("Poor"), tr("Adequate"), tr("Good"))}


def score_label(layer: Layer, segment: int) -> str:
    """The word that a segment's score stands for; empty where it is a number, or there is none."""
    words, score = _WORDS.get(layer.form, ()), float(layer.scores[segment])
    return next((word for place, word in enumerate(words, 1) if place == score), "")


def score_rank(layer: Layer, segment: int) -> str:
    """Label with its number and the number of labels, such as "Adequate, 2 of 3"; empty without a label."""
    word = score_label(layer, segment)
    score = int(layer.scores[segment]) if word else 0
    return tr("{word}, {number} of {all}", word=word, number=score, all=len(_WORDS[layer.form])) if word else ""


def score_ranks(layer: Layer) -> str:
    """All words with their numbers, the best first; empty where scores are numbers."""
    words = _WORDS.get(layer.form, ())
    return ", ".join(f"{place} {word}" for place, word in reversed(list(enumerate(words, 1))))


@dataclass(frozen=True, slots=True, eq=False)
class MetricColumn:
    """What a metric gave, by system, shape (segments,) each, NaN where it gave nothing.

    `better` is 1 where more is better and -1 where less is. Systems need not be among a corpus's translations. `origin`
    is the file that the scores were read from, as shown to people; `notes` are remarks about it. `systems` has the
    names of that file; `matched` says which systems of the corpus they are.
    """

    systems: Mapping[str, Scores]
    better: Literal[1, -1] = 1
    origin: str = ""
    notes: tuple[str, ...] = ()
    matched: SystemNameMapping = IDENTITY_MAPPING

    def __post_init__(self) -> None:
        object.__setattr__(self, "systems", MappingProxyType(dict(self.systems)))

    def __len__(self) -> int:
        """How many segments there are; 0 without systems."""
        return len(next(iter(self.systems.values()), ()))

    @property
    def scored(self) -> dict[str, Scores]:
        """What the metric gave, by what the systems are called in the corpus."""
        return self.matched.renamed(self.systems)

    @property
    def otherwise(self) -> dict[str, str]:
        """What the metric calls systems of the corpus, by what they are called there, where that differs."""
        return self.matched.otherwise(self.systems)
