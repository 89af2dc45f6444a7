"""Results of ratings as frozen values: statistics of systems, order, agreement, and results per rater.

Created by `rating_results.build_results`; displayed in the report and the window. Undefined numbers are None; a
`problem` or note is the reason.
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
    from qe_desktop.ratings.aggregation.trueskill import TrueSkill
    from qe_desktop.ratings.agreement.inter_rater import InterRater
    from qe_desktop.ratings.agreement.intra_rater import IntraRater
    from qe_desktop.ratings.agreement.ranking_kappa import WmtKappa
    from qe_desktop.ratings.agreement.reliability import RaterReliability, RatingPace
    from qe_desktop.ratings.results.sample_size import Evidence
    from qe_desktop.ratings.results.scale_range import ScaleRange

TOTAL = "total"
"""Key of adequacy + fluency among the scales."""
Standardise = Literal["drop", "appraise"]
Repeats = Literal["each", "rater"]


@dataclass(frozen=True, slots=True)
class RatingOptions:
    """Options of results; the same options and ratings give the same numbers.

    `runs` is the number of TrueSkill runs, each on a bootstrap resample, and `rounds` the number of resamples for
    intervals. `standardise` is how z treats raters with constant values ("drop" as at WMT; "appraise": z is 0).
    `correction` is how p-values are corrected for the number of pairs. `repeats` determines what counts if a rater
    rated an output several times: each rating ("each"), as at WMT, or the mean of these ratings ("rater"). Intervals
    cover 1 - `alpha`. `runs` and `rounds` must be positive, and `seed` must not be negative.
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
    """Statistic of a system and its bootstrap interval over segments; None if undefined.

    `problem` is the reason for a missing interval, if any.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class SystemScaleScores:
    """Means of the segment means of a system (see `RatingOptions.repeats`), by scale and for `TOTAL`.

    `raw` lacks scales that have z-scores only, and `z` lacks scales that cannot be standardized. `ratings` is the
    number of ratings that count, `segments` the largest number of rated segments on a scale.
    """

    raw: Mapping[str, Estimate]
    z: Mapping[str, Estimate]
    ratings: int
    segments: int


@dataclass(frozen=True, slots=True)
class SystemWins:
    """Statistics of a system's pairwise judgements; shares are 0..1, None if undefined.

    `bradley_terry` and `bradley_terry_half_ties` are log strengths around 0. `trueskill` is None until it is computed.
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
    """Result of one system; `n` is the number of segments rated on scales or of judgements, and ranks are 1-based."""

    name: str
    n: int
    scores: SystemScaleScores | None = None
    wins: SystemWins | None = None
    rank_low: int | None = None
    rank_high: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class SystemRanking:
    """Order of the systems and significance of their differences.

    `method` describes the comparison. `p` has shape (systems, systems) in the order of `systems` (best first), and is
    NaN on the diagonal and where undefined. For values, it is one-sided ("the row is better than the column"); for
    judgements, two-sided (`two_sided`, sign test). `adjusted` is the adjusted p-value, `beats` whether the row is
    significantly better. `clusters` are best first; `rank_low` and `rank_high`, shape (systems,), are the rank ranges.
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
        """Return the comparison of systems in this order, with the resulting clusters and rank ranges."""
        clusters = tuple(tuple(systems[index] for index in part) for part in rank_clusters(range(len(systems)), beats))
        problem = "" if len(systems) > 1 else tr("At least two systems are needed for a comparison.")
        return cls(method, systems, p, adjusted, beats, clusters, *rank_ranges(beats), problem, two_sided)

    @property
    def verdicts(self) -> PairVerdicts:
        """Test result of each pair."""
        return PairVerdicts(self.p, self.adjusted, self.beats, self.two_sided)


@dataclass(frozen=True, slots=True)
class RankingAgreement:
    """WMT's kappa between raters and within raters, order-free and as published (see `ranking_kappa.wmt_kappa`)."""

    inter: WmtKappa
    intra: WmtKappa
    inter_as_published: WmtKappa
    intra_as_published: WmtKappa


@dataclass(frozen=True, slots=True)
class RankingPage:
    """One rater's rankings: the number of pairwise `judgements` and of `screens`, and the share of `ties`.

    `intra` is intra-annotator agreement. `shared` is the number of pairs of judgements with other raters on the same
    two outputs. `agreement_with_others` is the share of these that agree (None if there are none).
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
    notes on unusual values, over all scales and rankings.
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

    `scales` are the rated scales in display order; `has_rankings` is whether there are pairwise judgements. `systems`
    are best first. `scale_ranking` is the rank-sum comparison of values, and `wins_ranking` the sign tests of
    judgements; `trueskill` is None until it is computed. `clusters` are the clusters to report, and `cluster_method`
    describes their method. `agreement` (between raters) and `intra` (repeats, within raters) are by scale; pairs of
    raters are indices into `InterRater.raters`. `spans` are the ranges of scales, including `TOTAL`. `notes` are notes
    for the reader. `evidence` is the amount of data for the order, and `has_repeated_ratings` is whether a rater rated
    an output more than once on a scale.
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
