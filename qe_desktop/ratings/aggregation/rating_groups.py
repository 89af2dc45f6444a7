"""Groups of ratings by unit (a system's output for a segment) and by rater, with their exact sums and means."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import ItemRole, PairRatings, ScoreRatings
from qe_desktop.corpus.columns import Floats, Ints

Value = TypeVar("Value", np.int64, np.float64)
MAX_DENSE_RATIO = 2
"""Ratio of the largest key to the number of keys; at or above this ratio, `dense_codes` renumbers the keys."""
COUNTED_ROLES = (ItemRole.SYSTEM, ItemRole.REPEAT)
"""Roles of ratings that count for a system's mean; as at WMT21, a repeated rating is averaged with the first one."""
RATED_ROLES = (ItemRole.SYSTEM, ItemRole.REPEAT, ItemRole.BAD, ItemRole.REFERENCE)
"""Roles of all ratings except those of the training round."""


def value_or_none(value: np.float64) -> float | None:
    """Return a statistic as a float; None if it is not finite."""
    return float(value) if np.isfinite(value) else None


def has_role(ratings: ScoreRatings | PairRatings, roles: Collection[ItemRole]) -> NDArray[np.bool_]:
    """Return whether each rating has one of the `roles`, shape (ratings,)."""
    is_requested = np.zeros(256, bool)
    is_requested[list(roles)] = True
    return is_requested[ratings.role]


def resampling_order(names: Sequence[str]) -> list[int]:
    """Return the indices of segments in the order in which segments are resampled: by name, numbers in names by value.

    All confidence intervals of ratings use this order. They therefore do not depend on the order of a file, and are
    equal wherever they are computed from the same ratings.

    >>> resampling_order(["doc:10", "doc:9", "2", "10"])
    [2, 3, 1, 0]
    """
    return sorted(range(len(names)), key=lambda index: _natural_key(names[index]))


_NUMBER = re.compile("([0-9]+)")


def _natural_key(name: str) -> tuple[list[tuple[str, int, str]], str]:
    parts = [*_NUMBER.split(name), ""]
    # compared by length first, because Python limits the number of digits of an integer
    numbers = [number.lstrip("0") for number in parts[1::2]]
    return [(text, len(number), number) for text, number in zip(parts[::2], numbers, strict=True)], name


def scale_rows(scores: ScoreRatings, scale: str, roles: Collection[ItemRole], values: Floats | None = None) -> Ints:
    """Return the row indices of the ratings on one scale that have one of the `roles` and a finite value.

    `values` (ratings,), such as z-scores, replace the values of the ratings.
    """
    if scale not in scores.scales:
        return np.zeros(0, np.int64)
    finite = np.isfinite(scores.value if values is None else values)
    return np.flatnonzero((scores.scale == scores.scales.index(scale)) & has_role(scores, roles) & finite)


@dataclass(frozen=True, slots=True, eq=False)
class OutputUnits:
    """Distinct units (outputs) of a set of ratings, sorted by system, then by segment.

    `system` and `segment` are the system index and segment index of each unit, shape (units,). `unit_by_row` is the
    unit index of each rating, shape (ratings,).
    """

    unit_by_row: Ints
    system: Ints
    segment: Ints

    def __len__(self) -> int:
        return len(self.system)


