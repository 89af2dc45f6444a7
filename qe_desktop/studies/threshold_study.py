"""Study of word scores: metrics at every threshold, and the quality of rankings of words by score.

The quality of a ranking is measured over all words, and per segment as in the explainability tasks (Fomicheva et al.
2021, Eval4NLP; Zerva et al. 2022, WMT22 task 2).

The value of a metric is optimistic if the threshold was tuned on the same gold, but not if it was tuned on other data.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Kind, Layer, Provenance, QeError, TagColumn, segment_indices, segment_sums
from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.i18n.messages import tr
from qe_desktop.levels import Scoring
from qe_desktop.metrics import Metric, metric_families
from qe_desktop.metrics.tags.word_f1_mcc import METRICS as WORD_METRICS
from qe_desktop.metrics.tags.word_f1_mcc import WORDS
from qe_desktop.significance import MIN_UNITS, bootstrap_weights, percentile_intervals_ignoring_nan
from qe_desktop.significance.randomization import OnRounds, subtask
from qe_desktop.significance.score_intervals import default_interval_rounds
from qe_desktop.studies.synthetic_labellings import is_synthetic
from qe_desktop.studies.threshold_sweep import ThresholdPositions, ThresholdRows, threshold_rows

SCORE_TOLERANCE = 1e-9
"""Maximum difference between scores that count as tied; it allows for rounding errors of sums."""
MAX_THRESHOLDS = 1_000
"""Maximum number of thresholds evaluated in each resample, evenly spaced in the list of all thresholds."""
DEFAULT_PROBABILITY_THRESHOLD = 0.5
"""Default threshold of P(BAD)."""
PRECISION, RECALL = (
    next(item for item in WORD_METRICS if item.name == name) for name in ("precision-BAD", "recall-BAD")
)


@dataclass(frozen=True, slots=True, eq=False)
class WordScores:
    """Word scores of a system.

    `numbers` has shape (words,); a higher number means BAD. `probabilities` states whether the numbers are P(BAD).
    """

    numbers: Floats
    probabilities: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class ThresholdSweep:
    """Scores of a system at every threshold.

    `scores` (metrics, thresholds) are NaN if undefined. `bad_shares` (the shares of words labelled BAD), `precision`
    and `recall` (both for the label BAD) have shape (thresholds,). `together` is the quality of the ranking of all
    words, and `by_segment` is the mean quality of the rankings within segments. `probabilities` is copied from
    `WordScores`.
    """

    positions: ThresholdPositions
    scores: Floats
    bad_shares: Floats
    precision: Floats
    recall: Floats
    together: WordRanking
    by_segment: WordRanking
    probabilities: bool = False

    @property
    def is_constant(self) -> bool:
        """Whether all words have the same score, so that every threshold labels either all words or no word BAD."""
        return len(self.positions.thresholds) <= 2

    def scores_at(self, threshold: float) -> Floats:
        """Return the score of each metric for the tags at a threshold, shape (metrics,)."""
        return np.asarray(self.scores[:, self.positions.position_of(threshold)])


@dataclass(frozen=True, slots=True)
class BestThreshold:
    """Threshold at which a metric has its best score; of several such thresholds, the highest.

    `score` and `bad_share` are the score and the share of words labelled BAD at this threshold. `interval` is the
    95% bootstrap interval of `threshold` over segments; it is NaN if there are too few segments. All values are NaN if
    the score is the same at all thresholds.
    """

    threshold: float
    score: float
    bad_share: float
    interval: tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class SystemThresholds:
    """Thresholds of one system: scores at every threshold (`sweep`), and the best threshold for each metric (`best`).

    `tuned` has the best thresholds on the tuning data, with the scores on the tuning data; None without tuning data.
    """

    name: str
    sweep: ThresholdSweep
    best: tuple[BestThreshold, ...]
    tuned: tuple[BestThreshold, ...] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ThresholdStudy:
    """Threshold study of all systems and metrics.

    `gold_bad_share` is the share of BAD tags in the gold; `rounds` is the number of resamples. `dev_is_gold` states
    whether the gold tags of the tuning data are the same as those of the data.
    """

    metrics: tuple[Metric, ...]
    systems: tuple[SystemThresholds, ...]
    gold_bad_share: float
    seed: int
    rounds: int
    segments: int
    dev_is_gold: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class ThresholdData:
    """Gold tags, and word scores for the same words by system name."""

    gold: TagColumn
    systems: Mapping[str, WordScores]


def study_thresholds(
    data: ThresholdData,
    metrics: Sequence[Metric],
    dev: ThresholdData | None = None,
    *,
    seed: int = 1,
    rounds: int | None = None,
    on_progress: OnRounds | None = None,
) -> ThresholdStudy:
    """Evaluate each system at every threshold; `dev` are other data of the same systems for tuning thresholds.

    The same seed gives the same result. Raises QeError if a word score is not finite, if a system does not have one
    score per gold tag, or if `dev` lacks a system.
    """
    _check_data(data)
    if dev is not None:
        _check_data(dev)
        lacking = [name for name in data.systems if name not in dev.systems]
        if lacking:
            message = tr("the tuning data have no word scores for {names}", names=", ".join(lacking))
            raise QeError(
                message,
                hint=tr("Add word scores for every system, under the same name, to the tuning data."),
                command_hint=tr("Specify word scores for every system, under the same name: --dev NAME=FILE."),
            )
    interval_rounds = rounds or default_interval_rounds(len(data.gold))
    parts = len(data.systems) * (1 if dev is None else 2)
    systems: list[SystemThresholds] = []
    for name, word_scores in data.systems.items():
        progress = subtask(on_progress, parts, len(systems) * (1 if dev is None else 2))
        sweep, best = _sweep_thresholds(data.gold, word_scores, metrics, seed, interval_rounds, progress)
        tuned = None
        if dev is not None:
            progress = subtask(on_progress, parts, len(systems) * 2 + 1)
            _, tuned = _sweep_thresholds(dev.gold, dev.systems[name], metrics, seed, interval_rounds, progress)
        systems.append(SystemThresholds(name, sweep, best, tuned))
    return ThresholdStudy(
        tuple(metrics),
        tuple(systems),
        data.gold.bad_share(),
        seed,
        interval_rounds,
        len(data.gold),
        dev is not None and data.gold == dev.gold,
    )


def _check_data(data: ThresholdData) -> None:
    for name, word_scores in data.systems.items():
        if len(word_scores.numbers) != len(data.gold.values):
            message = tr(
                "{name} has {n:,} {n:number|numbers}, but the gold has {tags:,} {tags:tag|tags}",
                "", len(word_scores.numbers), name=name, tags=len(data.gold.values),
            )  # fmt: skip
            raise QeError(message, hint=tr("The numbers and the gold must be for the same words."))
        if not np.isfinite(word_scores.numbers).all():
            message = tr("{name} has infinite or missing numbers", name=name)
            raise QeError(message, hint=tr("Every word needs a finite number."))


def _sweep_thresholds(
    gold: TagColumn,
    word_scores: WordScores,
    metrics: Sequence[Metric],
    seed: int,
    rounds: int,
    on_progress: OnRounds | None,
) -> tuple[ThresholdSweep, tuple[BestThreshold, ...]]:
    families = metric_families(metrics)
    positions = ThresholdPositions.of(word_scores.numbers, 0.0 if word_scores.probabilities else -np.inf)
    steps = threshold_rows(families if WORDS in families else [*families, WORDS], gold, positions)
    totals = {name: step.totals() for name, step in steps.items()}
    scores = np.stack([metric.score(totals[metric.family.name]) for metric in metrics])
    precision, recall = (metric.score(totals[WORDS.name]) for metric in (PRECISION, RECALL))
    bad_fractions = totals[WORDS.name][:, :2].sum(axis=1) / max(1, len(gold.values))
    together, by_segment = (rank(gold, word_scores.numbers) for rank in (rank_all_words, rank_words_by_segment))
    sweep = ThresholdSweep(
        positions, scores, bad_fractions, precision, recall, together, by_segment, word_scores.probabilities
    )
    ends = _bootstrap_intervals(steps, metrics, positions, rounds, seed, on_progress)
    return sweep, tuple(
        _best(metric, of, sweep, (float(low), float(high)))
        for metric, of, (low, high) in zip(metrics, scores, ends, strict=True)
    )


def _best(metric: Metric, scores: Floats, sweep: ThresholdSweep, interval: tuple[float, float]) -> BestThreshold:
    sort_keys = metric.sort_keys(scores)
    if np.ptp(sort_keys) <= SCORE_TOLERANCE:
        return BestThreshold(np.nan, np.nan, np.nan, (np.nan, np.nan))
    index = int(_first_argmax(sort_keys))
    return BestThreshold(
        float(sweep.positions.thresholds[index]), float(scores[index]), float(sweep.bad_shares[index]), interval
    )


def _first_argmax(sort_keys: Floats) -> Any:
    """Return the first index, along the first axis, of a value that is within `SCORE_TOLERANCE` of the maximum."""
    return np.argmax(sort_keys >= sort_keys.max(axis=0) - SCORE_TOLERANCE, axis=0)


def _bootstrap_intervals(
    steps: Mapping[str, ThresholdRows],
    metrics: Sequence[Metric],
    positions: ThresholdPositions,
    rounds: int,
    seed: int,
    on_progress: OnRounds | None,
) -> Floats:
    """Return 95% bootstrap intervals over segments of the best threshold for each metric, shape (metrics, 2)."""
    segments = len(next(iter(steps.values())).base)
    count = len(positions.thresholds)
    sampled_positions = np.unique(np.linspace(0, count - 1, min(count, MAX_THRESHOLDS)).round().astype(np.int64))
    summed = {
        family.name: _make_summation(steps[family.name], sampled_positions) for family in metric_families(metrics)
    }
    intervals = np.full((len(metrics), rounds), np.nan)
    for first, weights in bootstrap_weights(rounds, seed, segments) if segments >= MIN_UNITS else ():
        totals = {name: of(weights) for name, of in summed.items()}
        for row, metric in enumerate(metrics):
            oriented_scores = metric.better * metric.finite_scores(totals[metric.family.name])
            best = positions.thresholds[sampled_positions][_first_argmax(oriented_scores)]
            intervals[row, first : first + len(weights)] = np.where(
                np.ptp(oriented_scores, axis=0) > SCORE_TOLERANCE, best, np.nan
            )
        if on_progress is not None:
            on_progress(first + len(weights), rounds)
    return percentile_intervals_ignoring_nan(intervals)


def _make_summation(steps: ThresholdRows, sampled_positions: Ints) -> Callable[[Floats], Floats]:
    """Return a function that sums rows over segments, weighted for each resample.

    The function takes the weights of segments, shape (rounds, segments), and returns the sums at `sampled_positions`,
    shape (positions, rounds, columns).
    """
    from scipy.sparse import csr_array

    shape = len(sampled_positions), len(steps.base)
    step_index = np.searchsorted(sampled_positions, steps.positions)
    changes = [
        csr_array((column[item], (step_index[item], steps.segment[item])), shape=shape)
        for column in steps.changes.T
        for item in (np.flatnonzero(column),)
    ]

    def totals(weights: Floats) -> Floats:
        across = np.ascontiguousarray(weights.T)
        columns = [np.cumsum(change @ across, axis=0) for change in changes]
        return np.asarray(np.stack(columns, axis=-1) + weights @ steps.base)

    return totals


def with_probabilities(scoring: Scoring) -> list[Layer]:
    """Return the layers with word-level P(BAD) of systems; empty if `scoring` is not for word tags."""
    if scoring.level.tags is not Kind.WORDS:
        return []
    return list(scoring.view.corpus.find(Provenance.SYSTEM, Kind.PROBABILITIES))


def open_threshold_data(scoring: Scoring) -> ThresholdData:
    """Return the current tags of the reference, and the P(BAD) of each system that has probabilities.

    The probabilities have the precision of the stored values (float32). Trivial baselines are excluded, and thresholds
    that the user selected for systems are ignored.
    """
    result = with_probabilities(scoring)
    numbers = {
        layer.key.name: WordScores(layer.numbers.values.astype(np.float64), probabilities=True) for layer in result
    }
    return ThresholdData(
        scoring.view.tags(scoring.reference),
        {name: number for name, number in numbers.items() if not is_synthetic(name)},
    )


@dataclass(frozen=True, slots=True)
class WordRanking:
    """Ranking quality of word scores, over all words or as means over segments (as in WMT22 task 2).

    All measures are from 0 to 1. `auc` is the probability that a BAD word has a higher score than an OK word.
    `average_precision` is the mean, over all BAD words, of the precision at the rank of the word. Both are NaN if the
    gold has only one class. `recall_at_k` is the share of the k gold BAD words of a segment that are among the k words
    of the segment with the highest scores. Means over segments include only segments with words of both classes;
    `segments` is the number of these segments. For a ranking of all words, `segments` and `recall_at_k` are None.
    """

    auc: float
    average_precision: float
    recall_at_k: float | None = None
    segments: int | None = None


def rank_all_words(gold: TagColumn, numbers: Floats) -> WordRanking:
    """Return AUC and average precision over all words; higher `numbers` (words,) mean BAD."""
    auc, precision, _ = _segment_metrics(gold.values, np.zeros(len(numbers), np.int64), 1, numbers)
    return WordRanking(float(auc[0]), float(precision[0]))


def rank_words_by_segment(gold: TagColumn, numbers: Floats) -> WordRanking:
    """Return means of AUC, average precision and Recall@K over segments with words of both classes; NaN if none exist.

    If scores are tied, Recall@K is the expected value over all orders of the tied words; the WMT22 script uses only one
    of these orders.
    """
    auc, precision, recall = _segment_metrics(gold.values, segment_indices(gold.offsets), len(gold), numbers)
    is_defined = np.isfinite(auc)
    if not is_defined.any():
        return WordRanking(np.nan, np.nan, np.nan, 0)
    means = [float(values[is_defined].mean()) for values in (auc, precision, recall)]
    return WordRanking(means[0], means[1], means[2], int(is_defined.sum()))


def _segment_metrics(
    tags: np.ndarray, segment: np.ndarray, segments: int, numbers: Floats
) -> tuple[Floats, Floats, Floats]:
    """Return AUC, average precision and Recall@K by segment, shape (segments,) each; NaN if a segment lacks a class."""
    order = np.lexsort((-numbers, segment))
    segment, numbers, bad = segment[order], numbers[order], tags[order] == 1
    # tied words of a segment are treated as one
    begins = np.flatnonzero(_changes(segment) | _changes(numbers))
    ends = np.append(begins[1:], len(numbers))
    of = segment[begins]
    offsets = np.searchsorted(of, np.arange(segments + 1))
    hits = np.add.reduceat(bad, begins, dtype=np.float64) if len(begins) else np.zeros(0)
    size = (ends - begins).astype(np.float64)
    all_bad, words = segment_sums(hits, offsets), segment_sums(size, offsets)
    hits_before, before = _preceding_sums(hits, offsets), _preceding_sums(size, offsets)
    k = all_bad[of]
    pairs = segment_sums((size - hits) * (hits_before + hits / 2), offsets)
    precision_sums = segment_sums(hits * (hits_before + hits) / (before + size), offsets)
    top = segment_sums(hits * np.clip((k - before) / np.maximum(size, 1), 0, 1), offsets)
    has_both_classes = (all_bad > 0) & (all_bad < words)
    bad_counts = np.maximum(all_bad, 1)
    auc = pairs / np.maximum(all_bad * (words - all_bad), 1)
    figures = (auc, precision_sums / bad_counts, top / bad_counts)
    results = [np.asarray(np.where(has_both_classes, figure, np.nan), np.float64) for figure in figures]
    return results[0], results[1], results[2]


def _changes(values: NDArray[Any]) -> NDArray[np.bool_]:
    """Return a mask of values that differ from the previous one; True for the first."""
    return np.append(True, values[1:] != values[:-1])[: len(values)]


def _preceding_sums(values: Floats, offsets: Ints) -> Floats:
    """Return, for each value, the sum of the preceding values in the same segment."""
    summed = np.cumsum(values) - values
    starts = offsets[:-1][offsets[:-1] < len(values)]
    lengths = np.diff(offsets)
    return np.asarray(summed - np.repeat(summed[starts], lengths[offsets[:-1] < len(values)]))
