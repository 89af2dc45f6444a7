"""Disagreement between a metric and human scores on each segment of a system, as a difference in rank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from qe_desktop.corpus import QeError
from qe_desktop.corpus.columns import Floats
from qe_desktop.i18n.messages import tr

if TYPE_CHECKING:
    # imported for type checking only, because segment lists use `RankGap` without the study
    from qe_desktop.studies.meta_eval.score_join import MetaEvalData


@dataclass(frozen=True, slots=True, eq=False)
class RankGap:
    """Difference between the metric rank and the human rank of each segment of a system.

    `values` (segments,) are metric rank minus human rank, NaN if a score is missing. Rank 1 is the lowest score, so a
    positive value means that the metric rates the segment better than human scores do. Translations with both scores
    are ranked together over all systems; `ranked` is their number.
    """

    system: str
    metric: str
    values: Floats
    ranked: int


def segment_rank_gap(data: MetaEvalData, system: int, metric: str) -> RankGap:
    """Return the rank gap of a system (by its index in the study) and a metric (by its name).

    Raises QeError if human or metric segment scores are missing, or if no segment of the system has both scores.
    """
    human, index = data.human.scores, _metric_index(data, metric)
    if human is None:
        message = tr("human scores are not available by segment")
        raise QeError(
            message,
            hint=tr(
                "Select “systems and segments” as the level. The segment numbers of the ratings must match the lines "
                "of the texts."
            ),
        )
    if index is None:
        message = tr("{metric} has system scores only, no segment scores", metric=metric)
        raise QeError(message, hint=tr("Select another metric."))
    scores = data.metrics.segment_scores()[index]
    has_both = ~(np.isnan(scores) | np.isnan(human))
    if not has_both[system].any():
        message = tr(
            "no segment of {system} has both a human score and a {metric} score",
            system=data.systems[system], metric=metric,
        )  # fmt: skip
        raise QeError(message, hint=tr("Select another system."))
    gaps = np.full(human.shape, np.nan)
    gaps[has_both] = mean_rank_order(scores[has_both]) - mean_rank_order(human[has_both])
    return RankGap(data.systems[system], metric, gaps[system], int(has_both.sum()))


def mean_rank_order(values: Floats) -> Floats:
    """Return the 1-based ranks of values, lowest first, shape (n,), in O(n log n); tied values get their mean rank."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2)[inverse])


def _metric_index(data: MetaEvalData, metric: str) -> int | None:
    names = [item.name for item in data.metrics.family_metrics]
    return names.index(metric) if metric in names else None
