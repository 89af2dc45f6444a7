"""Segments that post-editors could skip: missed edits at each threshold of a system's uncertainty.

A segment is skipped if its uncertainty is at most the threshold. Missed edits are the edits, as counted for HTER, that
were made in skipped segments. Intervals are computed by resampling whole segments: edits cluster in segments, so
Wilson's interval for a proportion would be too narrow.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from qe_desktop.corpus import Kind, Provenance, RaggedColumn, View
from qe_desktop.corpus.columns import Floats, Ints, segment_sums
from qe_desktop.corpus.file_scores import FILE_SCORES
from qe_desktop.i18n.messages import tr
from qe_desktop.significance import MIN_UNITS, BootstrapWeights, percentile_intervals_ignoring_nan

Better = Literal["higher", "lower"] | None
"""Whether higher or lower segment scores are better. None: higher in bilingual files, otherwise lower (as for HTER)."""


@dataclass(frozen=True, slots=True, eq=False)
class Uncertainty:
    """Uncertainty of segments: `values`, shape (segments,), where higher is more uncertain and NaN is missing.

    `of` describes the values, for example as “share of BAD words”. `sign` is -1 if numbers are displayed with the
    opposite sign of `values`, else 1.
    """

    values: Floats
    of: str
    sign: int = 1

    def select_segments(self, segments: Ints) -> Uncertainty:
        """Return the uncertainty of the segments whose indices are in `segments`."""
        return Uncertainty(self.values[segments], self.of, self.sign)


def system_uncertainties(view: View, better: Better = None) -> dict[str, Uncertainty]:
    """Return the uncertainty of segments according to each system, by system name.

    The uncertainty of a segment is the system's segment score, negated if higher scores are better. For a system
    without segment scores, it is the mean P(BAD) of the words of the segment; without probabilities, the share of words
    that the system tags BAD.
    """
    results: dict[str, Uncertainty] = {}
    corpus = view.corpus
    is_reversed = (better or ("lower" if corpus.job is None else "higher")) == "higher"
    for layer in corpus.find(Provenance.SYSTEM, Kind.SCORES):
        label = tr("scores (higher is better)") if is_reversed else tr("scores (lower is better)")
        results[layer.key.name] = Uncertainty(
            -layer.scores if is_reversed else layer.scores, label, -1 if is_reversed else 1
        )
    for layer in corpus.find(Provenance.SYSTEM, Kind.PROBABILITIES):
        results.setdefault(layer.key.name, Uncertainty(_means(layer.numbers), tr("mean P(BAD) of the words")))
    for key in view.tag_layers(Kind.WORDS):
        if key.provenance is Provenance.SYSTEM and key.name not in results:
            results[key.name] = Uncertainty(_means(view.tags(key)), tr("share of BAD words"))
    return _sort_by_view(view, results)


def _means(column: RaggedColumn[np.float32] | RaggedColumn[np.uint8]) -> Floats:
    """Return the mean of the values of each segment, shape (segments,); 0 for a segment without values."""
    lengths = column.lengths()
    return np.asarray(segment_sums(column.values.astype(np.float64), column.offsets) / np.maximum(1, lengths))


def _sort_by_view(view: View, uncertainties: Mapping[str, Uncertainty]) -> dict[str, Uncertainty]:
    return {name: uncertainties[name] for name in view.corpus.names(Provenance.SYSTEM) if name in uncertainties}


MAX_CURVE_POINTS = 1_000
"""Maximum number of thresholds with bootstrap intervals; the intervals of other thresholds are interpolated."""


@dataclass(frozen=True, slots=True, eq=False)
class SkippingCurve:
    """Curve of missed edits over ascending `thresholds` (t,) of a system's uncertainty.

    `skipped` is the share of skipped segments, `missed` the share of missed edits, and `low` and `high` are the bounds
    of the 95% interval of `missed`; all have shape (t,). `missed` is NaN if there are no edits; the bounds are NaN if
    fewer than `MIN_UNITS` segments have edits. `segments` is the number of segments with an uncertainty, and `edits` is
    the number of edits in these segments.
    """

    name: str
    uncertainty: Uncertainty
    thresholds: Floats
    skipped: Floats
    missed: Floats
    low: Floats
    high: Floats
    segments: int
    edits: float

    @property
    def display_name(self) -> str:
        """Title that the user interface shows for a score from a bilingual file; otherwise, the system's name."""
        score = FILE_SCORES.get(self.name)
        return self.name if score is None else score.title

    def last_index_within(self, share: float) -> int:
        """Return the index of the last threshold up to which `high` is never above `share`; -1 if there is none."""
        beyond_share = np.flatnonzero(~(self.high <= share))
        return (int(beyond_share[0]) if len(beyond_share) else len(self.high)) - 1


def skipping_curve(name: str, uncertainty: Uncertainty, edits: Floats, draws: BootstrapWeights) -> SkippingCurve:
    """Return the curve over all thresholds of a system's uncertainty; segments without uncertainty are excluded."""
    is_finite = np.isfinite(uncertainty.values)
    values, edit_counts = uncertainty.values[is_finite], np.asarray(edits, np.float64)[is_finite]
    order = np.argsort(values, kind="stable")
    values, edit_counts = values[order], edit_counts[order]
    ends = np.flatnonzero(np.append(values[1:] != values[:-1], True)) if len(values) else np.zeros(0, np.int64)
    total = edit_counts.sum()
    missed = np.cumsum(edit_counts)[ends] / total if total else np.full(len(ends), np.nan)
    low, high = _intervals(edit_counts, ends, draws)
    return SkippingCurve(
        name, uncertainty, values[ends], (ends + 1) / max(1, len(values)), missed, low, high, len(values), float(total)
    )


def _intervals(edits: Floats, ends: Ints, draws: BootstrapWeights) -> tuple[Floats, Floats]:
    """Return the lower and upper bounds of 95% bootstrap intervals of the share of missed edits at each threshold."""
    if np.count_nonzero(edits) < MIN_UNITS:
        return np.full(len(ends), np.nan), np.full(len(ends), np.nan)
    tried = np.unique(np.linspace(0, len(ends) - 1, min(MAX_CURVE_POINTS, len(ends))).round().astype(np.int64))
    resampled = np.full((len(tried), draws.rounds), np.nan)
    # edits between successive selected thresholds
    begins = np.append(0, ends[tried][:-1] + 1)
    for first, weights in draws.weight_blocks(len(edits)):
        parts = np.add.reduceat(weights * edits, begins, axis=1)
        totals = parts.sum(axis=1, keepdims=True)
        shares = np.divide(np.cumsum(parts, axis=1), totals, out=np.full(parts.shape, np.nan), where=totals > 0)
        resampled[:, first : first + len(weights)] = shares.T
    intervals = percentile_intervals_ignoring_nan(resampled)
    positions = np.arange(len(ends))
    return np.interp(positions, tried, intervals[:, 0]), np.interp(positions, tried, intervals[:, 1])
