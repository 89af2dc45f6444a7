"""Tests of significance over rows, whatever they count."""

from qe_desktop.significance.bca import accelerations, bca_intervals
from qe_desktop.significance.bootstrap import (
    LEAST_UNITS,
    Draws,
    drawn_weights,
    intervals,
    known_intervals,
    resampled_scores,
)
from qe_desktop.significance.clusters import beats, clusters_of, rank_ranges
from qe_desktop.significance.comparison import (
    Comparison,
    MetricComparison,
    Options,
    compare_rows,
    distinction,
    halves,
    in_units,
    rejudged,
)
from qe_desktop.significance.corrections import CALLED, CORRECTIONS, Correction, adjusted, adjusted_matrix
from qe_desktop.significance.influence import Apart, influence
from qe_desktop.significance.procedures import TESTS, Procedure, procedure
from qe_desktop.significance.randomisation import FamilyRows, PairTests, by_document, grouped, randomisation
from qe_desktop.significance.reach import OutOfReach, out_of_reach, rounds_for
from qe_desktop.significance.score_intervals import Way, score_intervals
from qe_desktop.significance.sureness import Sureness, Verdict, Verdicts, meanings

__all__ = [
    "CALLED",
    "CORRECTIONS",
    "LEAST_UNITS",
    "TESTS",
    "Apart",
    "Comparison",
    "Correction",
    "Draws",
    "FamilyRows",
    "MetricComparison",
    "Options",
    "OutOfReach",
    "PairTests",
    "Procedure",
    "Sureness",
    "Verdict",
    "Verdicts",
    "Way",
    "accelerations",
    "adjusted",
    "adjusted_matrix",
    "bca_intervals",
    "beats",
    "by_document",
    "clusters_of",
    "compare_rows",
    "distinction",
    "drawn_weights",
    "grouped",
    "halves",
    "in_units",
    "influence",
    "intervals",
    "known_intervals",
    "meanings",
    "out_of_reach",
    "procedure",
    "randomisation",
    "rank_ranges",
    "rejudged",
    "resampled_scores",
    "rounds_for",
    "score_intervals",
]
