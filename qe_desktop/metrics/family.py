"""Metrics: additive statistics of each segment, and scores as functions of their sums."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from operator import mul
from typing import Any, Generic, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.columns import Floats
from qe_desktop.i18n.messages import join_localized, tr

Input = TypeVar("Input")
"""Input of a family: a system's output or scores for all segments, paired with the reference if there is one."""


@dataclass(frozen=True, slots=True)
class Family(Generic[Input]):
    """Metrics that share statistics.

    Parameters
    ----------
    name
        Unique name.
    columns
        Names of the statistics.
    shared
        Indices of the columns that depend only on the reference. Their values are the same for all systems, so
        permuting systems does not change their sums.
    rows
        Function that returns the statistics of one system against the reference, shape (segments, columns).
    has_independent_rows
        Whether each row depends on its own segment only. If false, sums of rows still give scores, but rows cannot be
        permuted or resampled.
    has_missing_rows
        Whether a row of zeros means that the system has no output or score for the segment, for example because the
        segment is unrated. Two systems are then tested on the segments that are available for both.
    needs_all_segments
        Whether rows use statistics of all reference segments and therefore cannot be computed for one segment alone.
    """

    name: str
    columns: tuple[str, ...]
    shared: tuple[int, ...]
    rows: Callable[[Input], Floats]
    has_independent_rows: bool = True
    has_missing_rows: bool = False
    needs_all_segments: bool = False

    @property
    def system_columns(self) -> tuple[int, ...]:
        """Indices of the columns that differ between systems."""
        return tuple(column for column in range(len(self.columns)) if column not in self.shared)


@dataclass(frozen=True, slots=True)
class ScoreTerm:
    """Factor of a score: `parts` of a family's summed columns, combined by `function`; arrays may have any shape.

    Parameters
    ----------
    parts
        Function that takes one value per column and returns a tuple. Each part either is affine in the columns that
        are not shared, or depends on shared columns only. Therefore, a permutation test evaluates the parts only once
        per system, and adds them to score an output that mixes segments of two systems.
    function
        Function that takes the parts, which it must not modify, and `out`, an optional buffer for the result.
    """

    parts: Callable[..., tuple[Any, ...]]
    function: Callable[..., Any]

    def evaluate(self, *columns: Any) -> Any:
        """Return the value of the term for summed columns, one argument per column of the family."""
        return self.function(*self.parts(*columns), out=None)


@dataclass(frozen=True, slots=True)
class Metric:
    """Score of a system: the product of terms, each a function of the summed columns of a family.

    Parameters
    ----------
    name
        Name, unique among the metrics of one level (words, sentences or translations).
    family
        Family whose rows are summed.
    terms
        Factors of the score. Their product is always finite; it is 0 where the score is undefined, as in scikit-learn
        and the WMT scripts.
    low, high
        Range of scores; infinite if not bounded.
    rewards, source, caution
        Localized descriptions: what the metric rewards, where it is defined, and its pitfalls.
    undefined
        Function of the summed columns that is True where the score is undefined; None if the score is always defined.
    reason
        Localized explanation of undefined scores.
    better
        1 if higher is better, −1 if lower is better.
    usual_max
        Value that scores can exceed but normally do not.
    signature
        Settings needed to reproduce scores, such as the tokenizer.
    undefined_is_zero
        Whether an undefined score counts as 0 in tests. If false, pairs of systems with an undefined score are not
        tested.
    """

    name: str
    family: Family[Any]
    terms: tuple[ScoreTerm, ...]
    low: float
    high: float
    rewards: str
    source: str
    undefined: Callable[..., Any] | None = None
    reason: str = ""
    caution: str = ""
    better: Literal[1, -1] = 1
    usual_max: float = np.inf
    signature: str = ""
    undefined_is_zero: bool = True

    def score(self, totals: NDArray[Any]) -> Floats:
        """Return the scores of systems from the sums of their rows.

        Parameters
        ----------
        totals
            Sums of the rows of the family, shape (…, columns).

        Returns
        -------
        ndarray
            Scores from `low` to `high`, shape (…); NaN if undefined.
        """
        scores = self.finite_scores(totals)
        if self.undefined is None:
            return scores
        return np.where(self.undefined(*_columns(totals)), np.nan, scores)

    def finite_scores(self, totals: NDArray[Any]) -> Floats:
        """Return the scores of systems for tests and resampling; undefined scores are 0.

        Parameters
        ----------
        totals
            Sums of the rows of the family, shape (…, columns).

        Returns
        -------
        ndarray
            Finite scores, shape (…). As in `score`, their sign is not reversed if lower is better.
        """
        columns = _columns(totals)
        return np.asarray(reduce(mul, (term.evaluate(*columns) for term in self.terms)), np.float64)

    def sort_keys(self, scores: NDArray[Any]) -> Floats:
        """Return sort keys of scores; a higher key is better, even if lower scores are better.

        Parameters
        ----------
        scores
            Scores of any shape; NaN if undefined.

        Returns
        -------
        ndarray
            Sort keys, of the shape of `scores`. If higher scores are better and `undefined_is_zero` is true, the key of
            an undefined score is 0, as in the WMT scripts. Otherwise, it is −∞.
        """
        if self.better > 0 and self.undefined_is_zero:
            return np.asarray(np.nan_to_num(scores))
        return np.asarray(np.where(np.isnan(scores), -np.inf, self.better * scores))

    def help(self, *, signed: bool = True) -> str:
        """Return a localized description of the metric: what it rewards, range, pitfalls and source.

        Parameters
        ----------
        signed
            Whether to include the signature.

        Returns
        -------
        str
            Sentences, separated by spaces.
        """
        bounded = tr("Range: {low:g} to {high:g}.", low=self.low, high=self.high)
        above = tr("Range: from {low:g}, no upper bound.", low=self.low)
        extent = bounded if np.isfinite(self.high) else above if np.isfinite(self.low) else tr("Range: any number.")
        direction_note = "" if self.better > 0 else tr("Lower is better.")
        source = tr("Source: {source}.", source=self.source)
        signature_note = tr("Signature: {signature}", signature=self.signature) if signed and self.signature else ""
        parts = [self.rewards, extent, direction_note, self.caution, self.reason, source, signature_note]
        return join_localized(" ", [part for part in parts if part])


def _columns(totals: NDArray[Any]) -> Floats:
    return np.moveaxis(np.asarray(totals, np.float64), -1, 0)


def is_zero_denominator(parts: Callable[..., tuple[Any, ...]]) -> Callable[..., Any]:
    """Return a function that tests whether a ratio is undefined.

    Parameters
    ----------
    parts
        Function of the summed columns that returns parts, the last of which is the denominator.

    Returns
    -------
    callable
        Function of the summed columns that is True where the denominator is 0.
    """
    return lambda *columns: parts(*columns)[-1] == 0


def ratio(numerator: Any, denominator: Any, out: Floats | None = None) -> Any:
    """Return `numerator / denominator`, and 0 where `denominator` is 0.

    Parameters
    ----------
    numerator
        Numerator; must be 0 where `denominator` is 0.
    denominator
        Denominator, never negative.
    out
        Buffer for the result; None for a new array.

    Returns
    -------
    ndarray or float
        Quotients, of the broadcast shape of `numerator` and `denominator`.
    """
    # adding a tiny number changes no possible denominator, and is faster than the maximum of both
    return np.divide(numerator, np.add(denominator, 1e-300, out=out), out=out)
