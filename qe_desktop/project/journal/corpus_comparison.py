"""Comparison of the corpus of the current files with the corpus stored in their journal."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from qe_desktop.corpus import Corpus, Layer, MetricColumn, Ratings
from qe_desktop.corpus.columns import Documents, NumberColumn, TagColumn
from qe_desktop.corpus.ratings import RatingTable

_NAMED_COLUMNS = ("texts", "translations", "references", "metric_scores")


def is_restorable(corpus: Corpus, stored: Corpus) -> bool:
    """Return whether a stored corpus has all data of `corpus`, the corpus of the current files.

    Layers may be missing from the stored corpus. Layers that come from the bilingual files themselves may differ,
    because targets may have been edited since the corpus was stored.
    """
    if corpus.size != stored.size or corpus.eos != stored.eos:
        return False
    if any(getattr(corpus, name).keys() - getattr(stored, name).keys() for name in _NAMED_COLUMNS):
        return False
    return _are_texts_equal(corpus, stored) and _are_scores_equal(corpus, stored) and _are_parts_equal(corpus, stored)


def _are_texts_equal(corpus: Corpus, stored: Corpus) -> bool:
    named = ((corpus.translations, stored.translations), (corpus.references, stored.references))
    return all(column.data == stored.texts[role].data for role, column in corpus.texts.items()) and all(
        column.data == before[name].data for now, before in named for name, column in now.items()
    )


def _are_scores_equal(corpus: Corpus, stored: Corpus) -> bool:
    job_files = () if corpus.job is None else corpus.job.files
    files = {"", *(name for file in job_files for name in (file.name, file.path))}
    layers = [(layer, stored.layers[key]) for key, layer in corpus.layers.items() if key in stored.layers]
    return all(layer.origin in files or _is_same_layer(layer, before) for layer, before in layers) and all(
        _is_same_metric(column, stored.metric_scores[name]) for name, column in corpus.metric_scores.items()
    )


def _is_same_layer(layer: Layer, before: Layer) -> bool:
    column, former = layer.column, before.column
    if isinstance(column, TagColumn | NumberColumn):
        return column == former
    return not isinstance(former, TagColumn | NumberColumn) and np.array_equal(column, former, equal_nan=True)


def _is_same_metric(column: MetricColumn, before: MetricColumn) -> bool:
    return (
        column.better == before.better
        and column.systems.keys() == before.systems.keys()
        and all(np.array_equal(scores, before.systems[name], equal_nan=True) for name, scores in column.systems.items())
    )


def _are_parts_equal(corpus: Corpus, stored: Corpus) -> bool:
    if corpus.language_pair and corpus.language_pair != stored.language_pair:
        return False
    return (
        (corpus.alignments is None or corpus.alignments == stored.alignments)
        and _are_documents_equal(corpus.documents, stored.documents)
        and _are_ratings_known(corpus.ratings, stored.ratings)
    )


def _are_documents_equal(now: Documents | None, before: Documents | None) -> bool:
    if now is None or before is None:
        return now is None
    return now.names == before.names and np.array_equal(now.of_segment, before.of_segment)


def _are_ratings_known(now: Ratings | None, before: Ratings | None) -> bool:
    """Return whether `before` begins with the ratings and comments of `now`, whose order `join_ratings` preserves."""
    if now is None or before is None:
        return now is None
    comments, stored = now.comments, before.comments[: len(now.comments)]
    return (
        [replace(comment, started=0.0) for comment in comments] == [replace(comment, started=0.0) for comment in stored]
        and set(now.ranges) <= set(before.ranges)
        and _begins_with(before.scores, now.scores)
        and _begins_with(before.pairs, now.pairs)
    )


def _begins_with(table: RatingTable[Any], first: RatingTable[Any]) -> bool:
    size = len(first)
    if len(table) < size:
        return False
    table = table.take(np.arange(size))
    numbers = [name for name in first.ROW._fields if name not in first.NAMES]
    return all(np.array_equal(getattr(table, name), getattr(first, name), equal_nan=True) for name in numbers) and all(
        table.texts(name) == first.texts(name) for name in first.NAMES
    )
