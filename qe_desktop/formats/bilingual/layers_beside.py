"""What tables hold beside their texts (`beside`), as layers over all segments of one or several documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Kind, Layer, LayerKey, TagColumn, TextColumn, offsets_of
from qe_desktop.corpus.layers import Scores
from qe_desktop.formats.bilingual.document import Document
from qe_desktop.wording import tr

Counts = Mapping[Kind, NDArray[np.int32]]


def words_beside(documents: Sequence[Document], found: TextColumn) -> TextColumn:
    """The words of each MT: those that a document says, else those that were `found`."""
    if all(document.beside.words is None for document in documents):
        return found
    lines: list[str] = []
    for document in documents:
        low = len(lines)
        said = document.beside.words
        lines += [found[low + row] for row in range(len(document.segments))] if said is None else said.lines()
    return TextColumn.of(lines)


def layers_beside(documents: Sequence[Document], counts: Counts, *, eos: bool, origin: str) -> Iterator[Layer]:
    """The layers of documents. `counts` is how many tags of a kind each segment has, shape (segments,); `eos` says that
    one of them is of a virtual `<EOS>`, and `origin` where they are from.

    Where a document has none of a layer that another one has, its segments have no score, and no word is BAD.
    """
    for key in dict.fromkeys(key for one in documents for key in (*one.beside.tags, *one.beside.scores)):
        column, without = _column(documents, key, counts, eos=eos)
        said = tr("{n:,} {n:segment|segments} of other files {n:has|have} no such tags, and {n:is|are} OK", "", without)
        yield Layer(key, column, origin, notes=(said,) if without else ())


def _column(
    documents: Sequence[Document], key: LayerKey, counts: Counts, *, eos: bool
) -> tuple[TagColumn | Scores, int]:
    """The column of a layer, and how many segments have no tags of their own."""
    if key.kind is Kind.SCORES:
        empty = (np.full(len(one.segments), np.nan) for one in documents)
        scores = np.concatenate([one.beside.scores.get(key, none) for one, none in zip(documents, empty, strict=True)])
        scores.flags.writeable = False
        return scores, 0
    parts: list[NDArray[np.uint8]] = []
    low = without = 0
    for document in documents:
        high = low + len(document.segments)
        tags = document.beside.tags.get(key)
        if tags is None:
            parts.append(np.zeros(int(counts[key.kind][low:high].sum()), np.uint8))
            without += high - low
        else:
            surplus = document.beside.eos and not eos and key.kind is Kind.WORDS
            parts.append(tags.without_last().values if surplus else tags.values)
        low = high
    return TagColumn(np.concatenate(parts), offsets_of(counts[key.kind])), without
