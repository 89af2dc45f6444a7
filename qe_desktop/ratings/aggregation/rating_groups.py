"""Which ratings belong together: of one unit (a system's output for a segment), of one rater, in the order given."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import ItemRole, PairRatings, ScoreRatings

Rows = NDArray[np.int64]
Floats = NDArray[np.float64]
Value = TypeVar("Value", np.int64, np.float64)
MAX_DENSE_RATIO = 2
"""Keys are numbered where a table of them would have more than so many cells a key."""
COUNTED_ROLES = (ItemRole.SYSTEM, ItemRole.REPEAT)
"""The roles whose ratings make up a system's means (WMT21 averages a repeat with its first rating)."""
RATED_ROLES = (ItemRole.SYSTEM, ItemRole.REPEAT, ItemRole.BAD, ItemRole.REFERENCE)
"""All that a rater rated in earnest; only the training round is left out."""


def value_or_none(value: np.float64) -> float | None:
    """A figure; None where it is not defined."""
    return float(value) if np.isfinite(value) else None


def has_role(ratings: ScoreRatings | PairRatings, roles: Collection[ItemRole]) -> NDArray[np.bool_]:
    """Whether each rating has one of these roles."""
    wanted = np.zeros(256, bool)
    wanted[list(roles)] = True
    return wanted[ratings.role]


def scale_rows(scores: ScoreRatings, scale: str, roles: Collection[ItemRole], values: Floats | None = None) -> Rows:
    """The places of the ratings on one scale with one of these roles whose value is known (not NaN).

    `values` (ratings,) stand in for the ratings' own, z for example.
    """
    if scale not in scores.scales:
        return np.zeros(0, np.int64)
    finite = np.isfinite(scores.value if values is None else values)
    return np.flatnonzero((scores.scale == scores.scales.index(scale)) & has_role(scores, roles) & finite)


@dataclass(frozen=True, slots=True, eq=False)
class OutputUnits:
    """The different units of some ratings, sorted by system, then segment; and the unit of each rating."""

    of_row: Rows
    system: Rows
    segment: Rows

    def __len__(self) -> int:
        return len(self.system)


