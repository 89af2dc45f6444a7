"""One number a segment beside gold numbers: Pearson's and Spearman's correlation, and errors.

Pearson's r was the main measure of sentence-level QE from WMT16 to 2021 (Graham 2015 argues for it against MAE),
Spearman's is since 2022; MAE and RMSE stand beside them since 2012.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from qe_desktop.i18n.messages import tr
from qe_desktop.metrics.family import Family, Floats, Metric, ScoreTerm, is_zero_denominator, ratio


@dataclass(frozen=True, eq=False)
class GoldNumbers:
    """What the gold gives each segment, shape (segments,), finite; what all systems need of it is counted once."""

    values: Floats

    @cached_property
    def standard(self) -> Floats:
        """In standard deviations from the mean."""
        return standardize(self.values)

    @cached_property
    def standard_ranks(self) -> Floats:
        """The ranks, in standard deviations from their mean."""
        return standardize(average_ranks(self.values))


@dataclass(frozen=True, slots=True, eq=False)
class SystemNumbers:
    """What a system gives each segment, shape (segments,), finite, beside what the gold does."""

    system: Floats
    gold: GoldNumbers


def standardize(values: Floats) -> Floats:
    """Values less their mean, in units of their standard deviation; zeros where all are alike."""
    # a constant as large as the numbers must not leave a trace of rounding in its place
    if len(values) == 0 or values.min() == values.max():
        return np.zeros(len(values))
    # in units of the largest, whose square is then neither beyond all numbers nor nothing
    values = values / np.abs(values).max()
    apart = values - values.mean()
    return np.asarray(apart / np.sqrt(np.mean(apart**2)))


def average_ranks(values: Floats) -> Floats:
    """Ranks from 1, ties with their mean rank."""
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(count) - (count - 1) / 2)[place], np.float64)


def pearson_matrix(columns: Sequence[Floats]) -> Floats:
    """Pearson's r between all pairs of columns of shape (segments,) each: shape (columns, columns), 1 on the diagonal.

    NaN where one of the two is the same for all segments, also with itself.
    """
    count, segments = len(columns), len(columns[0]) if columns else 0
    found = np.zeros((count, count))
    defined = np.asarray([segments > 0 and column.min() < column.max() for column in columns], bool)
    means = [column.mean() if segments else 0.0 for column in columns]
    spreads = [column.std() if one else 1.0 for column, one in zip(columns, defined, strict=True)]
    # piece by piece, so that many long columns are not all copied at once
    for begin in range(0, segments, _PIECE):
        piece = np.stack([column[begin : begin + _PIECE] for column in columns])
        piece = (piece - np.asarray(means)[:, None]) / np.asarray(spreads)[:, None]
        found += piece @ piece.T
    found = np.clip(found / max(1, segments), -1.0, 1.0)
    np.fill_diagonal(found, 1.0)
    return np.where(defined[:, None] & defined[None, :], found, np.nan)


def _correlate(system: Floats, gold: Floats) -> Floats:
    ones = np.ones(len(gold))
    return np.stack([ones, gold, gold**2, system, system**2, system * gold], axis=-1)


def pearson_rows(numbers: SystemNumbers) -> Floats:
    """Standardised gold and scores with their squares and products, shape (segments, 6).

    r is the same whatever the scale of a system; standardised, two systems with scales of their own can be swapped
    (as mt-metrics-eval does), and sums of large numbers lose no digits.
    """
    return _correlate(standardize(numbers.system), numbers.gold.standard)


def spearman_rows(numbers: SystemNumbers) -> Floats:
    """The same of ranks, shape (segments, 6): each system's own, so a test swaps ranks."""
    return _correlate(standardize(average_ranks(numbers.system)), numbers.gold.standard_ranks)


def error_rows(numbers: SystemNumbers) -> Floats:
    """How far off each score is, and its square, shape (segments, 3)."""
    off = np.abs(numbers.system - numbers.gold.values)
    return np.stack([np.ones(len(off)), off, off**2], axis=-1)


