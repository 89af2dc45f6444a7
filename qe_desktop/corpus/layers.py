"""Layers: sets of tags, probabilities or scores for the segments of a corpus, each with its provenance."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from types import MappingProxyType
from typing import Literal, NamedTuple

import numpy as np

from qe_desktop.corpus.columns import Floats, NumberColumn, TagColumn
from qe_desktop.corpus.system_matching import IDENTITY_MAPPING, SystemNameMapping
from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import tr


class Reason(NamedTuple):
    """Reason for a BAD tag: its 0-based position, and a localized sentence without a full stop."""

    position: int
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Reasons:
    """Reasons for the BAD tags of a layer, by segment; the reasons of a segment are sorted by position."""

    by_segment: Mapping[int, tuple[Reason, ...]]

    @classmethod
    def of(cls, items: Iterable[tuple[int, int, str]]) -> Reasons:
        """Group reasons, given as (segment, position, text), by segment; sort them by position and remove duplicates.

        Reasons at the same position keep their order.
        """
        rows = sorted(dict.fromkeys(items), key=lambda row: row[:2])
        grouped = groupby(rows, key=lambda row: row[0])
        by_segment = {
            segment: tuple(Reason(position, text) for _, position, text in group) for segment, group in grouped
        }
        return cls(MappingProxyType(by_segment))

    def at(self, segment: int, position: int) -> list[str]:
        """Texts of the reasons for the tag at a position; empty if there are none."""
        return [reason.text for reason in self.by_segment.get(segment, ()) if reason.position == position]


class Provenance(enum.Enum):
    """Origin of a layer; layers of different origins are never merged."""

    GOLD = "gold"
    SYSTEM = "system"
    PERSON = "person"
    SYNTHETIC = "synthetic"
    """Derived from the gold tags by a rule, to test metrics; never scored or counted as a system."""

    # identity hash: members are unique, and layer keys are looked up for every painted cell
    __hash__ = object.__hash__


class Kind(enum.Enum):
    """Kind of values: word, gap or source tags, probabilities, scores, or translations."""

    WORDS = "words"
    """Tags of MT tokens."""
    GAPS = "gaps"
    """Tags of the n + 1 gaps before, between and after n MT tokens."""
    SOURCE = "source"
    """Tags of source tokens."""
    PROBABILITIES = "probabilities"
    """P(BAD) of MT tokens, 0..1."""
    SCORES = "scores"
    """One number per segment, such as HTER or a direct assessment score."""
    TRANSLATION = "translation"
    """Translation by a system or an annotator; translations are not stored in layers."""

    __hash__ = object.__hash__

    @property
    def is_tags(self) -> bool:
        """Whether the values are tags (OK or BAD)."""
        return self in (Kind.WORDS, Kind.GAPS, Kind.SOURCE)

    @property
    def display_name(self) -> str:
        """Localized name; in projects and files, the value of the member is used instead."""
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
"""Prefix of the names of layers derived from a post-edit; the annotator's name follows."""


@dataclass(frozen=True, slots=True)
class LayerKey:
    """Key of a layer; `name` is unique among the layers with the same provenance and kind."""

    provenance: Provenance
    name: str
    kind: Kind

    @property
    def display_name(self) -> str:
        """Name for display; for layers of annotators, “(annotator)” is appended."""
        name = escape_label(self.name)
        return tr("{name} (annotator)", name=name) if self.provenance is Provenance.PERSON else name

    @property
    def is_post_edit(self) -> bool:
        """Whether the layer is derived from a post-edit."""
        return self.provenance is Provenance.PERSON and self.name.startswith(POST_EDIT_PREFIX)

    def __str__(self) -> str:
        return tr("{name} ({kind})", name=self.name, kind=self.kind.display_name)


Column = TagColumn | NumberColumn
Scores = Floats


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """Values of a layer as loaded.

    `origin` is the display name of the file that the layer was read from, and `notes` are notes about the file. `form`
    names the layout of the file or the type of the scores. `reasons` explain the BAD tags; None if unknown.
    """

    key: LayerKey
    column: Column | Scores
    origin: str = ""
    form: str = ""
    notes: tuple[str, ...] = field(default=())
    reasons: Reasons | None = None

    @property
    def tags(self) -> TagColumn:
        """Values as tags. Raises TypeError for probabilities and scores."""
        if not isinstance(self.column, TagColumn):
            raise TypeError(f"{self.key} has no tags")
        return self.column

    @property
    def numbers(self) -> NumberColumn:
        """Values as one number per token. Raises TypeError for tags and scores."""
        if not isinstance(self.column, NumberColumn):
            raise TypeError(f"{self.key} has no probabilities")
        return self.column

    @property
    def scores(self) -> Scores:
        """Values as one number per segment, shape (segments,). Raises TypeError for other kinds."""
        if not isinstance(self.column, np.ndarray):
            raise TypeError(f"{self.key} has no segment scores")
        return self.column


STUDIO_RANKS = "studio-ranks"
"""`form` of a layer whose scores are the ranks of Trados Studio quality labels; rank 1 is the worst."""
_QUALITY_LABELS = {STUDIO_RANKS: (tr("Poor"), tr("Adequate"), tr("Good"))}


def score_label(layer: Layer, segment: int) -> str:
    """Quality label of a segment; empty if the layer has numeric scores or if the segment has no score.

    Raises TypeError if the layer has no scores.
    """
    words, score = _QUALITY_LABELS.get(layer.form, ()), float(layer.scores[segment])
    return next((word for rank, word in enumerate(words, 1) if rank == score), "")


def score_label_with_scale(layer: Layer, segment: int) -> str:
    """Quality label of a segment with its scale, such as "Adequate (scale: Poor–Good)"; empty if there is no label.

    Raises TypeError if the layer has no scores.
    """
    label = score_label(layer, segment)
    if not label:
        return ""
    worst, *_, best = _QUALITY_LABELS[layer.form]
    return tr("{label} (scale: {worst}–{best})", label=label, worst=worst, best=best)


def score_ranks(layer: Layer) -> str:
    """Text listing a layer's quality labels with their ranks, best first; empty if the layer has numeric scores."""
    words = _QUALITY_LABELS.get(layer.form, ())
    return ", ".join(f"{rank} {word}" for rank, word in reversed(list(enumerate(words, 1))))


@dataclass(frozen=True, slots=True, eq=False)
class MetricColumn:
    """Scores of a metric for each system.

    `systems` maps system names in the file to scores, shape (segments,), which are NaN where missing. `matched` maps
    system names in the file to those in the corpus; systems that are not in the corpus are allowed. `better` is 1 if
    higher scores are better, else -1. `origin` is the display name of the file, and `notes` are notes about the file.
    """

    systems: Mapping[str, Scores]
    better: Literal[1, -1] = 1
    origin: str = ""
    notes: tuple[str, ...] = ()
    matched: SystemNameMapping = IDENTITY_MAPPING

    def __post_init__(self) -> None:
        object.__setattr__(self, "systems", MappingProxyType(dict(self.systems)))

    def __len__(self) -> int:
        """Number of segments; 0 if there are no systems."""
        return len(next(iter(self.systems.values()), ()))

    @property
    def scores_by_system(self) -> dict[str, Scores]:
        """Scores by system name in the corpus; systems that `matched` leaves out are omitted."""
        return self.matched.rename_systems(self.systems)

    @property
    def original_names(self) -> dict[str, str]:
        """System names in the file by system name in the corpus, for the names that differ."""
        return self.matched.original_names(self.systems)
