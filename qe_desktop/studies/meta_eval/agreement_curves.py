"""Agreement with human scores as a function of the recall weight or of the number of references.

Lavie, Sagae and Jayaraman 2004, section 2.2 and figures: the correlation is highest with almost all weight on recall,
and more references help some metrics more than others. The 95% bootstrap intervals of all points use the same resamples
of segments.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np

from qe_desktop.corpus import QeError, View
from qe_desktop.corpus.columns import Floats
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.scoring import Scoring
from qe_desktop.levels.translations.translation_inputs import level_of
from qe_desktop.levels.translations.translation_level import ALL_REFERENCES, ScoredTexts, reference_key
from qe_desktop.metrics import Metric
from qe_desktop.metrics.family import Family
from qe_desktop.metrics.text.tokenized_pairs import TokenizedPair, overlap_rows, rows_by_reference
from qe_desktop.metrics.text.translation_metrics import TranslationMetricSettings
from qe_desktop.metrics.text.unigram_prf import f_mean_term
from qe_desktop.significance.randomization import FamilyRows, OnRounds
from qe_desktop.studies.meta_eval.agreement import percentile_interval
from qe_desktop.studies.meta_eval.score_data import (
    CORRELATIONS,
    HumanSystemScores,
    MetaEvalOptions,
    MetricSystemScores,
    bootstrap_scores,
)

FMEAN = "unigram-Fmean"
COLUMNS = ("matches", "system tokens", "reference tokens")
RECALL_STEPS = 20
"""Number of steps of the recall weight from 0 to 1; the weights include 0.9, as in Lavie et al. 2004."""
MAX_REFERENCE_SETS = 20
"""Maximum number of reference sets of one size; if there are more, this many are sampled."""


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """Point of a curve at `x`, the recall weight or number of references; undefined correlations are NaN.

    `set_count` is the number of reference sets averaged at this point; `sampled` states whether these are a sample of
    all reference sets of their size.
    """

    x: float
    correlations: dict[str, float]
    intervals: dict[str, tuple[float, float]]
    set_count: int = 1
    sampled: bool = False


@dataclass(frozen=True, slots=True)
class CorrelationCurve:
    """System-level correlation of a metric with human scores, by recall weight or by number of references.

    `kind` is "recall" or "references".
    """

    kind: str
    metric: str
    points: tuple[CurvePoint, ...]

    @property
    def best(self) -> CurvePoint | None:
        """Point with the highest Pearson's r (the first, if several are tied); None if r is undefined at all points."""
        defined = [point for point in self.points if not np.isnan(point.correlations["pearson"])]
        return max(defined, key=lambda point: point.correlations["pearson"], default=None)


@dataclass(frozen=True, slots=True, eq=False)
class StudiedTexts:
    """Translations by systems, all references, and the settings for tokenization."""

    scoring: Scoring
    settings: TranslationMetricSettings

    @property
    def references(self) -> tuple[str, ...]:
        """Names of all references."""
        return tuple(self.scoring.view.corpus.references)

    def with_references(self, names: Sequence[str]) -> Scoring:
        """Return the scoring with the named references only, and with the metrics for that number of references.

        `names` must not be empty. Raises KeyError for an unknown name.
        """
        corpus = self.scoring.view.corpus
        references = {name: corpus.references[name] for name in names}
        level = level_of(replace(self.settings, references=len(references)))
        reference = reference_key(ALL_REFERENCES if len(references) > 1 else next(iter(references)))
        return replace(
            self.scoring, view=View(replace(corpus, references=references)), reference=reference, level=level
        )


def recall_curve(
    texts: StudiedTexts,
    human: HumanSystemScores,
    options: MetaEvalOptions | None = None,
    on_progress: OnRounds | None = None,
) -> CorrelationCurve:
    """Return the agreement of Fmean at recall weights from 0 (precision) to 1 (recall).

    Matching words are counted once for all weights. If there are several references, the best reference of a segment is
    selected separately for each weight. Raises QeError if `options.unit` is "document" but documents are unknown.
    """
    weights = [Fraction(step, RECALL_STEPS) for step in range(RECALL_STEPS + 1)]
    counts = _overlaps(texts)
    families = [_family(counts, [weight]) for weight in weights]
    if counts.shape[1] == 1:
        # with one reference, all weights share the same rows
        families = [_family(counts, weights)]
    result = _agreement(MetricSystemScores(tuple(families)), human, options or MetaEvalOptions(), on_progress)
    points = tuple(_point(float(weight), [item]) for weight, item in zip(weights, result, strict=True))
    return CorrelationCurve("recall", FMEAN, points)


