"""Krippendorff's alpha (2004, ch. 11) in closed form: no matrix of coincidences, so no memory quadratic in values.

alpha = 1 - D_o / D_e, from distances d² between pairable ratings (those of units with two ratings at least):
D_o = 1/n Σ_units Σ_{i≠j} d²_ij / (m - 1) and D_e = 1/(n(n - 1)) Σ_{i≠j} d²_ij over all, with m ratings of a unit.
For squared differences both are sums of squares about means. An ordinal distance is the squared difference of
g(v) = (ratings up to v) - (ratings of v) / 2, so ordinal alpha is interval alpha of g. For nominal distances, counts
are enough.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from qe_desktop.ratings.aggregation.sums import exact_sums, group_means
from qe_desktop.ratings.aggregation.units import Rows, sorted_rows, value_codes

Floats = NDArray[np.float64]
Level = Literal["nominal", "ordinal", "interval"]
LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval")


@dataclass(frozen=True, slots=True, eq=False)
class Pairable:
    """The ratings of units with at least two: of which unit (0..units-1), and which of the `different` values."""

    unit: Rows
    code: Rows
    different: Floats
    units: int

    def __len__(self) -> int:
        return len(self.unit)


def pairable(unit: NDArray[np.integer], value: Floats) -> Pairable:
    """Leave out ratings that are alone in their unit, and those not known (NaN)."""
    known = np.isfinite(value)
    unit, value = np.asarray(unit, np.int64)[known], np.asarray(value, np.float64)[known]
    sizes = np.bincount(unit)
    keep = sizes[unit] > 1
    places = np.cumsum(sizes > 1) - 1
    different, code = value_codes(value[keep])
    return Pairable(places[unit[keep]], code, different, int(np.count_nonzero(sizes > 1)))


def tally(ratings: Pairable) -> tuple[Rows, Rows, NDArray[np.int64]]:
    """Units, codes of values, and how often the unit has the value, for those it has; each of shape (cells,)."""
    width = max(1, len(ratings.different))
    keys = ratings.unit * width + ratings.code
    ordered = keys[sorted_rows(keys, ratings.units * width)]
    begins = np.flatnonzero(np.diff(ordered, prepend=-1))
    return ordered[begins] // width, ordered[begins] % width, np.diff(begins, append=len(ordered))


def alpha(ratings: Pairable, level: Level) -> float:
    """Alpha of the ratings; NaN where all are the same value, or there are none."""
    if len(ratings.different) < 2:
        return float("nan")
    n = len(ratings)
    sizes = np.bincount(ratings.unit, minlength=ratings.units)
    if level == "nominal":
        unit, _, count = tally(ratings)
        alike = exact_sums(unit, count.astype(np.float64) ** 2, ratings.units)
        observed = float(((sizes**2 - alike) / (sizes - 1)).sum() / n)
        totals = np.bincount(ratings.code).astype(np.float64)
        expected = float((n**2 - (totals**2).sum()) / (n * (n - 1)))
        return 1 - observed / expected
    places = placed(ratings, level)
    values = places[ratings.code]
    means, _ = group_means(ratings.unit, values, ratings.units)
    apart = values - means[ratings.unit]
    spread = exact_sums(ratings.unit, apart * apart, ratings.units)
    # of all ratings together, each different value counts once, as often as it was given
    given, together = np.bincount(ratings.code, minlength=len(places)), np.zeros(len(places), np.int64)
    mean = exact_sums(together, given * places, 1)[0] / n
    # Σ_{i≠j} (x_i - x_j)² = 2 m Σ (x_i - mean)²
    observed = float((2 * sizes * spread / (sizes - 1)).sum() / n)
    expected = float(2 * exact_sums(together, given * (places - mean) ** 2, 1)[0] / (n - 1))
    return 1 - observed / expected


def placed(ratings: Pairable, level: Level) -> Floats:
    """Where each different value stands for interval or ordinal distances."""
    if level == "interval":
        return ratings.different
    totals = np.bincount(ratings.code, minlength=len(ratings.different))
    return np.asarray(np.cumsum(totals) - totals / 2, np.float64)
