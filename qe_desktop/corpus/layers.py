"""Layers: one set of tags, probabilities or scores over the corpus, and who said it."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.ragged import NumberColumn, TagColumn
from qe_desktop.corpus.reasons import Reasons
from qe_desktop.outgoing import label
from qe_desktop.wording import tr


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
    """A text: what a system or a person made of the source. No layer holds one; a corpus has them beside its layers."""

    __hash__ = object.__hash__

    @property
    def is_tags(self) -> bool:
        """Whether the values are OK and BAD."""
        return self in (Kind.WORDS, Kind.GAPS, Kind.SOURCE)

    @property
    def shown(self) -> str:
        """What people call it; the value is what projects and files call it."""
        return _SHOWN[self]


_SHOWN = {
    Kind.WORDS: tr("words"),
    Kind.GAPS: tr("gaps"),
    Kind.SOURCE: tr("source"),
    Kind.PROBABILITIES: tr("probabilities"),
    Kind.SCORES: tr("scores"),
    Kind.TRANSLATION: tr("translation"),
}


POST_EDIT = "post-edit "
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
        name = label(self.name)
        return tr("{name} (person)", name=name) if self.provenance is Provenance.PERSON else name

    @property
    def is_post_edit(self) -> bool:
        """Whether it is the name of a layer that follows a person's post-edit."""
        return self.provenance is Provenance.PERSON and self.name.startswith(POST_EDIT)

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
