"""How fast the statistics of rankings are, relative to plain implementations."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from qe_desktop.corpus import PairRatings
from qe_desktop.ratings.aggregation.trueskill import trueskill
from qe_desktop.ratings.aggregation.win_rates import count_wins
from qe_desktop.ratings.agreement.ranking_kappa import wmt_kappa
from tests.benchmarks.figures import record_figure
from tests.benchmarks.measurement import median_seconds, time_ratio_of
from tests.ratings import naive_ranking_statistics
from tests.ratings.rankings import random_judgements, read_wmt16

RUNS = 1000
PLAIN_STEPS = 2000
"""Number of steps of one run that are timed with the package; all steps of a thousand runs would take over an hour."""


def german_english() -> tuple[PairRatings, str]:
    """WMT16 deu-eng if its data is available, otherwise as many judgements of as many systems."""
    named = os.environ.get("QE_DESKTOP_DATA")
    if named:
        return read_wmt16(
            Path(named) / "ratings" / "wmt16_rankings" / "pairwise" / "wmt16.deu-eng.csv.gz"
        ), "WMT16 deu-eng"
    return random_judgements(20_937, 10), "20,937 judgements of 10 systems"


@pytest.mark.benchmark
def test_time_of_trueskill_relative_to_the_trueskill_package(benchmark):
    pairs, name = german_english()
    table = [(row.first, row.second, row.first_rank, row.second_rank) for row in pairs.rows()]
    result = benchmark.pedantic(trueskill, (pairs,), {"runs": RUNS}, rounds=1, warmup_rounds=0)
    assert len(result.systems) == 10
    ours = median_seconds(lambda: trueskill(pairs, runs=RUNS), 1)
    rng = random.Random(1)
    plain = median_seconds(lambda: naive_ranking_statistics.trueskill_run(table, rng, PLAIN_STEPS), 3) / PLAIN_STEPS
    scaled = plain * (len(table) + 1) * RUNS
    work = f"TrueSkill, {name}, {RUNS} runs: a loop with the package (scaled up from {PLAIN_STEPS} steps) takes"
    assert record_figure(work, scaled / ours, 20, is_minimum=True).met


@pytest.mark.benchmark
def test_time_of_wins_and_kappa_is_linear(benchmark):
    few, many = (random_judgements(size, 20, segments=size // 100, raters=100) for size in (500_000, 1_000_000))

    def work(pairs: PairRatings) -> None:
        count_wins(pairs)
        for intra in (False, True):
            wmt_kappa(pairs, intra=intra)

    benchmark.pedantic(work, (many,), rounds=1)
    time_ratio = time_ratio_of(lambda: work(many), lambda: work(few), times=5)
    figure = record_figure("wins and kappas of 1,000,000 judgements relative to 500,000", time_ratio, 2.5)
    assert figure.value < 2 * figure.limit


@pytest.mark.benchmark
def test_time_of_kappa_relative_to_a_loop(benchmark):
    pairs = random_judgements(1500, 10, segments=15)
    rows = pairs.rows()
    benchmark.pedantic(wmt_kappa, (pairs,), {"intra": False}, rounds=3)
    plain = median_seconds(lambda: naive_ranking_statistics.agreement(rows, intra=False, as_listed=False), 1)
    ours = median_seconds(lambda: wmt_kappa(pairs, intra=False))
    assert record_figure("kappa of 1,500 judgements: a loop over pairs takes", plain / ours, 50, is_minimum=True).met
