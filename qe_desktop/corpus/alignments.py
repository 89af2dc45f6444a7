"""Word alignments: which source tokens belong to which MT tokens."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.ragged import Offsets, offsets_of


class AlignmentColumn:
    """Pairs (source token, MT token), counted from 0: `pairs` of shape (links, 2), cut by `offsets` (segments + 1,)."""

    __slots__ = ("offsets", "pairs")

    def __init__(self, pairs: NDArray[np.int32], offsets: Offsets) -> None:
        self.pairs = pairs
        self.offsets = offsets
        pairs.flags.writeable = False

    @classmethod
    def of(cls, segments: Sequence[Sequence[tuple[int, int]]]) -> AlignmentColumn:
        """The column of literal segments."""
        flat = [pair for segment in segments for pair in segment]
        return cls(np.asarray(flat, np.int32).reshape(-1, 2), offsets_of([len(segment) for segment in segments]))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, segment: int) -> NDArray[np.int32]:
        return self.pairs[self.offsets[segment] : self.offsets[segment + 1]]

    def source_of(self, segment: int, token: int) -> list[int]:
        """The source tokens aligned to an MT token."""
        pairs = self[segment]
        return [int(place) for place in pairs[pairs[:, 1] == token, 0]]

    def mt_of(self, segment: int, token: int) -> list[int]:
        """The MT tokens aligned to a source token."""
        pairs = self[segment]
        return [int(place) for place in pairs[pairs[:, 0] == token, 1]]
