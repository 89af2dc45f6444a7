"""Documents: which segments belong together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Documents:
    """The document of each segment: `of_segment` of shape (segments,) indexes into `names`, in order of appearance."""

    names: tuple[str, ...]
    of_segment: NDArray[np.int32]

    @classmethod
    def from_names(cls, lines: Sequence[str]) -> Documents:
        """Documents named once a segment."""
        places: dict[str, int] = {}
        ids = np.fromiter((places.setdefault(line, len(places)) for line in lines), np.int32, len(lines))
        return cls(tuple(places), ids)

    def name(self, segment: int) -> str:
        """The name of the segment's document."""
        return self.names[int(self.of_segment[segment])]
