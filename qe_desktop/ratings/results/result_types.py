"""What a set of ratings says, as frozen values: the figures of systems, their order, agreement, and a page a rater.

`results.results_of` makes them; the report and the window show them. A figure that is not defined is None, and a
`problem` or a note says why in words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

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
"""Stands beside the scales' names for adequacy + fluency."""
Standardise = Literal["drop", "appraise"]
Repeats = Literal["each", "rater"]


@dataclass(frozen=True, slots=True)
class RatingOptions:
    """How results are computed; the same options and ratings give the same figures.

    `runs` are the bootstraps of TrueSkill, `rounds` those of the intervals, `standardise` what z does with raters who
    always give the same value ("drop" as WMT, "appraise": their z is 0), `correction` that of the p-values for the
    number of pairs. `repeats` says what counts where a rater rated an output several times: "each" rating, as at WMT,
    or the "rater"'s mean of them. The intervals cover 1 - `alpha`.
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
    """A figure of a system and its bootstrap interval over segments; None where undefined.

    `problem` says in words why there is no interval, where that needs saying.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class SystemScaleScores:
    """A system's means over segments, each the mean over ratings (see `Options.repeats`): by scale, and `TOTAL` where
    there are two scales.

    `raw` lacks scales whose source gave z only, `z` those that cannot be standardised. `ratings` and `segments` count
    what was rated.
    """

    raw: Mapping[str, Estimate]
    z: Mapping[str, Estimate]
    ratings: int
    segments: int


@dataclass(frozen=True, slots=True)
class SystemWins:
    """A system's figures from pairwise judgements; the shares are 0..1, None where nothing was decided.

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
    """One system. `n` are the segments rated on scales, or else the pairwise judgements; ranks count from 1."""

    name: str
    n: int
    scores: SystemScaleScores | None = None
    wins: SystemWins | None = None
    rank_low: int | None = None
    rank_high: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class SystemRanking:
    """The order of the systems, and which differences are significant.

    `method` says in words what was compared. `p` has shape (systems, systems) in the order of `systems` (best first):
    one-sided for "the row is better than the column" where values were compared, two-sided (sign test) where
    judgements were counted (`two_sided`); NaN on the diagonal and where undefined. `adjusted` is p after the
    correction, `beats` what is significant. `clusters` are best first; `rank_low` and `rank_high` (shape (systems,))
    the range of ranks.
    """

    method: str
    systems: tuple[str, ...]
    p: NDArray[np.float64]
    adjusted: NDArray[np.float64]
    beats: NDArray[np.bool_]
    clusters: tuple[tuple[str, ...], ...]
    rank_low: NDArray[np.int64]
    rank_high: NDArray[np.int64]
    problem: str = ""
    two_sided: bool = False

    @classmethod
    def of(
        cls,
        method: str,
        systems: tuple[str, ...],
        p: NDArray[np.float64],
        adjusted: NDArray[np.float64],
        beats: NDArray[np.bool_],
        *,
        two_sided: bool = False,
    ) -> SystemRanking:
        """The comparison of systems in this order, with the clusters and ranges of ranks that follow from it."""
        clusters = tuple(tuple(systems[place] for place in part) for part in rank_clusters(range(len(systems)), beats))
        problem = "" if len(systems) > 1 else tr("There are no two systems to compare.")
        return cls(method, systems, p, adjusted, beats, clusters, *rank_ranges(beats), problem, two_sided)

    @property
    def verdicts(self) -> PairVerdicts:
        """What the tests say of each pair."""
        return PairVerdicts(self.p, self.adjusted, self.beats, self.two_sided)


@dataclass(frozen=True, slots=True)
class RankingAgreement:
    """WMT's kappa: order-free, between raters and within each; and as published (see `ranking_agreement.wmt_kappa`)."""

    inter: WmtKappa
    intra: WmtKappa
    inter_as_published: WmtKappa
    intra_as_published: WmtKappa


@dataclass(frozen=True, slots=True)
class RankingPage:
    """One rater's rankings: `judgements` are pairwise ones on `screens` screens, `ties` the share of equal ranks.

    `intra` is the agreement with themselves, `with_others` with each other rater on the same outputs (a mean share over
    judgements, None where nobody else judged them), over `shared` pairs of judgements.
    """

    screens: int
    judgements: int
    ties: float | None
    pace: RatingPace | None
    intra: WmtKappa
    with_others: float | None
    shared: int


@dataclass(frozen=True, slots=True)
class RaterPage:
    """All about one rater: by scale their values, pace, control items and repeats; and their rankings.

    `changed_after_reveal` counts fluency that was changed once the source had been seen. `remarks` say in words what
    stands out, over all scales and rankings.
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
    """Everything that a set of ratings says.

    `scales` are those rated, in the order to show them; `ranked` whether there are pairwise judgements. `systems` are
    best first. `scale_ranking` is the rank-sum comparison of values, `wins_ranking` the sign tests of judgements,
    `trueskill` None until it is computed. `clusters` are those to report, by `clusters_by` (in words). `agreement` and
    `intra` are by scale, between raters (with pairs as places in its own `raters`) and of raters with themselves
    (repeats). `spans` says from where to where each scale goes, `TOTAL` among them, where that is known. `notes` say
    what a reader must know. `evidence` says how much the order rests on, `rated_again` whether a rater rated an output
    more than once on a scale.
    """

    options: RatingOptions
    scales: tuple[str, ...]
    ranked: bool
    systems: tuple[SystemResult, ...]
    clusters: tuple[tuple[str, ...], ...]
    clusters_by: str
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
    rated_again: bool = False
