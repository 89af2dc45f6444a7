"""Approximate randomization compared with full enumeration and scipy; reproducibility, progress and ties."""

from __future__ import annotations

import json
import sys
import threading
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from qe_desktop.corpus import TagColumn
from qe_desktop.metrics import PAPER_METRICS, WORD_METRICS, compute_rows, metric_families
from qe_desktop.significance import FamilyRows, group_by_family, randomization_tests
from qe_desktop.significance import random_masks as masks_module
from qe_desktop.significance.exact_columns import SwappedSums, exact_columns
from tests.small_corpora import noisy, random_tags, tags
from tests.tag_comparison import word_metrics

DATA = Path(__file__).parents[1] / "data"


def families(gold: TagColumn, systems: list[TagColumn], names=PAPER_METRICS) -> list[FamilyRows]:
    metrics = word_metrics(names)
    return group_by_family(metrics, compute_rows(metric_families(metrics), gold, systems))


def metric_names(family_rows: list[FamilyRows]) -> list[str]:
    return [metric.name for family in family_rows for metric in family.metrics]


@pytest.mark.parametrize("case", json.loads((DATA / "permutation_exact.json").read_text())["wordlevel"])
def test_p_of_few_segments_is_exact(case):
    gold, a, b = (TagColumn.of(case[name]) for name in ("gold", "A", "B"))
    expected = case["exact_two_sided_p"]
    family_rows = families(gold, [a, b], list(expected))
    tests = randomization_tests(family_rows)
    assert tests.exact
    assert tests.rounds == 2 ** len(gold)
    for index, name in enumerate(metric_names(family_rows)):
        assert tests.p[index, 0, 1] == pytest.approx(expected[name], abs=1e-15)
        assert tests.p[index, 1, 0] == tests.p[index, 0, 1]
        assert tests.error[index, 0, 1] == 0


def brute_force(gold: TagColumn, a: TagColumn, b: TagColumn, name: str) -> float:
    """Return p from all swaps, with the metric computed from swapped tags each time."""
    metric = WORD_METRICS[name]

    def difference(left: list, right: list) -> float:
        totals = compute_rows([metric.family], gold, [TagColumn.of(left), TagColumn.of(right)])[metric.family.name].sum(
            1
        )
        first, second = metric.finite_scores(totals)
        return abs(float(first - second))

    observed = difference(list(a[i] for i in range(len(a))), list(b[i] for i in range(len(b))))
    reached = 0
    for swap in product((False, True), repeat=len(gold)):
        left = [b[i] if swap[i] else a[i] for i in range(len(gold))]
        right = [a[i] if swap[i] else b[i] for i in range(len(gold))]
        reached += difference(left, right) >= observed * (1 - 1e-9)
    return reached / 2 ** len(gold)


@settings(max_examples=12)
@example(1029)  # sums of fractions that are equal, but not to the last bit
@given(st.integers(0, 10_000))
def test_exact_p_equals_scoring_swapped_tags(seed):
    gold = random_tags(np.array([4, 7, 3, 6, 5]), 0.3, seed)
    systems = [noisy(gold, 0.25, seed + 1), noisy(gold, 0.4, seed + 2)]
    family_rows = families(gold, systems)
    tests = randomization_tests(family_rows)
    for index, name in enumerate(metric_names(family_rows)):
        assert tests.p[index, 0, 1] == pytest.approx(brute_force(gold, *systems, name), abs=1e-12), name


def corpus(segments: int = 200, systems: int = 4):
    gold = random_tags(np.random.default_rng(3).integers(1, 30, segments), 0.2, 1)
    return gold, [noisy(gold, 0.15 + 0.02 * index, 10 + index) for index in range(systems)]