def output_units(scores: ScoreRatings, rows: Ints) -> OutputUnits:
    """Return the distinct units of the ratings with the row indices `rows`, and the unit of each of these ratings."""
    segments = max(1, len(scores.segments))
    keys = scores.system[rows].astype(np.int64) * segments + scores.segment[rows]
    distinct_keys, of_row = compress_keys(keys, len(scores.systems) * segments)
    return OutputUnits(of_row, distinct_keys // segments, distinct_keys % segments)


def compress_keys(keys: Ints, bound: int) -> tuple[Ints, Ints]:
    """Return the sorted distinct keys (0 ≤ key < `bound`), and the index of each key among the distinct keys."""
    if bound > 4 * len(keys) + (1 << 16):
        distinct_keys, codes = np.unique(keys, return_inverse=True)
        return distinct_keys, codes
    present = np.zeros(bound, bool)
    present[keys] = True
    return np.flatnonzero(present), (np.cumsum(present) - 1)[keys]


def sort_order(keys: NDArray[np.integer], bound: int) -> Ints:
    """Return the indices that sort `keys` (0 ≤ key < `bound`); the sort is stable.

    Keys are sorted by 16 bits at a time, lowest bits first, because numpy sorts 16-bit integers by radix sort, which is
    three to six times as fast as a comparison sort.
    """
    order = np.argsort(keys.astype(np.uint16), kind="stable")
    for shift in range(16, int(bound).bit_length(), 16):
        digits = (keys >> shift).astype(np.uint16)
        order = order[np.argsort(digits[order], kind="stable")]
    return order


def group_values(codes: NDArray[np.integer], values: NDArray[Value], size: int) -> list[NDArray[Value]]:
    """Return a list of arrays: for each code (0 ≤ code < `size`), the values with that code, in row order."""
    if not size:
        return []
    return np.split(values[sort_order(codes, size)], np.cumsum(np.bincount(codes, minlength=size))[:-1])


def dense_codes(keys: Ints) -> Ints:
    """Return small integer codes, which are equal for equal keys and differ for different keys.

    These are the keys themselves if they are below `MAX_DENSE_RATIO` times the number of keys. Otherwise, they are
    ranks among the distinct keys.
    """
    largest = int(keys.max(initial=0))
    if largest < MAX_DENSE_RATIO * len(keys):
        return keys
    order = sort_order(keys, largest + 1)
    ordered = keys[order]
    codes = np.empty(len(keys), np.int64)
    codes[order] = np.cumsum(np.diff(ordered, prepend=ordered[:1]) != 0)
    return codes


def unordered_units(pairs: PairRatings) -> tuple[NDArray[np.integer], NDArray[np.integer], Ints]:
    """Return the two units of each judgement, sorted by index, and the outcome for this order.

    All arrays have shape (judgements,).
    """
    outcome = pairs.outcome().astype(np.int64)
    smaller, larger = np.minimum(pairs.first, pairs.second), np.maximum(pairs.first, pairs.second)
    return smaller, larger, np.where(pairs.first > pairs.second, -outcome, outcome)


def time_order(scores: ScoreRatings, rows: Ints) -> Ints:
    """Return `rows` sorted by rater, then by the time at which each rating was started.

    If any of a rater's rows has no time, the rows of this rater keep their order in `rows`.
    """
    rater = scores.rater[rows]
    started = scores.started[rows]
    is_untimed = np.isnan(started)
    if is_untimed.any():
        raters_without_times = np.bincount(rater[is_untimed], minlength=len(scores.raters)) > 0
        started = np.where(raters_without_times[rater], 0.0, started)
    if np.any(started[1:] < started[:-1]):
        order = np.argsort(started, kind="stable")
        rows, rater = rows[order], rater[order]
    return rows[sort_order(rater, len(scores.raters))]


def first_occurrences(keys: Ints, bound: int) -> tuple[Ints, Ints]:
    """Return the sorted distinct keys (0 ≤ key < `bound`), and the index of the first occurrence of each in `keys`."""
    order = sort_order(keys, bound)
    ordered = keys[order]
    new = np.ones(len(keys), bool)
    new[1:] = ordered[1:] != ordered[:-1]
    return ordered[new], order[new]


def concatenate_ranges(begins: Ints, lengths: Ints) -> tuple[Ints, Ints]:
    """Return the indices in all ranges, concatenated, and the number of the range that each index belongs to.

    Range i begins at `begins[i]` and has `lengths[i]` indices.
    """
    range_index = np.repeat(np.arange(len(lengths)), lengths)
    index = np.arange(len(range_index)) - np.repeat(np.cumsum(lengths) - lengths - begins, lengths)
    return index, range_index


def encode_values(values: Floats) -> tuple[Floats, Ints]:
    """Return the sorted distinct values, and the index of each value among the distinct values."""
    if len(values) and values.min() >= 0 and values.max() <= 1000 and np.array_equal(values, np.rint(values)):
        distinct, codes = compress_keys(values.astype(np.int64), 1001)
        return distinct.astype(np.float64), codes
    distinct_values, codes = np.unique(values, return_inverse=True)
    return distinct_values, codes


MAX_EXACT_INTEGER = 2.0**52
"""Limit of the sum of absolute values; below it, sums of integers are exact in any order."""
MIN_EXPONENT = -900
"""Lower limit of the binary exponent used for the largest value of a group, so that powers of two do not overflow."""
SIGNIFICANT_DIGITS = 15
MAX_DECIMALS = 22
"""Maximum number of decimals to which values are rounded; powers of ten are exact as floats up to 10^22."""
SPLIT_FACTOR = 2.0**27 + 1


def exact_sums(group: NDArray[np.integer], values: Floats, groups: int) -> Floats:
    """Return the sum of `values` in each group, shape (groups,), which does not depend on the order of the values.

    `values`, shape (rows,), must be finite. Each value is split into a multiple of a coarse power of two and a multiple
    of a fine one, with so few bits that sums of the multiples are exact. Each group has its own powers of two, so that
    values of one group do not affect the last bit of another group's sum.
    """
    if not len(values):
        return np.zeros(groups)
    group = group.astype(np.intp, copy=False)
    # one buffer for all steps, because allocating memory takes longer than the arithmetic
    buffer = np.abs(values)
    if float(buffer.sum()) < MAX_EXACT_INTEGER and np.array_equal(values, np.rint(values, out=buffer)):
        # small integers have exact sums without splitting; the result is the same
        return np.asarray(np.bincount(group, values, groups), np.float64)
    largest = np.zeros(groups)
    np.maximum.at(largest, group, np.abs(values, out=buffer))
    exponent = np.maximum(np.frexp(largest)[1], MIN_EXPONENT)
    # leave bits for the number of values, so that sums fit into 53 bits
    bits = 52 - np.frexp(np.bincount(group, minlength=groups).astype(np.float64))[1]
    # products with powers of two are exact, and much faster than ldexp on every row
    scaled = np.ldexp(1.0, bits - exponent)[group]
    scaled *= values
    high = np.rint(scaled, out=buffer)
    sums: Floats = np.asarray(np.bincount(group, high, groups), np.float64)
    scaled -= high
    if scaled.any():
        scaled *= np.take(np.ldexp(1.0, bits), group, out=buffer, mode="clip")
        fine_part = np.rint(scaled, out=scaled)
        sums = sums + np.ldexp(np.bincount(group, fine_part, groups), -bits)
    return np.asarray(np.ldexp(sums, exponent - bits), np.float64)


def group_means(group: NDArray[np.integer], values: Floats, groups: int) -> tuple[Floats, Ints]:
    """Return the mean of each group (NaN if the group is empty), and the number of values in each group."""
    counts = np.bincount(group, minlength=groups)
    return exact_sums(group, values, groups) / np.where(counts, counts, np.nan), counts


def group_deviations(group: NDArray[np.integer], values: Floats, means: Floats) -> Floats:
    """Return the standard deviation (divisor n - 1) of each group about its mean; NaN for fewer than two values.

    It is exactly 0 for constant values, even if the mean has a rounding error.
    """
    group = group.astype(np.intp, copy=False)
    counts = np.bincount(group, minlength=len(means))
    lowest, highest = np.full(len(means), np.inf), np.full(len(means), -np.inf)
    np.minimum.at(lowest, group, values)
    np.maximum.at(highest, group, values)
    varied = highest > lowest
    deviations = values - means[group]
    squares = exact_sums(group, np.multiply(deviations, deviations, out=deviations), len(means))
    return np.where(
        varied, np.sqrt(squares / np.where(counts > 1, counts - 1, np.nan)), np.where(counts > 1, 0.0, np.nan)
    )


def round_to_15_digits(values: Floats) -> Floats:
    """Round values to 15 significant digits, as `float(f"{value:.15g}")` does, but to at most `MAX_DECIMALS` decimals.

    Values that are infinite, NaN or at least 1e15 in absolute value are returned unchanged.
    """
    size = np.abs(values)
    is_in_range = (size > 0) & (size < 1e15)
    exponent = np.floor(np.log10(np.where(is_in_range, size, 1.0))).astype(np.int64)
    power = np.power(10.0, np.clip(SIGNIFICANT_DIGITS - 1 - exponent, 0, MAX_DECIMALS)).astype(np.float64)
    scaled, error = _product(np.where(is_in_range, values, 0.0), power)
    rounded = np.rint(scaled)
    # the product has a rounding error, which decides the direction if the product ends in .5
    half = (np.abs(scaled - rounded) == 0.5) & (error != 0)
    rounded = np.where(half, np.floor(scaled) + (error > 0), rounded)
    return np.where(is_in_range, rounded / power, values)


def _product(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Return the elementwise product, and the exact rounding error of each product (Dekker 1971)."""
    product = a * b
    (a_high, a_low), (b_high, b_low) = _halves(a), _halves(b)
    return product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low


def _halves(a: Floats) -> tuple[Floats, Floats]:
    scaled = SPLIT_FACTOR * a
    high = scaled - (scaled - a)
    return high, a - high
