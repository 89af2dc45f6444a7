"""How fast repeated sampling is, at the size of WMT15's task: beside plain Python, and on one and two threads."""

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
from tests.benchmarks.corpora import wmt_sized
from tests.benchmarks.figures import note
from tests.benchmarks.measuring import ratio, seconds, with_slowness
from tests.building import noisy
from tests.comparing import scored, word_metrics

METRICS = word_metrics(PAPER_METRICS)
SYSTEMS = 17
AT_ONCE = 64


def scoring():
    """17 systems that are wrong about 30 to 46 % of the tags, so that 30 % can be drawn."""
    gold: TagColumn = wmt_sized(0)[0]
    systems = [noisy(gold, 0.3 + 0.01 * place, place) for place in range(SYSTEMS)]
    return scored([f"s{place}" for place in range(SYSTEMS)], gold, systems)


def plainly(pool: ErrorPool, rows: list[list[float]], errors: list[int], needed: list[int]) -> list[list[float]]:
    """One data set for each share as one writes it: shuffle the pool, and add rows until there are errors enough."""
    items = list(range(pool.items))
    random.shuffle(items)
    segment = pool.segment
    seen: set[int] = set()
    sums, wrong, found = [0.0] * len(rows[0]), 0, []
    for item in items:
        if segment[item] in seen:
            continue
        seen.add(segment[item])
        wrong += errors[item]
        sums = [held + more for held, more in zip(sums, rows[item], strict=True)]
        while len(found) < len(needed) and wrong >= needed[len(found)]:
            found.append(sums)
        if len(found) == len(needed):
            return found
    raise AssertionError("not so many errors")


@pytest.mark.benchmark
def test_a_data_set_beside_plain_python(benchmark):
    pool = build_error_pool(scoring(), METRICS)
    sets = DataSets.of(pool, SamplingOptions().checked())
    needed = [-(-part * pool.tags // whole) for part, whole in sets.options.needed]
    rows, errors = pool.changes.tolist(), pool.errors.tolist()
    dice = np.random.default_rng(1)
    benchmark.pedantic(sets.cut, (sets.orders.draw(dice),), rounds=3, warmup_rounds=1)

    def ours() -> None:
        sets.drawn(dice, AT_ONCE)

    def theirs() -> None:
        plainly(pool, rows, errors, needed)

    found = 1 / ratio(ours, theirs, times=9) * AT_ONCE
    figure = note("repeated sampling: a data set of five shares in plain Python takes", found, 20, least=True)
    assert figure.met


@pytest.mark.benchmark
def test_the_fast_mode(benchmark):
    what = scoring()

    def fast() -> None:
        study_sampling(what, METRICS)

    benchmark.pedantic(fast, rounds=1)
    found, slower = with_slowness(lambda: seconds(fast, 1))
    figure = note("repeated sampling, 17 × 1817, six metrics, fast: processor time", found, 30, "s", slower=slower)
    assert figure.met


@pytest.mark.benchmark
def test_two_threads_take_half_the_time(benchmark):
    """By the clock on the wall, for who waits for the interpreter's lock takes no processor time."""
    what = scoring()
    asked = SamplingOptions(mode="full", repetitions=8).checked()

    def on(count: int) -> float:
        begun = time.perf_counter()
        study_sampling(what, METRICS, asked, run=run_in_threads(count))
        return time.perf_counter() - begun

    benchmark.pedantic(on, (2,), rounds=1)
    # the best of several turns, for other work on the machine can only take from it
    alone, together = (min(times) for times in zip(*((on(1), on(2)) for _ in range(3)), strict=True))
    share = 100 * alone / (2 * together)
    figure = note("repeated sampling, full: of two threads' time, work is", share, 90, "%", least=True)
    assert figure.value > 25
