"""Rows as float32 columns whose sums over any subset of segments are exact.

Swapping systems must give exact ties where outputs are equal, whatever order a matrix product adds in. Counts are
integers and exact in float32 up to 2^24. Fractions are written in fixed point and cut into limbs of few enough bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

EXACT_BITS = 24
"""Integers up to 2^24 are exact in float32."""
MIN_LIMB_BITS = 20
"""Fixed point keeps a row's value to at least 2^-20 of the mean; usually to as many bits as two limbs hold.

Rounding is as often up as down, so over n units it moves a sum by some 2^-21 / sqrt(3n) of it.
"""
UNITS_PER_BATCH = 1 << 13
"""Units that one product adds up in float32; sums of these are added in float64."""


UNITS_PER_WRITE = 1 << 16
"""Units that are brought into exact form at once, so that this needs no second copy of all rows."""


@dataclass(frozen=True, slots=True)
class ExactColumns:
    """`matrix` of shape (limbs × systems, units), all systems of a limb together, and the weight of each limb.

    Column c of the rows is the sum over its limbs l of `weights[l] * matrix[l]`; `limbs[c]` says which they are.
    """

    matrix: NDArray[np.float32]
    limbs: tuple[tuple[int, ...], ...]
    weights: NDArray[np.float64]
    systems: int
    whole: tuple[bool, ...]
    """Whether each column is of whole numbers, so that nothing was rounded."""

    def combine(self, sums: NDArray[Any]) -> NDArray[np.float64]:
        """Sums of limbs, shape (limbs × systems, rounds), as sums of columns, shape (columns, systems, rounds)."""
        cube = sums.reshape(len(self.weights), self.systems, -1)
        out = np.empty((len(self.limbs), *cube.shape[1:]))
        for column, places in enumerate(self.limbs):
            np.multiply(cube[places[0]], self.weights[places[0]], out=out[column])
            for place in places[1:]:
                out[column] += cube[place] * self.weights[place]
        return out


def exact_columns(columns: Sequence[NDArray[Any]]) -> ExactColumns:
    """Columns of shape (systems, units) each in exact form."""
    systems, units = columns[0].shape
    forms = [_LimbLayout.of(column) for column in columns]
    ends = np.cumsum([form.limbs for form in forms]).tolist()
    cube = np.empty((ends[-1], systems, units), np.float32)
    for column, form, end in zip(columns, forms, ends, strict=True):
        for system in range(systems):
            for first in range(0, units, UNITS_PER_WRITE):
                part = slice(first, first + UNITS_PER_WRITE)
                form.write(column[system, part], cube[end - form.limbs : end, system, part])
    return ExactColumns(
        cube.reshape(ends[-1] * systems, units),
        tuple(tuple(range(end - form.limbs, end)) for form, end in zip(forms, ends, strict=True)),
        np.concatenate([form.weights() for form in forms]),
        systems,
        tuple(form.whole for form in forms),
    )


@dataclass(frozen=True, slots=True)
class _LimbLayout:
    """How a column is written: in so many limbs of `room` bits each, the last place being 2^exponent."""

    whole: bool
    exponent: int
    room: int
    limbs: int

    @classmethod
    def of(cls, values: NDArray[Any]) -> _LimbLayout:
        """The form of a column, shape (systems, units)."""
        units = values.shape[1]
        largest = max((float(np.abs(system).max(initial=0.0)) for system in values), default=0.0)
        added = min(units, UNITS_PER_BATCH)
        room = EXACT_BITS - max(1, int(added - 1).bit_length())
        whole = all(np.array_equal(system, np.rint(system)) for system in values)
        if whole and largest * added <= 2**EXACT_BITS:
            return cls(True, 0, room, 1)
        exponent = 0 if whole else _rounding_exponent(values, largest, room)
        limbs, rest = 1, np.rint(largest * 2.0**-exponent)
        while rest := np.rint(rest / 2.0**room):
            limbs += 1
        return cls(whole, exponent, room, limbs)

    def weights(self) -> NDArray[np.float64]:
        """What each limb counts, the lowest first."""
        return np.ldexp(1.0, self.exponent + self.room * np.arange(self.limbs))

    def write(self, values: NDArray[Any], out: NDArray[np.float32]) -> None:
        """Values of shape (units,) as limbs, shape (limbs, units)."""
        rest = np.rint(np.asarray(values, np.float64) * 2.0**-self.exponent)
        for place in range(self.limbs - 1):
            high = np.rint(rest / 2.0**self.room)
            out[place] = rest - high * 2.0**self.room
            rest = high
        out[-1] = rest


def _rounding_exponent(values: NDArray[Any], largest: float, room: int) -> int:
    """The power of two that fractions are rounded to: so that two limbs hold the largest, but fine beside the mean.

    The largest alone would not do, because one long segment would make the unit coarse for all.
    """
    mean = max(float(np.abs(system).mean(dtype=np.float64)) for system in values)
    of_largest, of_mean = (int(np.ceil(np.log2(max(value, 1e-300)))) for value in (largest, mean))
    return min(of_largest - (2 * room - 1), of_mean - MIN_LIMB_BITS)
