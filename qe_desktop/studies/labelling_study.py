"""Study of whether metrics rank trivial baselines below real systems (Logacheva et al. 2016, section 3.1, table 1).

The results for each metric are the discriminative power d over real systems, and the number of real systems ranked
below each baseline.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from qe_desktop.corpus import QeError, TagColumn
from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.scoring import Scoring
from qe_desktop.metrics import Metric, compute_rows, compute_totals, metric_families
from qe_desktop.metrics.tags.word_f1_mcc import WORDS
from qe_desktop.significance import (
    MIN_UNITS,
    Comparison,
    FamilyRows,
    SignificanceOptions,
    distinction_coefficient,
    percentile_intervals,
    rejudge_comparison,
    resampled_scores,
    sum_by_unit,
    top_and_bottom,
)
from qe_desktop.significance.comparison import ResamplingUnit
from qe_desktop.significance.randomization import OnRounds
from qe_desktop.significance.score_intervals import default_interval_rounds
from qe_desktop.studies.synthetic_labellings import (
    LABELLINGS,
    RANDOM_LABELLINGS,
    is_synthetic,
    make_labelling,
)

TIE_TOLERANCE = 1e-12
"""Maximum difference between scores that count as tied; the rounding error of a sum depends on its order."""
MAX_ERROR_WIDTHS = 2
"""Number of Monte Carlo standard errors by which p-values are shifted.