def reference_curves(
    texts: StudiedTexts,
    metrics: Sequence[str],
    human: HumanSystemScores,
    options: MetaEvalOptions | None = None,
    on_progress: OnRounds | None = None,
) -> tuple[CorrelationCurve, ...]:
    """Return, for each text metric in `metrics`, the agreement as a function of the number of references.

    Each point is a mean over all reference sets of one size, or over a sample of `MAX_REFERENCE_SETS` if there are
    more. Raises QeError if there is only one reference, or if `options.unit` is "document" but documents are unknown,
    and KeyError for an unknown metric.
    """
    names = texts.references
    if len(names) < 2:
        message = tr("a curve by number of references needs at least two references")
        raise QeError(message, hint=tr("Add another reference, or omit this curve."))
    options = options or MetaEvalOptions()
    points: dict[str, list[CurvePoint]] = {name: [] for name in metrics}
    sets = [reference_sets(len(names), size, options.seed) for size in range(1, len(names) + 1)]
    progress = None if on_progress is None else _parts(on_progress, sum(map(len, sets)))
    for size, chosen in enumerate(sets, 1):
        results = []
        for indices in chosen:
            scoring = texts.with_references([names[index] for index in indices])
            rows = scoring.family_rows([scoring.level.metrics[name] for name in metrics])
            scores = MetricSystemScores(tuple(rows))
            by_name = zip(scores.family_metrics, _agreement(scores, human, options, progress), strict=True)
            results.append({metric.name: item for metric, item in by_name})
        sampled = len(chosen) < comb(len(names), size)
        for name in metrics:
            points[name].append(_point(size, [item[name] for item in results], sampled=sampled))
    return tuple(CorrelationCurve("references", name, tuple(scores)) for name, scores in points.items())


def reference_sets(references: int, size: int, seed: int) -> list[tuple[int, ...]]:
    """Return all sets of `size` reference indices, or a random sample of `MAX_REFERENCE_SETS` if there are more."""
    if comb(references, size) <= MAX_REFERENCE_SETS:
        return list(combinations(range(references), size))
    generator = np.random.default_rng([seed, size])
    sets: dict[tuple[int, ...], None] = {}
    while len(sets) < MAX_REFERENCE_SETS:
        sets[tuple(sorted(generator.choice(references, size, replace=False).tolist()))] = None
    return list(sets)


def _overlaps(texts: StudiedTexts) -> Floats:
    """Return the numbers of matches, system tokens and reference tokens, as `overlap_rows` does.

    The shape is (systems, references, segments, 3).
    """
    scored, cut = ScoredTexts(texts.scoring), texts.settings.word_tokenizer
    return np.stack(
        [
            np.stack(
                rows_by_reference(TokenizedPair(scored.translation(key.name), scored.references), cut, overlap_rows)
            )
            for key in texts.scoring.subjects
        ]
    )


def _family(counts: Floats, weights: Sequence[Fraction]) -> FamilyRows:
    """Return rows and metrics of Fmean for `weights`; the first weight determines the best reference of each output."""
    means = [f_mean_term(weight) for weight in weights]
    best = np.argmax(means[0].evaluate(*np.moveaxis(counts, -1, 0)), axis=1)
    rows = np.take_along_axis(counts, best[:, None, :, None], axis=1)[:, 0]
    family: Family[TokenizedPair] = Family(f"{FMEAN} {weights[0]}", COLUMNS, (), lambda segments: rows[0])
    metrics = tuple(
        Metric(f"{FMEAN} {weight}", family, (mean,), 0, 1, "", "") for weight, mean in zip(weights, means, strict=True)
    )
    return FamilyRows(rows, metrics)


@dataclass(frozen=True, slots=True, eq=False)
class _BootstrapAgreement:
    """Observed value of each correlation, and its values on bootstrap resamples, shape (draws,)."""

    values: dict[str, float]
    resampled: dict[str, Floats]


def _agreement(
    metrics: MetricSystemScores, human: HumanSystemScores, options: MetaEvalOptions, on_progress: OnRounds | None
) -> list[_BootstrapAgreement]:
    """Return the system-level agreement of each metric that has rows; all metrics use the same resamples."""
    counted = human.scored_segments(metrics.segments)
    families = metrics.select_segments(counted)
    resampled = bootstrap_scores(families, human, counted, options, on_progress)
    scores = [metric.score(family.rows.sum(axis=1)) for family in families for metric in family.metrics]
    return [
        _BootstrapAgreement(
            {name: float(figure(metric.better * score, human.systems)) for name, figure in CORRELATIONS.items()},
            {name: figure(resampled[1 + index], resampled[0]) for name, figure in CORRELATIONS.items()},
        )
        for index, (metric, score) in enumerate(zip(metrics.family_metrics, scores, strict=True))
    ]


def _point(at: float, agreements: Sequence[_BootstrapAgreement], *, sampled: bool = False) -> CurvePoint:
    """Return the curve point at `at`: correlations averaged over reference sets, with 95% bootstrap intervals."""
    values = {name: float(np.mean([item.values[name] for item in agreements])) for name in CORRELATIONS}
    resampled = {name: np.mean([item.resampled[name] for item in agreements], axis=0) for name in CORRELATIONS}
    return CurvePoint(
        at,
        values,
        {name: percentile_interval(values_drawn) for name, values_drawn in resampled.items()},
        len(agreements),
        sampled,
    )


def _parts(on_progress: OnRounds, parts: int) -> OnRounds:
    """Return a callback that converts the progress of successive parts to overall progress."""
    done_before = 0

    def report_progress(completed: int, rounds: int) -> None:
        nonlocal done_before
        on_progress(min(parts * rounds, done_before + completed) // parts, rounds)
        if completed >= rounds:
            done_before += rounds

    return report_progress
