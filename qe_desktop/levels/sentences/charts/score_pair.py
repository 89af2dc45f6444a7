"""Scores of one system and of the gold, with the names, tables and links that charts show."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from qe_desktop.corpus import LayerKey
from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.escaping import elide
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.chart_model import ChartTable, LegendKey, SegmentGoal
from qe_desktop.levels.level import ChartRequest
from qe_desktop.levels.sentences.scored_segments import scored_segments, scores_in_scored_segments
from qe_desktop.metrics.scores.correlation import pearson_matrix, standardize

MAX_SHORT_NAME_CHARS = 32
"""Maximum number of characters of a name in a chart."""
NO_SYSTEMS_HINT = tr("No systems to show. Add the scores of one or more systems.")
ONE_SEGMENT_HINT = tr("This chart needs at least two segments with a gold score.")


@dataclass(frozen=True, eq=False)
class ScorePair:
    """Scores of a system and of the gold, shape (scored segments,) each, with their names in a chart.

    `segments` are the 0-based indices of the scored segments.
    """

    scores: Floats
    gold: Floats
    system_name: str
    gold_name: str
    request: ChartRequest
    segments: Ints

    @classmethod
    def of(cls, request: ChartRequest) -> ScorePair:
        """Build the pair for the selected system."""
        key, is_scored = request.subjects[request.chosen], scored_segments(request)
        segments = np.arange(request.view.corpus.size) if is_scored is None else np.flatnonzero(is_scored)
        scores, gold = (
            scores_in_scored_segments(request, key),
            scores_in_scored_segments(request, request.reference),
        )
        return cls(scores, gold, shorten_name(key), gold_name(request), request, segments)

    @cached_property
    def r(self) -> float:
        """Return Pearson's correlation of the system and gold scores; NaN if undefined."""
        return float(pearson_matrix([self.scores, self.gold])[0, 1])

    @property
    def mae(self) -> float:
        """Return the mean absolute error."""
        return float(np.abs(self.scores - self.gold).mean())

    def describe_segment(self, index: int) -> str:
        """Describe the segment at index `index` of `scores`, with its gold and system scores."""
        number = self.request.number
        return tr(
            "segment {segment:,}: gold {gold}, {system} {score}",
            segment=int(self.segments[index]) + 1, gold=number(float(self.gold[index])),
            score=number(float(self.scores[index])), system=self.system_name,
        )  # fmt: skip

    def goal(self, index: int) -> SegmentGoal:
        """Return the link to the segment at index `index` of `scores`."""
        return SegmentGoal(int(self.segments[index]))

    def numbers(self) -> ChartTable:
        """Return a table of the gold and system scores of all scored segments, even if they are not plotted."""
        return ChartTable.of_columns(
            segment=self.segments + 1, gold=self.gold, score=self.scores,
            gold_standardised=standardize(self.gold), score_standardised=standardize(self.scores),
        )  # fmt: skip

    @property
    def keys(self) -> tuple[LegendKey, LegendKey]:
        """Return the legend entries of the gold's and the system's curves."""
        return LegendKey(self.gold_name, "text", "dashed"), LegendKey(self.system_name, "accent", "line")

    @property
    def range(self) -> tuple[float, float]:
        """Return the joint range of the gold and system scores, widened if all scores are equal."""
        low = float(min(self.gold.min(), self.scores.min()))
        high = float(max(self.gold.max(), self.scores.max()))
        return (low, high) if high > low else (low - 0.5, high + 0.5)


def shorten_name(key: LayerKey) -> str:
    """Return a layer's name, shortened in the middle to fit a chart."""
    return elide(key.display_name, MAX_SHORT_NAME_CHARS)


def gold_name(request: ChartRequest) -> str:
    """Return the name of the gold in a chart: “gold”, followed by the layer's name unless that is empty or “gold”."""
    name = request.reference.display_name
    return tr("gold") if name in ("", "gold") else tr("gold {name}", name=shorten_name(request.reference))


def missing_data_message(request: ChartRequest) -> str:
    """Return a message that says why there is nothing to plot; empty if there is data to plot."""
    if not request.subjects:
        return NO_SYSTEMS_HINT
    return ONE_SEGMENT_HINT if len(scores_in_scored_segments(request, request.reference)) < 2 else ""
