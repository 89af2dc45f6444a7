"""Results of ratings as frozen dataclasses: statistics of systems, order, agreement, and results per rater.

They are created by `rating_results.build_results` and displayed in the report and the window. Undefined numbers are
None (NaN in arrays); a `problem` or a note states the reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.i18n.messages import tr
from qe_desktop.significance import Correction, PairVerdicts
from qe_desktop.significance.clusters import rank_clusters, rank_ranges

if TYPE_CHECKING:
    from qe_desktop.ratings.aggregation.scale_range import ScaleRange
    from qe_desktop.ratings.aggregation.trueskill import TrueSkill
    from qe_desktop.ratings.agreement.ranking_kappa import WmtKappa
    from qe_desktop.ratings.agreement.rater_agreement import InterRater, IntraRater
    from qe_desktop.ratings.agreement.reliability import RaterReliability, RatingPace
    from qe_desktop.ratings.results.sample_size import Evidence

NO_RANK_NOTE = tr("no rank: only one system is rated, and ranks compare systems")
NO_Z_SCORE_NOTE = tr("no z-score: only one system is rated, and z-scores compare systems")
"""`NO_RANK_NOTE` and `NO_Z_SCORE_NOTE` are reasons why a single system has no rank and no z-score."""
TOTAL = "total"
"""Key of the sum of adequacy and fluency in mappings by scale."""
Standardise = Literal["drop", "appraise"]
Repeats = Literal["each", "rater"]


@dataclass(frozen=True, slots=True)
class RatingOptions:
    """Options of results; the same options and ratings give the same numbers.

    `runs` is the number of TrueSkill runs, each on a bootstrap resample, and `rounds` is the number of resamples for
    intervals. `standardise` determines the z-scores of raters whose ratings are all equal: undefined ("drop"), as at
    WMT, or 0 ("appraise"). `correction` is the correction of p-values for the number of pairs of systems. `repeats`
    determines what counts if a rater rated an output several times: each rating ("each"), as at WMT, or the mean of
    these ratings ("rater"). The level of intervals is 1 - `alpha`. `runs` and `rounds` must be positive, and `seed`
    must not be negative.
    """

    seed: int = 1
    runs: int = 1000
    rounds: int = 1000
    alpha: float = 0.05
    standardise: Standardise = "drop"
    correction: Correction = "none"
    repeats: Repeats = "each"


@dataclass(frozen=True, slots=True)
class Estimate:
    """Value of a statistic of a system, with its interval from a bootstrap over segments; None if undefined.

    `problem` is the reason for a missing value or interval; it is empty if nothing is missing or the reason is unknown.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class SystemScaleScores:
    """Means of a system's ratings, by scale and for `TOTAL`; each is the mean of the segment means.

    `RatingOptions.repeats` determines how repeated ratings enter the segment means. `raw` has no entry for scales that
    have only z-scores, and `z` has none for scales that cannot be standardized. `ratings` is the number of ratings that
    count. `segments` is the number of segments rated on the scale with the most rated segments.
    """

    raw: Mapping[str, Estimate]
    z: Mapping[str, Estimate]
    ratings: int
    segments: int


@dataclass(frozen=True, slots=True)
class SystemWins:
    """Statistics of a system's pairwise judgements; shares are in 0..1, and undefined values are None.

    `bradley_terry` and `bradley_terry_half_ties` are log strengths, whose mean over systems is 0. `trueskill` is None
    until it is computed.
    """

    judgements: int
    wins: int
    ties: int
    losses: int
    at_least_as_good: float | None
    strictly_better: float | None
    ignoring_ties: float | None
    half_ties: float | None
    expected_wins: float | None
    expected_wins_unseen_zero: float | None
    bradley_terry: float | None
    bradley_terry_half_ties: float | None
    trueskill: float | None = None


