"""How fast repeated sampling is at the size of WMT15's task: relative to plain Python, and on one and two threads."""

from __future__ import annotations

import random
import time

import numpy as np
import pytest

from qe_desktop.corpus import TagColumn
from qe_desktop.metrics import PAPER_METRICS
from qe_desktop.studies.sampling.data_sets import DataSets
from qe_desktop.studies.sampling.error_pool import ErrorPool, build_error_pool
from qe_desktop.studies.sampling.executors import run_in_threads
from qe_desktop.studies.sampling.sampling_options import SamplingOptions
from qe_desktop.studies.sampling.sampling_study import study_sampling
from tests.benchmarks.corpora import make_wmt_sized_tags
from tests.benchmarks.figures import record_figure
from tests.benchmarks.measurement import measure_with_slowness, median_seconds, time_ratio_of
from tests.small_corpora import noisy
from tests.tag_comparison import make_scoring, word_metrics

METRICS = word_metrics(PAPER_METRICS)
SYSTEMS = 17
AT_ONCE = 64


def make_scoring_of_17_systems():
    """17 systems that are wrong about 30 to 46 % of the tags, so that 30 % errors can be sampled."""
    gold: TagColumn = make_wmt_sized_tags(0)[0]
    systems = [noisy(gold, 0.3 + 0.01 * index, index) for index in range(SYSTEMS)]
    return make_scoring([f"s{index}" for index in range(SYSTEMS)], gold, systems)


def sample_in_plain_python(
    pool: ErrorPool, rows: list[list[float]], errors: list[int], needed: list[int]
) -> list[list[float]]:
    """Return one data set per error share: shuffle the pool, and add rows until there are enough errors."""
    items = list(range(pool.items))
    random.shuffle(items)
    segment = pool.segment
    used_segments: set[int] = set()
    sums, error_count, data_sets = [0.0] * len(rows[0]), 0, []
    for item in items:
        if segment[item] in used_segments:
            continue
        used_segments.add(segment[item])
        error_count += errors[item]
        sums = [total + change for total, change in zip(sums, rows[item], strict=True)]
        while len(data_sets) < len(needed) and error_count >= needed[len(data_sets)]:
            data_sets.append(sums)
        if len(data_sets) == len(needed):
            return data_sets
    raise AssertionError("not so many errors")


@pytest.mark.benchmark
def test_time_of_a_data_set_relative_to_plain_python(benchmark):
    pool = build_error_pool(make_scoring_of_17_systems(), METRICS)
    sets = DataSets.of(pool, SamplingOptions().normalize())
    needed = [-(-part * pool.tags // whole) for part, whole in sets.options.share_ratios]
    rows, errors = pool.changes.tolist(), pool.errors.tolist()
    rng = np.random.default_rng(1)
    benchmark.pedantic(sets.cut_orders, (sets.orders.draw(rng),), rounds=3, warmup_rounds=1)

    def ours() -> None:
        sets.draw(rng, AT_ONCE)

    def plain_python() -> None:
        sample_in_plain_python(pool, rows, errors, needed)

    speedup = 1 / time_ratio_of(ours, plain_python, times=9) * AT_ONCE
    figure = record_figure(
        "repeated sampling: a data set of five shares in plain Python takes", speedup, 20, is_minimum=True
    )
    assert figure.met


@pytest.mark.benchmark
def test_processor_time_of_the_analytic_mode(benchmark):
    systems = make_scoring_of_17_systems()

    def fast() -> None:
        study_sampling(systems, METRICS)

    benchmark.pedantic(fast, rounds=1)
    processor_seconds, slower = measure_with_slowness(lambda: median_seconds(fast, 1))
    figure = record_figure(
        "repeated sampling, 17 × 1817, six metrics, fast: processor time", processor_seconds, 30, "s", slower=slower
    )
    assert figure.met


@pytest.mark.benchmark
def test_two_threads_use_most_of_their_time(benchmark):
    """Wall-clock time, because waiting for the interpreter lock takes no processor time."""
    systems = make_scoring_of_17_systems()
    options = SamplingOptions(mode="full", repetitions=8).normalize()

    def seconds_with_threads(count: int) -> float:
        start = time.perf_counter()
        study_sampling(systems, METRICS, options, run=run_in_threads(count))
        return time.perf_counter() - start

    benchmark.pedantic(seconds_with_threads, (2,), rounds=1)
    # the best of several runs, because other load of the machine can only add time
    alone, together = (
        min(times)
        for times in zip(*((seconds_with_threads(1), seconds_with_threads(2)) for _ in range(3)), strict=True)
    )
    share = 100 * alone / (2 * together)
    figure = record_figure("repeated sampling, full: of two threads' time, work is", share, 90, "%", is_minimum=True)
    assert figure.value > 25
