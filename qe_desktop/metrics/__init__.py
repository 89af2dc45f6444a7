"""Metrics: rows of additive statistics per segment, and functions of their sums."""

from qe_desktop.metrics.family import Family, Metric, ScoreTerm
from qe_desktop.metrics.registry import (
    PAPER_METRICS,
    SENTENCE_METRICS,
    TRANSLATION_METRICS,
    WORD_METRICS,
    get_metrics,
    metric_families,
)
from qe_desktop.metrics.tags.tag_overlap import TagOverlap, compute_rows, compute_totals

__all__ = [
    "PAPER_METRICS",
    "SENTENCE_METRICS",
    "TRANSLATION_METRICS",
    "WORD_METRICS",
    "Family",
    "Metric",
    "ScoreTerm",
    "TagOverlap",
    "compute_rows",
    "compute_totals",
    "get_metrics",
    "metric_families",
]
