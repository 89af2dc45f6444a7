"""Metrics whose scores come from elsewhere, as a number for each segment: COMET, MetricX, MQM penalties, whatever."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from qe_desktop.i18n.messages import tr
from qe_desktop.metrics.family import Family, Floats, Metric, ScoreTerm, is_zero_denominator, ratio


@dataclass(frozen=True, slots=True, eq=False)
class ExternalScores:
    """What a metric gave a system, shape (segments,); NaN where it gave nothing."""

    scores: Floats


def external_rows(brought: ExternalScores) -> Floats:
    """The score of each segment, and whether there is one, shape (segments, 2)."""
    there = ~np.isnan(brought.scores)
    return np.stack([np.where(there, brought.scores, 0.0), there], axis=-1)


def external_metric(name: str, better: Literal[1, -1] = 1) -> Metric:
    """A metric whose score is the mean over the segments that have one, as the WMT metrics tasks have it."""
    family: Family[ExternalScores] = Family(name, ("score", "segments"), shared=(), rows=external_rows, partial=True)
    return Metric(
        name, family, (_MEAN,), -np.inf, np.inf,
        tr("Scores that were computed elsewhere; what they reward is that metric's."),
        tr("the file of its scores"), better=better,
        undefined=is_zero_denominator(_mean_of), reason=tr("Undefined where no segment has a score."),
        undefined_is_zero=False,
    )  # fmt: skip


def _mean_of(score: Any, segments: Any) -> tuple[Any, Any]:
    return score, segments


_MEAN = ScoreTerm(_mean_of, ratio)


def is_plain_mean(rows: NDArray[Any], metrics: Sequence[Metric]) -> bool:
    """Whether rows of shape (systems, segments, columns) are scores of a single such metric, with none missing."""
    return len(metrics) == 1 and metrics[0].terms == (_MEAN,) and bool((rows[..., 1] == 1).all())
