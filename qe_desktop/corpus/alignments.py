"""Word alignments: which source tokens belong to which MT tokens."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qe_desktop.corpus.ragged import RaggedColumn, offsets_of


class AlignmentColumn(RaggedColumn[np.int32]):
    """Pairs (source token, MT token), counted from 0: `values` has shape (links, 2)."""

    __slots__ = ()

    @classmethod
    def of(cls, segments: Sequence[Sequence[tuple[int, int]]]) -> AlignmentColumn:
        """The column of literal segments."""
        flat = [pair for segment in segments for pair in segment]
        return cls(np.asarray(flat, np.int32).reshape(-1, 2), offsets_of([len(segment) for segment in segments]))

    def source_of(self, segment: int, token: int) -> list[int]:
        """The source tokens aligned to an MT token."""
        pairs = self[segment]
        return [int(place) for place in pairs[pairs[:, 1] == token, 0]]

    def mt_of(self, segment: int, token: int) -> list[int]:
        """The MT tokens aligned to a source token."""
        pairs = self[segment]
        return [int(place) for place in pairs[pairs[:, 0] == token, 1]]
