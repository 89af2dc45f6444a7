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
DENSE = 2
"""Keys are numbered where a table of them would have more than so many cells a key."""
COUNTED = (ItemRole.SYSTEM, ItemRole.REPEAT)
"""The roles whose ratings make up a system's means (WMT21 averages a repeat with its first rating)."""
RATED = (ItemRole.SYSTEM, ItemRole.REPEAT, ItemRole.BAD, ItemRole.REFERENCE)
"""All that a rater rated in earnest; only the training round is left out."""


def known(value: np.float64) -> float | None:
    """A figure; None where it is not defined."""
    return float(value) if np.isfinite(value) else None


def has_role(ratings: ScoreRatings | PairRatings, roles: Collection[ItemRole]) -> NDArray[np.bool_]:
    """Whether each rating has one of these roles."""
    wanted = np.zeros(256, bool)
    wanted[list(roles)] = True
    return wanted[ratings.role]


def rows_of(scores: ScoreRatings, scale: str, roles: Collection[ItemRole], values: Floats | None = None) -> Rows:
    """The places of the ratings on one scale with one of these roles whose value is known (not NaN).

    `values` (ratings,) stand in for the ratings' own, z for example.
    """
    if scale not in scores.scales:
        return np.zeros(0, np.int64)
    finite = np.isfinite(scores.value if values is None else values)
    return np.flatnonzero((scores.scale == scores.scales.index(scale)) & has_role(scores, roles) & finite)


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """The different units of some ratings, sorted by system, then segment; and the unit of each rating."""

    of_row: Rows
    system: Rows
    segment: Rows

    def __len__(self) -> int:
        return len(self.system)


def units_of(scores: ScoreRatings, rows: Rows) -> Units:
    """The units of these ratings."""
    segments = max(1, len(scores.segments))
    keys = scores.system[rows].astype(np.int64) * segments + scores.segment[rows]
    different, of_row = compressed(keys, len(scores.systems) * segments)
    return Units(of_row, different // segments, different % segments)


def compressed(keys: Rows, bound: int) -> tuple[Rows, Rows]:
    """The different keys (each at least 0 and below `bound`), sorted, and the place of each given key among them."""
    if bound > 4 * len(keys) + (1 << 16):
        different, places = np.unique(keys, return_inverse=True)
        return different, places
    present = np.zeros(bound, bool)
    present[keys] = True
    return np.flatnonzero(present), (np.cumsum(present) - 1)[keys]


def sorted_rows(keys: NDArray[np.integer], bound: int) -> Rows:
    """The order that sorts keys (at least 0 and below `bound`) and leaves rows of the same key as they stand.

    By their sixteen bits at a time, the lowest first: numpy sorts numbers of sixteen bits by counting them, which is
    three to six times as fast as comparing larger ones.
    """
    order = np.argsort(keys.astype(np.uint16), kind="stable")
    for shift in range(16, int(bound).bit_length(), 16):
        digits = (keys >> shift).astype(np.uint16)
        order = order[np.argsort(digits[order], kind="stable")]
    return order


def parts(codes: NDArray[np.integer], values: NDArray[Value], size: int) -> list[NDArray[Value]]:
    """The values of each of `size` codes, in their order."""
    if not size:
        return []
    return np.split(values[sorted_rows(codes, size)], np.cumsum(np.bincount(codes, minlength=size))[:-1])


def numbered(keys: Rows) -> Rows:
    """The place of each key among the different ones; keys that are small numbers are left as they are."""
    largest = int(keys.max(initial=0))
    if largest < DENSE * len(keys):
        return keys
    order = sorted_rows(keys, largest + 1)
    ordered = keys[order]
    codes = np.empty(len(keys), np.int64)
    codes[order] = np.cumsum(np.diff(ordered, prepend=ordered[:1]) != 0)
    return codes


def either_way(pairs: PairRatings) -> tuple[NDArray[np.integer], NDArray[np.integer], Rows]:
    """The two units of each judgement in the order of their numbers, and what it says of them in that order."""
    outcome = pairs.outcome().astype(np.int64)
    low, high = np.minimum(pairs.first, pairs.second), np.maximum(pairs.first, pairs.second)
    return low, high, np.where(pairs.first > pairs.second, -outcome, outcome)


def in_time(scores: ScoreRatings, rows: Rows) -> Rows:
    """These rows by rater, and each rater's in the order they were given: by time, or as in the file.

    A rater with a rating whose time is not known keeps the order of the file, which is then the only one there is.
    """
    rater = scores.rater[rows]
    started = scores.started[rows]
    untimed = np.bincount(rater[np.isnan(started)], minlength=len(scores.raters)) > 0
    started = np.where(untimed[rater], 0.0, started)
    if np.any(started[1:] < started[:-1]):
        rows = rows[np.argsort(started, kind="stable")]
    return rows[sorted_rows(scores.rater[rows], len(scores.raters))]


def first_of(keys: Rows, bound: int) -> tuple[Rows, Rows]:
    """The different keys, sorted, and for each the first row that has it."""
    order = sorted_rows(keys, bound)
    ordered = keys[order]
    new = np.ones(len(keys), bool)
    new[1:] = ordered[1:] != ordered[:-1]
    return ordered[new], order[new]


def ranges(begins: Rows, lengths: Rows) -> tuple[Rows, Rows]:
    """All places of several stretches, and for each the number of its stretch."""
    stretch = np.repeat(np.arange(len(lengths)), lengths)
    place = np.arange(len(stretch)) - np.repeat(np.cumsum(lengths) - lengths - begins, lengths)
    return place, stretch


def value_codes(values: Floats) -> tuple[Floats, Rows]:
    """The different values, sorted, and the place of each given value among them."""
    if len(values) and values.min() >= 0 and values.max() <= 1000 and np.array_equal(values, np.rint(values)):
        whole, codes = compressed(values.astype(np.int64), 1001)
        return whole.astype(np.float64), codes
    different, codes = np.unique(values, return_inverse=True)
    return different, codes
