"""Simulations of the tests of which metric agrees better with people, too long for every run."""

from __future__ import annotations

import pytest

from qe_desktop.studies.meta_eval.pooled_permutation import POOLED_STATISTICS
from tests.benchmarks.figures import note
from tests.studies.simulated_agreement import covered, false_positives

SIMULATIONS = 2000
LEAST, MOST = 0.03, 0.07
FEW_VALUES = ("kendall", "pairwise_accuracy")
"""Figures of few values, in which many swaps tie with what was observed: their tests find fewer differences."""


@pytest.mark.benchmark
@pytest.mark.parametrize("error", ["translation", "segment", "document"])
@pytest.mark.parametrize("sides", ["two", "one"])
def test_metrics_that_are_equally_good(benchmark, sides, error):
    options = {"rounds": 199, "sides": sides, "error": error}
    found = benchmark.pedantic(false_positives, (SIMULATIONS,), options, rounds=1)
    for figure, rate in found.items():
        note(f"false positives at .05, {sides}-sided test by {figure}, errors by {error}", rate, MOST, "")
        # an error common to a segment cancels between systems, so that tests of systems find fewer differences
        if figure in POOLED_STATISTICS or (figure not in FEW_VALUES and error != "segment"):
            note(f"the same, not fewer: {figure}", rate, LEAST, "", least=True)


@pytest.mark.benchmark
def test_intervals_cover_the_mean_over_samples(benchmark):
    rates = benchmark.pedantic(covered, (300,), {"draws": 400}, rounds=1)
    for figure, rate in rates.items():
        note(f"coverage of 95 % intervals of {figure}", rate, 0.9, "", least=True)
