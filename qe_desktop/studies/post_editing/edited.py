"""What was edited of each reviewed segment: edits by kind, HTER, which words of the MT stayed, and its characters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import TagColumn, TextColumn
from qe_desktop.metrics.counting import ShareWatch
from qe_desktop.metrics.edit_counts import edit_counts
from qe_desktop.metrics.family import Floats
from qe_desktop.metrics.post_edits import post_edited
from qe_desktop.studies.post_editing.reviewed import Reviewed

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Edited:
    """Edits of the reviewed segments: `counts` as of `metrics.edit_counts`, shape (k, 4), `hter` (k,), 1 at most, and
    the tags of WMT18 of the words and gaps of the MT. `characters` has the length of each word of the MT, shape
    (words,).
    """

    counts: Floats
    hter: Floats
    words: TagColumn
    gaps: TagColumn
    characters: Ints

    @property
    def edits(self) -> Floats:
        """All edits of each segment, shape (k,)."""
        return np.asarray(self.counts.sum(axis=1))


def edited_in(reviewed: Reviewed, watch: ShareWatch | None = None) -> Edited:
    """Compare MT and post-edit of what was reviewed; `watch` hears the share done, and may raise to stop."""

    def part(first: float, share: float) -> ShareWatch | None:
        return None if watch is None else lambda done: watch(first + share * done)

    mt, post_edit = reviewed.mt, reviewed.post_edit
    counts = edit_counts(mt, post_edit, part(0.0, 0.6))
    tags = post_edited(mt, post_edit, part(0.6, 0.4))
    return Edited(counts, _rates(counts, post_edit), tags.words, tags.gaps, _lengths(mt))


def _rates(counts: Floats, post_edit: TextColumn) -> Floats:
    """HTER as `metrics.post_edits.hter` has it, of edits that are counted already."""
    edits, length = counts.sum(axis=1), post_edit.token_counts()
    rates = np.divide(edits, length, out=(edits > 0).astype(np.float64), where=length > 0)
    return np.asarray(np.minimum(rates, 1.0))


def _lengths(text: TextColumn) -> Ints:
    words = (len(word) for segment in range(len(text)) for word in text.tokens(segment))
    return np.fromiter(words, np.int64, int(text.token_counts().sum()))
