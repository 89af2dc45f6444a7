"""Metrics: rows of additive statistics for each segment, and functions of their sums."""

from qe_desktop.metrics.counting import rows_of, totals_of
from qe_desktop.metrics.family import Family, Metric, Term
from qe_desktop.metrics.overlap import Overlap, Spans
from qe_desktop.metrics.registry import (
    PAPER_METRICS,
    SENTENCE_METRICS,
    TRANSLATION_METRICS,
    WORD_METRICS,
    families_of,
    metrics_named,
)

__all__ = [
    "PAPER_METRICS",
    "SENTENCE_METRICS",
    "TRANSLATION_METRICS",
    "WORD_METRICS",
    "Family",
    "Metric",
    "Overlap",
    "Spans",
    "Term",
    "families_of",
    "metrics_named",
    "rows_of",
    "totals_of",
]