def test_p_depends_on_the_seed_but_not_on_threads_or_batches(monkeypatch):
    family_rows = families(*corpus())
    first = randomization_tests(family_rows, rounds=1000, seed=7, threads=1)
    many = randomization_tests(family_rows, rounds=1000, seed=7, threads=5)
    assert np.array_equal(first.p, many.p)
    monkeypatch.setattr(sys.modules["qe_desktop.significance.exact_columns"], "UNITS_PER_BATCH", 16)
    pieces = randomization_tests(family_rows, rounds=1000, seed=7, threads=2)
    assert np.array_equal(first.p, pieces.p)
    second = randomization_tests(family_rows, rounds=1000, seed=8)
    assert not np.array_equal(first.p, second.p)


def test_more_rounds_continue_the_same_random_sequence():
    family_rows = families(*corpus())
    few, more = (
        randomization_tests(family_rows, rounds=rounds, seed=1)
        for rounds in (masks_module.ROUNDS_PER_BLOCK, 2 * masks_module.ROUNDS_PER_BLOCK)
    )
    few_counts, more_counts = few.p * (few.rounds + 1) - 1, more.p * (more.rounds + 1) - 1
    upper = np.triu_indices(4, 1)
    gained = (more_counts - few_counts)[:, upper[0], upper[1]]
    assert gained.min() >= -1e-9
    assert gained.max() <= masks_module.ROUNDS_PER_BLOCK + 1e-9


def test_identical_systems_have_p_of_one():
    gold, systems = corpus()
    tests = randomization_tests(families(gold, [systems[0], systems[0], systems[1]]), rounds=500)
    assert np.all(tests.p[:, 0, 1] == 1.0)
    assert np.all(tests.error[:, 0, 1] == 0.0)
    # identical systems have the same p against a third one, whatever the order of summation
    assert np.array_equal(tests.p[:, 0, 2], tests.p[:, 1, 2])


def test_p_is_positive_and_agrees_with_scipy():
    from scipy.stats import permutation_test

    gold, systems = corpus(segments=120, systems=2)
    family_rows = families(gold, systems, ["F1-mult"])
    tests = randomization_tests(family_rows, rounds=4000, seed=2)
    metric, rows = family_rows[0].metrics[0], family_rows[0].rows

    # scipy swaps scalars, so pass row numbers
    def by_number(a, b, axis=-1):
        chosen = rows.reshape(-1, rows.shape[-1])
        return metric.finite_scores(chosen[a.astype(int)].sum(axis=-2)) - metric.finite_scores(
            chosen[b.astype(int)].sum(axis=-2)
        )

    numbers = np.arange(rows.shape[1])
    scipy_p = permutation_test(
        (numbers, numbers + rows.shape[1]), by_number, permutation_type="samples", n_resamples=4000, vectorized=True,
        rng=np.random.default_rng(1),
    ).pvalue  # fmt: skip
    assert tests.p[0, 0, 1] >= 1 / 4001
    error = np.hypot(tests.error[0, 0, 1], np.sqrt(scipy_p * (1 - scipy_p) / 4000) * 2)
    assert abs(tests.p[0, 0, 1] - scipy_p) < 5 * error + 2e-3


def test_sums_of_fractions_are_exact_in_any_order():
    rng = np.random.default_rng(5)
    rows = rng.random((3, 5000, 2))
    columns = exact_columns(np.moveaxis(rows, -1, 0))
    order = rng.permutation(5000)
    forward = columns.combine(columns.matrix.sum(axis=1, dtype=np.float32)[:, None])
    shuffled = columns.combine(columns.matrix[:, order].sum(axis=1, dtype=np.float32)[:, None])
    assert np.array_equal(forward, shuffled)
    assert forward[:, :, 0] == pytest.approx(rows.sum(axis=1).T, rel=1e-6)


def test_large_counts_stay_exact():
    rows = np.full((2, 40_000, 1), 1000.0)
    rows[1, 0, 0] = 1001.0
    columns = exact_columns(np.moveaxis(rows, -1, 0))
    everything = np.full((1, 5000), 255, np.uint8)
    sums = SwappedSums(columns, 1).add_swapped([everything])
    assert sums[0, :, 0].tolist() == [40_000_000.0, 40_000_001.0]


