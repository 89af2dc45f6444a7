"""What tables hold beside their texts (`beside`), as layers over all segments of one or several documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Offsets, TagColumn, TextColumn
from qe_desktop.corpus.layers import Scores
from qe_desktop.formats.bilingual.document import Document
from qe_desktop.wording import tr


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


def with_layers_beside(corpus: Corpus, documents: Sequence[Document]) -> Corpus:
    """The corpus of documents with the layers that these hold in columns, beside those that it has of their issues.

    Where a document has none of a layer that another one has, its segments have no score, and no word is BAD.
    """
    keys = dict.fromkeys(key for one in documents for key in (*one.beside.tags, *one.beside.scores))
    if not keys and all(one.beside.words is None for one in documents):
        return corpus
    layers = {key: _fitted(layer, corpus) for key, layer in corpus.layers.items()}
    origin = documents[0].name if len(documents) == 1 else ""
    for key in keys:
        there = layers.get(key)
        if key.kind is Kind.SCORES:
            scores = _scores(documents, key)
            scores = scores if there is None else np.where(np.isnan(scores), there.scores, scores)
            scores.flags.writeable = False
            layers[key] = Layer(key, scores, origin)
            continue
        tags, without = _tags(documents, key, corpus)
        if there is not None:
            tags = TagColumn(tags.values | there.tags.values, tags.offsets)
        said = tr("{n:,} {n:segment|segments} of other files {n:has|have} no such tags, and {n:is|are} OK", "", without)
        layers[key] = Layer(key, tags, origin, notes=(said,) if without and there is None else ())
    return replace(corpus, layers=layers)


def _offsets(corpus: Corpus, kind: Kind) -> Offsets:
    offsets = corpus.offsets(kind)
    assert offsets is not None
    return offsets


def _fitted(layer: Layer, corpus: Corpus) -> Layer:
    """A layer made of issues, whose words are those of the rule: others are of documents that bring no issues."""
    if not layer.key.kind.is_tags:
        return layer
    tags, offsets = layer.tags, _offsets(corpus, layer.key.kind)
    if np.array_equal(tags.offsets, offsets):
        return layer
    same = tags.lengths() == np.diff(offsets)
    values = np.zeros(int(offsets[-1]), np.uint8)
    values[np.repeat(same, np.diff(offsets))] = tags.values[np.repeat(same, tags.lengths())]
    return replace(layer, column=TagColumn(values, offsets))


def _scores(documents: Sequence[Document], key: LayerKey) -> Scores:
    empty = (np.full(len(one.segments), np.nan) for one in documents)
    return np.concatenate([one.beside.scores.get(key, none) for one, none in zip(documents, empty, strict=True)])


def _tags(documents: Sequence[Document], key: LayerKey, corpus: Corpus) -> tuple[TagColumn, int]:
    """The tags of a layer, and how many segments have none of their own."""
    offsets = _offsets(corpus, key.kind)
    parts: list[NDArray[np.uint8]] = []
    low = without = 0
    for document in documents:
        high = low + len(document.segments)
        tags = document.beside.tags.get(key)
        if tags is None:
            parts.append(np.zeros(int(offsets[high] - offsets[low]), np.uint8))
            without += high - low
        else:
            surplus = document.beside.eos and not corpus.eos and key.kind is Kind.WORDS
            parts.append(tags.without_last().values if surplus else tags.values)
        low = high
    return TagColumn(np.concatenate(parts), offsets), without
