"""How fast scores and significance tests are, relative to plain implementations."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pytest

from qe_desktop.formats import write_tag_lines
from qe_desktop.metrics import PAPER_METRICS, WORD_METRICS, compute_rows, metric_families
from qe_desktop.significance import FamilyRows, group_by_family, randomization_tests
from tests.benchmarks.corpora import make_wmt_sized_tags
from tests.benchmarks.figures import record_figure
from tests.benchmarks.measurement import median_seconds, time_ratio_of, wall_and_processor_time
from tests.metrics import naive_word_metrics
from tests.tag_comparison import word_metrics

ROUNDS = 10_000


def paper_families() -> list[FamilyRows]:
    gold, systems = make_wmt_sized_tags()
    metrics = word_metrics(PAPER_METRICS)
    return group_by_family(metrics, compute_rows(metric_families(metrics), gold, systems))


def bare(columns: int, units: int) -> None:
    """Draw the masks of all rounds, and multiply them with the columns in one float32 product."""
    width = -(-units // 8)
    bits = np.frombuffer(np.random.default_rng(1).bytes(ROUNDS * width), np.uint8).reshape(ROUNDS, width)
    mask = np.unpackbits(bits, axis=1, count=units).astype(np.float32)
    assert (mask @ np.ones((units, columns), np.float32)).shape == (ROUNDS, columns)


@pytest.mark.benchmark
def test_time_of_comparison_relative_to_bare_resampling(benchmark):
    families = paper_families()
    systems, units = families[0].rows.shape[:2]
    columns = systems * sum(len(family.metrics[0].family.system_columns) for family in families)
    tests = benchmark.pedantic(randomization_tests, (families,), {"rounds": ROUNDS}, rounds=3, warmup_rounds=1)
    assert tests.p.shape == (6, 17, 17)
    time_ratio = time_ratio_of(
        lambda: randomization_tests(families, rounds=ROUNDS), lambda: bare(columns, units), times=9
    )
    figure = record_figure(
        "compare 17 × 1817, six metrics, R = 10,000: relative to masks and one product", time_ratio, 5
    )
    assert figure.value < 4 * figure.limit


BARE = """
import sys
import numpy as np
rounds, columns, units = map(int, sys.argv[1:])
rows = np.ones((units, columns), np.float32)
random, width = np.random.default_rng(1), -(-units // 8)
for first in range(0, rounds, 250):
    made = min(250, rounds - first)
    bits = np.frombuffer(random.bytes(made * width), np.uint8).reshape(made, width)
    np.unpackbits(bits, axis=1, count=units).astype(np.float32) @ rows
"""


@pytest.mark.benchmark
def test_time_of_more_rounds_in_a_process_relative_to_bare_resampling(benchmark, tmp_path):
    """The extra time of 50,000 more rounds, relative to a process that only draws masks and multiplies."""
    gold, systems = make_wmt_sized_tags()
    write_tag_lines(tmp_path / "gold.tags", gold)
    (tmp_path / "systems").mkdir()
    for index, system in enumerate(systems):
        write_tag_lines(tmp_path / f"systems/s{index:02}.tags", system)
    metrics = word_metrics(PAPER_METRICS)
    columns = len(systems) * sum(len(family.system_columns) for family in metric_families(metrics))
    compare = ["-m", "qe_desktop", "compare", "words", "--gold", str(tmp_path / "gold.tags"), "--json",
               "--system", str(tmp_path / "systems"), "--rounds"]  # fmt: skip

    def ours(rounds: int) -> None:
        subprocess.run([sys.executable, *compare, str(rounds)], check=True, capture_output=True)

    def bare_process(rounds: int) -> None:
        command = [sys.executable, "-c", BARE, str(rounds), str(columns), str(len(gold))]
        subprocess.run(command, check=True, capture_output=True)

    def extra_seconds(work: Callable[[int], None]) -> float:
        few = min(wall_and_processor_time(lambda: work(ROUNDS))[1] for _ in range(4))
        return min(wall_and_processor_time(lambda: work(6 * ROUNDS))[1] for _ in range(4)) - few

    benchmark.pedantic(ours, (ROUNDS,), rounds=1)
    figure = record_figure(
        "compare words as a process, 50,000 rounds more: relative to masks and products",
        extra_seconds(ours) / extra_seconds(bare_process),
        3,
    )
    assert figure.value < 4 * figure.limit


@pytest.mark.benchmark
def test_time_of_randomization_relative_to_scipy(benchmark):
    from scipy.stats import permutation_test

    gold, systems = make_wmt_sized_tags()
    metric = WORD_METRICS["F1-mult"]
    rows = compute_rows([metric.family], gold, systems)["words"]
    units = rows.shape[1]
    pair = rows[:2].reshape(-1, rows.shape[-1])

    def statistic(a, b, axis=-1):
        left, right = (pair[part.astype(int)].sum(axis=-2) for part in (a, b))
        return metric.finite_scores(left) - metric.finite_scores(right)

    def scipy_test() -> None:
        numbers = np.arange(units)
        permutation_test(
            (numbers, numbers + units), statistic, permutation_type="samples", n_resamples=1000, vectorized=True,
            batch=100, rng=np.random.default_rng(1),
        )  # fmt: skip

    families = [FamilyRows(rows, (metric,))]
    benchmark.pedantic(randomization_tests, (families,), {"rounds": ROUNDS}, rounds=3, warmup_rounds=1)
    ours = median_seconds(lambda: randomization_tests(families, rounds=ROUNDS))
    extrapolated = median_seconds(scipy_test, 1) * 10 * 136
    figure = record_figure(
        "the same, one metric: scipy.stats.permutation_test takes", extrapolated / ours, 1000, is_minimum=True
    )
    assert figure.value > 100


CHILD = """
import qe_desktop
import json, statistics
from tests.benchmarks.measurement import peak_memory, median_seconds
from tests.benchmarks.test_significance import paper_families
from qe_desktop.significance import randomization_tests as randomisation
from tests.tag_comparison import word_metrics
families = paper_families()
randomisation(families)
time_ratios = []
for turn in range(5):
    few = sum(median_seconds(lambda: randomisation(families), 1) for _ in range(5)) / 5
    time_ratios.append(median_seconds(lambda: randomisation(families, rounds=100_000), 1) / few)
print(json.dumps([statistics.median(time_ratios), peak_memory()]))
"""


@pytest.mark.benchmark
def test_time_and_memory_of_many_rounds(benchmark):
    def run() -> list[float]:
        done = subprocess.run([sys.executable, "-c", CHILD], capture_output=True, text=True, check=True)
        return json.loads(done.stdout)

    time_ratio, memory = benchmark.pedantic(run, rounds=1)
    assert record_figure("R = 100,000 relative to R = 10,000", time_ratio, 10.5).value < 30
    assert record_figure("the same, peak memory", memory, 400, "MB").met


@pytest.mark.benchmark
def test_time_of_metric_rows_relative_to_a_python_loop(benchmark):
    gold, systems = make_wmt_sized_tags()
    families = metric_families(WORD_METRICS.values())
    benchmark.pedantic(compute_rows, (families, gold, systems), rounds=5, warmup_rounds=1)
    plain_gold = [gold[segment].tolist() for segment in range(len(gold))]
    plain = [system[segment].tolist() for system in systems[:1] for segment in range(len(gold))]

    def loop() -> None:
        for g, s in zip(plain_gold, plain, strict=True):
            naive_word_metrics.counts(g, s)
            naive_word_metrics.sequence_correlation(g, s)
            naive_word_metrics.phrase_rows(g, s)

    time_ratio = 17 * time_ratio_of(loop, lambda: compute_rows(families, gold, systems))
    figure = record_figure("rows of all families, 17 × 1817: a Python loop takes", time_ratio, 50, is_minimum=True)
    assert figure.value > 10
