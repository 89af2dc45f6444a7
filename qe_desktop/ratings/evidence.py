"""On how much an order of systems rests: raters and segments, and in words where that is little.

Significance tests speak of other segments like these, rated by the same raters. With one rater nothing tells how far
another would agree; measured between raters, kappa on outputs of good systems is often below .2 (Läubli et al. 2020).
Card et al. (2020) find that human ratings of 100 items, as most studies have them, miss small differences between
systems more often than not, and that those found with few items are exaggerated.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import PairRatings, ScoreRatings
from qe_desktop.ratings.aggregation.units import COUNTED
from qe_desktop.wording import side_by_side, tr

FEW_SEGMENTS = 100
"""Segments below which is said how few they are."""
FEW_RATERS = 2
"""Raters below which is said that nobody else was asked."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """How many `raters` an order rests on (None where ratings do not name them), and how many `segments`: of the
    system with the fewest.
    """

    raters: int | None
    segments: int

    @property
    def little(self) -> str:
        """In words how little it is, and what that means; empty where it is not."""
        alone = self.raters is not None and self.raters < FEW_RATERS
        few = self.segments < FEW_SEGMENTS
        if not alone and not few:
            return ""
        sentences = [self._counts()]
        if alone:
            sentences.append(tr("Nothing tells how far another rater would agree."))
        if few:
            sentences.append(
                tr(
                    "With fewer than {n} segments small differences are easily missed, and those that are found come "
                    "out too large (Card et al. 2020).",
                    "",
                    FEW_SEGMENTS,
                )
            )
        return side_by_side(" ", sentences)

    def _counts(self) -> str:
        if self.raters is None:
            return tr("This rests on {n:,} {n:segment|segments} a system.", "", self.segments)
        if self.raters < FEW_RATERS:
            return tr("This rests on one rater and {n:,} {n:segment|segments} a system.", "", self.segments)
        return tr(
            "This rests on {raters:,} {raters:rater|raters} and {n:,} {n:segment|segments} a system.",
            "",
            self.segments,
            raters=self.raters,
        )


def raters_of(ratings: ScoreRatings | PairRatings) -> int | None:
    """How many raters gave ratings that count; None where none is named."""
    return _different(ratings, ratings.rater) or None


def segments_judged(pairs: PairRatings) -> int:
    """How many segments there are judgements of that count."""
    return _different(pairs, pairs.segment)


def _different(ratings: ScoreRatings | PairRatings, column: NDArray[np.integer]) -> int:
    return len(np.unique(column[np.isin(ratings.role, COUNTED)]))