def output_units(scores: ScoreRatings, rows: Rows) -> OutputUnits:
    """The units of these ratings."""
    segments = max(1, len(scores.segments))
    keys = scores.system[rows].astype(np.int64) * segments + scores.segment[rows]
    different, of_row = compress_keys(keys, len(scores.systems) * segments)
    return OutputUnits(of_row, different // segments, different % segments)


def compress_keys(keys: Rows, bound: int) -> tuple[Rows, Rows]:
    """The different keys (each at least 0 and below `bound`), sorted, and the place of each given key among them."""
    if bound > 4 * len(keys) + (1 << 16):
        different, places = np.unique(keys, return_inverse=True)
        return different, places
    present = np.zeros(bound, bool)
    present[keys] = True
    return np.flatnonzero(present), (np.cumsum(present) - 1)[keys]


def sort_order(keys: NDArray[np.integer], bound: int) -> Rows:
    """The order that sorts keys (at least 0 and below `bound`) and leaves rows of the same key as they stand.

    By their sixteen bits at a time, the lowest first: numpy sorts numbers of sixteen bits by counting them, which is
    three to six times as fast as comparing larger ones.
    """
    order = np.argsort(keys.astype(np.uint16), kind="stable")
    for shift in range(16, int(bound).bit_length(), 16):
        digits = (keys >> shift).astype(np.uint16)
        order = order[np.argsort(digits[order], kind="stable")]
    return order


def group_values(codes: NDArray[np.integer], values: NDArray[Value], size: int) -> list[NDArray[Value]]:
    """The values of each of `size` codes, in their order."""
    if not size:
        return []
    return np.split(values[sort_order(codes, size)], np.cumsum(np.bincount(codes, minlength=size))[:-1])


def occurrence_numbers(keys: Rows) -> Rows:
    """The place of each key among the different ones; keys that are small numbers are left as they are."""
    largest = int(keys.max(initial=0))
    if largest < MAX_DENSE_RATIO * len(keys):
        return keys
    order = sort_order(keys, largest + 1)
    ordered = keys[order]
    codes = np.empty(len(keys), np.int64)
    codes[order] = np.cumsum(np.diff(ordered, prepend=ordered[:1]) != 0)
    return codes


def unordered_units(pairs: PairRatings) -> tuple[NDArray[np.integer], NDArray[np.integer], Rows]:
    """The two units of each judgement in the order of their numbers, and what it says of them in that order."""
    outcome = pairs.outcome().astype(np.int64)
    low, high = np.minimum(pairs.first, pairs.second), np.maximum(pairs.first, pairs.second)
    return low, high, np.where(pairs.first > pairs.second, -outcome, outcome)


def time_order(scores: ScoreRatings, rows: Rows) -> Rows:
    """These rows by rater, and each rater's in the order they were given: by time, or as in the file.

    A rater with a rating whose time is not known keeps the order of the file, which is then the only one there is.
    """
    rater = scores.rater[rows]
    started = scores.started[rows]
    untimed = np.bincount(rater[np.isnan(started)], minlength=len(scores.raters)) > 0
    started = np.where(untimed[rater], 0.0, started)
    if np.any(started[1:] < started[:-1]):
        rows = rows[np.argsort(started, kind="stable")]
    return rows[sort_order(scores.rater[rows], len(scores.raters))]


def first_occurrences(keys: Rows, bound: int) -> tuple[Rows, Rows]:
    """The different keys, sorted, and for each the first row that has it."""
    order = sort_order(keys, bound)
    ordered = keys[order]
    new = np.ones(len(keys), bool)
    new[1:] = ordered[1:] != ordered[:-1]
    return ordered[new], order[new]


def concatenate_ranges(begins: Rows, lengths: Rows) -> tuple[Rows, Rows]:
    """All places of several stretches, and for each the number of its stretch."""
    stretch = np.repeat(np.arange(len(lengths)), lengths)
    place = np.arange(len(stretch)) - np.repeat(np.cumsum(lengths) - lengths - begins, lengths)
    return place, stretch


def encode_values(values: Floats) -> tuple[Floats, Rows]:
    """The different values, sorted, and the place of each given value among them."""
    if len(values) and values.min() >= 0 and values.max() <= 1000 and np.array_equal(values, np.rint(values)):
        whole, codes = compress_keys(values.astype(np.int64), 1001)
        return whole.astype(np.float64), codes
    different, codes = np.unique(values, return_inverse=True)
    return different, codes


MAX_EXACT_INTEGER = 2.0**52
"""Whole numbers whose sizes sum up to less have exact sums in any order."""
MIN_EXPONENT = -900
"""Values below 2^-900 are 0 here, so that no power of two runs out of range."""
SIGNIFICANT_DIGITS = 15
MAX_DECIMALS = 22
"""Powers of ten are exact numbers up to 10^22; smaller values than 1e-7 are rounded to so many decimals."""
SPLIT_FACTOR = 2.0**27 + 1


def exact_sums(group: NDArray[np.integer], values: Floats, groups: int) -> Floats:
    """The sum of the finite `values` (rows,) of each of `groups` groups; shape (groups,).

    Values are written as whole multiples of two powers of two, so small that they are as fine as the numbers themselves
    and so few bits that adding them up rounds nothing. Each group has powers of its own, by its own values alone: what
    stands in one group, however large, cannot change the last bit of another's sum.
    """
    if not len(values):
        return np.zeros(groups)
    group = group.astype(np.intp, copy=False)
    if float(np.abs(values).sum()) < MAX_EXACT_INTEGER and np.array_equal(values, np.rint(values)):
        # whole numbers this small are added up exactly as they stand, which the long way would do as well
        return np.asarray(np.bincount(group, values, groups), np.float64)
    largest = np.zeros(groups)
    np.maximum.at(largest, group, np.abs(values))
    exponent = np.maximum(np.frexp(largest)[1], MIN_EXPONENT)
    # as many bits as a count of the group's values has, for its sum to fit into a number's 53
    bits = 52 - np.frexp(np.bincount(group, minlength=groups).astype(np.float64))[1]
    # products with powers of two are exact, and take a fraction of the time of ldexp on every row
    scaled = values * np.ldexp(1.0, bits - exponent)[group]
    high = np.rint(scaled)
    sums: Floats = np.asarray(np.bincount(group, high, groups), np.float64)
    scaled -= high
    if scaled.any():
        scaled *= np.ldexp(1.0, bits)[group]
        low = np.rint(scaled, out=scaled)
        sums = sums + np.ldexp(np.bincount(group, low, groups), -bits)
    return np.asarray(np.ldexp(sums, exponent - bits), np.float64)


def group_means(group: NDArray[np.integer], values: Floats, groups: int) -> tuple[Floats, NDArray[np.int64]]:
    """The mean of each group (NaN where it is empty), and how many values it has."""
    counts = np.bincount(group, minlength=groups)
    return exact_sums(group, values, groups) / np.where(counts, counts, np.nan), counts


def group_deviations(group: NDArray[np.integer], values: Floats, means: Floats) -> Floats:
    """The standard deviation of each group about its mean, with n - 1; NaN for fewer than two values.

    It is exactly 0 where all values are the same, though the mean of equal fractions may be off by its last bit.
    """
    counts = np.bincount(group, minlength=len(means))
    some = np.zeros(len(means))
    some[group] = values
    varied = np.bincount(group, values != some[group], len(means)) > 0
    apart = values - means[group]
    squares = exact_sums(group, apart * apart, len(means))
    return np.where(
        varied, np.sqrt(squares / np.where(counts > 1, counts - 1, np.nan)), np.where(counts > 1, 0.0, np.nan)
    )


def round_to_15_digits(values: Floats) -> Floats:
    """Each value as `float(f"{value:.15g}")` gives it; as it is where it is not finite, or 1e15 or more."""
    size = np.abs(values)
    usual = (size > 0) & (size < 1e15)
    exponent = np.floor(np.log10(np.where(usual, size, 1.0))).astype(np.int64)
    power = np.power(10.0, np.clip(SIGNIFICANT_DIGITS - 1 - exponent, 0, MAX_DECIMALS)).astype(np.float64)
    scaled, error = _product(np.where(usual, values, 0.0), power)
    whole = np.rint(scaled)
    # the product is itself rounded: where it stands at a half, what it lacks says on which side it is
    half = (np.abs(scaled - whole) == 0.5) & (error != 0)
    whole = np.where(half, np.floor(scaled) + (error > 0), whole)
    return np.where(usual, whole / power, values)


def _product(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """The product, and exactly what rounding took from it (Dekker 1971)."""
    product = a * b
    (a_high, a_low), (b_high, b_low) = _halves(a), _halves(b)
    return product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low


def _halves(a: Floats) -> tuple[Floats, Floats]:
    scaled = SPLIT_FACTOR * a
    high = scaled - (scaled - a)
    return high, a - high