Shifts up and down give the range of the discriminative power d.
"""


@dataclass(frozen=True, slots=True)
class LabellingOptions:
    """Options of the labelling study.

    `comparison` has the options of the tests between real systems, and `labellings` the names of the baselines. `draws`
    is the number of draws of each random baseline. `intervals` requests bootstrap intervals; `interval_rounds` is the
    number of resamples, 0 for the default.
    """

    comparison: SignificanceOptions = field(default_factory=SignificanceOptions)
    labellings: tuple[str, ...] = LABELLINGS
    draws: int = 1
    intervals: bool = False
    interval_rounds: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class LabellingResult:
    """Results of one baseline, by draw.

    `bad_shares` (share of words labelled BAD) and the `precision` and `recall` of BAD have shape (draws,). `scores` has
    shape (metrics, draws). Undefined values are NaN. `lower_counts` (metrics, draws) is the number of real systems
    ranked below the baseline. `score_intervals` and `lower_intervals` (metrics, 2) are 95% bootstrap intervals of
    `scores` and `lower_counts` in the first draw. They are None if they were not requested, or if there are too few
    segments or documents.
    """

    name: str
    bad_shares: Floats
    precision: Floats
    recall: Floats
    scores: Floats
    lower_counts: Ints
    score_intervals: Floats | None = None
    lower_intervals: Floats | None = None

    @property
    def draws(self) -> int:
        """Number of draws."""
        return len(self.bad_shares)


@dataclass(frozen=True, slots=True, eq=False)
class LabellingStudy:
    """Scores and tests of real systems by each metric, and results of the trivial baselines.

    `scores` has shape (metrics, systems). `order` (metrics, systems) has system indices, best first. `distinctions`
    (metrics, 3) has the discriminative power d over all, top and bottom systems; `distinction_ranges` (metrics, 3, 2)
    has the range of each d given the Monte Carlo error of p-values. Undefined values are NaN. `comparison` is None if
    there is only one system. `gold_bad_share` is the share of BAD tags in the gold. `interval_rounds` is the number of
    resamples, 0 if there are no intervals.
    """

    systems: tuple[str, ...]
    metrics: tuple[Metric, ...]
    scores: Floats
    order: Ints
    labellings: tuple[LabellingResult, ...]
    comparison: Comparison | None
    distinctions: Floats
    distinction_ranges: Floats
    gold_bad_share: float
    options: LabellingOptions
    interval_rounds: int = 0

    @property
    def has_several_draws(self) -> bool:
        """Whether counts are means over several draws of a random baseline and may therefore be fractional."""
        return any(labelling.draws > 1 for labelling in self.labellings)

    @property
    def totals(self) -> Floats:
        """Number of real systems that each metric ranks below a baseline, summed over baselines, shape (metrics,).

        The number for a random baseline is its mean over draws.
        """
        return np.asarray(
            sum((labelling.lower_counts.mean(axis=1) for labelling in self.labellings), np.zeros(len(self.metrics)))
        )


def real_systems(scoring: Scoring) -> tuple[Scoring, tuple[str, ...]]:
    """Return the scoring without systems that have the name of a baseline, and the names of the removed systems.

    Raises QeError if no systems remain.
    """
    excluded_names = tuple(key.name for key in scoring.subjects if is_synthetic(key.name))
    systems = tuple(key for key in scoring.subjects if key.name not in excluded_names)
    if not systems:
        message = tr("all systems are trivial baselines")
        raise QeError(message, hint=tr("Add files of real systems."))
    return replace(scoring, subjects=systems), excluded_names


def study_labellings(
    scoring: Scoring,
    metrics: Sequence[Metric],
    options: LabellingOptions | None = None,
    on_progress: OnRounds | None = None,
) -> LabellingStudy:
    """Compare real systems with each other and with baselines on the same gold.

    The discriminative power d is undefined if all gold tags are equal, or if there is only one system. The same seed
    gives the same result. Raises QeError as `Scoring.compare_rows` does, and KeyError for an unknown baseline.
    """
    options = options or LabellingOptions()
    gold = scoring.view.tags(scoring.reference)
    rows = scoring.family_rows(metrics)
    totals = {family.metrics[0].family.name: family.rows.sum(axis=1, dtype=np.float64) for family in rows}
    scores = np.stack([metric.score(totals[metric.family.name]) for metric in metrics])
    sort_keys = _ordering_scores(metrics, scores)
    comparison = (
        scoring.compare_rows(rows, metrics, options.comparison, on_progress) if len(scoring.subjects) > 1 else None
    )
    is_informative = comparison is not None and 0 < gold.bad_share() < 1
    labelling_results = tuple(_try_labelling(gold, name, metrics, sort_keys, options) for name in options.labellings)
    interval_rounds = 0
    if options.intervals and labelling_results and _units(scoring, options.comparison.unit) >= MIN_UNITS:
        interval_rounds = options.interval_rounds or default_interval_rounds(len(gold))
        labelling_results = _with_intervals(scoring, labelling_results, rows, metrics, options, interval_rounds)
    return LabellingStudy(
        scoring.names,
        tuple(metrics),
        scores,
        np.argsort(-sort_keys, axis=-1, kind="stable"),
        labelling_results,
        comparison,
        *_distinctions(comparison if is_informative else None, len(metrics)),
        gold.bad_share(),
        options,
        interval_rounds,
    )


def _units(scoring: Scoring, unit: ResamplingUnit) -> int:
    """Return the number of resampling units (segments or documents)."""
    documents = scoring.documents if unit == "document" else None
    return scoring.segments if documents is None else len(np.unique(documents))


def rejudge_labellings(study: LabellingStudy, options: SignificanceOptions) -> LabellingStudy:
    """Return the study with the correction, alpha and top–bottom split of `options`.

    The p-values and the results of baselines are unchanged.
    """
    old_options = study.options.comparison
    comparison_options = replace(old_options, correction=options.correction, alpha=options.alpha, top=options.top)
    new_options = replace(study.options, comparison=comparison_options)
    if study.comparison is None:
        return replace(study, options=new_options)
    tested = replace(
        study.comparison.options,
        correction=comparison_options.correction,
        alpha=comparison_options.alpha,
        top=comparison_options.top,
    )
    comparison = rejudge_comparison(study.comparison, tested)
    is_informative = 0 < study.gold_bad_share < 1
    result, ranges = _distinctions(comparison if is_informative else None, len(study.metrics))
    return replace(study, comparison=comparison, distinctions=result, distinction_ranges=ranges, options=new_options)


def _ordering_scores(metrics: Sequence[Metric], scores: Floats) -> Floats:
    """Return the scores by which systems are sorted (higher is better), shape (metrics, …)."""
    return np.stack([metric.sort_keys(of) for metric, of in zip(metrics, scores, strict=True)])


def _try_labelling(
    gold: TagColumn, name: str, metrics: Sequence[Metric], system_sort_keys: Floats, options: LabellingOptions
) -> LabellingResult:
    families = metric_families(metrics)
    requested = families if WORDS in families else [*families, WORDS]
    draws = [
        # one at a time, to bound memory for many draws of a large gold
        compute_totals(requested, gold, [make_labelling(gold, name, options.comparison.seed, draw)])
        for draw in range(options.draws if name in RANDOM_LABELLINGS else 1)
    ]
    totals = {family.name: np.concatenate([item[family.name] for item in draws]) for family in requested}
    scores = np.stack([metric.score(totals[metric.family.name]) for metric in metrics])
    labelling_scores = _ordering_scores(metrics, scores)
    lower = (system_sort_keys[:, None, :] < labelling_scores[:, :, None] - TIE_TOLERANCE).sum(axis=-1)
    hits, false_alarms, bad, items = np.moveaxis(totals[WORDS.name], -1, 0)
    flagged = hits + false_alarms
    return LabellingResult(name, _share(flagged, items), _share(hits, flagged), _share(hits, bad), scores, lower)


def _share(part: Floats, total: Floats) -> Floats:
    """Return `part` / `total`, NaN if `total` is 0."""
    return np.asarray(np.where(total > 0, part / np.maximum(total, 1), np.nan))


def _distinctions(comparison: Comparison | None, metrics: int) -> tuple[Floats, Floats]:
    """Return the discriminative power d over all, top and bottom systems for each metric, and the range of each d.

    The shapes are (metrics, 3) and (metrics, 3, 2). The ranges reflect the Monte Carlo error of p-values. All values
    are NaN if `comparison` is None.
    """
    if comparison is None:
        return np.full((metrics, 3), np.nan), np.full((metrics, 3, 2), np.nan)
    result = np.asarray([(metric.d, metric.d_top, metric.d_bottom) for metric in comparison.metrics])
    options = comparison.options
    top, _ = top_and_bottom(len(comparison.systems), options.top)
    ranges = np.empty((metrics, 3, 2))
    for index, metric in enumerate(comparison.metrics):
        for part, systems in enumerate((metric.order, metric.order[:top], metric.order[top:])):
            for end, sign in enumerate((1, -1)):
                p = np.clip(metric.p + sign * MAX_ERROR_WIDTHS * metric.error, 0, 1)[np.ix_(systems, systems)]
                ranges[index, part, end] = distinction_coefficient(p, options.correction, options.alpha)
    return result, ranges


def _with_intervals(
    scoring: Scoring,
    labelling_results: Sequence[LabellingResult],
    rows: Sequence[FamilyRows],
    metrics: Sequence[Metric],
    options: LabellingOptions,
    rounds: int,
) -> tuple[LabellingResult, ...]:
    """Return the results with bootstrap intervals for the first draw of each baseline.

    All systems and baselines share the resamples.
    """
    gold, seed = scoring.view.tags(scoring.reference), options.comparison.seed
    columns = [make_labelling(gold, labelling.name, seed) for labelling in labelling_results]
    labelling_rows = compute_rows([family.metrics[0].family for family in rows], gold, columns)
    all_rows = [
        FamilyRows(np.concatenate([family.rows, labelling_rows[family.metrics[0].family.name]]), family.metrics)
        for family in rows
    ]
    units = sum_by_unit(all_rows, options.comparison.unit, scoring.documents)
    resampled = resampled_scores(units, rounds=rounds, seed=seed)
    indices = {metric.name: index for index, metric in enumerate(item for family in rows for item in family.metrics)}
    resampled = resampled[[indices[metric.name] for metric in metrics]]
    better = np.asarray([metric.better for metric in metrics])[:, None, None]
    system_count = len(scoring.subjects)
    intervals = []
    for index, labelling in enumerate(labelling_results, system_count):
        labelling_scores = resampled[:, index]
        lower = (better * resampled[:, :system_count] < (better * labelling_scores[:, None]) - TIE_TOLERANCE).sum(
            axis=1
        )
        ends = np.where(np.isnan(labelling.scores[:, :1]), np.nan, percentile_intervals(labelling_scores))
        intervals.append(
            replace(labelling, score_intervals=ends, lower_intervals=percentile_intervals(lower.astype(np.float64)))
        )
    return tuple(intervals)
