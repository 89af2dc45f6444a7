"""Sums of ratings by group that do not depend on the order of the rows, and numbers with 15 digits, as R writes them.

Two outputs with the same ratings must get the same mean, bit by bit, or a rank test would see a difference where there
is a tie, and a file in another order would give other results. Plain sums of fractions differ in their last bits.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
WHOLE = 2.0**52
"""Whole numbers whose sizes sum up to less have exact sums in any order."""
SMALLEST = -900
"""Values below 2^-900 are 0 here, so that no power of two runs out of range."""
DIGITS = 15
MOST_DECIMALS = 22
"""Powers of ten are exact numbers up to 10^22; smaller values than 1e-7 are rounded to so many decimals."""
SPLIT = 2.0**27 + 1


def exact_sums(group: NDArray[np.integer], values: Floats, groups: int) -> Floats:
    """The sum of the finite `values` (rows,) of each of `groups` groups; shape (groups,).

    Values are written as whole multiples of two powers of two, so small that they are as fine as the numbers themselves
    and so few bits that adding them up rounds nothing. Each group has powers of its own, by its own values alone: what
    stands in one group, however large, cannot change the last bit of another's sum.
    """
    if not len(values):
        return np.zeros(groups)
    group = group.astype(np.intp, copy=False)
    if float(np.abs(values).sum()) < WHOLE and np.array_equal(values, np.rint(values)):
        # whole numbers this small are added up exactly as they stand, which the long way would do as well
        return np.asarray(np.bincount(group, values, groups), np.float64)
    largest = np.zeros(groups)
    np.maximum.at(largest, group, np.abs(values))
    exponent = np.maximum(np.frexp(largest)[1], SMALLEST)
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


def fifteen_digits(values: Floats) -> Floats:
    """Each value as `float(f"{value:.15g}")` gives it; as it is where it is not finite, or 1e15 or more."""
    size = np.abs(values)
    usual = (size > 0) & (size < 1e15)
    exponent = np.floor(np.log10(np.where(usual, size, 1.0))).astype(np.int64)
    power = np.power(10.0, np.clip(DIGITS - 1 - exponent, 0, MOST_DECIMALS)).astype(np.float64)
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
    scaled = SPLIT * a
    high = scaled - (scaled - a)
    return high, a - high