def test_exact_columns_of_very_many_units():
    columns = exact_columns([np.full((1, (1 << 23) + 2), 3.0)])
    assert columns.matrix.sum(dtype=np.float64) == 3.0 * ((1 << 23) + 2)


def test_ties_of_fractions_are_counted_despite_a_long_segment():
    """Sums of thirds that tie, next to a segment with many spans; p is 0.3671875 in exact fractions."""
    gold = TagColumn.of([[0, 1] * 17, *[[1, 1, 1, 0]] * 9])
    a = TagColumn.of([[0, 1] * 17, *[[1, 0, 0, 0]] * 6, [0, 0, 0, 1], *[[1, 0, 0, 0]] * 2])
    b = TagColumn.of([[0, 1] * 17, *[[0, 0, 0, 1]] * 6, [1, 1, 1, 0], *[[0, 0, 0, 1]] * 2])
    assert randomization_tests(families(gold, [a, b], ["phr-F1-BAD"])).p[0, 0, 1] == 0.3671875


def test_enumeration_reports_progress():
    gold = random_tags(np.full(13, 6), 0.3, 1)
    family_rows = families(gold, [noisy(gold, 0.2, 2), noisy(gold, 0.3, 3)])
    progress_events = []
    tests = randomization_tests(
        family_rows, rounds=10_000, on_progress=lambda done, total: progress_events.append((done, total))
    )
    assert tests.exact
    assert progress_events[-1] == (4096, 4096)
    assert [done for done, _ in progress_events] == sorted(done for done, _ in progress_events)


def test_randomization_reports_progress_and_can_be_stopped():
    done_counts: list[int] = []
    lock = threading.Lock()

    def watch(done: int, total: int) -> None:
        with lock:
            done_counts.append(done)
        if done > 500:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        randomization_tests(families(*corpus()), rounds=100_000, on_progress=watch)
    assert done_counts
    assert max(done_counts) < 50_000


def test_single_system_has_p_of_one():
    tests = randomization_tests(families(tags("oob", "bo"), [tags("obb", "bo")]))
    assert tests.p.shape[1:] == (1, 1)
    assert np.all(tests.p == 1)


@pytest.mark.published
def test_p_of_published_systems_agrees_with_reference_runs(data_folder):
    """Exact for ten enumerated segments, within Monte Carlo error for 511 segments with 10,000 rounds."""
    oracles = data_folder.parent / "oracles/significance"
    names = {"f1_bad": "F1-BAD", "f1_mult": "F1-mult", "mcc": "MCC"}
    exact = json.loads((oracles / "ar_exact.json").read_text())

    def column(segments):
        return TagColumn.of([[int(tag == "BAD") for tag in segment] for segment in segments])

    gold = column([segment["gold"] for segment in exact["segments"]])
    for pair in exact["pairs"]:
        tests = randomization_tests(
            families(gold, [column(pair["tags_a"]), column(pair["tags_b"])], list(names.values()))
        )
        assert [float(p) for p in tests.p[:, 0, 1]] == [pair["exact_p"][key] for key in names]

    folder = data_folder / "wmt22_word/en-de"
    lines = {path.stem: path.read_text().splitlines() for path in (folder / "systems").glob("*.tags")}
    systems = {name: column([line.split() for line in text]) for name, text in lines.items()}
    gold = column([line.split() for line in (folder / "test.2022.en-de.tags").read_text().splitlines()])
    order = sorted(systems)
    tests = randomization_tests(families(gold, [systems[name] for name in order], list(names.values())))
    for pair in json.loads((oracles / "ar_full.json").read_text())["pairs"]:
        a, b = order.index(pair["a"]), order.index(pair["b"])
        for index, key in enumerate(names):
            reference_p = pair["p"][key]
            both = np.sqrt(2 * max(reference_p, 1e-4) * (1 - reference_p) / 10_000)
            assert abs(tests.p[index, a, b] - reference_p) < 4 * both, (pair["a"], pair["b"], key)