@dataclass(frozen=True, slots=True)
class SystemResult:
    """Result of one system; ranks are 1-based, and None if there is no other system.

    `n` is the number of segments rated on scales or, for a system without such ratings, the number of judgements.
    """

    name: str
    n: int
    scores: SystemScaleScores | None = None
    wins: SystemWins | None = None
    rank_low: int | None = None
    rank_high: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class SystemRanking:
    """Order of the systems and significance of their differences.

    `method` describes the comparison. `p`, `adjusted` and `beats` have shape (systems, systems), in the order of
    `systems` (best first). `p` is NaN on the diagonal and where undefined. For ratings on scales, p-values are
    one-sided ("the row is better than the column"); for judgements, they are two-sided (sign tests, `two_sided`).
    `adjusted` holds the adjusted p-values. `beats` states whether the row is significantly better than the column.
    `clusters` are best first. `rank_low` and `rank_high`, shape (systems,), are the ends of the rank ranges.
    """

    method: str
    systems: tuple[str, ...]
    p: Floats
    adjusted: Floats
    beats: NDArray[np.bool_]
    clusters: tuple[tuple[str, ...], ...]
    rank_low: Ints
    rank_high: Ints
    problem: str = ""
    two_sided: bool = False

    @classmethod
    def of(
        cls,
        method: str,
        systems: tuple[str, ...],
        p: Floats,
        adjusted: Floats,
        beats: NDArray[np.bool_],
        *,
        two_sided: bool = False,
    ) -> SystemRanking:
        """Create a ranking of `systems` (best first), with the clusters and rank ranges that result from `beats`."""
        clusters = tuple(tuple(systems[index] for index in part) for part in rank_clusters(range(len(systems)), beats))
        problem = "" if len(systems) > 1 else tr("At least two systems are needed for a comparison.")
        return cls(method, systems, p, adjusted, beats, clusters, *rank_ranges(beats), problem, two_sided)

    @property
    def verdicts(self) -> PairVerdicts:
        """Test result of each pair."""
        return PairVerdicts(self.p, self.adjusted, self.beats, self.two_sided)


@dataclass(frozen=True, slots=True)
class RankingAgreement:
    """WMT's kappa between and within raters, with default rules and as published (see `ranking_kappa.wmt_kappa`)."""

    inter: WmtKappa
    intra: WmtKappa
    inter_as_published: WmtKappa
    intra_as_published: WmtKappa


@dataclass(frozen=True, slots=True)
class RankingPage:
    """One rater's rankings: the numbers of pairwise `judgements` and of `screens`, and the share of `ties`.

    `intra` is intra-annotator agreement. `shared` is the number of pairs that consist of one of the rater's judgements
    and another rater's judgement of the same two outputs. `agreement_with_others` is the share of these pairs that
    agree; None if there are no such pairs.
    """

    screens: int
    judgements: int
    ties: float | None
    pace: RatingPace | None
    intra: WmtKappa
    agreement_with_others: float | None
    shared: int


@dataclass(frozen=True, slots=True)
class RaterPage:
    """Results of one rater: values, pace, quality-control items and repeats by scale, and rankings.

    `changed_after_reveal` counts ratings that were changed after the source or reference was displayed. `remarks` are
    notes on unusual values or times, for all scales and for rankings.
    """

    name: str
    scales: Mapping[str, RaterReliability]
    rankings: RankingPage | None = None
    skipped: int = 0
    comments: int = 0
    changed_after_reveal: int = 0
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class RatingResults:
    """Results of a set of ratings.

    `scales` are the rated scales in display order; `has_rankings` is true if there are pairwise judgements. `systems`
    are best first. `scale_ranking` compares ratings on scales by rank-sum tests, and `wins_ranking` compares judgements
    by sign tests. `trueskill` is None until it is computed. `clusters` are the clusters to report, and `cluster_method`
    describes how they were computed. `agreement` (between raters) and `intra` (within raters, from repeated items) have
    an entry per scale; in `agreement`, pairs of raters are indices into `InterRater.raters`. `spans` are the ranges of
    scales, including `TOTAL`. `evidence` is the amount of data on which the order of the systems is based, and
    `has_repeated_ratings` is true if a rater rated an output more than once on a scale.
    """

    options: RatingOptions
    scales: tuple[str, ...]
    has_rankings: bool
    systems: tuple[SystemResult, ...]
    clusters: tuple[tuple[str, ...], ...]
    cluster_method: str
    scale_ranking: SystemRanking | None
    wins_ranking: SystemRanking | None
    trueskill: TrueSkill | None
    agreement: Mapping[str, InterRater]
    intra: Mapping[str, IntraRater]
    ranking_agreement: RankingAgreement | None
    raters: tuple[RaterPage, ...]
    origin: str = ""
    notes: tuple[str, ...] = field(default=())
    spans: Mapping[str, ScaleRange] = field(default_factory=dict)
    evidence: Evidence | None = None
    has_repeated_ratings: bool = False

    @property
    def has_trueskill_clusters(self) -> bool:
        """Whether the order and the clusters of the systems are from TrueSkill and thus do not depend on alpha."""
        return self.scale_ranking is None and self.trueskill is not None and bool(self.trueskill.systems)
