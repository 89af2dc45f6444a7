"""What a view is given of layers that have no column of their own: those that follow what people make of a text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.layers import LayerKey, Scores
from qe_desktop.corpus.ragged import TagColumn


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


class Derived(Protocol):
    """Layers that follow what people made of the text: tags and scores of post-edits. They have no columns of their own
    in the corpus, and nobody edits their tags.
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
        """The scores of a layer, shape (segments,), NaN where nobody reviewed the segment."""
        ...

    def reviewed(self, key: LayerKey) -> NDArray[np.bool_]:
        """Which segments were reviewed by the person whose layer it is, shape (segments,)."""
        ...

    def is_reviewed(self, key: LayerKey, segment: int) -> bool:
        """The same of one segment."""
        ...
