"""What people made of segments in review: targets, statuses and notes, as a value over what was loaded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.bilingual_job import ReviewStatus
from qe_desktop.corpus.columns import TagColumn
from qe_desktop.corpus.layers import LayerKey, Scores


@dataclass(frozen=True, slots=True, eq=False)
class Review:
    """Targets (as lines with codes, see `Job`), statuses and notes that were set, by segment.

    `people` is who last set the target or the status of each segment. Contents must not be mutated.
    """

    targets: Mapping[int, str] = field(default_factory=dict)
    statuses: Mapping[int, ReviewStatus] = field(default_factory=dict)
    notes: Mapping[int, str] = field(default_factory=dict)
    people: Mapping[int, str] = field(default_factory=dict)


EMPTY_REVIEW = Review()
"""The empty review."""


class LiveTags(Protocol):
    """Tags as edited: `loaded` is what they were at first, and some segments carry others."""

    @property
    def loaded(self) -> TagColumn:
        """The tags at first."""
        ...

    def __getitem__(self, segment: int) -> NDArray[np.uint8]:
        """One segment's tags."""
        ...

    def column(self) -> TagColumn:
        """All tags as one column."""
        ...

    def edited_segments(self) -> NDArray[np.int64]:
        """The segments whose tags differ from those at first, ascending, shape (k,)."""
        ...


class DerivedLayers(Protocol):
    """Layers derived from the edited text: tags and scores of post-edits. They have no columns in the corpus and
    read-only tags.
    """

    @property
    def tags(self) -> Mapping[LayerKey, LiveTags]:
        """The tags, by layer."""
        ...

    @property
    def scores(self) -> tuple[LayerKey, ...]:
        """The layers of scores."""
        ...

    def scores_of(self, key: LayerKey) -> Scores:
        """Scores of a layer, shape (segments,), NaN for segments that were not reviewed."""
        ...

    def reviewed(self, key: LayerKey) -> NDArray[np.bool_]:
        """Which segments were reviewed by the person whose layer it is, shape (segments,)."""
        ...

    def is_reviewed(self, key: LayerKey, segment: int) -> bool:
        """The same of one segment."""
        ...
