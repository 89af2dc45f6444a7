"""Which segments may be skipped: at each threshold on a system's doubt, what share of the edits would have been missed.

A segment is skipped where it is doubted no more than the threshold says. What slips through are the edits that were
made in it, by the kinds of HTER, over all edits. Its intervals are drawn over whole segments: edits stand together in
segments, and an interval of a share of edits (Wilson's) would take each for one of its own and be too narrow.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Kind, Provenance, RaggedColumn, View
from qe_desktop.corpus.columns import segment_sums
from qe_desktop.i18n.messages import tr
from qe_desktop.metrics.family import Floats
from qe_desktop.significance import MIN_UNITS, BootstrapWeights, percentile_intervals_ignoring_nan

Better = Literal["higher", "lower"] | None
"""Which scores of segments are better; None: those of translators' files higher, all others lower, as HTER is."""


@dataclass(frozen=True, slots=True, eq=False)
class Uncertainty:
    """Numbers of shape (segments,), more being more doubtful, NaN where nothing was said; `of` says what they are.

    `sign` is -1 where what is shown to people is the number with its sign turned.
    """

    values: Floats
    of: str
    sign: int = 1

    def taken(self, segments: NDArray[np.int64]) -> Uncertainty:
        """Those of some segments."""
        return Uncertainty(self.values[segments], self.of, self.sign)


def system_uncertainties(view: View, better: Better = None) -> dict[str, Uncertainty]:
    """The doubts of each system: its scores of segments; without any, the mean P(BAD) of the words of a segment; and
    without that, the share of them that are BAD.
    """
    found: dict[str, Uncertainty] = {}
    corpus = view.corpus
    turned = (better or ("lower" if corpus.job is None else "higher")) == "higher"
    for layer in corpus.find(Provenance.SYSTEM, Kind.SCORES):
        said = tr("scores, higher being better") if turned else tr("scores, lower being better")
        found[layer.key.name] = Uncertainty(-layer.scores if turned else layer.scores, said, -1 if turned else 1)
    for layer in corpus.find(Provenance.SYSTEM, Kind.PROBABILITIES):
        found.setdefault(layer.key.name, Uncertainty(_means(layer.numbers), tr("mean P(BAD) of the words")))
    for key in view.tracks(Kind.WORDS):
        if key.provenance is Provenance.SYSTEM and key.name not in found:
            found[key.name] = Uncertainty(_means(view.tags(key)), tr("share of BAD words"))
    return _in_order(view, found)


def _means(column: RaggedColumn[np.float32] | RaggedColumn[np.uint8]) -> Floats:
    """The mean of each segment's values; 0 where it has none."""
    lengths = column.lengths()
    return np.asarray(segment_sums(column.values.astype(np.float64), column.offsets) / np.maximum(1, lengths))


def _in_order(view: View, found: Mapping[str, Uncertainty]) -> dict[str, Uncertainty]:
    return {name: found[name] for name in view.corpus.names(Provenance.SYSTEM) if name in found}


MAX_CURVE_POINTS = 1_000
"""Thresholds at which intervals are drawn; of more, so many, evenly chosen, and the others lie between them."""


@dataclass(frozen=True, slots=True, eq=False)
class SkippingCurve:
    """A system at every threshold, ascending: `thresholds` (t,) of its doubt, the share of segments `skipped` there,
    the share of edits let `through`, and its interval `low` to `high`, all of shape (t,); NaN without any edit.

    `segments` is how many it says something of, and `edits` are made in these.
    """

    name: str
    doubt: Uncertainty
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


def skipping_curve(name: str, doubt: Uncertainty, edits: Floats, draws: BootstrapWeights) -> SkippingCurve:
    """Every threshold on a system's doubt; segments of which it says nothing are no part of it."""
    known = np.isfinite(doubt.values)
    values, made = doubt.values[known], np.asarray(edits, np.float64)[known]
    order = np.argsort(values, kind="stable")
    values, made = values[order], made[order]
    ends = np.flatnonzero(np.append(values[1:] != values[:-1], True)) if len(values) else np.zeros(0, np.int64)
    total = made.sum()
    through = np.cumsum(made)[ends] / total if total else np.full(len(ends), np.nan)
    low, high = _intervals(made, ends, draws)
    return SkippingCurve(
        name, doubt, values[ends], (ends + 1) / max(1, len(values)), through, low, high, len(values), float(total)
    )


def _intervals(made: Floats, ends: NDArray[np.int64], draws: BootstrapWeights) -> tuple[Floats, Floats]:
    """95 % of what slips through at each threshold, on segments drawn with replacement, in ascending order."""
    if np.count_nonzero(made) < MIN_UNITS:
        return np.full(len(ends), np.nan), np.full(len(ends), np.nan)
    tried = np.unique(np.linspace(0, len(ends) - 1, min(MAX_CURVE_POINTS, len(ends))).round().astype(np.int64))
    drawn = np.full((len(tried), draws.rounds), np.nan)
    # the edits between one threshold that is tried and the next
    begins = np.append(0, ends[tried][:-1] + 1)
    for first, weights in draws.of(len(made)):
        parts = np.add.reduceat(weights * made, begins, axis=1)
        totals = parts.sum(axis=1, keepdims=True)
        shares = np.divide(np.cumsum(parts, axis=1), totals, out=np.full(parts.shape, np.nan), where=totals > 0)
        drawn[:, first : first + len(weights)] = shares.T
    found = percentile_intervals_ignoring_nan(drawn)
    places = np.arange(len(ends))
    return np.interp(places, tried, found[:, 0]), np.interp(places, tried, found[:, 1])
