"""What a metric is: a row of additive statistics for each segment, and a function of their sum."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qe_desktop.metrics.overlap import Overlap

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Family:
    """Metrics that share statistics.

    `rows` gives (segments, columns) for one system against the gold. The columns numbered in `shared` depend on the
    gold alone, so they are the same for all systems and no swap of systems changes their sum.
    """

    name: str
    columns: tuple[str, ...]
    shared: tuple[int, ...]
    rows: Callable[[Overlap], Floats]

    @property
    def own(self) -> tuple[int, ...]:
        """The columns that differ between systems."""
        return tuple(column for column in range(len(self.columns)) if column not in self.shared)


@dataclass(frozen=True, slots=True)
class Metric:
    """A score of a system: a function of the summed columns of a family, on arrays of any shape.

    `function` takes one array a column and always gives a finite number; where the score is not defined it gives 0, as
    scikit-learn and the WMT scripts do, and `undefined` tells these places apart, with `reason` in words.
    """

    name: str
    family: Family
    function: Callable[..., Any]
    low: float
    high: float
    rewards: str
    source: str
    undefined: Callable[..., Any] | None = None
    reason: str = ""
    caution: str = ""

    def score(self, totals: NDArray[Any]) -> Floats:
        """Scores of totals of shape (…, columns): shape (…), NaN where undefined."""
        columns = np.moveaxis(np.asarray(totals, np.float64), -1, 0)
        scores = np.asarray(self.function(*columns), np.float64)
        if self.undefined is None:
            return scores
        return np.where(self.undefined(*columns), np.nan, scores)

    def comparable(self, totals: NDArray[Any]) -> Floats:
        """As `score`, with 0 where undefined: what is ranked and tested."""
        return np.asarray(self.function(*np.moveaxis(np.asarray(totals, np.float64), -1, 0)), np.float64)

    def help(self) -> str:
        """What the metric rewards, its range, its traps and its source, for people."""
        high = f"{self.high:g}" if np.isfinite(self.high) else "no upper bound"
        parts = [self.rewards, f"Range: {self.low:g} to {high}.", self.caution, self.reason, f"Source: {self.source}."]
        return " ".join(part for part in parts if part)


def ratio(part: Any, whole: Any) -> Any:
    """`part / whole`, and 0 where the whole is 0 (then the part is 0 as well)."""
    return part / np.maximum(whole, 1e-300)
