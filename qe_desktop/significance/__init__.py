"""Significance tests and confidence intervals for rows of additive statistics, and corrections for multiple tests."""

from qe_desktop.significance.bootstrap import (
    MIN_UNITS,
    BootstrapWeights,
    are_all_equal,
    bca_intervals,
    bootstrap_weights,
    jackknife_accelerations,
    percentile_intervals,
    percentile_intervals_ignoring_nan,
    resampled_scores,
)
from qe_desktop.significance.comparison import (
    Comparison,
    MetricComparison,
    SignificanceOptions,
    compare_rows,
    distinction_coefficient,
    rejudge_comparison,
    sum_by_unit,
    top_and_bottom,
)
from qe_desktop.significance.corrections import (
    CORRECTION_LABELS,
    CORRECTIONS,
    Correction,
    adjust_p,
    adjust_p_matrix,
    tested_pair_count,
)
from qe_desktop.significance.influence import SegmentInfluence, segment_influence
from qe_desktop.significance.power_limits import UnattainableLevel, missed_level, required_rounds, unattainable_level
from qe_desktop.significance.randomization import (
    FamilyRows,
    PairTests,
    group_by_family,
    randomization_tests,
    sum_by_document,
)
from qe_desktop.significance.registry import SIGNIFICANCE_TESTS, SignificanceTest, get_test
from qe_desktop.significance.score_intervals import IntervalMethod, score_intervals
from qe_desktop.significance.verdicts import PairVerdict, PairVerdicts, SignificanceLevel, format_level, sign_meanings

__all__ = [
    "CORRECTIONS",
    "CORRECTION_LABELS",
    "MIN_UNITS",
    "SIGNIFICANCE_TESTS",
    "BootstrapWeights",
    "Comparison",
    "Correction",
    "FamilyRows",
    "IntervalMethod",
    "MetricComparison",
    "PairTests",
    "PairVerdict",
    "PairVerdicts",
    "SegmentInfluence",
    "SignificanceLevel",
    "SignificanceOptions",
    "SignificanceTest",
    "UnattainableLevel",
    "adjust_p",
    "adjust_p_matrix",
    "are_all_equal",
    "bca_intervals",
    "bootstrap_weights",
    "compare_rows",
    "distinction_coefficient",
    "format_level",
    "get_test",
    "group_by_family",
    "jackknife_accelerations",
    "missed_level",
    "percentile_intervals",
    "percentile_intervals_ignoring_nan",
    "randomization_tests",
    "rejudge_comparison",
    "required_rounds",
    "resampled_scores",
    "score_intervals",
    "segment_influence",
    "sign_meanings",
    "sum_by_document",
    "sum_by_unit",
    "tested_pair_count",
    "top_and_bottom",
    "unattainable_level",
]
