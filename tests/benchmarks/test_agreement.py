"""Simulations of the tests of metric differences in agreement with human scores, too long for every test run."""

from __future__ import annotations

import pytest

from qe_desktop.studies.meta_eval.agreement_tests import POOLED_STATISTICS
from tests.benchmarks.figures import record_figure
from tests.studies.simulated_agreement import coverage_rates, false_positive_rates

pytestmark = pytest.mark.simulation
SIMULATIONS = 2000
LEAST, MOST = 0.03, 0.07
SEGMENT_STATISTICS = (*POOLED_STATISTICS, "acc_eq")
FEW_VALUES = ("kendall", "pairwise_accuracy")
"""Statistics with few values, where many permutations tie with the observed value, so their tests are conservative."""


@pytest.mark.benchmark
@pytest.mark.parametrize("error", ["translation", "segment", "document"])
@pytest.mark.parametrize("sides", ["two", "one"])
def test_false_positive_rate_for_equally_good_metrics(benchmark, sides, error):
    options = {"rounds": 199, "sides": sides, "error": error}
    rates = benchmark.pedantic(false_positive_rates, (SIMULATIONS,), options, rounds=1)
    for statistic, rate in rates.items():
        record_figure(f"false positives at .05, {sides}-sided test by {statistic}, errors by {error}", rate, MOST, "")
        # errors common to a segment cancel between systems, so tests of systems are conservative; acc*eq, whose
        # comparisons are within segments and swapped with them, is not
        if statistic in SEGMENT_STATISTICS or (statistic not in FEW_VALUES and error != "segment"):
            record_figure(f"the same, not fewer: {statistic}", rate, LEAST, "", is_minimum=True)


@pytest.mark.benchmark
def test_intervals_cover_the_mean_over_samples(benchmark):
    rates = benchmark.pedantic(coverage_rates, (300,), {"draws": 400}, rounds=1)
    for statistic, rate in rates.items():
        record_figure(f"coverage of 95 % intervals of {statistic}", rate, 0.9, "", is_minimum=True)
