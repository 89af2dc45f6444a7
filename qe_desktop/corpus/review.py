"""Immutable results of a review (targets, statuses and notes), and protocols for edited tags and derived layers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.columns import Ints, TagColumn
from qe_desktop.corpus.layers import LayerKey, Scores
from qe_desktop.corpus.translation_job import ReviewStatus

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True, eq=False)
class Review:
    """Targets (as lines with codes, see `TranslationJob`), statuses and notes that users set, by segment.

    An empty note removes the note in the file. `people` maps each segment to the user who last set its target or
    status. The mappings must not be mutated.
    """

    targets: Mapping[int, str] = field(default_factory=dict)
    statuses: Mapping[int, ReviewStatus] = field(default_factory=dict)
    notes: Mapping[int, str] = field(default_factory=dict)
    people: Mapping[int, str] = field(default_factory=dict)


EMPTY_REVIEW = Review()
"""Review in which users set nothing."""


def values_of(values: Mapping[int, Value], segments: Sequence[int]) -> list[Value | None]:
    """Values of some segments, None where missing; read with the `values_of` method of `values` if there is one."""
    read = getattr(values, "values_of", None)
    return [*map(values.get, segments)] if read is None else read(segments)


class LiveTags(Protocol):
    """Current tags of a layer, which differ from the initial tags (`loaded`) in edited segments."""

    @property
    def loaded(self) -> TagColumn:
        """Initial tags."""

    def __getitem__(self, segment: int) -> NDArray[np.uint8]:
        """Current tags of one segment."""

    def column(self) -> TagColumn:
        """All current tags as one column."""

    def edited_segments(self) -> Ints:
        """Segments whose tags differ from the initial tags, ascending, shape (k,)."""


class DerivedLayers(Protocol):
    """Layers derived from the edited text: tags and scores of post-edits.

    Their tags are read-only. The corpus does not contain these layers.
    """

    @property
    def tags(self) -> Mapping[LayerKey, LiveTags]:
        """Tags by layer."""

    @property
    def scores(self) -> tuple[LayerKey, ...]:
        """Keys of the score layers."""

    def scores_of(self, key: LayerKey) -> Scores:
        """Scores of a layer, shape (segments,), NaN for segments that were not reviewed."""

    def reviewed_segments(self, key: LayerKey) -> NDArray[np.bool_]:
        """Mask of the segments reviewed by the layer's annotator, shape (segments,)."""

    def is_reviewed(self, key: LayerKey, segment: int) -> bool:
        """Whether a segment was reviewed by the layer's annotator."""
