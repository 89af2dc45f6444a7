"""Which segments may be skipped: at each threshold on a system's doubt, what share of the edits would have been missed.

A segment is skipped where it is doubted no more than the threshold says. What slips through are the edits that were
made in it, by the kinds of HTER, over all edits. Its intervals are drawn over whole segments: edits stand together in
segments, and an interval of a share of edits (Wilson's) would take each for one of its own and be too narrow.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qe_desktop.metrics.family import Floats
from qe_desktop.significance import LEAST_UNITS, Draws, known_intervals
from qe_desktop.studies.post_editing.doubts import Doubt

MOST = 1_000
"""Thresholds at which intervals are drawn; of more, so many, evenly chosen, and the others lie between them."""


@dataclass(frozen=True, slots=True, eq=False)
class Skipping:
    """A system at every threshold, ascending: `thresholds` (t,) of its doubt, the share of segments `skipped` there,
    the share of edits let `through`, and its interval `low` to `high`, all of shape (t,); NaN without any edit.

    `segments` is how many it says something of, and `edits` are made in these.
    """

    name: str
    doubt: Doubt
    thresholds: Floats
    skipped: Floats
    through: Floats
    low: Floats
    high: Floats
    segments: int
    edits: float

    def most_within(self, share: float) -> int:
        """The last place up to which no more than this share slips through, by the upper end of the interval; -1 where
        there is none.
        """
        within = np.flatnonzero(~(self.high <= share))
        return (int(within[0]) if len(within) else len(self.high)) - 1


def skipping_by(name: str, doubt: Doubt, edits: Floats, draws: Draws) -> Skipping:
    """Every threshold on a system's doubt; segments of which it says nothing are no part of it."""
    known = np.isfinite(doubt.values)
    values, made = doubt.values[known], np.asarray(edits, np.float64)[known]
    order = np.argsort(values, kind="stable")
    values, made = values[order], made[order]
    ends = np.flatnonzero(np.append(values[1:] != values[:-1], True)) if len(values) else np.zeros(0, np.int64)
    total = made.sum()
    through = np.cumsum(made)[ends] / total if total else np.full(len(ends), np.nan)
    low, high = _intervals(made, ends, draws)
    return Skipping(
        name, doubt, values[ends], (ends + 1) / max(1, len(values)), through, low, high, len(values), float(total)
    )


def _intervals(made: Floats, ends: NDArray[np.int64], draws: Draws) -> tuple[Floats, Floats]:
    """95 % of what slips through at each threshold, on segments drawn with replacement, in ascending order."""
    if np.count_nonzero(made) < LEAST_UNITS:
        return np.full(len(ends), np.nan), np.full(len(ends), np.nan)
    tried = np.unique(np.linspace(0, len(ends) - 1, min(MOST, len(ends))).round().astype(np.int64))
    drawn = np.full((len(tried), draws.rounds), np.nan)
    # the edits between one threshold that is tried and the next
    begins = np.append(0, ends[tried][:-1] + 1)
    for first, weights in draws.of(len(made)):
        parts = np.add.reduceat(weights * made, begins, axis=1)
        totals = parts.sum(axis=1, keepdims=True)
        shares = np.divide(np.cumsum(parts, axis=1), totals, out=np.full(parts.shape, np.nan), where=totals > 0)
        drawn[:, first : first + len(weights)] = shares.T
    found = known_intervals(drawn)
    places = np.arange(len(ends))
    return np.interp(places, tried, found[:, 0]), np.interp(places, tried, found[:, 1])
