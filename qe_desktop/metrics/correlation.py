"""Metrics that compare segment scores with gold scores: Pearson's and Spearman's correlation, MAE and RMSE.

Pearson's r was the primary measure of sentence-level QE from 2016 to 2021 (Graham 2015 argues for it over MAE).
Spearman's correlation has been primary since 2022. MAE and RMSE have been reported since 2012.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from qe_desktop.corpus.columns import Floats
from qe_desktop.i18n.messages import tr
from qe_desktop.metrics.family import Family, Metric, ScoreTerm, is_zero_denominator, ratio


@dataclass(frozen=True, eq=False)
class GoldNumbers:
    """Finite gold score of each segment, shape (segments,); derived values are computed once for all systems."""

    values: Floats

    @cached_property
    def standard_scores(self) -> Floats:
        """Standardized scores, shape (segments,)."""
        return standardize(self.values)

    @cached_property
    def standard_ranks(self) -> Floats:
        """Standardized ranks, shape (segments,)."""
        return standardize(average_ranks(self.values))


@dataclass(frozen=True, slots=True, eq=False)
class SystemNumbers:
    """Finite system score of each segment, shape (segments,), and the gold scores of the same segments."""

    system: Floats
    gold: GoldNumbers


def standardize(values: Floats) -> Floats:
    """Scale values to mean 0 and standard deviation 1.

    Parameters
    ----------
    values
        Finite values, shape (segments,).

    Returns
    -------
    ndarray
        Standardized values (population standard deviation, divisor n), shape (segments,); zeros if all values are
        equal.
    """
    # a large constant must not leave rounding errors instead of 0
    if len(values) == 0 or values.min() == values.max():
        return np.zeros(len(values))
    # scaled by the largest value, so that squares neither overflow nor underflow
    values = values / np.abs(values).max()
    deviations = values - values.mean()
    return np.asarray(deviations / np.sqrt(np.mean(deviations**2)))


def average_ranks(values: Floats) -> Floats:
    """Return the ranks of values; tied values have the mean of their ranks.

    Parameters
    ----------
    values
        Finite values, shape (segments,).

    Returns
    -------
    ndarray
        1-based ranks, the lowest value first, shape (segments,).
    """
    _, inverse, count = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(count) - (count - 1) / 2)[inverse], np.float64)


def pearson_matrix(columns: Sequence[Floats]) -> Floats:
    """Return Pearson's r between all pairs of columns.

    Parameters
    ----------
    columns
        Finite values, shape (segments,) each.

    Returns
    -------
    ndarray
        Symmetric matrix of correlations, −1 to 1, shape (columns, columns), with 1 on the diagonal. Entries for a
        constant or empty column are NaN, even on the diagonal.
    """
    count, segments = len(columns), len(columns[0]) if columns else 0
    matrix = np.zeros((count, count))
    defined = np.asarray([segments > 0 and column.min() < column.max() for column in columns], bool)
    means = [column.mean() if segments else 0.0 for column in columns]
    spreads = [column.std() if is_defined else 1.0 for column, is_defined in zip(columns, defined, strict=True)]
    # in blocks, to avoid copying many long columns at once
    for begin in range(0, segments, _SEGMENTS_PER_BLOCK):
        block = np.stack([column[begin : begin + _SEGMENTS_PER_BLOCK] for column in columns])
        block = (block - np.asarray(means)[:, None]) / np.asarray(spreads)[:, None]
        matrix += block @ block.T
    matrix = np.clip(matrix / max(1, segments), -1.0, 1.0)
    np.fill_diagonal(matrix, 1.0)
    return np.where(defined[:, None] & defined[None, :], matrix, np.nan)


def _correlate(system: Floats, gold: Floats) -> Floats:
    ones = np.ones(len(gold))
    return np.stack([ones, gold, gold**2, system, system**2, system * gold], axis=-1)


def pearson_rows(numbers: SystemNumbers) -> Floats:
    """Return the rows of Pearson's r.

    Parameters
    ----------
    numbers
        Scores of a system, paired with the gold.

    Returns
    -------
    ndarray
        1, g, g², s, s² and g · s for the standardized gold g and score s of each segment, shape (segments, 6).

    Notes
    -----
    r = (n Σgs − Σg Σs) / √((n Σg² − (Σg)²) (n Σs² − (Σs)²)). r does not depend on the scale of a system's scores.
    Scores are standardized, so that the scores of systems with different scales can be swapped (as in mt-metrics-eval),
    and so that sums do not lose precision if the original scores are large.
    """
    return _correlate(standardize(numbers.system), numbers.gold.standard_scores)


def spearman_rows(numbers: SystemNumbers) -> Floats:
    """Return the rows of Spearman's ρ, which are the rows of Pearson's r computed from ranks.

    Parameters
    ----------
    numbers
        Scores of a system, paired with the gold.

    Returns
    -------
    ndarray
        Columns of `pearson_rows`, where g and s are the standardized ranks of the gold and system scores of each
        segment, shape (segments, 6). Tied scores have the mean of their ranks.
    """
    return _correlate(standardize(average_ranks(numbers.system)), numbers.gold.standard_ranks)


def error_rows(numbers: SystemNumbers) -> Floats:
    """Return the rows of MAE and RMSE.

    Parameters
    ----------
    numbers
        Scores of a system, paired with the gold.

    Returns
    -------
    ndarray
        1, and the absolute and the squared difference between score and gold for each segment, shape (segments, 3).
    """
    absolute_errors = np.abs(numbers.system - numbers.gold.values)
    return np.stack([np.ones(len(absolute_errors)), absolute_errors, absolute_errors**2], axis=-1)


_COLUMNS = ("segments", "gold", "gold squared", "score", "score squared", "product")
PEARSON: Family[SystemNumbers] = Family("pearson", _COLUMNS, shared=(0, 1, 2), rows=pearson_rows)
SPEARMAN: Family[SystemNumbers] = Family("spearman", _COLUMNS, shared=(0, 1, 2), rows=spearman_rows)
ERRORS: Family[SystemNumbers] = Family("errors", ("segments", "absolute", "squared"), shared=(0,), rows=error_rows)
CORRELATIONS = (PEARSON.name, SPEARMAN.name)
"""Names of correlation families; column `SCORE_COLUMN` of their rows has standardized system scores or ranks."""
SCORE_COLUMN = 3


_ROUNDING = 1e-12
_SEGMENTS_PER_BLOCK = 1 << 16


def _parts(segments: Any, gold: Any, gold2: Any, score: Any, score2: Any, product: Any) -> tuple[Any, ...]:
    return score, score2, product, segments, gold, gold2


def _spreads(score: Any, score2: Any, product: Any, segments: Any, gold: Any, gold2: Any) -> tuple[Any, Any]:
    """Return the sums of squared deviations of scores and of gold, each multiplied by the number of segments.

    A result small enough to be a rounding error is replaced by 0.
    """
    score_spread, gold_spread = segments * score2 - score * score, segments * gold2 - gold * gold
    return (
        np.where(score_spread > _ROUNDING * segments * score2, score_spread, 0.0),
        np.where(gold_spread > _ROUNDING * segments * gold2, gold_spread, 0.0),
    )


def _correlation(
    score: Any, score2: Any, product: Any, segments: Any, gold: Any, gold2: Any, out: Floats | None = None
) -> Any:
    score_spread, gold_spread = _spreads(score, score2, product, segments, gold, gold2)
    spread = np.sqrt(score_spread * gold_spread)
    # without a spread, the numerator is a rounding error instead of 0
    numerator = np.where(spread == 0, 0.0, segments * product - score * gold)
    return np.clip(ratio(numerator, spread, out), -1.0, 1.0, out=out)


def _is_constant(*columns: Any) -> Any:
    """Return an array that is True where scores or gold are constant."""
    score_spread, gold_spread = _spreads(*_parts(*columns))
    return score_spread * gold_spread == 0


def _absolute_parts(segments: Any, absolute: Any, squared: Any) -> tuple[Any, Any]:
    return absolute, segments


def _squared_parts(segments: Any, absolute: Any, squared: Any) -> tuple[Any, Any]:
    return squared, segments


def _root(numerator: Any, denominator: Any, out: Floats | None = None) -> Any:
    return np.sqrt(ratio(numerator, denominator, out), out=out)


CONSTANT_SCORES_NOTE = tr("Undefined if scores or gold are constant.")
_NO_SCORES_NOTE = tr("Undefined if no segment is scored.")
METRICS = (
    Metric(
        "Pearson",
        PEARSON,
        (ScoreTerm(_parts, _correlation),),
        -1,
        1,
        tr("Rewards scores that are linearly related to the gold, on any scale."),
        tr("Pearson; Graham 2015, section 3"),
        undefined=_is_constant,
        reason=CONSTANT_SCORES_NOTE,
        undefined_is_zero=False,
        caution=tr("Sensitive to outliers: a few extreme segments can dominate the score."),
    ),
    Metric(
        "Spearman",
        SPEARMAN,
        (ScoreTerm(_parts, _correlation),),
        -1,
        1,
        tr("Rewards scores that rank segments as the gold does."),
        tr("Spearman, with mean ranks for ties; the primary measure of WMT22 and later"),
        undefined=_is_constant,
        reason=CONSTANT_SCORES_NOTE,
        undefined_is_zero=False,
    ),
    Metric(
        "MAE",
        ERRORS,
        (ScoreTerm(_absolute_parts, ratio),),
        0,
        np.inf,
        tr("Mean absolute difference from the gold."),
        tr("WMT12 and later"),
        better=-1,
        undefined=is_zero_denominator(_absolute_parts),
        reason=_NO_SCORES_NOTE,
        caution=tr(
            "Favours scores close to the mean of the gold, even if they are uninformative for single "
            "segments (Graham 2015, section 2)."
        ),
    ),
    Metric(
        "RMSE",
        ERRORS,
        (ScoreTerm(_squared_parts, _root),),
        0,
        np.inf,
        tr("Square root of the mean squared difference from the gold."),
        tr("WMT12 and later"),
        better=-1,
        undefined=is_zero_denominator(_squared_parts),
        reason=_NO_SCORES_NOTE,
        caution=tr("Favours scores close to the mean of the gold, as MAE does."),
    ),
)
