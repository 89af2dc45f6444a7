"""The edits of HTER by their kinds: words inserted, deleted and replaced, and blocks moved, from the MT to a post-edit.

They are those of `post_edits.hter`, whose numerator they sum up to: tercom's, without regard to case.
"""

from __future__ import annotations

import numpy as np

from qe_desktop.corpus import TextColumn
from qe_desktop.metrics.counting import ShareWatch
from qe_desktop.metrics.family import Floats
from qe_desktop.metrics.ter.letters import letters
from qe_desktop.metrics.ter.shifts import shifted
from qe_desktop.metrics.ter.trace import DELETION, INSERTION, SUBSTITUTION
from qe_desktop.metrics.texts import Vocabulary

BLOCK = 1024
"""Segments that are looked at in one go."""
INSERTIONS, DELETIONS, SUBSTITUTIONS, SHIFTS = range(4)
"""The columns of `edit_counts`."""


def edit_counts(mt: TextColumn, post_edit: TextColumn, watch: ShareWatch | None = None) -> Floats:
    """Insertions, deletions, substitutions and shifts of each segment, shape (segments, 4).

    An insertion is a token that the MT lacks, a deletion one that it has too much (Snover et al. 2006). ValueError
    where there are more segments of one than of the other. `watch` hears the share done, and may raise to stop.
    """
    if len(mt) != len(post_edit):
        raise ValueError("an MT and its post-edit have as many lines as each other")
    counts = np.zeros((len(mt), 4))
    for first in range(0, len(mt), BLOCK):
        last = min(len(mt), first + BLOCK)
        vocabulary = Vocabulary()
        cut = [[[word.lower() for word in text.tokens(segment)] for segment in range(first, last)]
               for text in (mt, post_edit)]  # fmt: skip
        found = letters([vocabulary.tokens(text) for text in cut], 0, last - first)
        for place, (ours, theirs) in enumerate(zip(*found.lines, strict=True)):
            if ours != theirs:
                counts[first + place] = _counted(ours, theirs, int(found.shared[1, place]))
        if watch is not None:
            watch(last / len(mt))
    return counts


def _counted(mt: str, post_edit: str, shared: int) -> tuple[int, int, int, int]:
    found = shifted(mt, post_edit, max(len(mt), len(post_edit)) - shared)
    counted = found.trace.operations.count
    return counted(INSERTION), counted(DELETION), counted(SUBSTITUTION), len(found.shifts)
