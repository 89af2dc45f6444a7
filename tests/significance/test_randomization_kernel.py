"""The randomization kernel has the same counts as plain loops."""

from __future__ import annotations

import sys
import tracemalloc
from itertools import combinations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from qe_desktop.metrics import WORD_METRICS, Metric, compute_rows, metric_families
from qe_desktop.significance import FamilyRows, group_by_family, random_masks, randomization_tests, sum_by_document
from qe_desktop.significance.exact_columns import exact_columns
from qe_desktop.significance.randomization_kernel import PAIRS_PER_TILE, pair_positions, tiles_of
from tests.significance.naive_randomization import drawn_mask, plain_counts
from tests.small_corpora import noisy, random_tags

METRICS = list(WORD_METRICS.values())


def random_corpus(systems: int, lengths: list[int], bad: float, seed: int) -> tuple:
    gold = random_tags(np.array(lengths), bad, seed)
    columns = [noisy(gold, 0.1 + 0.3 * (index % 3), seed + index + 1) for index in range(systems)]
    # the last system copies the first, so that there are ties
    return gold, [*columns[:-1], columns[0]] if systems > 2 else columns


def counts_of(families: list[FamilyRows], rounds: int, seed: int) -> np.ndarray:
    tests = randomization_tests(families, rounds=rounds, seed=seed)
    upper = np.triu_indices(len(families[0].rows), 1)
    counts = tests.p[:, *upper] * (tests.rounds / 2 if tests.exact else rounds + 1) - (0 if tests.exact else 1)
    assert np.abs(counts - np.rint(counts)).max(initial=0) < 1e-6
    return np.rint(counts).astype(int)


@settings(max_examples=40)
@example(9, [7] * 40, 0.3, [0, 2, 8, 10, 14], 700, 11, 3)
@example(3, [3, 0, 5, 4], 1.0, list(range(len(METRICS))), 128, 1, 0)
@given(
    systems=st.integers(1, 10),
    lengths=st.lists(st.integers(0, 12), min_size=1, max_size=40),
    bad=st.sampled_from([0.0, 0.1, 0.4, 1.0]),
    chosen=st.lists(st.integers(0, len(METRICS) - 1), min_size=1, max_size=6, unique=True),
    rounds=st.sampled_from([1, 9, 128, 130, 520, 700]),
    seed=st.integers(0, 1000),
    documents=st.integers(0, 5),
)
def test_round_counts_equal_a_plain_loop(systems, lengths, bad, chosen, rounds, seed, documents):
    """Units are segments or documents; swaps are random or enumerated."""
    gold, columns = random_corpus(systems, lengths, bad, seed)
    metrics = [METRICS[index] for index in chosen]
    families = group_by_family(metrics, compute_rows(metric_families(metrics), gold, columns))
    if documents:
        of_segment = np.arange(len(gold)) % documents
        families = [FamilyRows(sum_by_document(family.rows, of_segment), family.metrics) for family in families]
    assert counts_of(families, rounds, seed).tolist() == plain_counts(families, rounds, seed).tolist()


def test_hits_in_every_round_do_not_overflow_the_counters(monkeypatch):
    """Byte counters are summed before they can overflow, and larger batches are rejected."""
    gold, columns = random_corpus(3, [6] * 30, 0.3, 1)
    families = group_by_family(METRICS, compute_rows(metric_families(METRICS), gold, columns))
    randomised = sys.modules["qe_desktop.significance.randomization"]
    expected = counts_of(families, 5000, 1)
    assert np.all(expected[:, 1] == 5000)
    for blocks in (1, 15):
        monkeypatch.setattr(randomised, "BLOCKS_PER_BATCH", blocks)
        assert np.array_equal(counts_of(families, 5000, 1), expected)
    monkeypatch.setattr(randomised, "BLOCKS_PER_BATCH", 16)
    with pytest.raises(ValueError, match="2048 rounds would overflow"):
        randomization_tests(families, rounds=5000)


@given(st.integers(1, 150))
def test_tiles_contain_each_pair_once(systems):
    tiles = list(tiles_of(systems))
    pairs = [sorted((i, (i + distance) % systems)) for tile in tiles for distance in tile.distances for i in tile.rows]
    assert all(0 < tile.pairs <= PAIRS_PER_TILE for tile in tiles)
    assert len(pairs) == sum(tile.pairs for tile in tiles)
    ordered = [tuple(pairs[position]) for position in pair_positions(tiles, systems)]
    assert ordered == list(combinations(range(systems), 2))


@given(st.integers(0, 2**32), st.integers(0, 2000), st.integers(1, 128), st.integers(1, 300))
def test_masks_equal_the_bytes_of_numpys_generator(seed, block, rounds, units):
    """Results of a seed therefore stay the same between versions."""
    bits = random_masks.swap_bits(seed, block, rounds, units)
    assert np.array_equal(
        random_masks.unpack_flips(bits, 0, units).astype(bool), drawn_mask(seed, block, rounds, units)
    )


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_term_parts_are_linear_in_unshared_columns(metric: Metric):
    """The parts of a sum of two systems' columns equal the sum of their parts."""
    rng = np.random.default_rng(1)
    family = metric.family
    shared = rng.integers(1, 1000, len(family.columns)).astype(float)

    def parts(own) -> list[np.ndarray]:
        columns = [
            own[family.system_columns.index(c)] if c in family.system_columns else shared[c]
            for c in range(len(family.columns))
        ]
        return [np.asarray(part) for term in metric.terms for part in term.parts(*columns)]

    for _ in range(20):
        a, b = rng.integers(0, 1000, (2, len(family.system_columns))).astype(float)
        for both, first, second, none in zip(parts(a + b), parts(a), parts(b), parts(a * 0), strict=True):
            assert both - none == (first - none) + (second - none)


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_terms_keep_their_parts_and_write_the_same_values_to_out(metric: Metric):
    columns = np.random.default_rng(2).integers(50, 1000, (len(metric.family.columns), 4, 5)).astype(float)
    columns[-1] += 2000  # the number of words is at least the number of BAD tags
    for term in metric.terms:
        parts = term.parts(*columns)
        before = [np.copy(part) for part in parts]
        out = np.full((4, 5), np.nan)
        written = term.function(*parts, out=out)
        assert np.array_equal(written, term.evaluate(*columns), equal_nan=True)
        assert all(np.array_equal(part, was) for part, was in zip(parts, before, strict=True))


def test_exact_columns_need_no_second_copy_of_the_rows():
    """Peak memory besides the rows is the matrix and the few columns being written."""
    rows = np.random.default_rng(3).random((3, 400_000, 4))
    rows[:, :, 2:] = np.rint(rows[:, :, 2:] * 9)
    tracemalloc.start()
    try:
        columns = exact_columns([rows[:, :, index] for index in range(4)])
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < columns.matrix.nbytes + 4 * rows[0, :, 0].nbytes
