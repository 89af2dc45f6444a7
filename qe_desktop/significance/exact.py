"""Rows as float32 columns whose sums over any subset of segments are exact.

Swapping systems must give exact ties where outputs are equal, whatever order a matrix product adds in. Counts are
integers and exact in float32 up to 2^24. Fractions are written in fixed point and cut into limbs of few enough bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

EXACT_BITS = 24
"""Integers up to 2^24 are exact in float32."""
LEAST_BITS = 20
"""Fixed point keeps a row's value to at least 2^-20 of the mean; usually to as many bits as two limbs hold.

Rounding is as often up as down, so over n units it moves a sum by some 2^-21 / sqrt(3n) of it.
"""
UNITS_AT_ONCE = 1 << 13
"""Units that one product adds up in float32; sums of these are added in float64."""


@dataclass(frozen=True, slots=True)
class ExactColumns:
    """`matrix` of shape (units, systems × limbs) and the weight of each column's limbs.

    Column c of the rows is the sum over its limbs l of `weights[l] * matrix[:, s, l]`; `limbs[c]` says which they are.
    """

    matrix: NDArray[np.float32]
    limbs: tuple[tuple[int, ...], ...]
    weights: NDArray[np.float64]
    systems: int
    whole: bool
    """Whether all columns are whole numbers, so that nothing was rounded."""

    @property
    def width(self) -> int:
        """Limbs a system."""
        return len(self.weights)

    def combine(self, sums: NDArray[Any]) -> NDArray[np.float64]:
        """Sums of limbs, shape (rounds, systems × limbs), as sums of columns, shape (columns, systems, rounds)."""
        cube = np.ascontiguousarray(sums.T).reshape(self.systems, self.width, -1)
        out = np.empty((len(self.limbs), self.systems, sums.shape[0]))
        for column, places in enumerate(self.limbs):
            np.multiply(cube[:, places[0]], self.weights[places[0]], out=out[column])
            for place in places[1:]:
                out[column] += cube[:, place] * self.weights[place]
        return out


def exact_columns(rows: NDArray[Any]) -> ExactColumns:
    """Rows of shape (systems, units, columns) in exact form."""
    systems, units, columns = rows.shape
    parts: list[NDArray[np.float32]] = []
    limbs: list[tuple[int, ...]] = []
    weights: list[float] = []
    whole = True
    for column in range(columns):
        values = np.asarray(rows[:, :, column], np.float64)
        whole = whole and bool(np.array_equal(values, np.rint(values)))
        pieces = _limbs(values, units)
        limbs.append(tuple(range(len(parts), len(parts) + len(pieces))))
        for piece, weight in pieces:
            parts.append(piece)
            weights.append(weight)
    cube = np.stack(parts, axis=-1)  # (systems, units, limbs)
    matrix = np.ascontiguousarray(cube.transpose(1, 0, 2)).reshape(units, systems * len(parts))
    return ExactColumns(matrix, tuple(limbs), np.asarray(weights), systems, whole)


def _limbs(values: NDArray[np.float64], units: int) -> list[tuple[NDArray[np.float32], float]]:
    largest = float(np.abs(values).max(initial=0.0))
    added = min(units, UNITS_AT_ONCE)
    room = EXACT_BITS - max(1, int(added - 1).bit_length())
    whole = bool(np.array_equal(values, np.rint(values)))
    if whole and largest * added <= 2**EXACT_BITS:
        return [(values.astype(np.float32), 1.0)]
    exponent = 0 if whole else _last_place(values, largest, room)
    rest = np.rint(values * 2.0**-exponent)
    pieces = []
    while True:
        high = np.rint(rest / 2.0**room)
        low = rest - high * 2.0**room
        pieces.append((low.astype(np.float32), 2.0**exponent))
        if not high.any():
            return pieces
        rest, exponent = high, exponent + room


def _last_place(values: NDArray[np.float64], largest: float, room: int) -> int:
    """The power of two that fractions are rounded to: so that two limbs hold the largest, but fine beside the mean.

    The largest alone would not do, because one long segment would make the unit coarse for all.
    """
    mean = float(np.abs(values).mean(axis=1).max(initial=0.0))
    of_largest, of_mean = (int(np.ceil(np.log2(max(value, 1e-300)))) for value in (largest, mean))
    return min(of_largest - (2 * room - 1), of_mean - LEAST_BITS)
