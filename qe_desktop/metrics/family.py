"""What a metric is: a row of additive statistics for each segment, and terms of their sums."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from operator import mul
from typing import Any, Generic, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from qe_desktop.i18n.messages import join_localized, tr

Floats = NDArray[np.float64]
Input = TypeVar("Input")
"""What a family counts: a system beside what it is scored against, for all segments at once."""


@dataclass(frozen=True, slots=True)
class Family(Generic[Input]):
    """Metrics that share statistics.

    `rows` gives (segments, columns) for one system against the reference. The columns numbered in `shared` depend on
    the reference alone, so they are the same for all systems and no swap of systems changes their sum. Rows that are
    not `separate` hold how a segment stands to all others: they add up to scores, but segments that were swapped or
    drawn would have other rows. Rows that are `partial` are 0 throughout in a segment in which a system has nothing,
    such as an output that nobody rated: two systems are then tested on segments in which both have something. Rows that
    are `weighted` by what all segments of the reference hold cannot be counted of one segment alone.
    """

    name: str
    columns: tuple[str, ...]
    shared: tuple[int, ...]
    rows: Callable[[Input], Floats]
    separate: bool = True
    partial: bool = False
    weighted: bool = False

    @property
    def own(self) -> tuple[int, ...]:
        """The columns that differ between systems."""
        return tuple(column for column in range(len(self.columns)) if column not in self.shared)


@dataclass(frozen=True, slots=True)
class ScoreTerm:
    """A factor of a score: `function` of the `parts` of a family's summed columns, on arrays of any shape.

    `parts` takes one value a column and gives a tuple, each of which is linear in the family's own columns: sums of
    them, or of them times what is shared. So a part of what two systems give together is the sum of what each gives,
    and a test that swaps outputs evaluates parts once a system and only `function` once a pair of them. A part may
    depend on what is shared alone, and is then the same for all systems.

    `function` takes the parts, which it leaves as they are, and `out`, where it may write its result to save memory.
    """

    parts: Callable[..., tuple[Any, ...]]
    function: Callable[..., Any]

    def of(self, *columns: Any) -> Any:
        """The term of summed columns."""
        return self.function(*self.parts(*columns), out=None)


@dataclass(frozen=True, slots=True)
class Metric:
    """A score of a system: the product of terms, each a function of the summed columns of a family.

    The product is always a finite number; where the score is not defined it is 0, as scikit-learn and the WMT scripts
    have it, and `undefined` tells these places apart, with `reason` in words. `better` is 1 where more is better and
    -1 where less is; `usual` is the value up to which scores lie as a rule, where they may exceed it. `signature` says
    what one must know of the metric itself to get its numbers again, such as a tokeniser. Where an undefined score is
    not even 0 in tests (`undefined_is_zero`), its pairs are not tested.
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
    usual: float = np.inf
    signature: str = ""
    undefined_is_zero: bool = True

    def score(self, totals: NDArray[Any]) -> Floats:
        """Scores of totals of shape (…, columns): shape (…), NaN where undefined."""
        scores = self.comparable(totals)
        if self.undefined is None:
            return scores
        return np.where(self.undefined(*_columns(totals)), np.nan, scores)

    def comparable(self, totals: NDArray[Any]) -> Floats:
        """As `score`, with 0 where undefined: what is ranked and tested."""
        columns = _columns(totals)
        return np.asarray(reduce(mul, (term.of(*columns) for term in self.terms)), np.float64)

    def worth(self, scores: NDArray[Any]) -> Floats:
        """What systems are ordered by, of scores of any shape: more is better, whichever way the metric runs.

        Where a score is undefined it counts as 0 where more is better, as the WMT scripts have it, and as worse than
        any other where less is, or where it is not even 0 in tests.
        """
        if self.better > 0 and self.undefined_is_zero:
            return np.asarray(np.nan_to_num(scores))
        return np.asarray(np.where(np.isnan(scores), -np.inf, self.better * scores))

    def help(self, *, signed: bool = True) -> str:
        """What the metric rewards, its range, its traps and its source, for people; and its signature where `signed`,
        for numbers that were made so.
        """
        bounded = tr("Range: {low:g} to {high:g}.", low=self.low, high=self.high)
        above = tr("Range: {low:g} to no upper bound.", low=self.low)
        extent = bounded if np.isfinite(self.high) else above if np.isfinite(self.low) else tr("Range: any number.")
        less = "" if self.better > 0 else tr("Less is better.")
        source = tr("Source: {source}.", source=self.source)
        made = tr("Signature: {signature}", signature=self.signature) if signed and self.signature else ""
        parts = [self.rewards, extent, less, self.caution, self.reason, source, made]
        return join_localized(" ", [part for part in parts if part])


def _columns(totals: NDArray[Any]) -> Floats:
    return np.moveaxis(np.asarray(totals, np.float64), -1, 0)


def is_zero_denominator(parts: Callable[..., tuple[Any, ...]]) -> Callable[..., Any]:
    """Where a ratio of these parts has no whole, and so is undefined."""
    return lambda *columns: parts(*columns)[-1] == 0


def ratio(part: Any, whole: Any, out: Floats | None = None) -> Any:
    """`part / whole`, and 0 where the whole is 0 (then the part is 0 as well); a whole is never negative."""
    # adding so little changes no whole that a corpus can have, and takes less time than the larger of both
    return np.divide(part, np.add(whole, 1e-300, out=out), out=out)
