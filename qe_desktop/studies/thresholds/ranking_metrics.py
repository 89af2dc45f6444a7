"""Quality of rankings of words by score, in which BAD words should come first; independent of any threshold.

The quality is measured over all words, and per segment as in the explainability tasks (Fomicheva et al. 2021, Eval4NLP;
Zerva et al. 2022, WMT22 task 2).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import TagColumn, segment_indices, segment_sums
from qe_desktop.corpus.columns import Floats, Ints


@dataclass(frozen=True, slots=True)
class WordRanking:
    """Ranking quality of word scores, over all words or as means over segments.

    All measures are from 0 to 1. `auc` is the probability that a BAD word has a higher score than an OK word.
    `average_precision` is the mean, over all BAD words, of the precision at the rank of the word. Both are NaN if the
    gold has only one class. `recall_at_k` is the share of the k gold BAD words of a segment that are among the k words
    of the segment with the highest scores. Means over segments include only segments with words of both classes;
    `segments` is the number of these segments. For a ranking of all words, `segments` and `recall_at_k` are None.
    """

    auc: float
    average_precision: float
    recall_at_k: float | None = None
    segments: int | None = None


def rank_all_words(gold: TagColumn, numbers: Floats) -> WordRanking:
    """Return AUC and average precision over all words; higher `numbers` (words,) mean BAD."""
    auc, precision, _ = _segment_metrics(gold.values, np.zeros(len(numbers), np.int64), 1, numbers)
    return WordRanking(float(auc[0]), float(precision[0]))


def rank_words_by_segment(gold: TagColumn, numbers: Floats) -> WordRanking:
    """Return means of AUC, average precision and Recall@K over segments with words of both classes; NaN if none exist.

    If scores are tied, Recall@K is the expected value over all orders of the tied words; the WMT22 script uses only one
    of these orders.
    """
    auc, precision, recall = _segment_metrics(gold.values, segment_indices(gold.offsets), len(gold), numbers)
    is_defined = np.isfinite(auc)
    if not is_defined.any():
        return WordRanking(np.nan, np.nan, np.nan, 0)
    means = [float(values[is_defined].mean()) for values in (auc, precision, recall)]
    return WordRanking(means[0], means[1], means[2], int(is_defined.sum()))


def _segment_metrics(
    tags: np.ndarray, segment: np.ndarray, segments: int, numbers: Floats
) -> tuple[Floats, Floats, Floats]:
    """Return AUC, average precision and Recall@K of each segment; NaN if a segment lacks one of the classes."""
    order = np.lexsort((-numbers, segment))
    segment, numbers, bad = segment[order], numbers[order], tags[order] == 1
    # tied words of a segment are treated as one
    begins = np.flatnonzero(_changes(segment) | _changes(numbers))
    ends = np.append(begins[1:], len(numbers))
    of = segment[begins]
    offsets = np.searchsorted(of, np.arange(segments + 1))
    hits = np.add.reduceat(bad, begins, dtype=np.float64) if len(begins) else np.zeros(0)
    size = (ends - begins).astype(np.float64)
    all_bad, words = segment_sums(hits, offsets), segment_sums(size, offsets)
    hits_before, before = _preceding_sums(hits, offsets), _preceding_sums(size, offsets)
    k = all_bad[of]
    pairs = segment_sums((size - hits) * (hits_before + hits / 2), offsets)
    precision_sums = segment_sums(hits * (hits_before + hits) / (before + size), offsets)
    top = segment_sums(hits * np.clip((k - before) / np.maximum(size, 1), 0, 1), offsets)
    has_both_classes = (all_bad > 0) & (all_bad < words)
    bad_counts = np.maximum(all_bad, 1)
    auc = pairs / np.maximum(all_bad * (words - all_bad), 1)
    figures = (auc, precision_sums / bad_counts, top / bad_counts)
    results = [np.asarray(np.where(has_both_classes, figure, np.nan), np.float64) for figure in figures]
    return results[0], results[1], results[2]


def _changes(values: NDArray[Any]) -> NDArray[np.bool_]:
    """Return a mask of values that differ from the previous one; True for the first."""
    return np.append(True, values[1:] != values[:-1])[: len(values)]


def _preceding_sums(values: Floats, offsets: Ints) -> Floats:
    """Return, for each value, the sum of the preceding values in the same segment."""
    summed = np.cumsum(values) - values
    starts = offsets[:-1][offsets[:-1] < len(values)]
    lengths = np.diff(offsets)
    return np.asarray(summed - np.repeat(summed[starts], lengths[offsets[:-1] < len(values)]))
