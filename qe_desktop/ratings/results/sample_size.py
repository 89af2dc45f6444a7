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

from qe_desktop.corpus import CAMPAIGN_JOINER, PairRatings, QeError, Ratings, ScoreRatings, SourceLocation
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.ratings.aggregation.rating_groups import COUNTED_ROLES, RATED_ROLES, has_role

MIN_SEGMENTS = 100
"""Segments below which is said how few they are."""
MIN_RATERS = 2
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
        alone = self.raters is not None and self.raters < MIN_RATERS
        few = self.segments < MIN_SEGMENTS
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
                    MIN_SEGMENTS,
                )
            )
        return join_localized(" ", sentences)

    def _counts(self) -> str:
        if self.raters is None:
            return tr("This rests on {n:,} {n:segment|segments} a system.", "", self.segments)
        if self.raters < MIN_RATERS:
            return tr("This rests on one rater and {n:,} {n:segment|segments} a system.", "", self.segments)
        return tr(
            "This rests on {raters:,} {raters:rater|raters} and {n:,} {n:segment|segments} a system.",
            "",
            self.segments,
            raters=self.raters,
        )


def count_raters(ratings: ScoreRatings | PairRatings) -> int | None:
    """How many raters gave ratings that count; None where none is named."""
    return _different(ratings, ratings.rater) or None


def count_judged_segments(pairs: PairRatings) -> int:
    """How many segments there are judgements of that count."""
    return _different(pairs, pairs.segment)


def _different(ratings: ScoreRatings | PairRatings, column: NDArray[np.integer]) -> int:
    return len(np.unique(column[np.isin(ratings.role, COUNTED_ROLES)]))


MAX_SYSTEMS = 1_000
"""Systems that are compared: each with each other, in tables of systems × systems."""
MAX_SCALES = 50
MAX_RATERS = 20_000
MAX_JUDGEMENTS = 20_000_000
"""Judgements between single systems, once identical outputs that were shown as one are each system's own."""
MAX_SHARED_ITEMS = 50_000_000
"""Pairs of ratings of one output by two raters."""
MAX_RATER_PAIRS = 500_000
"""Pairs of raters: 1,000 raters who all rated the same are so many."""
MAX_MEANS = 10_000
"""Means of systems, one on each scale, whose intervals are drawn together."""
_SYSTEMS = tr("Perhaps another column was taken for that of the systems: look at its names.")


def check_limits(ratings: Ratings) -> None:
    """QeError where there is more to compare with each other than a computer can."""
    scores, pairs = ratings.scores, ratings.pairs
    rows = np.flatnonzero(has_role(scores, RATED_ROLES))
    systems, scales = (len(np.unique(column[rows])) for column in (scores.system, scores.scale))
    _check_limit(ratings, systems, MAX_SYSTEMS, "systems", _SYSTEMS)
    _check_limit(ratings, scales, MAX_SCALES, "scales", tr("Perhaps another column was taken for that of the scales."))
    raters = tr("Perhaps another column was taken for that of the raters: look at its names.")
    for table in (scores, pairs):
        _check_limit(ratings, len(np.unique(table.rater)), MAX_RATERS, "raters", raters)
    _check_limit(ratings, systems * scales, MAX_MEANS, "means", _SYSTEMS)
    shared, some = _shared(ratings, rows), len(np.unique(scores.rater[rows]))
    _check_limit(ratings, shared, MAX_SHARED_ITEMS, "shared", raters)
    _check_limit(ratings, min(shared, some * (some - 1) // 2), MAX_RATER_PAIRS, "pairs", raters)
    _check_identical_outputs(ratings)


def _shared(ratings: Ratings, rows: np.ndarray[tuple[int], np.dtype[np.int64]]) -> int:
    scores = ratings.scores
    if not len(rows):
        return 0
    keys = scores.system[rows].astype(np.int64) * max(1, len(scores.segments)) + scores.segment[rows]
    keys = keys * max(1, len(scores.scales)) + scores.scale[rows]
    counts = np.unique(keys, return_counts=True)[1].astype(np.int64)
    return int((counts * (counts - 1) // 2).sum())


def _check_identical_outputs(ratings: Ratings) -> None:
    """Units of many identical outputs: the judgement of two is one for each system of the one and each of the other."""
    pairs = ratings.pairs
    used = np.zeros(len(pairs.units), bool)
    used[pairs.first] = used[pairs.second] = True
    sizes = np.fromiter((unit.count(CAMPAIGN_JOINER) + 1 for unit in pairs.units), np.int64, len(pairs.units))
    names = {
        name for unit, there in zip(pairs.units, used, strict=True) if there for name in unit.split(CAMPAIGN_JOINER)
    }
    _check_limit(ratings, len(names), MAX_SYSTEMS, "systems", _SYSTEMS)
    single = int((sizes[pairs.first] * sizes[pairs.second]).sum())
    joined = tr("Names of systems that are joined by + stand for identical outputs: check that they are.")
    _check_limit(ratings, single, MAX_JUDGEMENTS, "judgements", joined)


def _check_limit(ratings: Ratings, count: int, most: int, what: str, hint: str) -> None:
    if count > most:
        message = _beyond(count, most)[what]
        raise QeError(message, hint=hint, place=SourceLocation(ratings.origin) if ratings.origin else None)


def _beyond(count: int, most: int) -> dict[str, str]:
    """The sentences by what there are too many of."""
    return {
        "systems": tr(
            "there are {n:,} systems, of which no more than {most:,} can be compared with each other",
            "", count, most=most,
        ),
        "scales": tr(
            "there are {n:,} scales, of which no more than {most:,} can be compared with each other",
            "", count, most=most,
        ),
        "raters": tr(
            "there are {n:,} raters, of which no more than {most:,} can be compared with each other",
            "", count, most=most,
        ),
        "means": tr(
            "there are {n:,} means of systems on scales, of which no more than {most:,} can be compared with each "
            "other", "", count, most=most,
        ),
        "shared": tr(
            "there are {n:,} {n:pair|pairs} of ratings of the same output, of which no more than "
            "{most:,} can be compared with "
            "each other", "", count, most=most,
        ),
        "pairs": tr(
            "there are {n:,} {n:pair|pairs} of raters, of which no more than {most:,} can be compared with each other",
            "", count, most=most,
        ),
        "judgements": tr(
            "there are {n:,} {n:judgement|judgements} between two systems, of which no more than "
            "{most:,} can be compared with each "
            "other", "", count, most=most,
        ),
    }  # fmt: skip
