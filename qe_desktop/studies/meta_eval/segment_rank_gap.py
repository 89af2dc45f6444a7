"""Where a metric and people disagree about a system: by how much its segments stand apart in the ranks of both."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import tr
from qe_desktop.metrics.family import Floats

if TYPE_CHECKING:
    # lists of segments know the gap alone, and need no study to be there
    from qe_desktop.studies.meta_eval.score_join import MetaEvalData


@dataclass(frozen=True, slots=True, eq=False)
class RankGap:
    """A system's segments: `values` (segments,) is how many ranks higher a metric puts each than people do, negative
    where lower, NaN where one of them gave nothing. Ranks are among the `ranked` translations that both scored, of all
    systems.
    """

    system: str
    metric: str
    values: Floats
    ranked: int


def segment_rank_gap(asked: MetaEvalData, system: int, metric: str) -> RankGap:
    """The gap of one system, by its place in the study, and one metric.

    QeError where people or the metric gave segments no scores.
    """
    people, place = asked.people.scores, _metric_index(asked, metric)
    if people is None:
        message = tr("people’s scores are not known by segment, so none can be shown")
        raise QeError(message, hint=tr("Segments of the ratings must be numbered as lines are."))
    if place is None:
        message = tr("{metric} gave each system a score, and segments none", metric=metric)
        raise QeError(message, hint=tr("Look at another metric."))
    scores = asked.metrics.of_segments()[place]
    both = ~(np.isnan(scores) | np.isnan(people))
    if not both[system].any():
        message = tr("no segment of {system} was scored both by people and by {metric}", system=asked.systems[system],
                     metric=metric)  # fmt: skip
        raise QeError(message, hint=tr("Look at another system."))
    apart = np.full(people.shape, np.nan)
    apart[both] = mean_rank_order(scores[both]) - mean_rank_order(people[both])
    return RankGap(asked.systems[system], metric, apart[system], int(both.sum()))


def mean_rank_order(values: Floats) -> Floats:
    """Ranks from 1 for the least, ties with their mean, shape (n,); in n log n steps."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2)[inverse])


def _metric_index(asked: MetaEvalData, metric: str) -> int | None:
    names = [one.name for one in asked.metrics.of_families]
    return names.index(metric) if metric in names else None
