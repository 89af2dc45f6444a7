"""External metrics with a score per segment: COMET, MetricX, MQM penalties and others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.columns import Floats
from qe_desktop.i18n.messages import tr
from qe_desktop.metrics.family import Family, Metric, ScoreTerm, is_zero_denominator, ratio


@dataclass(frozen=True, slots=True, eq=False)
class ExternalScores:
    """Segment scores of a system, computed by an external metric, shape (segments,); NaN where missing."""

    scores: Floats


def external_rows(scores: ExternalScores) -> Floats:
    """Return the rows of an external metric.

    Parameters
    ----------
    scores
        Scores of a system.

    Returns
    -------
    ndarray
        Score of each segment (0 if missing), and whether the segment has a score (0 or 1), shape (segments, 2).
    """
    is_scored = ~np.isnan(scores.scores)
    return np.stack([np.where(is_scored, scores.scores, 0.0), is_scored], axis=-1)


def external_metric(name: str, better: Literal[1, -1] = 1) -> Metric:
    """Return a metric that averages segment scores computed by another program, as in the WMT metrics task.

    Parameters
    ----------
    name
        Name of the metric and of its family.
    better
        1 if higher is better, −1 if lower is better.

    Returns
    -------
    Metric
        Mean over the segments that have a score; undefined if no segment has one.
    """
    family: Family[ExternalScores] = Family(
        name, ("score", "segments"), shared=(), rows=external_rows, has_missing_rows=True
    )
    return Metric(
        name, family, (_MEAN,), -np.inf, np.inf,
        tr("Scores computed by another program; what they reward depends on the metric."),
        tr("the score file"), better=better,
        undefined=is_zero_denominator(_mean_of), reason=tr("Undefined if no segment has a score."),
        undefined_is_zero=False,
    )  # fmt: skip


def _mean_of(score: Any, segments: Any) -> tuple[Any, Any]:
    return score, segments


_MEAN = ScoreTerm(_mean_of, ratio)


def is_plain_mean(rows: NDArray[Any], metrics: Sequence[Metric]) -> bool:
    """Return whether rows contain the scores of one external metric, with no score missing.

    Parameters
    ----------
    rows
        Rows of one family, shape (systems, segments, columns).
    metrics
        Metrics of this family.

    Returns
    -------
    bool
        Whether the score of a system is the mean of the first column over all segments.
    """
    return len(metrics) == 1 and metrics[0].terms == (_MEAN,) and bool((rows[..., 1] == 1).all())