_COLUMNS = ("segments", "gold", "gold squared", "score", "score squared", "product")
PEARSON: Family[SystemNumbers] = Family("pearson", _COLUMNS, shared=(0, 1, 2), rows=pearson_rows)
SPEARMAN: Family[SystemNumbers] = Family("spearman", _COLUMNS, shared=(0, 1, 2), rows=spearman_rows)
ERRORS: Family[SystemNumbers] = Family("errors", ("segments", "absolute", "squared"), shared=(0,), rows=error_rows)
CORRELATIONS = (PEARSON.name, SPEARMAN.name)
"""Families whose score is a correlation with the gold, with the standardised scores in column `SCORE`."""
SCORE = 3


_ROUNDING = 1e-12
_PIECE = 1 << 16


def _parts(segments: Any, gold: Any, gold2: Any, score: Any, score2: Any, product: Any) -> tuple[Any, ...]:
    return score, score2, product, segments, gold, gold2


def _spreads(score: Any, score2: Any, product: Any, segments: Any, gold: Any, gold2: Any) -> tuple[Any, Any]:
    """The squared deviations of scores and gold, each times the number of segments; 0 for what is rounding alone."""
    ours, theirs = segments * score2 - score * score, segments * gold2 - gold * gold
    return (
        np.where(ours > _ROUNDING * segments * score2, ours, 0.0),
        np.where(theirs > _ROUNDING * segments * gold2, theirs, 0.0),
    )


def _correlation(
    score: Any, score2: Any, product: Any, segments: Any, gold: Any, gold2: Any, out: Floats | None = None
) -> Any:
    ours, theirs = _spreads(score, score2, product, segments, gold, gold2)
    return np.clip(ratio(segments * product - score * gold, np.sqrt(ours * theirs), out), -1.0, 1.0, out=out)


def _constant(*columns: Any) -> Any:
    """Where scores or gold are all alike."""
    ours, theirs = _spreads(*_parts(*columns))
    return ours * theirs == 0


def _absolute(segments: Any, absolute: Any, squared: Any) -> tuple[Any, Any]:
    return absolute, segments


def _squared(segments: Any, absolute: Any, squared: Any) -> tuple[Any, Any]:
    return squared, segments


def _root(part: Any, whole: Any, out: Floats | None = None) -> Any:
    return np.sqrt(ratio(part, whole, out), out=out)


CONSTANT_SCORES_NOTE = tr("Undefined where scores, or the gold, are the same for all segments.")
_NONE = tr("Undefined without segments.")
METRICS = (
    Metric(
        "Pearson",
        PEARSON,
        (ScoreTerm(_parts, _correlation),),
        -1,
        1,
        tr("Rewards scores that rise and fall with the gold in proportion, on whatever scale."),
        tr("Pearson; Graham 2015, section 3"),
        undefined=_constant,
        reason=CONSTANT_SCORES_NOTE,
        undefined_is_zero=False,
        caution=tr("A few segments far from all others can decide it."),
    ),
    Metric(
        "Spearman",
        SPEARMAN,
        (ScoreTerm(_parts, _correlation),),
        -1,
        1,
        tr("Rewards scores that put segments in the order of the gold."),
        tr("Spearman, ties with their mean rank; the main measure of WMT22 and later"),
        undefined=_constant,
        reason=CONSTANT_SCORES_NOTE,
        undefined_is_zero=False,
    ),
    Metric(
        "MAE",
        ERRORS,
        (ScoreTerm(_absolute, ratio),),
        0,
        np.inf,
        tr("The mean distance from the gold."),
        tr("WMT12 and later"),
        better=-1,
        undefined=is_zero_denominator(_absolute),
        reason=_NONE,
        caution=tr(
            "Scores drawn together around the gold's mean win it, whatever they say of single segments "
            "(Graham 2015, section 2)."
        ),
    ),
    Metric(
        "RMSE",
        ERRORS,
        (ScoreTerm(_squared, _root),),
        0,
        np.inf,
        tr("The root of the mean squared distance from the gold."),
        tr("WMT12 and later"),
        better=-1,
        undefined=is_zero_denominator(_squared),
        reason=_NONE,
        caution=tr("Scores drawn together around the gold's mean win it, as with MAE."),
    ),
)
