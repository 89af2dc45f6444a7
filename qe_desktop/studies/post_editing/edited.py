"""What was edited of each reviewed segment: edits by kind, HTER, which words of the MT stayed, and its characters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import RaggedColumn, TagColumn, TextColumn, offsets_of
from qe_desktop.metrics.counting import ShareWatch
from qe_desktop.metrics.edit_counts import edit_counts
from qe_desktop.metrics.family import Floats
from qe_desktop.metrics.post_edits import post_edited
from qe_desktop.studies.post_editing.known import Known
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


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """The same of one segment."""

    counts: Floats
    words: NDArray[np.uint8]
    gaps: NDArray[np.uint8]
    characters: Ints


Pair = tuple[str, str]
"""The words of an MT and of its post-edit, with blanks between them."""


def edited_in(
    reviewed: Reviewed, watch: ShareWatch | None = None, known: Known[Pair, Compared] | None = None
) -> Edited:
    """Compare MT and post-edit of what was reviewed; `watch` hears the share done, and may raise to stop. Of pairs that
    are `known` nothing is compared again.
    """
    mt, post_edit = reviewed.mt, reviewed.post_edit
    pairs = [(mt[segment], post_edit[segment]) for segment in range(len(mt))]
    found = (known if known is not None else Known()).of(pairs, _compared, watch)
    counts = np.asarray([one.counts for one in found]).reshape(-1, 4)
    tokens, none = mt.token_counts(), np.zeros(0, np.uint8)
    return Edited(
        counts,
        _rates(counts, post_edit),
        TagColumn(np.concatenate([none, *(one.words for one in found)]), offsets_of(tokens)),
        TagColumn(np.concatenate([none, *(one.gaps for one in found)]), offsets_of(tokens + 1)),
        np.concatenate([np.zeros(0, np.int64), *(one.characters for one in found)]),
    )


def _compared(pairs: Sequence[Pair]) -> list[Compared]:
    # behind a blank, a carriage return stays what it is
    mt, post_edit = (TextColumn.of([f"{line} " for line in lines]) for lines in zip(*pairs, strict=True))
    counts, tags = edit_counts(mt, post_edit), post_edited(mt, post_edit)
    lengths = RaggedColumn(_lengths(mt), tags.words.offsets)
    # copies, or one segment would keep all that were counted with it
    return [
        Compared(counts[place].copy(), tags.words[place].copy(), tags.gaps[place].copy(), lengths[place].copy())
        for place in range(len(pairs))
    ]


def _rates(counts: Floats, post_edit: TextColumn) -> Floats:
    """HTER as `metrics.post_edits.hter` has it, of edits that are counted already."""
    edits, length = counts.sum(axis=1), post_edit.token_counts()
    rates = np.divide(edits, length, out=(edits > 0).astype(np.float64), where=length > 0)
    return np.asarray(np.minimum(rates, 1.0))


def _lengths(text: TextColumn) -> Ints:
    words = (len(word) for segment in range(len(text)) for word in text.tokens(segment))
    return np.fromiter(words, np.int64, int(text.token_counts().sum()))
