"""Metrics tried on labellings that none of them should rate high (Logacheva et al. 2016, section 3.1, table 1).

For each metric: the share d of pairs of real systems that it tells apart, and how many real systems it rates lower
than each labelling.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import QeError, TagColumn
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.scoring import Scoring
from qe_desktop.metrics import Metric, compute_rows, compute_totals, metric_families
from qe_desktop.metrics.family import Floats
from qe_desktop.metrics.tags.word_metrics import WORDS
from qe_desktop.significance import (
    MIN_UNITS,
    Comparison,
    FamilyRows,
    SignificanceOptions,
    distinction_coefficient,
    judge_again,
    percentile_intervals,
    resampled_scores,
    sum_by_unit,
    top_and_bottom,
)
from qe_desktop.significance.comparison import ResamplingUnit
from qe_desktop.significance.randomization import OnRandomisation
from qe_desktop.significance.score_intervals import default_interval_rounds
from qe_desktop.studies.labellings.synthetic_labellings import (
    LABELLINGS,
    RANDOM_LABELLINGS,
    is_synthetic,
    make_labelling,
)

TIE_TOLERANCE = 1e-12
"""Scores that are no further apart are equal: the same sums in another order."""
MAX_ERROR_WIDTHS = 2
"""How many Monte-Carlo errors p may be off, for the range of d."""


@dataclass(frozen=True, slots=True)
class LabellingOptions:
    """How a study is made: tests of real systems as a comparison makes them, which labellings, how many draws of those
    that are drawn, and in how many rounds intervals are drawn, where there shall be any (0: in as many as is usual).
    """

    comparison: SignificanceOptions = field(default_factory=SignificanceOptions)
    labellings: tuple[str, ...] = LABELLINGS
    draws: int = 1
    intervals: bool = False
    interval_rounds: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class LabellingResult:
    """One labelling. All are of as many draws as were made.

    `called`, `precision` and `recall` (draws,) are of BAD, NaN where undefined; `scores` (metrics, draws), NaN where
    undefined; `lower` (metrics, draws) counts the real systems that are rated lower. `score_intervals` and
    `lower_intervals` (metrics, 2) hold 95 % of what the first draw has on segments drawn with replacement.
    """

    name: str
    called: Floats
    precision: Floats
    recall: Floats
    scores: Floats
    lower: NDArray[np.int64]
    score_intervals: Floats | None = None
    lower_intervals: Floats | None = None

    @property
    def draws(self) -> int:
        """How many were made."""
        return len(self.called)


@dataclass(frozen=True, slots=True, eq=False)
class LabellingStudy:
    """What metrics make of real systems and of labellings.

    `scores` (metrics, systems), NaN where undefined; `order` (metrics, systems) the places of systems, best first;
    `distinctions` (metrics, 3) are d of all systems, of the top and of the bottom, NaN where undefined, and
    `distinction_ranges` (metrics, 3, 2) the least and most that they may be by the Monte-Carlo error of p. `comparison`
    is None for one system. `bad` is the share of BAD in the gold.
    """

    systems: tuple[str, ...]
    metrics: tuple[Metric, ...]
    scores: Floats
    order: NDArray[np.int64]
    labellings: tuple[LabellingResult, ...]
    comparison: Comparison | None
    distinctions: Floats
    distinction_ranges: Floats
    bad: float
    options: LabellingOptions
    interval_rounds: int = 0

    @property
    def totals(self) -> Floats:
        """How many systems each metric rates lower than labellings, all of these together: the mean over draws,
        shape (metrics,).
        """
        return np.asarray(sum((one.lower.mean(axis=1) for one in self.labellings), np.zeros(len(self.metrics))))


def real_systems(scoring: Scoring) -> tuple[Scoring, tuple[str, ...]]:
    """The same without systems that are labellings by their names, and these; QeError where no other is left."""
    left = tuple(key.name for key in scoring.subjects if is_synthetic(key.name))
    kept = tuple(key for key in scoring.subjects if key.name not in left)
    if not kept:
        message = tr("there are no systems but synthetic ones")
        raise QeError(message, hint=tr("Add the files of real systems."))
    return replace(scoring, subjects=kept), left


def study_labellings(
    scoring: Scoring,
    metrics: Sequence[Metric],
    options: LabellingOptions | None = None,
    watch: OnRandomisation | None = None,
) -> LabellingStudy:
    """Real systems compared with each other, and set beside labellings of the same gold.

    Where the gold holds one tag only, or there is one system, d is undefined. Depends on the seed alone.
    """
    options = options or LabellingOptions()
    gold = scoring.view.tags(scoring.reference)
    rows = scoring.family_rows(metrics)
    totals = {family.metrics[0].family.name: family.rows.sum(axis=1, dtype=np.float64) for family in rows}
    scores = np.stack([metric.score(totals[metric.family.name]) for metric in metrics])
    worth = _ordering_scores(metrics, scores)
    comparison = scoring.compared(rows, metrics, options.comparison, watch) if len(scoring.subjects) > 1 else None
    tells = comparison is not None and 0 < gold.bad_share() < 1
    tried = tuple(_try_labelling(gold, name, metrics, worth, options) for name in options.labellings)
    made = 0
    if options.intervals and tried and _units(scoring, options.comparison.unit) >= MIN_UNITS:
        made = options.interval_rounds or default_interval_rounds(len(gold))
        tried = _with_intervals(scoring, tried, rows, metrics, options, made)
    return LabellingStudy(
        scoring.names, tuple(metrics), scores, np.argsort(-worth, axis=-1, kind="stable"), tried, comparison,
        *_distinctions(comparison if tells else None, len(metrics)), gold.bad_share(), options, made,
    )  # fmt: skip


def _units(scoring: Scoring, unit: ResamplingUnit) -> int:
    """How many segments or documents are resampled."""
    documents = scoring.documents if unit == "document" else None
    return scoring.segments if documents is None else len(np.unique(documents))


def rejudge_labellings(study: LabellingStudy, options: SignificanceOptions) -> LabellingStudy:
    """The same tests under another correction, alpha or split: labellings are what they were."""
    before = study.options.comparison
    now = replace(before, correction=options.correction, alpha=options.alpha, top=options.top)
    wanted = replace(study.options, comparison=now)
    if study.comparison is None:
        return replace(study, options=wanted)
    tested = replace(study.comparison.options, correction=now.correction, alpha=now.alpha, top=now.top)
    comparison = judge_again(study.comparison, tested)
    tells = 0 < study.bad < 1
    found, ranges = _distinctions(comparison if tells else None, len(study.metrics))
    return replace(study, comparison=comparison, distinctions=found, distinction_ranges=ranges, options=wanted)


def _ordering_scores(metrics: Sequence[Metric], scores: Floats) -> Floats:
    """What systems are ordered by, of scores of shape (metrics, …)."""
    return np.stack([metric.worth(of) for metric, of in zip(metrics, scores, strict=True)])


def _try_labelling(
    gold: TagColumn, name: str, metrics: Sequence[Metric], worth: Floats, options: LabellingOptions
) -> LabellingResult:
    families = metric_families(metrics)
    asked = families if WORDS in families else [*families, WORDS]
    draws = [
        # one after the other, so that many draws of a large gold need no more room than one
        compute_totals(asked, gold, [make_labelling(gold, name, options.comparison.seed, draw)])
        for draw in range(options.draws if name in RANDOM_LABELLINGS else 1)
    ]
    totals = {family.name: np.concatenate([one[family.name] for one in draws]) for family in asked}
    scores = np.stack([metric.score(totals[metric.family.name]) for metric in metrics])
    ours = _ordering_scores(metrics, scores)
    lower = (worth[:, None, :] < ours[:, :, None] - TIE_TOLERANCE).sum(axis=-1)
    hits, false_alarms, bad, items = np.moveaxis(totals[WORDS.name], -1, 0)
    called = hits + false_alarms
    return LabellingResult(name, _share(called, items), _share(hits, called), _share(hits, bad), scores, lower)


def _share(part: Floats, whole: Floats) -> Floats:
    """NaN of nothing."""
    return np.asarray(np.where(whole > 0, part / np.maximum(whole, 1), np.nan))


def _distinctions(comparison: Comparison | None, metrics: int) -> tuple[Floats, Floats]:
    """d of all, top and bottom by each metric, and what they would be were all p some errors more, or less."""
    if comparison is None:
        return np.full((metrics, 3), np.nan), np.full((metrics, 3, 2), np.nan)
    found = np.asarray([(one.d, one.d_top, one.d_bottom) for one in comparison.metrics])
    options = comparison.options
    top, _ = top_and_bottom(len(comparison.systems), options.top)
    ranges = np.empty((metrics, 3, 2))
    for place, one in enumerate(comparison.metrics):
        for part, kept in enumerate((one.order, one.order[:top], one.order[top:])):
            for end, sign in enumerate((1, -1)):
                p = np.clip(one.p + sign * MAX_ERROR_WIDTHS * one.error, 0, 1)[np.ix_(kept, kept)]
                ranges[place, part, end] = distinction_coefficient(p, options.correction, options.alpha)
    return found, ranges


def _with_intervals(
    scoring: Scoring,
    tried: Sequence[LabellingResult],
    rows: Sequence[FamilyRows],
    metrics: Sequence[Metric],
    options: LabellingOptions,
    rounds: int,
) -> tuple[LabellingResult, ...]:
    """The same with intervals of the first draws, systems and labellings on the same drawn segments."""
    gold, seed = scoring.view.tags(scoring.reference), options.comparison.seed
    columns = [make_labelling(gold, one.name, seed) for one in tried]
    added = compute_rows([family.metrics[0].family for family in rows], gold, columns)
    both = [
        FamilyRows(np.concatenate([family.rows, added[family.metrics[0].family.name]]), family.metrics)
        for family in rows
    ]
    units = sum_by_unit(both, options.comparison.unit, scoring.documents)
    drawn = resampled_scores(units, rounds=rounds, seed=seed)
    places = {metric.name: place for place, metric in enumerate(one for family in rows for one in family.metrics)}
    drawn = drawn[[places[metric.name] for metric in metrics]]
    better = np.asarray([metric.better for metric in metrics])[:, None, None]
    real = len(scoring.subjects)
    found = []
    for place, one in enumerate(tried, real):
        ours = drawn[:, place]
        lower = (better * drawn[:, :real] < (better * ours[:, None]) - TIE_TOLERANCE).sum(axis=1)
        ends = np.where(np.isnan(one.scores[:, :1]), np.nan, percentile_intervals(ours))
        found.append(replace(one, score_intervals=ends, lower_intervals=percentile_intervals(lower.astype(np.float64))))
    return tuple(found)
