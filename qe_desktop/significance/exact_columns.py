"""Rows as float32 columns whose sums over any subset of segments are exact.

Permuting identical outputs must give exact ties, regardless of the order in which a matrix product adds its terms.
Counts are integers, which are exact in float32 up to 2^24. Fractions are rounded to fixed point and split into limbs,
which are groups of so few bits that sums of limbs are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.columns import Floats
from qe_desktop.significance.random_masks import unpack_flips

EXACT_BITS = 24
"""Number of bits in which float32 represents integers exactly: all integers up to 2^24 are exact."""
MIN_LIMB_BITS = 20
"""Minimum fixed-point precision in bits: the rounding step is about 2^-20 times the mean of a column, or less.

Rounding errors are unbiased and nearly independent, so the relative standard error of a sum over n units is about
2^-21 / sqrt(3n) or less.
"""
UNITS_PER_BATCH = 1 << 13
"""Maximum number of units summed in float32 by one matrix product; the results of products are added in float64."""


UNITS_PER_WRITE = 1 << 16
"""Number of units converted at a time, to avoid a second copy of all rows."""


@dataclass(frozen=True, slots=True)
class ExactColumns:
    """Columns split into limbs for exact sums.

    Attributes
    ----------
    matrix
        Limbs, shape (limbs × systems, units). The rows of all systems for one limb are adjacent.
    limbs
        Indices of the limbs of each column. A column is the sum of its limbs, each multiplied by its weight.
    weights
        Weight of each limb, shape (limbs,).
    systems
        Number of systems.
    """

    matrix: NDArray[np.float32]
    limbs: tuple[tuple[int, ...], ...]
    weights: Floats
    systems: int
    is_integer: tuple[bool, ...]
    """For each column, whether all values are integers, so that no value was rounded."""

    def combine(self, sums: NDArray[Any], out: Floats | None = None) -> Floats:
        """Return sums of columns, shape (columns, systems, rounds), given sums of limbs.

        `sums` has shape (limbs × systems, rounds). `out` is an optional buffer for the result.
        """
        cube = sums.reshape(len(self.weights), self.systems, sums.shape[-1])
        if out is None:
            out = np.empty((len(self.limbs), *cube.shape[1:]))
        for column, limbs in enumerate(self.limbs):
            np.multiply(cube[limbs[0]], self.weights[limbs[0]], out=out[column])
            for limb in limbs[1:]:
                out[column] += cube[limb] * self.weights[limb]
        return out


class SwappedSums:
    """Sums of columns over the swapped units of each round, in reusable buffers of one thread.

    New arrays of this size would be allocated page by page in each call, which takes longer than to fill them.

    Parameters
    ----------
    columns
        Columns to be added.
    rounds
        Maximum number of rounds per call.
    """

    def __init__(self, columns: ExactColumns, rounds: int) -> None:
        limbs, self._units = columns.matrix.shape
        self._columns = columns
        self._flips = np.empty((rounds, min(self._units, UNITS_PER_BATCH)), np.float32)
        self._product = np.empty((limbs, rounds), np.float32)
        self._sums = np.empty((len(columns.limbs), columns.systems, rounds))

    def add_swapped(self, blocks: Sequence[NDArray[np.uint8]]) -> Floats:
        """Return the exact sums over the swapped units, shape (columns, systems, rounds); valid until the next call.

        `blocks` are masks of shape (rounds, ceil(units / 8)) each, packed as in `random_masks.swap_bits`.
        """
        rounds = sum(map(len, blocks))
        out = self._sums[..., :rounds]
        if self._units <= UNITS_PER_BATCH:
            return self._columns.combine(self._multiply(blocks, rounds, 0), out)
        sums = np.zeros((len(self._product), rounds))
        for first in range(0, self._units, UNITS_PER_BATCH):
            sums += self._multiply(blocks, rounds, first)
        return self._columns.combine(sums, out)

    def _multiply(self, blocks: Sequence[NDArray[np.uint8]], rounds: int, first: int) -> NDArray[np.float32]:
        """Return the sums of limbs over the swapped units of the batch that begins with unit `first`."""
        last = min(self._units, first + UNITS_PER_BATCH)
        flips, begin = self._flips[:rounds, : last - first], 0
        for bits in blocks:
            flips[begin : begin + len(bits)] = unpack_flips(bits, first, last)
            begin += len(bits)
        return np.matmul(self._columns.matrix[:, first:last], flips.T, out=self._product[:, :rounds])


def exact_columns(columns: Sequence[NDArray[Any]]) -> ExactColumns:
    """Split columns into limbs, whose sums are exact.

    Parameters
    ----------
    columns
        Values, shape (systems, units) each.

    Returns
    -------
    ExactColumns
        Columns split into limbs. Fractions are rounded to multiples of a power of two.
    """
    systems, units = columns[0].shape
    layouts = [_LimbLayout.of(column) for column in columns]
    ends = np.cumsum([layout.limbs for layout in layouts]).tolist()
    cube = np.empty((ends[-1], systems, units), np.float32)
    for column, layout, end in zip(columns, layouts, ends, strict=True):
        for system in range(systems):
            for first in range(0, units, UNITS_PER_WRITE):
                part = slice(first, first + UNITS_PER_WRITE)
                layout.write(column[system, part], cube[end - layout.limbs : end, system, part])
    return ExactColumns(
        cube.reshape(ends[-1] * systems, units),
        tuple(tuple(range(end - layout.limbs, end)) for layout, end in zip(layouts, ends, strict=True)),
        np.concatenate([layout.weights() for layout in layouts]),
        systems,
        tuple(layout.is_integer for layout in layouts),
    )


@dataclass(frozen=True, slots=True)
class _LimbLayout:
    """Layout of a column in `limbs` limbs of `limb_bits` bits each; the lowest bit has the value 2^`exponent`."""

    is_integer: bool
    exponent: int
    limb_bits: int
    limbs: int

    @classmethod
    def of(cls, values: NDArray[Any]) -> _LimbLayout:
        """Return the layout for the values of a column, shape (systems, units)."""
        units = values.shape[1]
        largest = max((float(np.abs(system).max(initial=0.0)) for system in values), default=0.0)
        added = min(units, UNITS_PER_BATCH)
        bits = EXACT_BITS - max(1, int(added - 1).bit_length())
        is_integer = all(np.array_equal(system, np.rint(system)) for system in values)
        if is_integer and largest * added <= 2**EXACT_BITS:
            return cls(True, 0, bits, 1)
        exponent = 0 if is_integer else _rounding_exponent(values, largest, bits)
        limbs, remainder = 1, np.rint(largest * 2.0**-exponent)
        while remainder := np.rint(remainder / 2.0**bits):
            limbs += 1
        return cls(is_integer, exponent, bits, limbs)

    def weights(self) -> Floats:
        """Return the weight of each limb, least significant limb first."""
        return np.ldexp(1.0, self.exponent + self.limb_bits * np.arange(self.limbs))

    def write(self, values: NDArray[Any], out: NDArray[np.float32]) -> None:
        """Split values of shape (units,) into limbs and write the limbs to `out`, shape (limbs, units)."""
        remainder = np.rint(np.asarray(values, np.float64) * 2.0**-self.exponent)
        for limb in range(self.limbs - 1):
            high = np.rint(remainder / 2.0**self.limb_bits)
            out[limb] = remainder - high * 2.0**self.limb_bits
            remainder = high
        out[-1] = remainder


def _rounding_exponent(values: NDArray[Any], largest: float, bits: int) -> int:
    """Return the exponent e such that fractions are rounded to multiples of 2^e.

    Normally, e is chosen so that two limbs represent the largest value. If the mean requires more precision, e is
    smaller, because otherwise one long segment would reduce the precision of all segments.
    """
    mean = max(float(np.abs(system).mean(dtype=np.float64)) for system in values)
    of_largest, of_mean = (int(np.ceil(np.log2(max(value, 1e-300)))) for value in (largest, mean))
    return min(of_largest - (2 * bits - 1), of_mean - MIN_LIMB_BITS)
