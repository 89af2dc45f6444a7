"""Segment list columns that show the difference between two systems or two rankings."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from qe_desktop.i18n.messages import tr
from qe_desktop.significance import SegmentInfluence
from qe_desktop.studies.meta_eval.segment_rank_gap import RankGap
from qe_desktop.ui.scores.number_format import format_signed

SIGNIFICANT_DIGITS = 3
"""Minimum number of decimals; the largest influence also has at least this many significant digits."""


@dataclass(frozen=True, slots=True, eq=False)
class DifferenceColumn:
    """Column that shows a `SegmentInfluence`, which compares two systems."""

    influence: SegmentInfluence
    decimals: int

    @classmethod
    def of(cls, influence: SegmentInfluence) -> DifferenceColumn:
        """Create the column with as many decimals as the largest influence needs."""
        largest = float(np.abs(influence.values).max(initial=0.0))
        return cls(
            influence,
            SIGNIFICANT_DIGITS
            if not largest
            else max(SIGNIFICANT_DIGITS, SIGNIFICANT_DIGITS - 1 - math.floor(math.log10(largest))),
        )

    @property
    def title(self) -> str:
        """Column title."""
        return tr("effect on {metric}", metric=self.influence.metric) if self.influence.metric else tr("differences")

    @property
    def tooltip(self) -> str:
        """Tooltip of the column title."""
        first, second = (key.name for key in self.influence.systems)
        if not self.influence.metric:
            return tr(
                "For each segment, the number of {items} that differ between {first} and {second}",
                items=self.influence.items, first=first, second=second,
            )  # fmt: skip
        return tr(
            "Effect of each segment on the difference in {metric} between {first} and {second}, and the system that "
            "benefits. The effect is half the change of the difference if their outputs for the segment are swapped. "
            "Click to start the list with the segments that favour {first}; click again for {second}.",
            first=first, second=second, metric=self.influence.metric,
        )  # fmt: skip

    def text(self, segment: int) -> str:
        """Return the cell text of a segment."""
        value = float(self.influence.values[segment])
        if not self.influence.metric:
            return tr("{n} different", "", round(value))
        if not value:
            return tr("equal")
        name = self.influence.systems[0 if value > 0 else 1].name
        difference = format_signed(abs(value), self.decimals)
        return f"{name} {difference}" if difference.startswith("+") else tr("{name} better", name=name)

    @property
    def exported_headers(self) -> tuple[str, ...]:
        """Headers of the values in tables for scripts."""
        return ("better system", self.title) if self.influence.metric else (self.title,)

    def exported_cells(self, segment: int) -> tuple[str | float, ...]:
        """Return the system that benefits (empty if neither does) and the effect, or the number of differences."""
        value = float(self.influence.values[segment])
        if not self.influence.metric:
            return (round(value),)
        return (self.influence.systems[0 if value > 0 else 1].name if value else "", abs(value))


@dataclass(frozen=True, slots=True, eq=False)
class RankColumn:
    """Column that shows a `RankGap`, which compares the metric ranks and human ranks of segments."""

    gap: RankGap

    @property
    def title(self) -> str:
        """Column title."""
        return tr("ranked higher by")

    @property
    def tooltip(self) -> str:
        """Tooltip of the column title."""
        return tr(
            "Whether {metric} or human scores rank a translation by {system} higher, and by how many ranks. Ranks are "
            "computed over the {n:,} {n:translation that has|translations that have} both a {metric} score and a human "
            "score. Click to start the list with the translations that the metric ranks higher; click again for those "
            "that human scores rank higher.",
            "", self.gap.ranked, system=self.gap.system, metric=self.gap.metric,
        )  # fmt: skip

    def text(self, segment: int) -> str:
        """Return the cell text of a segment."""
        value = float(self.gap.values[segment])
        if not value:
            return tr("equal")
        name = self.gap.metric if value > 0 else tr("human scores")
        return tr("{name} +{ranks:,.0f}", name=name, ranks=abs(value))

    @property
    def exported_headers(self) -> tuple[str, ...]:
        """Headers of the values in tables for scripts."""
        return (self.title, "ranks")

    def exported_cells(self, segment: int) -> tuple[str | float, ...]:
        """Return what ranks the translation higher (empty if the ranks are equal), and by how many ranks."""
        value = float(self.gap.values[segment])
        return (self.gap.metric if value > 0 else "human scores" if value else "", abs(value))
