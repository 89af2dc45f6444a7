"""Paired significance tests with the same random numbers, counts and strict comparisons as sacreBLEU 2.6 (Post 2018).

Results match those of sacreBLEU if the number of rounds is the same and the seed is 12345, sacreBLEU's default. Trials
that exceed the observed difference are counted, but trials that equal it are not. Two identical systems therefore have
the smallest possible p-value, 1 / (rounds + 1), so these tests are not the default tests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations

import numpy as np

from qe_desktop.corpus.columns import Floats
from qe_desktop.significance.missing_units import PairRows, ReachedCounts
from qe_desktop.significance.randomization import FamilyRows, OnRounds, PairTests, tests_from_counts

SEED = 12345
"""Default seed of sacreBLEU."""
_MAX_CELLS = 1 << 22
_FLIPS_PER_WORD = 32
"""Number of random bits that numpy takes from one random number.

If the size of each block is a multiple of this number, the blocks have the same bits as a single call.
"""


def sacrebleu_randomization(
    families: Sequence[FamilyRows], observed: Floats, *, rounds: int, seed: int, on_progress: OnRounds | None
) -> PairTests:
    """Run approximate randomization as `sacrebleu --paired-ar` does: all pairs use the same random swaps.

    Parameters
    ----------
    families
        Rows and metrics; all families have the same systems and units.
    observed
        Scores, shape (metrics, systems); 0 if undefined.
    rounds
        Number of trials R.
    seed
        Random seed; sacreBLEU uses `SEED`.
    on_progress
        Progress callback, called with the number of completed trials and the total. An exception that it raises stops
        the test.

    Returns
    -------
    PairTests
        Two-sided p-values of all pairs of systems, in the order in which `families` lists the metrics.

    Notes
    -----
    p = (c + 1) / (R + 1), with c the number of trials whose |difference| exceeds the observed |difference|; trials with
    an equal |difference| are not counted.
    """
    systems, units = families[0].rows.shape[:2]
    rows = [np.asarray(family.rows, np.float64) for family in families]
    totals = [own_rows.sum(axis=1) for own_rows in rows]
    pairs = list(combinations(range(systems), 2))
    counts = np.zeros((len(observed), len(pairs)), np.int64)
    completed = 0
    for flips in _flips(rounds, units, seed):
        index = 0
        for family, own_rows, total in zip(families, rows, totals, strict=True):
            unswapped = np.tensordot(flips, own_rows, axes=(1, 1))
            for metric in family.metrics:
                for number, (left, right) in enumerate(pairs):
                    first = metric.finite_scores(unswapped[:, left] + total[right] - unswapped[:, right])
                    second = metric.finite_scores(total[left] - unswapped[:, left] + unswapped[:, right])
                    threshold = abs(observed[index, left] - observed[index, right])
                    counts[index, number] += np.count_nonzero(np.abs(first - second) > threshold)
                index += 1
        completed += len(flips)
        if on_progress is not None:
            on_progress(completed, rounds)
    return tests_from_counts(counts, rounds, systems)


def sacrebleu_bootstrap(
    families: Sequence[FamilyRows], observed: Floats, *, rounds: int, seed: int, on_progress: OnRounds | None
) -> PairTests:
    """Run a paired bootstrap on absolute differences minus their mean, as `sacrebleu --paired-bs` and Moses do.

    Parameters
    ----------
    families
        Rows and metrics; all families have the same systems and units.
    observed
        Scores, shape (metrics, systems); 0 if undefined.
    rounds
        Number of resamples R.
    seed
        Random seed; sacreBLEU uses `SEED`.
    on_progress
        Progress callback, called with the number of completed resamples and the total. An exception that it raises
        stops the test.

    Returns
    -------
    PairTests
        Two-sided p-values of all pairs of systems, in the order in which `families` lists the metrics.

    Notes
    -----
    p = (c + 1) / (R + 1), with c the number of resamples for which |difference| minus the mean of all |differences|
    exceeds the observed |difference|.
    """
    systems, units = families[0].rows.shape[:2]
    rows = [np.asarray(family.rows, np.float64) for family in families]
    scores = np.empty((len(observed), systems, rounds))
    completed = 0
    for weights in _weights(rounds, units, seed):
        index = 0
        for family, own_rows in zip(families, rows, strict=True):
            totals = weights @ own_rows
            for metric in family.metrics:
                scores[index, :, completed : completed + len(weights)] = metric.finite_scores(totals)
                index += 1
        completed += len(weights)
        if on_progress is not None:
            on_progress(completed, rounds)
    pairs = list(combinations(range(systems), 2))
    counts = np.empty((len(observed), len(pairs)), np.int64)
    for number, (first, second) in enumerate(pairs):
        differences = np.abs(scores[:, first] - scores[:, second])
        threshold = np.abs(observed[:, first] - observed[:, second])[:, None]
        counts[:, number] = np.count_nonzero(
            differences - differences.mean(axis=-1, keepdims=True) > threshold, axis=-1
        )
    return tests_from_counts(counts, rounds, systems)


def _test_pairs(run: Callable[..., PairTests], pairs: PairRows, rounds: int, seed: int) -> ReachedCounts:
    """Return the counts of a test that is run separately for each pair, with the same random numbers for all pairs."""
    counts = np.empty(pairs.observed_differences().shape, np.int64)
    for index in range(len(pairs.has_shared_unit)):
        family = FamilyRows(pairs.rows[:, index], pairs.metrics)
        observed = np.stack([metric.finite_scores(family.rows.sum(axis=1)) for metric in pairs.metrics])
        p = run([family], observed, rounds=rounds, seed=seed, on_progress=None).p[:, 0, 1]
        counts[:, index] = np.rint(p * (rounds + 1)) - 1
    return ReachedCounts(counts, rounds)


sacrebleu_randomization_pairs = partial(_test_pairs, sacrebleu_randomization)
"""`PairTest` that runs `sacrebleu_randomization` on the shared units of each pair."""
sacrebleu_bootstrap_pairs = partial(_test_pairs, sacrebleu_bootstrap)
"""`PairTest` that runs `sacrebleu_bootstrap` on the shared units of each pair."""


def _flips(rounds: int, units: int, seed: int) -> Iterator[Floats]:
    """Yield random bits (0 or 1) in blocks of shape (rounds, units), identical to the bits of a single numpy call."""
    generator = np.random.default_rng(seed)
    step = _FLIPS_PER_WORD * max(1, _MAX_CELLS // (_FLIPS_PER_WORD * max(1, units)))
    for begin in range(0, rounds, step):
        yield generator.integers(2, size=(min(step, rounds - begin), units), dtype=bool).astype(np.float64)


def _weights(rounds: int, units: int, seed: int) -> Iterator[Floats]:
    """Yield how often each unit is sampled, in blocks of shape (rounds, units)."""
    generator = np.random.default_rng(seed)
    step = max(1, _MAX_CELLS // max(1, units))
    for begin in range(0, rounds, step):
        size = min(step, rounds - begin)
        indices = generator.choice(units, size=(size, units), replace=True) + np.arange(size)[:, None] * units
        yield np.bincount(indices.ravel(), minlength=size * units).reshape(size, units).astype(np.float64)
