"""What one target says of its MT while it is typed: HTER, tags of words and gaps, and which words were kept.

The same numbers as `post_edits` gives for whole columns, for one segment at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import TextColumn
from qe_desktop.metrics.post_edits import hter, post_edited

LONGEST = 1000
"""Words of one text at the most: the alignment of more would be felt while one types."""


@dataclass(frozen=True, slots=True, eq=False)
class TargetEdits:
    """What became of the words of an MT.

    `words` has a tag for each of its words (1: changed or removed), `gaps` one for each place before, between and after
    them (1: something is missing). `pairs`, shape (pairs, 2), are the places of words that belong together, −1 where a
    word has no partner. `hter` is 1 at most, as in WMT's files.
    """

    words: NDArray[np.uint8]
    gaps: NDArray[np.uint8]
    pairs: NDArray[np.int32]
    hter: float

    @property
    def edited(self) -> int:
        """How many words of the MT were changed or removed."""
        return int(self.words.sum())

    @property
    def filled(self) -> int:
        """In how many places something was added."""
        return int(self.gaps.sum())

    def kept(self) -> list[tuple[int, int]]:
        """The places in MT and target of the words that were kept as they were."""
        return [(one, other) for one, other in self.pairs.tolist() if min(one, other) >= 0 and not self.words[one]]


def target_edits(mt: Sequence[str], target: Sequence[str]) -> TargetEdits | None:
    """What a target says of its MT, both as words without blanks in them; None where they are too long for that."""
    if max(len(mt), len(target)) > LONGEST:
        return None
    if list(mt) == list(target):
        places = np.arange(len(mt), dtype=np.int32)
        nothing = np.zeros(2 * len(mt) + 1, np.uint8)
        return TargetEdits(nothing[: len(mt)], nothing[len(mt) :], np.stack([places, places], axis=-1), 0.0)
    ours, theirs = TextColumn.of([" ".join(mt)]), TextColumn.of([" ".join(target)])
    found = post_edited(ours, theirs)
    rate = float(hter(ours, theirs)[0])
    return TargetEdits(found.words[0], found.gaps[0], found.pairs[0], rate)
