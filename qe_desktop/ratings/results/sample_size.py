"""Numbers of raters and segments on which an order of systems is based, with a note if either is small.

Significance tests generalize to similar segments rated by the same raters. With one rater, agreement is unknown; kappa
between raters on outputs of good systems is often below .2 (Läubli et al. 2020). Card et al. (2020) show that human
ratings of 100 items, as in most studies, usually miss small differences between systems. Significant differences found
with few items tend to be exaggerated.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import CAMPAIGN_JOINER, PairRatings, QeError, Ratings, ScoreRatings, SourceLocation
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.ratings.aggregation.rating_groups import COUNTED_ROLES, RATED_ROLES, has_role

MIN_SEGMENTS = 100
"""Minimum number of segments that is not considered a small sample."""
MIN_RATERS = 2
"""Minimum number of raters that is not considered a small sample."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Number of `raters` (None if unknown) and of `segments` on which an order of systems is based.

    For ratings on scales, `segments` is the number of segments of the system with the fewest rated segments, and
    `rated_segments` is the number of segments rated for at least one system.
    """

    raters: int | None
    segments: int
    rated_segments: int = field(default=0, compare=False)

    @property
    def small_sample_note(self) -> str:
        """Note on the consequences of a small sample; empty if the sample is large enough."""
        has_few_raters = self.raters is not None and self.raters < MIN_RATERS
        has_few_segments = self.segments < MIN_SEGMENTS
        if not has_few_raters and not has_few_segments:
            return ""
        sentences = [self._counts()]
        if has_few_raters:
            sentences.append(tr("Agreement with other raters is unknown."))
        if has_few_segments:
            sentences.append(
                tr(
                    "With fewer than {n} segments, small differences are easily missed, and significant "
                    "differences tend to be exaggerated (Card et al. 2020).",
                    "",
                    MIN_SEGMENTS,
                )
            )
        return join_localized(" ", sentences)

    def _counts(self) -> str:
        if self.rated_segments > self.segments:
            return self._fewest()
        if self.raters is None:
            return tr("Based on {n:,} {n:segment|segments}.", "", self.segments)
        if self.raters < MIN_RATERS:
            return tr("Based on one rater and {n:,} {n:segment|segments}.", "", self.segments)
        return tr(
            "Based on {raters:,} {raters:rater|raters} and {n:,} {n:segment|segments}.",
            "",
            self.segments,
            raters=self.raters,
        )

    def _fewest(self) -> str:
        """Return the sentence on a sample in which some systems were rated on fewer segments than others."""
        if self.raters is None:
            return tr("Based on as few as {n:,} {n:segment|segments} per system.", "", self.segments)
        if self.raters < MIN_RATERS:
            return tr("Based on one rater and as few as {n:,} {n:segment|segments} per system.", "", self.segments)
        return tr(
            "Based on {raters:,} {raters:rater|raters} and as few as {n:,} {n:segment|segments} per system.",
            "",
            self.segments,
            raters=self.raters,
        )


def count_raters(ratings: ScoreRatings | PairRatings) -> int | None:
    """Return the number of raters with ratings that count; None if raters are unknown."""
    return _count_distinct(ratings, ratings.rater) or None


def count_judged_segments(ratings: ScoreRatings | PairRatings) -> int:
    """Return the number of segments with judgements or ratings that count."""
    return _count_distinct(ratings, ratings.segment)


def _count_distinct(ratings: ScoreRatings | PairRatings, column: NDArray[np.integer]) -> int:
    return len(np.unique(column[np.isin(ratings.role, COUNTED_ROLES)]))


MAX_SYSTEMS = 1_000
"""Maximum number of systems to compare pairwise, in tables of systems × systems."""
MAX_SCALES = 50
MAX_RATERS = 20_000
MAX_JUDGEMENTS = 20_000_000
"""Maximum number of judgements; a judgement of outputs shared by several systems counts for each pair of systems."""
MAX_SHARED_ITEMS = 50_000_000
"""Maximum number of pairs of ratings of the same output on the same scale."""
MAX_RATER_PAIRS = 500_000
"""Maximum number of pairs of raters who rated the same items; 1,000 raters make 499,500 pairs."""
MAX_MEANS = 10_000
"""Maximum number of means, one per system and scale, whose intervals are computed together."""
_SYSTEM_COLUMN_HINT = tr("The system column may be wrong: check the column names.")


def check_limits(ratings: Ratings) -> None:
    """Raise QeError if ratings exceed one of the limits of this module, such as `MAX_SYSTEMS`."""
    scores, pairs = ratings.scores, ratings.pairs
    rows = np.flatnonzero(has_role(scores, RATED_ROLES))
    systems, scales = (len(np.unique(column[rows])) for column in (scores.system, scores.scale))
    _check_limit(ratings, systems, MAX_SYSTEMS, "systems", _SYSTEM_COLUMN_HINT)
    _check_limit(ratings, scales, MAX_SCALES, "scales", tr("The scale column may be wrong: check the column names."))
    raters = tr("The rater column may be wrong: check the column names.")
    for table in (scores, pairs):
        _check_limit(ratings, len(np.unique(table.rater)), MAX_RATERS, "raters", raters)
    _check_limit(ratings, systems * scales, MAX_MEANS, "means", _SYSTEM_COLUMN_HINT)
    shared, rater_count = _count_shared_pairs(ratings, rows), len(np.unique(scores.rater[rows]))
    _check_limit(ratings, shared, MAX_SHARED_ITEMS, "shared", raters)
    _check_limit(ratings, min(shared, rater_count * (rater_count - 1) // 2), MAX_RATER_PAIRS, "pairs", raters)
    _check_identical_outputs(ratings)


def _count_shared_pairs(ratings: Ratings, rows: np.ndarray[tuple[int], np.dtype[np.int64]]) -> int:
    scores = ratings.scores
    if not len(rows):
        return 0
    keys = scores.system[rows].astype(np.int64) * max(1, len(scores.segments)) + scores.segment[rows]
    keys = keys * max(1, len(scores.scales)) + scores.scale[rows]
    counts = np.unique(keys, return_counts=True)[1].astype(np.int64)
    return int((counts * (counts - 1) // 2).sum())


def _check_identical_outputs(ratings: Ratings) -> None:
    """Raise QeError if there are too many systems or judgements.

    A judgement of outputs that several systems share counts for each pair of these systems.
    """
    pairs = ratings.pairs
    used = np.zeros(len(pairs.units), bool)
    used[pairs.first] = used[pairs.second] = True
    sizes = np.fromiter((unit.count(CAMPAIGN_JOINER) + 1 for unit in pairs.units), np.int64, len(pairs.units))
    names = {
        name for unit, is_used in zip(pairs.units, used, strict=True) if is_used for name in unit.split(CAMPAIGN_JOINER)
    }
    _check_limit(ratings, len(names), MAX_SYSTEMS, "systems", _SYSTEM_COLUMN_HINT)
    single = int((sizes[pairs.first] * sizes[pairs.second]).sum())
    joined = tr("System names joined by + stand for identical outputs. Check that the outputs are identical.")
    _check_limit(ratings, single, MAX_JUDGEMENTS, "judgements", joined)


def _check_limit(ratings: Ratings, count: int, maximum: int, kind: str, hint: str) -> None:
    if count > maximum:
        message = _limit_messages(count, maximum)[kind]
        raise QeError(message, hint=hint, place=SourceLocation(ratings.origin) if ratings.origin else None)


def _limit_messages(count: int, maximum: int) -> dict[str, str]:
    return {
        "systems": tr(
            "there are {n:,} systems; at most {most:,} can be compared with each other",
            "", count, most=maximum,
        ),
        "scales": tr(
            "there are {n:,} scales; at most {most:,} can be evaluated",
            "", count, most=maximum,
        ),
        "raters": tr(
            "there are {n:,} raters; at most {most:,} can be compared with each other",
            "", count, most=maximum,
        ),
        "means": tr(
            "there are {n:,} means, one per system and scale; at most {most:,} can be evaluated",
            "", count, most=maximum,
        ),
        "shared": tr(
            "there are {n:,} {n:pair|pairs} of ratings of the same output; at most {most:,} can be evaluated",
            "", count, most=maximum,
        ),
        "pairs": tr(
            "there are {n:,} {n:pair|pairs} of raters; at most {most:,} can be evaluated",
            "", count, most=maximum,
        ),
        "judgements": tr(
            "there are {n:,} pairwise {n:judgement|judgements} of systems; at most {most:,} can be evaluated",
            "", count, most=maximum,
        ),
    }  # fmt: skip
