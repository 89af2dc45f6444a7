"""A system's scores beside the gold's: their numbers and their names, as pictures of one system show them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from qe_desktop.corpus import LayerKey
from qe_desktop.escaping import elide
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.chart_model import ChartTable, Ints, LegendKey, SegmentGoal
from qe_desktop.levels.level import ChartRequest
from qe_desktop.levels.sentences.scored_segments import scored_segments, scores_in_scored_segments
from qe_desktop.metrics.family import Floats
from qe_desktop.metrics.scores.correlation import pearson_matrix, standardize

MAX_SHORT_NAME_CHARS = 32
"""Characters of a name within a picture."""
NO_SYSTEMS_HINT = tr("There is nothing to be seen without systems.")
ONE_SEGMENT_HINT = tr("One segment alone has no spread: with two or more, this shows how scores go with the gold.")


@dataclass(frozen=True, eq=False)
class ScorePair:
    """A system's scores and the gold's, shape (kept,) each, with the names that they have in a picture.

    `segments` are the segments that they are of, counted from 0: all that the gold does not leave out.
    """

    scores: Floats
    gold: Floats
    system_name: str
    gold_name: str
    asked: ChartRequest
    segments: Ints

    @classmethod
    def of(cls, asked: ChartRequest) -> ScorePair:
        """The system that is looked at."""
        key, kept = asked.subjects[asked.chosen], scored_segments(asked)
        segments = np.arange(asked.view.corpus.size) if kept is None else np.flatnonzero(kept)
        scores, gold = scores_in_scored_segments(asked, key), scores_in_scored_segments(asked, asked.reference)
        return cls(scores, gold, shorten_name(key), gold_name(asked), asked, segments)

    @cached_property
    def r(self) -> float:
        """Their correlation, NaN where it is undefined."""
        return float(pearson_matrix([self.scores, self.gold])[0, 1])

    @property
    def mae(self) -> float:
        """How far the scores are off, on average."""
        return float(np.abs(self.scores - self.gold).mean())

    def say(self, place: int) -> str:
        """A segment, by its place among the scores, with both its numbers."""
        number = self.asked.number
        return tr(
            "segment {segment:,}: gold {gold}, {score} by {system}",
            segment=int(self.segments[place]) + 1, gold=number(float(self.gold[place])),
            score=number(float(self.scores[place])), system=self.system_name,
        )  # fmt: skip

    def goal(self, place: int) -> SegmentGoal:
        """Where a segment is, by its place among the scores."""
        return SegmentGoal(int(self.segments[place]))

    def numbers(self) -> ChartTable:
        """All segments, also those that are not drawn."""
        return ChartTable.of_columns(
            segment=self.segments + 1, gold=self.gold, score=self.scores,
            gold_standardised=standardize(self.gold), score_standardised=standardize(self.scores),
        )  # fmt: skip

    @property
    def keys(self) -> tuple[LegendKey, LegendKey]:
        """How curves of the gold and of the system are drawn."""
        return LegendKey(self.gold_name, "text", "dashed"), LegendKey(self.system_name, "accent", "line")

    @property
    def range(self) -> tuple[float, float]:
        """From the lowest to the highest of all numbers, with some room where they are all the same."""
        low = float(min(self.gold.min(), self.scores.min()))
        high = float(max(self.gold.max(), self.scores.max()))
        return (low, high) if high > low else (low - 0.5, high + 0.5)


def shorten_name(key: LayerKey) -> str:
    """A layer's name, with its end, as there is room for it in a picture."""
    return elide(key.shown, MAX_SHORT_NAME_CHARS)


def gold_name(asked: ChartRequest) -> str:
    """What the gold is called beside a system: “gold”, and of what where its file says so."""
    name = asked.reference.shown
    return tr("gold") if name in ("", "gold") else tr("gold {name}", name=shorten_name(asked.reference))


def missing_data_message(asked: ChartRequest) -> str:
    """Why there is nothing to be seen; empty where there is something."""
    if not asked.subjects:
        return NO_SYSTEMS_HINT
    return ONE_SEGMENT_HINT if len(scores_in_scored_segments(asked, asked.reference)) < 2 else ""
